import type { AmountUnit, FieldPaths } from '../connection';
import { decimalMoney, isAbsent, type Money, minorMoney } from '../money';
import { isObject, objectAt, own, type Payload, scalar, scalarAt } from '../payload';
import { joinNamed, type Named, namedByText, namedIn, referenceAt } from '../references';

/** decisions.md section 6, "Generic field names": in this order, top level first and then nested. */
const names = {
  type: ['event', 'event_type', 'type', 'action', 'status', 'webhook_event'],
  order: ['order_id', 'order_number', 'invoice_id', 'invoice_number', 'reference', 'external_reference'],
  transaction: ['transaction_id', 'txn_id', 'id', 'payment_id', 'charge_id', 'reference_id', 'external_id'],
  amount: ['amount', 'total', 'value', 'price', 'sum', 'gross', 'net'],
  currency: ['currency', 'currency_code', 'currencyCode'],
  original: ['original_event_id', 'original_delivery_id', 'original_id'],
  event: ['event_id', 'delivery_id', 'idempotency_key'],
  refund: ['refund_id'],
  success: ['success'],
  changed: ['updated_at', 'modified_at', 'changed_at'],
  status: ['status', 'state'],
  reason: ['reason', 'reason_code', 'failure_code', 'error_code'],
  time: ['occurred_at', 'timestamp', 'created_at', 'created', 'date', 'time'],
} as const;
const containers = ['data', 'payload', 'object', 'resource', 'order'] as const;

export type GenericFields = Money & {
  /** False: what the event names did not happen. */
  readonly success: boolean;
  readonly refund: string | null;
  /** When the sender changed what it tells, as it stands there. */
  readonly changed: string | null;
  /** All references to the order, and what else the payload says of it. */
  readonly named: Named;
  readonly type: string | null;
  /** An id that the sender gave to this very event, where there is one. */
  readonly event: string | null;
  readonly order: string | null;
  readonly transaction: string | null;
  readonly status: string | null;
  readonly reason: string | null;
  /** ISO 8601 UTC. */
  readonly time: string | null;
};

/** What a payload of any shape says, by the names that senders use; `paths` are asked first (JSON pointers by field). */
export function genericFields(payload: Payload, paths: FieldPaths = {}, unit: AmountUnit = 'major'): GenericFields {
  const levels = levelsOf(payload);
  const at = (field: keyof FieldPaths): unknown => {
    const pointer = paths[field];
    return pointer === undefined ? undefined : valueAt(payload, pointer);
  };
  const text = (field: 'event' | 'status' | 'reason') => scalar(at(field)) ?? first(levels, names[field], scalar);
  const pathOrder = namedAt(at('order'), paths.order);
  const order = pathOrder.references[0]?.value ?? first(levels, names.order, scalar) ?? orderOf(levels);
  return {
    ...moneyOf(levels, { amount: present(at('amount')), currency: present(at('currency')), unit }),
    type: word(at('type')) ?? first(levels, names.type, word) ?? null,
    event: scalar(at('event')) ?? first(levels, names.original, scalar) ?? text('event') ?? null,
    named: joinNamed([pathOrder, ...namedOf(levels), ...(order === undefined ? [] : [namedAs(order, 'order')])]),
    order: order ?? null,
    transaction: scalar(at('transaction')) ?? transactionOf(levels) ?? null,
    status: text('status') ?? null,
    reason: text('reason') ?? null,
    time: instant(at('time')) ?? first(levels, names.time, instant) ?? null,
    success: !isFalse(at('success') ?? first(levels, names.success, present)),
    refund: first(levels, names.refund, scalar) ?? null,
    changed: first(levels, names.changed, scalar) ?? null,
  };
}

function isFalse(value: unknown): boolean {
  return value === false || value === 0 || (typeof value === 'string' && /^(?:false|no|0)$/i.test(value.trim()));
}

const namedAs = (value: string, from: string): Named => ({ references: [{ value, from }], claims: {} });

/** A path may lead to the reference, or to JSON that has it. */
function namedAt(value: unknown, from = ''): Named {
  const text = scalar(value);
  return text === undefined || text.startsWith('{') ? namedByText(value, from) : namedAs(text, from);
}

const freeFields = ['client_reference_id', 'custom_id', 'custom', 'invoice', 'merchant_reference'] as const;

/** Metadata first, then the fields by their names, then those of free use. */
function namedOf(levels: readonly Payload[]): Named[] {
  return [
    ...levels.map((level) => namedIn(objectAt(level, 'metadata'), 'metadata')),
    ...levels.map((level) => ({ references: names.order.flatMap((key) => referenceAt(level, key)), claims: {} })),
    ...levels.flatMap((level) => freeFields.map((key) => namedByText(own(level, key), key))),
    ...levels.map((level) => ({ references: [], claims: namedIn(level, '').claims })),
  ];
}

/** The value at a JSON pointer (RFC 6901), through objects and lists. */
function valueAt(payload: Payload, pointer: string): unknown {
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

/** Where no field names the order, `order` itself may: as its number or as an object with an id. */
function orderOf(levels: readonly Payload[]): string | undefined {
  for (const level of levels) {
    const order = own(level, 'order');
    const id = isObject(order) ? (scalarAt(order, 'id') ?? scalarAt(order, 'number')) : scalar(order);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** The `id` of an object `order` is that of the order: as a transaction it would make a further payment of each notice. */
function transactionOf(levels: readonly Payload[]): string | undefined {
  const orders = new Set(levels.map((level) => own(level, 'order')));
  const ofOrder = names.transaction.filter((name) => name !== 'id');
  for (const level of levels) {
    const id = first([level], orders.has(level) ? ofOrder : names.transaction, scalar);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** A type is a word: numbers are codes, not types. */
function word(value: unknown): string | undefined {
  return typeof value === 'string' ? scalar(value) : undefined;
}

type MoneyAt = { readonly amount: unknown; readonly currency: unknown; readonly unit: AmountUnit };

/** The first amount and currency that are not empty decide, readable or not. An amount may be an object with a currency of its own. */
function moneyOf(levels: readonly Payload[], at: MoneyAt): Money {
  const read = at.unit === 'minor' ? minorMoney : decimalMoney;
  const amount = at.amount ?? first(levels, names.amount, present);
  const currency = at.currency ?? first(levels, names.currency, present);
  if (!isObject(amount)) return read(amount, currency);
  const sum = first([amount], names.amount, present);
  return read(sum ?? amount, first([amount], names.currency, present) ?? currency);
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
