import { derivedId, maxOrderBytes, type Order } from '@order-automation/contracts';
import { isGatewayMeta } from './order-lookup';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
/** Longer values are not what a rule compares with. */
const longestValue = 2_000;

/** Fields of ours, and those that an order is found by, stay whatever they hold. */
const isOurs = (key: string): boolean => key.startsWith('_order_') || isGatewayMeta(key);

/**
 * The order as it is kept. One that is too large gives up meta fields that no rule, placeholder or search reads: lists and objects, long texts, then
 * repeated keys; a digest tells when they change. Null when it is too large even so.
 */
export function fittingOrder(order: Order): Order | null {
  if (bytesOf(order) <= maxOrderBytes) return order;
  const readable = (rows: Order['meta_data']) =>
    rows.filter(({ key, value }) => isOurs(key) || (typeof value !== 'object' && bytesOf(value) <= longestValue));
  const seen = new Set<string>();
  const firstOfKey = (rows: Order['meta_data']) => rows.filter(({ key }) => !seen.has(key) && seen.add(key));
  const plain = readable(order.meta_data);
  const meta_digest = derivedId(JSON.stringify(order.meta_data));
  const fitted = { ...order, meta_data: plain, meta_digest };
  if (bytesOf(fitted) <= maxOrderBytes) return fitted;
  const least = { ...fitted, meta_data: firstOfKey(plain) };
  return bytesOf(least) <= maxOrderBytes ? least : null;
}
