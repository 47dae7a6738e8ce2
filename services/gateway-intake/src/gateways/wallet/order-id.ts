import { objectAt, own, scalar } from '../payload';

/**
 * The order that a shop wrote into the wallet's free field: as JSON with `order_id`, or as the number alone. Anything else is somebody's
 * own text and no order.
 */
export function orderIdIn(custom: string): string | undefined {
  if (/^\d{1,15}$/.test(custom)) return custom;
  if (!custom.startsWith('{')) return undefined;
  try {
    const value = { custom: JSON.parse(custom) as unknown };
    return scalar(own(objectAt(value, 'custom'), 'order_id'));
  } catch {
    return undefined;
  }
}
