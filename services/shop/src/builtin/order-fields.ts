import {
  addDecimals,
  check,
  compareDecimals,
  currencyDecimals,
  type Decimal,
  formatDecimal,
  maxOrderBytes,
  type Order,
  orderDateFields,
  orderSchema,
  parseDecimal,
  type Violation,
} from '@order-automation/contracts';
import { inOrderShapes, isObject } from '../orders/order-shapes';
import { fittingOrder } from '../orders/order-size';
import { refundedSoFar } from '../orders/refund-amount';
import { storedDate } from './stored-date';

type Fields = Readonly<Record<string, unknown>>;
/** Where and when an order is saved: the shop's clocks, the statuses it has. `now` is in milliseconds since the epoch. */
export type Site = { readonly now: number; readonly timeZone: string; readonly statuses: ReadonlySet<string> };

export type Merged =
  | { readonly ok: true; readonly order: Order }
  | { readonly ok: false; readonly violations: readonly Violation[] };

/** Fields of a view that are not the order's own. */
const notStored = new Set(['notes', '_links', ...orderDateFields.map((field) => `${field}_gmt`)]);
const deepest = 32;

/**
 * The order as it is after these fields are given: an address is changed field by field, a list is replaced. A new order gets what is
 * missing; its total is then the exact sum of its lines.
 */
export function mergeOrder(existing: Order | undefined, id: number, written: Fields, site: Site): Merged {
  const violations = storageViolations(written);
  const fields = inOrderShapes(written);
  if (fields.id !== undefined && Number(fields.id) !== id) violations.push({ path: 'id', message: `must be ${id}` });
  if (violations.length > 0) return { ok: false, violations };
  const at = new Date(site.now).toISOString();
  const given = Object.fromEntries(Object.entries(fields).filter(([name]) => !notStored.has(name)));
  const merged: Record<string, unknown> = { ...(existing ?? newOrder(id, at)), ...given, id };
  for (const part of ['billing', 'shipping'] as const) {
    if (isObject(given[part])) merged[part] = { ...existing?.[part], ...given[part] };
  }
  if (existing && !('date_modified' in fields || 'date_modified_gmt' in fields)) merged.date_modified = at;
  if (typeof merged.currency === 'string') merged.currency = merged.currency.toUpperCase();
  for (const field of orderDateFields) {
    const date = storedDate(fields, field, site.timeZone);
    if (date !== undefined) merged[field] = sameSecond(existing?.[field], date) ? existing?.[field] : date;
  }
  if (!existing && given.total === undefined) merged.total = sumOfLines(merged);
  return checked(merged, existing, site.statuses);
}

function newOrder(id: number, at: string): Fields {
  return {
    number: String(id),
    status: 'pending',
    status_since: at,
    currency: 'USD',
    date_created: at,
    date_modified: at,
    billing: {},
    shipping: {},
    line_items: [],
  };
}

function checked(merged: Fields, existing: Order | undefined, statuses: ReadonlySet<string>): Merged {
  const read = check(orderSchema, merged);
  if (!read.ok) return read;
  const order = read.value;
  const isStatus = statuses.has(order.status) || order.status === existing?.status;
  const total = inCurrency(order.total, order.currency);
  const fitted = fittingOrder(order);
  const violations: Violation[] = [];
  if (!/^[A-Z][A-Z0-9_-]{1,11}$/.test(order.currency))
    violations.push({ path: 'currency', message: 'must be a currency code' });
  if (!fitted) violations.push({ path: '', message: `is larger than ${maxOrderBytes} bytes` });
  const known = `must be one of ${[...statuses].join(', ')}; a status of your own is added first, as an order_status`;
  if (!isStatus) violations.push({ path: 'status', message: known });
  violations.push(...refundViolations(order, total));
  if (violations.length > 0 || !fitted) return { ok: false, violations };
  return { ok: true, order: { ...fitted, total } };
}

/** The amount in the currency's own number of decimals; shops that count in more keep what that would lose. */
function inCurrency(text: string, currency: string): string {
  const value = amount(text);
  const own = formatDecimal(value, currencyDecimals(currency, value.scale));
  return compareDecimals(amount(own), value) === 0 ? own : text;
}

/** Exact sum of the totals of line items, shipping lines and fees, with their taxes. */
function sumOfLines(merged: Fields): string {
  const lines = ['line_items', 'shipping_lines', 'fee_lines'].flatMap((name) =>
    Array.isArray(merged[name]) ? merged[name] : [],
  );
  const amounts = lines.flatMap((line: unknown) =>
    isObject(line) ? [amount(line.total), amount(line.total_tax)] : [],
  );
  const sum = amounts.reduce(addDecimals, { units: 0n, scale: 0 });
  const decimals = typeof merged.currency === 'string' ? currencyDecimals(merged.currency) : 2;
  return formatDecimal(sum, decimals);
}

function amount(value: unknown): Decimal {
  const parsed = typeof value === 'string' || typeof value === 'number' ? parseDecimal(value) : undefined;
  return parsed ?? { units: 0n, scale: 0 };
}

/** Refunds are negative, as WooCommerce has them, or positive; together they are never more than the order (decisions.md section 6). */
function refundViolations(order: Order, total: string): Violation[] {
  const refunded = refundedSoFar(order);
  return refunded.units > 0n && compareDecimals(refunded, amount(total)) > 0
    ? [{ path: 'refunds', message: `are together more than the total of the order, ${total}` }]
    : [];
}

/** What is shown has no fractions of a second: an order that is sent back as it was read keeps them. */
function sameSecond(before: string | null | undefined, date: unknown): boolean {
  if (typeof before !== 'string' || typeof date !== 'string') return false;
  return Math.floor(Date.parse(before) / 1000) * 1000 === Date.parse(date);
}

/** Names and numbers (`1e400`) that no database takes, and nesting without end. */
export function storageViolations(value: unknown, path: readonly string[] = []): Violation[] {
  if (value === Infinity || value === -Infinity) return [{ path: path.join('.'), message: 'is too large a number' }];
  if (typeof value !== 'object' || value === null) return [];
  const at = path.join('.').slice(0, 200);
  if (path.length > deepest) return [{ path: at, message: `is nested more than ${deepest} levels deep` }];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!Array.isArray(value) && (name === '__proto__' || name.includes('\0'))) {
      return [{ path: at, message: `has a field name that is not accepted: ${JSON.stringify(name.slice(0, 50))}` }];
    }
    return storageViolations(inner, [...path, name]);
  });
}
