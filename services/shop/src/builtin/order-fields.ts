import {
  compareDecimals,
  currencyDecimals,
  type Decimal,
  formatDecimal,
  type Order,
  orderSchema,
  orderStatuses,
  parseDecimal,
  type Violation,
  violationsOf,
} from '@order-automation/contracts';
import { plainStatus } from './order-status';

type Fields = Readonly<Record<string, unknown>>;
export type Merged =
  | { readonly ok: true; readonly order: Order }
  | { readonly ok: false; readonly violations: Violation[] };

/** Fields of a view that are not the order's own. */
const notStored = new Set(['notes', '_links']);
const dateFields = ['date_created', 'date_modified', 'date_paid', 'date_completed'];
const deepest = 32;

/**
 * The order as it is after these fields are given: an address is changed field by field, a list is replaced. A new order gets what is
 * missing; its total is then the exact sum of its lines. `now` is in milliseconds since the epoch.
 */
export function mergeOrder(existing: Order | undefined, id: number, fields: Fields, now: number): Merged {
  const violations = keyViolations(fields);
  if (fields.id !== undefined && Number(fields.id) !== id) violations.push({ path: 'id', message: `must be ${id}` });
  if (violations.length > 0) return { ok: false, violations };
  const at = new Date(now).toISOString();
  const given = Object.fromEntries(Object.entries(fields).filter(([name]) => !notStored.has(name)));
  const merged: Record<string, unknown> = { ...(existing ?? newOrder(id, at)), ...given, id };
  for (const part of ['billing', 'shipping'] as const) {
    if (isObject(given[part])) merged[part] = { ...existing?.[part], ...given[part] };
  }
  if (existing && !('date_modified' in given)) merged.date_modified = at;
  if (typeof merged.currency === 'string') merged.currency = merged.currency.toUpperCase();
  if (typeof merged.number === 'number') merged.number = String(merged.number);
  for (const field of dateFields) merged[field] = utc(merged[field]);
  if (!existing && given.total === undefined) merged.total = sumOfLines(merged);
  return checked(merged);
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

function checked(merged: Fields): Merged {
  const parsed = orderSchema.safeParse(merged);
  if (!parsed.success) return { ok: false, violations: violationsOf(parsed.error) };
  const order = parsed.data;
  const status = plainStatus(order.status);
  const total = inCurrency(order.total, order.currency);
  const violations: Violation[] = [];
  if (!/^[A-Z]{3}$/.test(order.currency)) violations.push({ path: 'currency', message: 'must be an ISO 4217 code' });
  if (status === undefined) violations.push({ path: 'status', message: `must be one of ${orderStatuses.join(', ')}` });
  if (total === undefined) {
    violations.push({
      path: 'total',
      message: `has more decimals than ${order.currency} (${currencyDecimals(order.currency)})`,
    });
  }
  if (violations.length > 0 || status === undefined || total === undefined) return { ok: false, violations };
  return { ok: true, order: { ...order, status, total } };
}

/** The amount in the currency's own number of decimals; undefined when that would lose something. */
function inCurrency(amount: string, currency: string): string | undefined {
  const value = parseDecimal(amount);
  if (!value) return undefined;
  const text = formatDecimal(value, currencyDecimals(currency));
  const rounded = parseDecimal(text);
  return rounded && compareDecimals(rounded, value) === 0 ? text : undefined;
}

/** Exact sum of the totals of line items, shipping lines and fees, with their taxes. */
function sumOfLines(merged: Fields): string {
  const lines = ['line_items', 'shipping_lines', 'fee_lines'].flatMap((name) =>
    Array.isArray(merged[name]) ? merged[name] : [],
  );
  const amounts = lines.flatMap((line: unknown) =>
    isObject(line) ? [amount(line.total), amount(line.total_tax)] : [],
  );
  const sum = amounts.reduce(plus, { units: 0n, scale: 0 });
  const decimals = typeof merged.currency === 'string' ? currencyDecimals(merged.currency) : 2;
  return formatDecimal(sum, decimals);
}

function amount(value: unknown): Decimal {
  const parsed = typeof value === 'string' || typeof value === 'number' ? parseDecimal(value) : undefined;
  return parsed ?? { units: 0n, scale: 0 };
}

function plus(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  return { units: a.units * 10n ** BigInt(scale - a.scale) + b.units * 10n ** BigInt(scale - b.scale), scale };
}

/** The host platform writes dates without a zone; they are taken as UTC. */
function utc(value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$/.test(value) ? `${value}Z` : value;
}

/** Names that a database may take for operators or paths, and nesting without end. */
export function keyViolations(value: unknown, path: readonly string[] = []): Violation[] {
  if (typeof value !== 'object' || value === null) return [];
  const at = path.join('.').slice(0, 200);
  if (path.length > deepest) return [{ path: at, message: `is nested more than ${deepest} levels deep` }];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (!Array.isArray(value) && (name === '__proto__' || /^\$|[.\0]/.test(name))) {
      return [{ path: at, message: `has a field name that is not accepted: ${JSON.stringify(name.slice(0, 50))}` }];
    }
    return keyViolations(inner, [...path, name]);
  });
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
