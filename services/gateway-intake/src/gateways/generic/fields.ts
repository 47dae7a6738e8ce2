import { currencyDecimals } from '@order-automation/contracts';
import type { Connection, FieldPaths } from '../connection';
import { decimalMoney, isAbsent, type Money, minorMoney } from '../money';
import { instant, isObject, own, type Payload, scalar, scalarAt, scalarIn } from '../payload';
import { allOf, dataOf, type Said, saidAt, saidIn, saidInData, saidInFreeText } from '../references';
import { isStateAlone, typeOf } from './events';
import { first, type Levels, levelsOf, spellingsOf, withoutOrders } from './levels';
import { codeAt, failed, isNo, ofOtherState, paymentsIn, refundKindIn, typeIn, unpaidIn } from './states';
import tables from './tables.json';

/**
 * decisions.md section 6, "Generic field names": in this order, top level first and then nested. A `webhook_id` is none of an event: it names the
 * address that it is sent to (docs.paymentplatform.dev, "webhook_id": "ID of the webhook endpoint").
 */
const written = tables.fields;
export type Names = Readonly<Record<keyof typeof written, readonly string[]>>;

const names = Object.fromEntries(
  Object.entries(written).map(([field, list]) => [field, spellingsOf(list)]),
) as unknown as Names;

/** Beside a path to the order an invoice is one that the sender counts (`invoice_number`, paystack.com/docs/api/payment-request). */
const namesBesidePath: Names = { ...names, order: names.order.filter((name) => !name.startsWith('invoice')) };

/** As b457727 knew them, for which metadata named no order. */
export const earlierNames: Names = {
  ...written,
  order: written.order.slice(0, 6),
  currency: written.currency.slice(0, 2),
  event: ['event_id', 'webhook_id', 'delivery_id', 'idempotency_key'],
  request: [],
};
/** Fields of the reference alone, which may also be the buyer's or JSON. */
const freeText: ReadonlySet<string> = new Set(spellingsOf(['client_reference_id', 'custom_id', 'custom']));
/** Where gateways keep what the shop has given them: Paddle `custom_data` and `passthrough`, Razorpay `notes`, Flutterwave `meta_data`. */
const ofTheShop = ['metadata', 'custom_data', 'customData', 'notes', 'passthrough', 'meta_data'] as const;

/** Where besides the paths is looked: the names, the part of the payload, the headers. */
type Reading = {
  readonly by?: Names;
  readonly scope?: Payload;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
};
const inHeader = 'header:';
type NamedText = 'event' | 'status' | 'reason' | 'parent' | 'refund' | 'dispute' | 'subscription';
type Units = Partial<Pick<Connection, 'amount_unit' | 'decimals' | 'currency'>>;

export type GenericFields = ReturnType<typeof genericFields>;

/**
 * What a payload of any shape says, by the names that senders use; `paths` are asked first (JSON pointers by field). The names are looked for in `scope`
 * alone: one event of several in the payload.
 */
