import { derivedId, maxOrderBytes, type Order, orderSchema } from '@order-automation/contracts';
import { isGatewayMeta } from './order-lookup';

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
/** Longer values are not what a rule compares with. */
const longestValue = 2_000;

/** Fields of ours stay whatever they hold. */
const isOurs = (key: string): boolean => /^_order_(tags$|stock_reduced$|automation_)/.test(key);
const isShort = (value: unknown): boolean => typeof value !== 'object' && bytesOf(value) <= longestValue;

/** Of a line, what rules, stock and refunds read. */
const lineFields = new Set(['id', 'name', 'product_id', 'variation_id', 'quantity', 'total', 'total_tax', 'sku']);
/** Plugins keep in the others what was shipped, and coupons who has used them (github.com/woocommerce/woocommerce/issues/19450). */
const rows = ['line_items', 'shipping_lines', 'fee_lines', 'coupon_lines', 'tax_lines'];
const known = new Set(Object.keys(orderSchema.shape));
type Meta = Order['meta_data'][number];

function shortOrder(order: Order): Order {
  const fields = Object.entries(order).flatMap(([name, value]) => {
    const isKept = ([field, one]: [string, unknown]) => (name === 'line_items' ? lineFields.has(field) : isShort(one));
    const short = (row: object) => Object.fromEntries(Object.entries(row).filter(isKept));
    if (rows.includes(name) && Array.isArray(value)) return [[name, value.map(short)]];
    return known.has(name) || isShort(value) ? [[name, value]] : [];
  });
  return Object.fromEntries(fields);
}

/** Without repeated keys of meta fields, and with as many as there is room for: ours and those that it is found by first. */
function leastOrder(order: Order): Order {
  const rank = ({ key }: Meta): number => (isOurs(key) ? 0 : isGatewayMeta(key) ? 1 : 2);
  const seen = new Set<string>();
  const unique = order.meta_data.filter(({ key }) => !seen.has(key) && seen.add(key));
  let room = maxOrderBytes - bytesOf({ ...order, meta_data: [] });
  const fits = (row: Meta): boolean => {
    room -= bytesOf(row) + 1;
    return room >= 0;
  };
  return { ...order, meta_data: unique.sort((one, other) => rank(one) - rank(other)).filter(fits) };
}

/**
 * The order as it is kept. One that is too large gives up what no rule, placeholder or search reads: meta fields that are lists, objects or long texts, then
 * the details of its lines and what other fields of plugins hold, then meta fields that have no room; a digest tells when meta fields change. Null when it is
 * too large even so.
 */
export function fittingOrder(order: Order): Order | null {
  if (bytesOf(order) <= maxOrderBytes) return order;
  const meta_digest = derivedId(JSON.stringify(order.meta_data));
  const isReadable = ({ key, value }: Meta): boolean => isOurs(key) || isShort(value);
  const plain = { ...order, meta_data: order.meta_data.filter(isReadable), meta_digest };
  const short = shortOrder(plain);
  return [plain, short, leastOrder(short)].find((one) => bytesOf(one) <= maxOrderBytes) ?? null;
}
