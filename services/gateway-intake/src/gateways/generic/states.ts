import type { Connection } from '../connection';
import { isObject, own, type Payload, scalar, scalarAt } from '../payload';
import { isStateAlone, notPaid, vocabularyType } from './events';
import { first, type Levels, spellingsOf, withoutOrders } from './levels';

export const failed = /^(?:fail(?:ed|ure)?|declined|denied|rejected|refused|unsuccessful|error)$/i;
const no = /^(?:false|f|no|n|off|0|ko|nok|cancell?ed|expired|aborted)$/i;

/** Only a plain no is one: `false`, as a word or a number too. What is neither is no answer. */
export function isNo(value: unknown): boolean {
  if (typeof value !== 'string') return value === false || value === 0;
  return no.test(value.trim()) || failed.test(value.trim());
}

/** A type is a word: numbers are codes, and types only at a place that the connection says, as `paid: true` is. */
const word = (value: unknown): string | undefined => (typeof value === 'string' ? scalar(value) : undefined);
export const codeAt = (value: unknown): string | undefined =>
  scalar(typeof value === 'boolean' ? String(value) : value);

/** A status `success` around data that says that it is not paid answers a question (github.com/omniti-labs/jsend): the inner one is the type. */
export function typeIn(levels: Levels, by: Readonly<Record<'type' | 'status', readonly string[]>>): string | undefined {
  const type = first(levels, by.type, word);
  const [top, ...inner] = withoutOrders(levels);
  const isAnswer = type?.toLowerCase() === 'success' && scalarAt(top, 'status') === type;
  const state = (isAnswer && first([...inner, ...paymentsIn(levels)], by.status, word)) || '';
  return failed.test(state) ? 'payment_failed' : notPaid.test(state) ? state : type;
}

/** The fields of these names, with what stands in them. */
const fieldsOf = (levels: Levels, names: RegExp): [string, unknown][] =>
  withoutOrders(levels).flatMap((level) =>
    isObject(level) ? Object.entries(level).filter(([name]) => names.test(name)) : [],
  );

/** The subject of the event, in an object of its own: `{"status": "success", "data": {"transaction": {"status": "pending"}}}`. */
export const paymentsIn = (levels: Levels): Payload[] =>
  fieldsOf(levels, /^(?:data|payment|transaction|charge)$/i).flatMap(([, value]) => (isObject(value) ? [value] : []));

const paymentStates = spellingsOf(['payment_status', 'transaction_status', 'payment_state', 'transaction_state']);
/** Where the sender calls its payments orders (docs.akurateco.com/docs/guides/checkout/callbacks); a shop's order in processing is paid. */
const orderStates = spellingsOf(['order_status']);
const paid =
  /^(?:(?:payment|transaction|trade|txn|funds)[ _-])?(?:success\w*|succe+ded|approved|captured?|paid|completed?|settle\w*|confirmed|ok|finished|done|accepted|processed|received|credited|charged|cleared)$/i;
const kinds = spellingsOf(['transaction_type', 'intent']);
const notOfPayment =
  /^(?:refund|credit|(?:pre|init)?[_-]?auth(?!\w*capt)\w*|void|revers\w*|cancel\w*|charge_?back|payout|verif\w*)$/i;

/** What was bought, and on which terms, is no kind of event: `"cancellation_type": "FULL_REFUND"`. */
const nameOfKind = /(?<!(?:product|ticket|fare|rate|cancell?ation)[_-]?)(?:type|kind|operation|action|event|object)$/i;
const refundKind = /(?:^|(?<!non?)[_. -])refund(?:ed)?(?![a-z]|[_. -](?:protect|guarantee|policy))/i;
const otherKind = /(?:^|[_. -])(?:void(?:ed)?|revers(?:al|ed?)|charge_?back|payout)(?![a-z])/i;

const wordsAt = (levels: Levels, names: RegExp): string[] =>
  fieldsOf(levels, names).flatMap(([, value]) => word(value) ?? []);

/** A kind that is a refund, by whatever name it stands beside a state: `"status": "SUCCESS", "iyziEventType": "CONTACTLESS_REFUND"` (docs.iyzico.com/en/advanced/webhook). */
export const refundKindIn = (levels: Levels): string | undefined =>
  wordsAt(levels, nameOfKind).find((kind) => refundKind.test(kind));