export function genericFields(
  payload: Payload,
  { paths = {}, types = {}, ...units }: Partial<Pick<Connection, 'paths' | 'types' | keyof Units>> = {},
  { by = paths.order === undefined ? names : namesBesidePath, scope = payload, headers = {} }: Reading = {},
) {
  const levels = levelsOf(scope);
  const found = (field: keyof FieldPaths): unknown[] =>
    placesOf(paths[field]).map((place) => present(valueIn(payload, headers, place)));
  const at = (field: keyof FieldPaths) => found(field).find((value) => value !== undefined);
  const placeOf = (field: keyof FieldPaths) =>
    placesOf(paths[field])[found(field).findIndex((one) => one !== undefined)];
  const place = placeOf('transaction');
  const text = (field: NamedText) => scalar(at(field)) ?? first(levels, by[field], scalar) ?? null;
  const amount = found('amount').find((one) => one !== undefined && Number(one) !== 0) ?? at('amount');
  const currency = at('currency') ?? first(levels, by.currency, present);
  const transaction = scalar(at('transaction')) ?? transactionOf(levels, by, scalar(at('event'))) ?? null;
  const other = (value: unknown) => (scalar(value) === transaction ? undefined : scalar(value));
  // An `order_id` that is the payment, as the connection says, is one that the sender counts.
  const isOurs = ({ references: [one] }: Said): boolean => one?.from !== 'order_id' || place !== '/order_id';
  const placed = saidAtPlaces(found('order'), paths.order, payload);
  const isPlaced = by !== earlierNames && placed.some(({ references }) => references.length > 0);
  const said = allOf([...placed, ...saidOf(levels, by, isPlaced).filter(isOurs)]);
  // An `id` beside a payment is that of what happened to it.
  const isId = place === undefined && levels.some((level) => scalarAt(level, 'id') === transaction);
  const payment = isId ? first(levels, by.payment, other) : undefined;
  // So is that of data beside its transaction, but for an order's own. Beside one at the top it may be that of the event.
  const inner = (place ?? text('parent')) ? [] : withoutOrders(levels).slice(1);
  const id = inner.find((level) => namesTransaction(level, transaction))?.id;
  const own = [text('event'), said.references[0]?.value].includes(scalar(id)) ? undefined : other(id);
  const placedType = codeAt(at('type'));
  const isPaidAlone = types.custom_event === 'payment_completed';
  const named = placedType ?? typeIn(levels, by) ?? (isPaidAlone ? unpaidIn(levels) : undefined);
  const type = ofOtherState(named, levels, { names: placedType ? [] : by.type, types });
  const typed = typeOf(type, found('subtype'), types);
  const ofRefund = refundIn(levels, typed, payment);
  const isNamed = (amount ?? ofRefund.amount ?? own ?? text('refund') ?? undefined) !== undefined;
  const soFar = isNamed ? undefined : ofRefund.soFar;
  // Beside `refund_amount`, what stands at the place of the amount is that of the payment: `gross_amount` of docs.midtrans.com.
  const money = moneyOf(ofRefund.amount ?? amount ?? soFar ?? first(levels, by.amount, present), currency, units);
  // Data may be the payment, whose id each of its refunds repeats: with another amount it is another refund.
  const ownRefund = own && [own, money.amount ?? []].flat().join(':');
  return {
    ...money,
    ...typed,
    /** It names a refund, or how much was given back, so that a state alone is that of the refund; so is one that stands in it. */
    isOfRefund: ofRefund.isNamed || /\/refund\w*\//i.test(placeOf('type') ?? ''),
    /** An id that the sender gave to this very event, where there is one. */
    event: text('event'),
    /** An id of what was asked of the sender, which may be that of several events. */
    request: first(levels, by.request, scalar) ?? null,
    said,
    transaction,
    /** Nothing says that it is a payment: it may be the id of anything. */
    isBareId: place ? /\/(?:entity)?id$/i.test(place) : first(levels, explicit(by), scalar) === undefined,
    /** The payment that a refund, a cancellation or a dispute belongs to, where it has an id of its own. */
    parent: text('parent') ?? payment ?? null,
    refund: text('refund') ?? first(levels, ['refund'], refundId) ?? ownRefund ?? null,
    /** Whether the sender tells its refunds apart by an amount that grows: that of its payment, or both paths begin with the same place. */
    isRefundTotal:
      soFar !== undefined ||
      (found('refund')[0] !== undefined && placesOf(paths.refund)[0] === placesOf(paths.amount)[0]),
    dispute: text('dispute') ?? own ?? null,
    subscription: text('subscription'),
    /** The sender says that what it names did not happen. */
    isFailure: isNo(at('success') ?? first(levels, by.success, present)),
    /** A state of what it names, as far as it is not that of the order, is a failure. */
    hasFailed: (at('status') === undefined
      ? withoutOrders([...levels, ...paymentsIn(levels)])
      : [{ status: at('status') }]
    ).some((one) => failed.test(first([one], by.status, scalar) ?? '')),
    status: text('status'),
    reason: text('reason'),
    /** ISO 8601 UTC. */
    time: instant(at('time')) ?? first(levels, [...by.time, ...by.changed], instant) ?? null,
  };
}

