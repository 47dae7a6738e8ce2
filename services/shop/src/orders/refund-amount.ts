import {
  addDecimals,
  compareDecimals,
  currencyDecimals,
  type Decimal,
  derivedId,
  formatDecimal,
  type NewRefund,
  type Order,
  parseDecimal,
  type Refund,
  roundDecimal,
  type Violation,
} from '@order-automation/contracts';

export type RefundAmount =
  /** `isFull`: nothing is left to refund after it. */
  | { readonly ok: true; readonly amount: string; readonly isFull: boolean }
  | { readonly ok: false; readonly violations: Violation[] };

/** Two requests for the same refund have the same. */
export const refundDigest = (refund: NewRefund): string => derivedId(JSON.stringify(refund));

const nothing: Decimal = { units: 0n, scale: 0 };
const decimalOf = (text: unknown): Decimal => (typeof text === 'string' ? parseDecimal(text) : undefined) ?? nothing;
const negative = ({ units, scale }: Decimal): Decimal => ({ units: -units, scale });
const absolute = (value: Decimal): Decimal => (value.units < 0n ? negative(value) : value);

/** Refunds of an order are negative, as WooCommerce has them, or positive: what they are together. */
export const refundedSoFar = ({ refunds = [] }: Pick<Order, 'refunds'>): Decimal =>
  refunds.map(({ total }) => absolute(decimalOf(total))).reduce(addDecimals, nothing);

export const withRefund = (order: Order, { id, amount, reason }: Refund): Order => ({
  ...order,
  refunds: [...(order.refunds ?? []), { id, reason, total: `-${amount}` }],
});

/** How much a refund gives back, exactly; all refunds of an order together are never more than its total (decisions.md section 6). */
export function refundAmount(order: Order, { amount, line_items }: NewRefund): RefundAmount {
  const violations = lineViolations(order, line_items);
  const decimals = currencyDecimals(order.currency, decimalOf(order.total).scale);
  const wanted = amount === undefined ? sumOf(line_items) : decimalOf(amount);
  const text = formatDecimal(wanted, decimals);
  // Shops calculate with more decimals than can be paid back.
  const left = roundDecimal(addDecimals(decimalOf(order.total), negative(refundedSoFar(order))), decimals);
  const refuse = (message: string) => violations.push({ path: 'amount', message });
  if (wanted.units === 0n) refuse('is required, or lines with amounts, and must be more than 0');
  else if (compareDecimals(decimalOf(text), wanted) !== 0)
    refuse(`has more decimals than ${order.currency} (${decimals})`);
  else if (compareDecimals(wanted, left) > 0) {
    const before = formatDecimal(refundedSoFar(order), decimals);
    refuse(
      `must be at most ${formatDecimal(left, decimals)}: the order is ${order.total} ${order.currency}, of which ${before} were refunded before`,
    );
  }
  if (violations.length > 0) return { ok: false, violations };
  return { ok: true, amount: text, isFull: compareDecimals(wanted, left) === 0 };
}

function sumOf(lines: NewRefund['line_items']): Decimal {
  const amounts = lines.flatMap(({ refund_total, refund_tax }) => [
    refund_total,
    ...refund_tax.map((tax) => tax.refund_total),
  ]);
  return amounts.map(decimalOf).reduce(addDecimals, nothing);
}

/** Lines of an order that may be refunded: products, shipping, fees. */
export function linesOf(order: Order): Readonly<Record<string, unknown>>[] {
  const fees = Array.isArray(order.fee_lines) ? (order.fee_lines as Record<string, unknown>[]) : [];
  return [...order.line_items, ...order.shipping_lines, ...fees];
}

function lineViolations(order: Order, lines: NewRefund['line_items']): Violation[] {
  const known = new Map(linesOf(order).map((line) => [line.id, line]));
  return lines.flatMap(({ id, quantity }, at): Violation[] => {
    const line = known.get(id);
    if (!line) return [{ path: `line_items.${at}.id`, message: `is no line of order ${order.id}` }];
    const max = typeof line.quantity === 'number' ? line.quantity : 1;
    return quantity > max ? [{ path: `line_items.${at}.quantity`, message: `must be at most ${max}` }] : [];
  });
}