/** So is one that no payment is: `"status": "paid", "type": "payout"` (doc.cryptomus.com/merchant-api/payouts/webhook). */
const otherKindIn = (levels: Levels): string | undefined =>
  wordsAt(levels, nameOfKind).find((one) => otherKind.test(one));

/** Where the type was looked for, and what the connection says of types. */
type Said = { readonly names: readonly string[]; readonly types: NonNullable<Connection['types']> };
const verdict = /^(?:approved|declined|denied|rejected)$/i;
const ofPayment = [...paymentStates, ...spellingsOf(['transaction_id', 'txn_id', 'payment_id', 'charge_id'])];

const nameOfState = /^(?:(?:payment|pay|transaction|trans?|tr|txn|trade|order|fraud)[_-]?)?(?:status|state|result)$/i;
const nameOfCode = /^(?:[a-z]{1,4}[_-])?(?:status|result|resp(?:onse)?)[._-]?code$/i;

/**
 * The state of an event without a type, by any name in any case, where it is no word for paid: `order_status: Aborted` (CCAvenue), `Status: 0` (iPay88). Other
 * words and codes say what only the connection can know; a `state` may be that of an address.
 */
export function unpaidIn(levels: Levels): string | undefined {
  const all = [...levels, ...paymentsIn(levels)];
  const states = fieldsOf(all, nameOfState);
  const unpaid = (states.length > 0 ? states : fieldsOf(all, nameOfCode))
    .map(([name, value]) => [name, codeAt(value) ?? ''] as const)
    .filter(([name, state]) => (/^state$/i.test(name) ? isUnpaid(state) : state !== '' && !isPaid(state)))
    .map(([, state]) => state);
  return unpaid.some((one) => failed.test(one)) ? 'payment_failed' : (unpaid[0] ?? otherKindIn(levels));
}

const isUnpaid = (state: string): boolean => failed.test(state) || notPaid.test(state);
const isPaid = (state: string): boolean => paid.test(state) || /^(?:true|yes|accept)$/i.test(state);

/**
 * A good state alone may be that of the answer, or of something else than a payment: `status`, `transactionStatus` and `transactionType` of
 * raw.githubusercontent.com/api-evangelist/nuvei/refs/heads/main/json-schema/nuvei-transaction-schema.json. A code (`00`, `S`) says nothing. A verdict
 * that only an object `order` has, where nothing names a payment, is about the order: `approved` by a fraud check is not paid.
 */
export function ofOtherState(type: string | undefined, levels: Levels, { names, types }: Said): string | undefined {
  if (type === undefined || !isStateAlone(type)) return type;
  if (Object.hasOwn(types, type)) return (types[type] === 'payment_completed' && otherKindIn(levels)) || type;
  const mine = withoutOrders(levels);
  const isOfOrder = names.length > 0 && first(mine, names, word) === undefined;
  if (isOfOrder && verdict.test(type) && first(levels, ofPayment, scalar) === undefined)
    return `order_${type.toLowerCase()}`;
  if (vocabularyType(type) !== 'payment_completed') return type;
  if (failed.test(first(mine, ['result'], word) ?? '')) return 'payment_failed';
  const state = first(mine, paymentStates, word);
  if (state !== undefined && /[a-z]{2}/i.test(state) && !paid.test(state))
    return failed.test(state) ? 'payment_failed' : state;
  const kind = first(mine, kinds, word);
  const ofOrder = first(mine, orderStates, word) ?? '';
  if (isUnpaid(ofOrder) && !/^processing$/i.test(ofOrder)) return ofOrder;
  const isCaptured = /^(?:captured|settled)$/i.test(state ?? type) && /auth/i.test(kind ?? '');
  if (kind !== undefined && notOfPayment.test(kind) && !isCaptured) return kind;
  const undone = ['captured', 'paid'].find((name) => mine.some((level) => String(own(level, name)) === 'false'));
  return otherKindIn(levels) ?? (undone === undefined ? type : `un${undone}`);
}