/** `{id}`, or a word with a letter and a digit in it: a number may be the amount. */
const refundId = (refund: unknown): string | undefined =>
  typeof refund === 'string' ? /^(?=.*[a-z])(?=.*\d)[\w-]+$/i.exec(refund)?.[0] : scalarAt(refund, 'id');

/** A number, or an object around one: `"refundAmount": {"value": "100", "currency": "USD"}`, docs.antom.com/ac/ams/notify_refund. */
const sumAt = (value: unknown) =>
  Number(scalar(first([value as Payload], names.amount, present) ?? value)) > 0 ? value : undefined;
const refundIds = spellingsOf(['refund_id', 'refund_reference']);
const refundAmounts = spellingsOf(['refund_amount']);
/** Of a payment, too, which then names no other one: docs.dlocal.com/reference/the-refund-object. */
const givenBack = spellingsOf(['amount_refunded', 'refunded_amount']);

/**
 * What a payload says of a refund by names of their own: that there is one, and how much it is where the event is about it. `soFar`: it is the payment, with
 * the sum of its refunds (docs.komoju.com/ja/api/resources/payments: `amount`, `amount_refunded`).
 */
function refundIn(levels: Levels, { type, meaning }: ReturnType<typeof typeOf>, payment?: string) {
  const amount = first(levels, refundAmounts, sumAt);
  // `"refund": {"refundId": "912128", "amount": "15516"}`, developers.payu.com/europe/docs/payment-flows/refunds
  const inner = first(levels, ['refund'], (one) => first([one as Payload], names.amount, sumAt));
  const id = first(levels, refundIds, (one) => refundId(one) ?? sumAt(one));
  const sum = first(levels, givenBack, sumAt);
  const isOfRefund = /refund/i.test(type ?? '') || meaning === 'payment_refunded';
  return {
    isNamed: (amount ?? id ?? (payment && sum) ?? refundKindIn(levels)) !== undefined,
    amount: isOfRefund ? (amount ?? inner) : isStateAlone(type) ? amount : undefined,
    soFar: isOfRefund && (id ?? payment) === undefined ? sum : undefined,
  };
}

/** Names that say themselves that it is a payment. */
const explicit = ({ transaction }: Names): string[] => transaction.filter((name) => name !== 'id');
const transactionNames = spellingsOf(['transaction_id', 'txn_id']);
const ofPayment = ['id', ...names.payment, ...transactionNames];
const namesTransaction = (level: Payload, transaction: string | null): boolean =>
  transaction !== null && first([level], transactionNames, scalar) === transaction;

/** Where a path looks: at one place, or at several with ` | ` between them. */
export const placesOf = (path: string | undefined): string[] => path?.split(' | ') ?? [];

/** The header in which a path finds something, in lower case. */
export const headerIn = (path = ''): string | undefined => /header:(\S+)/.exec(path)?.[1];
const valueIn = (payload: Payload, headers: NonNullable<Reading['headers']>, place: string): unknown =>
  place.startsWith(inHeader) ? headers[place.slice(inHeader.length)]?.[0] : valueAt(payload, place);

/**
 * The value at a JSON pointer (RFC 6901), through objects, lists and data in a text: "The payload … will have a base64 encoded JSON"
 * (developer.phonepe.com/category/v1/phonepe-pg/pg-primary-apis/server-to-server-callback-6).
 */
export function valueAt(payload: Payload, pointer: string): unknown {
  let value: unknown = payload;
  for (const segment of pointer.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? (/^\d{1,6}$/.test(key) ? value[Number(key)] : undefined) : own(dataOf(value), key);
  }
  return value;
}

