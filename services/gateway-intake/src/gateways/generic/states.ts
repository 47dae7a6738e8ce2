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

/** The subject of the event, in an object of its own: `{"status": "success", "data": {"transaction": {"status": "pending"}}}`. */
const paymentsIn = (levels: Levels): Payload[] =>
  withoutOrders(levels).flatMap((level) =>
    ['payment', 'transaction', 'charge'].map((name) => own(level, name)).filter(isObject),
  );

const paymentStates = spellingsOf(['payment_status', 'transaction_status', 'payment_state', 'transaction_state']);
const paid =
  /^(?:(?:payment|transaction|txn|funds)[ _-])?(?:success\w*|succe+ded|approved|captured?|paid|completed?|settle\w*|confirmed|ok|finished|done|accepted|processed|received|credited|charged|cleared)$/i;
const kinds = spellingsOf(['transaction_type', 'intent']);
const notOfPayment =
  /^(?:refund|credit|(?:pre|init)?[_-]?auth(?!\w*capt)\w*|void|revers\w*|cancel\w*|charge_?back|payout|verif\w*)$/i;

/** What was bought, and on which terms, is no kind of event: `"cancellation_type": "FULL_REFUND"`. */
const nameOfKind = /(?<!(?:product|ticket|fare|rate|cancell?ation)[_-]?)(?:type|kind|operation|action|event|object)$/i;
const refundKind = /(?:^|(?<!non?)[_. -])refund(?:ed)?(?![a-z]|[_. -](?:protect|guarantee|policy))/i;
const otherKind = /(?:^|[_. -])(?:void(?:ed)?|reversal|charge_?back|payout)(?![a-z])/i;

/** What stands in the fields of these names. */
const wordsAt = (levels: Levels, names: RegExp): string[] =>
  withoutOrders(levels)
    .flatMap((level) => (isObject(level) ? Object.entries(level) : []))
    .flatMap(([name, value]) => (names.test(name) ? (word(value) ?? []) : []));

/** A kind that is a refund, by whatever name it stands beside a state: `"status": "SUCCESS", "iyziEventType": "CONTACTLESS_REFUND"` (docs.iyzico.com/en/advanced/webhook). */
export const refundKindIn = (levels: Levels): string | undefined =>
  wordsAt(levels, nameOfKind).find((kind) => refundKind.test(kind));

const verdict = /^(?:approved|declined|denied|rejected)$/i;
const ofPayment = [...paymentStates, ...spellingsOf(['transaction_id', 'txn_id', 'payment_id', 'charge_id'])];

const nameOfState = /^(?:(?:payment|transaction)[_-]?)?(?:status|state|result)$/i;

/** The state of an event without a type that says, by any name in any case, that nothing was paid. */
export function unpaidIn(levels: Levels): string | undefined {
  const states = wordsAt([...levels, ...paymentsIn(levels)], nameOfState);
  return states.some((one) => failed.test(one)) ? 'payment_failed' : states.find((one) => notPaid.test(one));
}

/**
 * A good state alone may be that of the answer, or of something else than a payment: `status`, `transactionStatus` and `transactionType` of
 * raw.githubusercontent.com/api-evangelist/nuvei/refs/heads/main/json-schema/nuvei-transaction-schema.json. A code (`00`, `S`) says nothing. A verdict
 * that only an object `order` has, where nothing names a payment, is about the order: `approved` by a fraud check is not paid.
 */
export function ofOtherState(type: string | undefined, levels: Levels, names: readonly string[]): string | undefined {
  if (type === undefined || !isStateAlone(type)) return type;
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
  const isCaptured = /^(?:captured|settled)$/i.test(state ?? type) && /auth/i.test(kind ?? '');
  if (kind !== undefined && notOfPayment.test(kind) && !isCaptured) return kind;
  const undone = ['captured', 'paid'].find((name) => mine.some((level) => String(own(level, name)) === 'false'));
  const other = wordsAt(levels, nameOfKind).find((one) => otherKind.test(one));
  return other ?? (undone === undefined ? type : `un${undone}`);
}
