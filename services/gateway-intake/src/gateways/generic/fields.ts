import type { Connection, FieldPaths } from '../connection';
import { decimalMoney, isAbsent, type Money, minorMoney } from '../money';
import { isObject, objectAt, own, type Payload, scalar, scalarAt, scalarIn } from '../payload';
import { allOf, dataOf, type Said, saidAt, saidIn, saidInData, saidInFreeText } from '../references';
import tables from './tables.json';

/**
 * decisions.md section 6, "Generic field names": in this order, top level first and then nested. A `webhook_id` is none of an event: it names the
 * address that it is sent to (docs.paymentplatform.dev, "webhook_id": "ID of the webhook endpoint").
 */
const written = tables.fields;
export type Names = Readonly<Record<keyof typeof written, readonly string[]>>;

const inCamelCase = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** Each name in both spellings: `order_id` is `orderId` where senders write JavaScript. */
const inBoth = (list: readonly string[]): string[] => [...new Set([...list, ...list.map(inCamelCase)])];
const names = Object.fromEntries(
  Object.entries(written).map(([field, list]) => [field, inBoth(list)]),
) as unknown as Names;

/** As b457727 knew them. */
export const earlierNames: Names = {
  ...written,
  order: written.order.slice(0, 6),
  currency: written.currency.slice(0, 2),
  event: ['event_id', 'webhook_id', 'delivery_id', 'idempotency_key'],
};
/** Fields of the reference alone, which may also be the buyer's or JSON. */
const freeText: ReadonlySet<string> = new Set(
  ['client_reference_id', 'custom_id', 'custom'].flatMap((name) => [name, inCamelCase(name)]),
);
/** Where gateways keep what the shop has given them: Paddle `custom_data` and `passthrough`, Razorpay `notes`. */
const ofTheShop = ['metadata', 'custom_data', 'customData', 'notes', 'passthrough'] as const;
const containers = ['data', 'payload', 'object', 'resource', 'order'] as const;

/** Where besides the paths is looked: the names, the part of the payload, the headers. */
type Reading = {
  readonly by?: Names;
  readonly scope?: Payload;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
};
const inHeader = 'header:';

export type GenericFields = ReturnType<typeof genericFields>;

/**
 * What a payload of any shape says, by the names that senders use; `paths` are asked first (JSON pointers by field). The names are looked for in `scope`
 * alone: one event of several in the payload.
 */
export function genericFields(
  payload: Payload,
  { paths = {}, amountUnit = 'major', types = {} }: Partial<Pick<Connection, 'paths' | 'amountUnit' | 'types'>> = {},
  { by = names, scope = payload, headers = {} }: Reading = {},
) {
  const levels = levelsOf(scope);
  const at = (field: keyof FieldPaths): unknown => {
    const pointer = paths[field];
    if (pointer === undefined) return undefined;
    return pointer.startsWith(inHeader) ? headers[pointer.slice(inHeader.length)]?.[0] : valueAt(payload, pointer);
  };
  const text = (field: 'event' | 'status' | 'reason') => scalar(at(field)) ?? first(levels, by[field], scalar);
  const type = typeOf(word(at('type')) ?? first(levels, by.type, word), scalar(at('subtype')));
  const refund = first(levels, by.refund, scalar) ?? first(levels, ['refund'], (one) => scalarAt(one, 'id'));
  return {
    ...moneyOf(
      present(at('amount')) ?? first(levels, by.amount, present),
      present(at('currency')) ?? first(levels, by.currency, present),
      amountUnit,
    ),
    type,
    /** What the connection says that it means. */
    meaning: type !== null && Object.hasOwn(types, type) ? types[type] : undefined,
    /** An id that the sender gave to this very event, where there is one. */
    event: text('event') ?? null,
    /** The references to orders, the most trusted first, and what must agree with the order. */
    said: allOf([saidAtPath(at('order'), paths.order), ...saidOf(levels, by)]),
    transaction: scalar(at('transaction')) ?? transactionOf(levels, by) ?? null,
    /** The payment that a refund, a cancellation or a dispute belongs to, where it has an id of its own. */
    parent: scalar(at('parent')) ?? first(levels, by.parent, scalar) ?? null,
    refund: refund ?? null,
    dispute: first(levels, by.dispute, scalar) ?? null,
    subscription: first(levels, by.subscription, scalar) ?? null,
    /** The sender says that what it names did not happen. */
    isFailure: isNo(at('success') ?? first(levels, by.success, present)),
    /** The state of what it names, as far as it is not that of the order, is a failure. */
    hasFailed: failed.test(scalar(at('status')) ?? first(withoutOrders(levels), by.status, scalar) ?? ''),
    status: text('status') ?? null,
    reason: text('reason') ?? null,
    /** ISO 8601 UTC. */
    time: instant(at('time')) ?? first(levels, [...by.time, ...by.changed], instant) ?? null,
  };
}

