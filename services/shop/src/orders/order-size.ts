import { derivedId, maxOrderBytes, type Order } from '@order-automation/contracts';
import { isGatewayMeta } from './order-lookup';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
/** Longer values are not what a rule compares with. */
const longestValue = 2_000;

/** Fields of ours, and those that an order is found by, stay whatever they hold. */
const isOurs = (key: string): boolean => key.startsWith('_order_') || isGatewayMeta(key);

/** Of a line, what rules, stock and refunds read. */
const lineFields = new Set(['id', 'name', 'product_id', 'variation_id', 'quantity', 'total', 'total_tax', 'sku']);
type Line = Order['line_items'][number];
const shortLine = (line: Line): Line =>
  Object.fromEntries(Object.entries(line).filter(([name]) => lineFields.has(name))) as Line;

/**
 * The order as it is kept. One that is too large gives up what no rule, placeholder or search reads: meta fields that are lists, objects or long texts, then
 * the details of its lines, then repeated keys of meta fields; a digest tells when meta fields change. Null when it is too large even so.
 */
export function fittingOrder(order: Order): Order | null {
  if (bytesOf(order) <= maxOrderBytes) return order;
  const meta_digest = derivedId(JSON.stringify(order.meta_data));
  const isReadable = ({ key, value }: Order['meta_data'][number]): boolean =>
    isOurs(key) || (typeof value !== 'object' && bytesOf(value) <= longestValue);
  const plain = { ...order, meta_data: order.meta_data.filter(isReadable), meta_digest };
  const short = { ...plain, line_items: order.line_items.map(shortLine) };
  const seen = new Set<string>();
  const least = { ...short, meta_data: plain.meta_data.filter(({ key }) => !seen.has(key) && seen.add(key)) };
  return [plain, short, least].find((one) => bytesOf(one) <= maxOrderBytes) ?? null;
}