/** What stands at the places that the connection says, and beside them. */
function saidAtPlaces(values: readonly unknown[], path: string | undefined, payload: Payload): Said[] {
  return placesOf(path).flatMap((place, index) => {
    const value = values[index];
    const said = saidInFreeText(value, place);
    const isData = /^[{]|^a:\d/.test(scalar(value) ?? '{');
    const beside = claimsOf(valueAt(payload, place.replace(/\/[^/]*$/, '')));
    return [isData || said.references.length > 0 ? said : saidAt(value, place), beside];
  });
}

/**
 * What the shop has given to the sender; then every field that names the order, which may be a payment that the sender counts; then `order` itself, as its
 * number or as an object with an id. An invoice is the order where nothing is called that, and the sender counts what the connection does not place.
 */
function saidOf(levels: Levels, by: Names, isPlaced: boolean): Said[] {
  const byName = levels.flatMap((level) =>
    by.order.map((name) => (freeText.has(name) ? saidInFreeText : saidAt)(own(level, name), name)),
  );
  const data = by === earlierNames ? [] : ofTheShop;
  const metadata = levels.flatMap((level) => data.map((name) => saidInData(dataOf(own(level, name)), name)));
  const order = first(levels, ['order'], (one) => (isObject(one) ? scalarIn(one, 'id', 'number') : scalar(one)));
  const claims = levels.map(claimsOf);
  if (isPlaced) return [...metadata, ...claims];
  const isCalled = (what: string) => (said: Said) => said.references.some(({ from }) => from.startsWith(what));
  const isNamed = by !== earlierNames && (order !== undefined || byName.some(isCalled('order')));
  const invoices = isNamed ? byName.filter(isCalled('invoice')) : [];
  const others = byName.filter((said) => !invoices.includes(said));
  return [...metadata, ...others, saidAt(order, 'order'), ...invoices, ...claims];
}

/** What stands beside a reference and must agree with the order. */
const claimsOf = (data: unknown): Said => ({ references: [], claims: saidIn(dataOf(data), '').claims });

/**
 * The `id` of an object `order` is that of the order: as a transaction it would make a further payment of each notice. So would the id of the event: the one
 * that the connection says, and one around data with an id of its own (github.com/cloudevents/spec: `id`, `type`, `data`).
 */
function transactionOf(levels: Levels, by: Names, event?: string): string | undefined {
  const others = new Set(withoutOrders(levels));
  const id = (value: unknown) => (scalar(value) === event ? undefined : scalar(value));
  const found = levels.map((level) => first([level], others.has(level) ? by.transaction : explicit(by), id));
  const isEnvelope = levels.slice(1).some((one) => others.has(one) && first([one], ofPayment, scalar) !== undefined);
  const named = isEnvelope ? [first(levels.slice(0, 1), explicit(by), id), ...found.slice(1)] : found;
  return named.find((one) => one !== undefined);
}

/** How many decimals of a currency the sender counts in its minor units, `*` those of all that it does not list. */
export const decimalsIn = (code: string, decimals: Connection['decimals'] = {}): number =>
  decimals[code] ?? decimals['*'] ?? currencyDecimals(code);

/** The first amount and currency that are not empty decide, readable or not. An amount may be an object with a currency of its own. */
function moneyOf(amount: unknown, currency: unknown, { amount_unit, decimals, ...usual }: Units): Money {
  const decimalsOf = (code: string) => decimalsIn(code, decimals);
  const read = (sum: unknown, code: unknown = isAbsent(sum) ? undefined : usual.currency) =>
    amount_unit === 'minor' ? minorMoney(sum, code, decimalsOf) : decimalMoney(sum, code);
  if (!isObject(amount)) return read(amount, currency);
  const sum = first([amount], names.amount, present);
  return read(sum ?? amount, first([amount], names.currency, present) ?? currency);
}

const present = (value: unknown): unknown => (isAbsent(value) ? undefined : value);