/** The value at a JSON pointer (RFC 6901), through objects and lists. */
export function valueAt(payload: Payload, pointer: string): unknown {
  let value: unknown = payload;
  for (const segment of pointer.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? (/^\d{1,6}$/.test(key) ? value[Number(key)] : undefined) : own(value, key);
  }
  return value;
}

/** The payload, then the containers in it, then the containers in those. */
function levelsOf(payload: Payload): Payload[] {
  const nested = (source: Payload) =>
    containers.map((key) => objectAt(source, key)).filter((level) => level !== undefined);
  const inner = nested(payload);
  return [payload, ...inner, ...inner.flatMap(nested)];
}

function first<T>(
  levels: readonly Payload[],
  keys: readonly string[],
  read: (value: unknown) => T | undefined,
): T | undefined {
  for (const level of levels) {
    for (const key of keys) {
      const value = read(own(level, key));
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** What stands at the place that the connection says. */
function saidAtPath(value: unknown, path = ''): Said {
  const said = saidInFreeText(value, path);
  const isData = /^[{]|^a:\d/.test(scalar(value) ?? '{');
  return isData || said.references.length > 0 ? said : saidAt(value, path);
}

/** Every field that names the order; then `order` itself. */
function saidOf(levels: readonly Payload[], by: Names): Said[] {
  const byName = levels.flatMap((level) =>
    by.order.map((name) => (freeText.has(name) ? saidInFreeText : saidAt)(own(level, name), name)),
  );
  const metadata = levels.flatMap((level) => ofTheShop.map((name) => saidInData(dataOf(own(level, name)), name)));
  const claims = levels.map((level) => ({ references: [], claims: saidIn(level, '').claims }));
  return [...byName, saidAt(orderOf(levels), 'order'), ...metadata, ...claims];
}

const failed = /^(?:fail(?:ed|ure)?|declined|denied|rejected|error)$/i;
const no = /^(?:false|f|no|n|off|0|ko|nok|unsuccessful|refused)$/i;

/** Only a plain no is one: `false`, as a word or a number too. What is neither is no answer. */
function isNo(value: unknown): boolean {
  if (typeof value !== 'string') return value === false || value === 0;
  return no.test(value.trim()) || failed.test(value.trim());
}

/** Where no field names the order, `order` itself may: as its number or as an object with an id. */
function orderOf(levels: readonly Payload[]): string | undefined {
  return first(levels, ['order'], (order) => (isObject(order) ? scalarIn(order, 'id', 'number') : scalar(order)));
}

/** The `id` of an object `order` is that of the order: as a transaction it would make a further payment of each notice. */
function transactionOf(levels: readonly Payload[], { transaction }: Names): string | undefined {
  const others = new Set(withoutOrders(levels));
  const ofOrder = transaction.filter((name) => name !== 'id');
  for (const level of levels) {
    const id = first([level], others.has(level) ? transaction : ofOrder, scalar);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** Without objects `order`, whose id and state are those of the order. */
function withoutOrders(levels: readonly Payload[]): Payload[] {
  const orders = new Set(levels.map((level) => own(level, 'order')));
  return levels.filter((level) => !orders.has(level));
}

/** A type is a word: numbers are codes, not types. */
function word(value: unknown): string | undefined {
  return typeof value === 'string' ? scalar(value) : undefined;
}

/** The first amount and currency that are not empty decide, readable or not. An amount may be an object with a currency of its own. */
function moneyOf(amount: unknown, currency: unknown, unit: Connection['amountUnit']): Money {
  const read = unit === 'minor' ? minorMoney : decimalMoney;
  if (!isObject(amount)) return read(amount, currency);
  const sum = first([amount], names.amount, present);
  return read(sum ?? amount, first([amount], names.currency, present) ?? currency);
}

function typeOf(type: string | undefined, subtype: string | undefined): string | null {
  if (type === undefined) return null;
  return subtype === undefined ? type : (scalar(`${type}.${subtype}`) ?? type);
}

function present(value: unknown): unknown {
  return isAbsent(value) ? undefined : value;
}

const isoInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** ISO 8601 with a zone, or seconds or milliseconds since the epoch; anything else is no instant. */
function instant(value: unknown): string | undefined {
  const time = typeof value === 'number' ? (value < 1e11 ? value * 1000 : value) : isoTime(value);
  return Number.isFinite(time) && time >= 0 && time < 253_402_300_800_000 ? new Date(time).toISOString() : undefined;
}

function isoTime(value: unknown): number {
  return typeof value === 'string' && isoInstant.test(value) ? Date.parse(value) : Number.NaN;
}
