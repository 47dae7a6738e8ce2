import type { Shop } from '../ports/shop';
import type { EffectKind } from './effects';

/** A change of the order, applied by the shop once by its key. */
export function orderEffect(shop: Shop): EffectKind<'order'> {
  return async ({ command }, { key, order_id, expected, process_id, cause, rule }) => {
    if (order_id === null) throw new Error('a command without an order');
    const { depth, rules } = cause;
    const result = await shop.apply({
      key,
      order_id,
      command,
      expected,
      cause: { process_id, depth: depth + 1, author: 'automation', rules: [...rules, rule.id] },
    });
    if (result.status === 'stale') return { status: 'stale' };
    const { status, process_id: by, message, changes } = result;
    return { status, by, message, changes };
  };
}
