import {
  addDecimals,
  compareDecimals,
  type Decimal,
  type OrderRefunded,
  parseDecimal,
  type UniversalEvent,
} from '@order-automation/contracts';
import { isRefundSoFar, occurrenceOfEvent, refundIdOf } from './occurrence';
import { agree, isNothing, minus, nothing, type Priced, amountOf as paidAmountOf, totalOf } from './order-money';
import { idsOf, type Paid, timeOf } from './payments';

/** What one event of an order says about money given back. */
export type Refund = {
  /** The event, by its idempotency key: a replay is the same event. */
  readonly event_id: string;
  /** The occurrence that the event is by itself. */
  readonly key: string;
  /** The occurrence it counts as: that of the first event about the same refund. */
  readonly counts_as: string;
  readonly transaction: string | null;
  /**
   * `shop`: a refund that the shop reports. Of gateways: `one`: this refund; `so_far`: everything that was refunded of the payment; `payment`: a
   * refund of the payment that has no id of its own.
   */
  readonly kind: 'shop' | 'one' | 'so_far' | 'payment';
  readonly amount: string | null;
  /** ISO 8601: when a gateway says that the money was given back. */
  readonly at?: string;
  /** Of a sum: what it was before, where the gateway says it. */
  readonly before?: string;
  /** It did not reach the customer in the end, as the event with this idempotency key said first. */
  readonly failed?: true;
  readonly failed_by?: string;
};

/** Null for an event that is about no refund. */
export function refundOf(event: UniversalEvent, key: string): Refund | null {
  if (event.genericType !== 'payment_refunded') return null;
  const kind = isRefundSoFar(event) ? 'so_far' : refundIdOf(event) === null ? 'payment' : 'one';
  const { idempotencyKey, transactionID, amount, refundedBefore: before } = event;
  const ids = { event_id: idempotencyKey, key, counts_as: key, transaction: transactionID } as const;
  const refund = { ...ids, kind, amount, at: timeOf(event) } as const;
  return before === undefined ? refund : { ...refund, before };
}

export function shopRefundOf({ change_id, amount }: OrderRefunded, key: string): Refund {
  return { event_id: change_id, key, counts_as: key, transaction: null, kind: 'shop', amount };
}

/**
 * The refund with the occurrence it counts as (decisions.md section 4): partial refunds are occurrences of their own, and what the shop and the
 * gateway report of one refund is one. A refund of the shop is the gateway's of the same amount. One that is named belongs to the smallest sum that
 * holds it and those before it, unless it is the very amount by which a sum is larger than the one before; each sum has one refund that led to it.
 */
export function countedRefund(seen: readonly Refund[], refund: Refund): Refund {
  const known = seen.find(
    (one) => one.event_id === refund.event_id || (one.key === refund.key && !isFailureAlone(one)),
  );
  // What failed has left the sum, and a refund that is made again reaches the same sum.
  if (refund.kind === 'so_far' && known && known.event_id !== refund.event_id && failedIn(seen).has(known.counts_as))
    return countedRefund(seen, { ...refund, key: refund.event_id, counts_as: refund.event_id });
  if (known) return { ...refund, counts_as: known.counts_as };
  const related = seen.filter((one) => ofOnePayment(one, refund));
  const named = eachOnce(related.filter((one) => (one.kind === 'one' || one.kind === 'shop') && !isFailureAlone(one)));
  const sums = related.filter(({ kind }) => kind === 'so_far');
  const other = twinOf(refund, related) ?? partnerOf(refund, named, sums);
  return other ? { ...refund, counts_as: other.counts_as } : refund;
}

/** The shop does not say which payment it refunds: any of the order. */
function ofOnePayment(one: Refund, other: Refund): boolean {
  if (one.kind === 'shop' || other.kind === 'shop') return true;
  return one.transaction !== null && one.transaction === other.transaction;
}

const eachOnce = (named: readonly Refund[]): Refund[] =>
  named.filter(({ counts_as }, at) => named.findIndex((one) => one.counts_as === counts_as) === at);

/** The gateway's report of a refund of the shop, or the other way round; each has one. */
function twinOf(refund: Refund, related: readonly Refund[]): Refund | undefined {
  if (refund.kind === 'so_far' || refund.amount === null) return undefined;
  const sideOf = ({ kind }: Refund) => (kind === 'so_far' ? null : kind === 'shop' ? 'shop' : 'gateway');
  const isTaken = ({ counts_as }: Refund): boolean =>
    related.some((one) => one.counts_as === counts_as && sideOf(one) === sideOf(refund));
  const twins = related.filter(
    (one) =>
      sideOf(one) !== null &&
      sideOf(one) !== sideOf(refund) &&
      one.amount !== null &&
      isSameMoney(amountOf(one), amountOf(refund)) &&
      !isTaken(one),
  );
  return twins.find((one) => compareDecimals(amountOf(one), amountOf(refund)) === 0) ?? twins[0];
}

/** A shop calculates with more decimals than a gateway gives back: "5.124 KWD must be rounded to 5120 or 5130" (docs.stripe.com/currencies#three-decimal). */
const isSameMoney = (one: Decimal, other: Decimal): boolean => agree(one, other, 2);

function partnerOf(refund: Refund, named: readonly Refund[], sums: readonly Refund[]): Refund | undefined {
  if (refund.kind === 'payment') return undefined;
  if (refund.kind === 'so_far')
    return grownBy(refund, named, sums) ?? (isExact(refund) ? undefined : namedOf(refund, named, sums));
  const rest = sums.filter((sum) => !isExact(sum));
  return sums.find((sum) => grownBy(sum, [refund], sums) && isFree(sum, named)) ?? sumOf(refund, named, rest);
}

const isExact = ({ before }: Refund): boolean => before !== undefined;

/** The refund by which the sum has grown, if no other sum has it. Where the gateway does not say from what, it has grown from the next smaller one. */
function grownBy(sum: Refund, named: readonly Refund[], sums: readonly Refund[]): Refund | undefined {
  const smaller = sums.map(amountOf).filter((amount) => compareDecimals(amount, amountOf(sum)) < 0);
  const before =
    parseDecimal(sum.before ?? '') ??
    smaller.reduce((most, amount) => (compareDecimals(most, amount) < 0 ? amount : most), nothing);
  return named.find((one) => isSameMoney(addDecimals(before, amountOf(one)), amountOf(sum)) && isFree(one, sums));
}

/** Whether none of the others is about the same refund. */
const isFree = ({ counts_as }: Refund, others: readonly Refund[]): boolean =>
  !others.some((other) => other.counts_as === counts_as);

function sumOf(refund: Refund, named: readonly Refund[], sums: readonly Refund[]): Refund | undefined {
  const total = [...named, refund].map(amountOf).reduce(addDecimals);
  return sums
    .filter((sum) => isFree(sum, named))
    .filter((sum) => compareDecimals(amountOf(sum), total) >= 0)
    .sort((a, b) => compareDecimals(amountOf(a), amountOf(b)))[0];
}

function namedOf(refund: Refund, named: readonly Refund[], sums: readonly Refund[]): Refund | undefined {
  let total = nothing;
  for (const one of named) {
    total = addDecimals(total, amountOf(one));
    if (isFree(one, sums) && compareDecimals(total, amountOf(refund)) >= 0) return one;
  }
  return undefined;
}

const amountOf = ({ amount }: Refund): Decimal => parseDecimal(amount ?? '') ?? nothing;

/** What is left of a payment of the order after its refunds; nothing where more was given back. */
export function keptOf(payment: Paid, order: Priced, refunds: readonly Refund[]): Decimal {
  const kept = minus(paidAmountOf(payment, order) ?? totalOf(order), refundedOf(refunds, idsOf(payment)));
  return isNothing(kept) ? nothing : kept;
}

/** How much of the payment with these ids its gateway has given back, whichever of its events say so; `null`: of payments that these do not name. */
export function refundedOf(seen: readonly Refund[], ids: readonly (string | null)[]): Decimal {
  const failed = failedIn(seen);
  const ofPayment = seen.filter(
    (one) => one.kind !== 'shop' && ids.includes(one.transaction) && !failed.has(one.counts_as),
  );
  const single = eachOnce(ofPayment.filter(({ kind }) => kind !== 'so_far')).map(amountOf);
  const sums = ofPayment.filter(({ kind }) => kind === 'so_far').map(amountOf);
  return [single.reduce(addDecimals, nothing), ...sums].reduce((most, one) =>
    compareDecimals(most, one) < 0 ? one : most,
  );
}

const undone =
  /(?:^|[_.])(?:failed|failure|denied|declined|rejected|cancell?ed|reversed|bounced|(?:refund|funds)[_.]returned)$/i;

/** A refund that was reported, and then did not reach the customer. */
export function isFailedRefund({ genericType, eventType, status }: UniversalEvent): boolean {
  if (genericType === 'payment_refunded' || !/refund/i.test(eventType)) return false;
  return undone.test(eventType) || undone.test(status ?? '');
}

/**
 * The list after an event that says of a refund that it has failed: its money is the shop's again. Up to three events of the card gateway say so
 * (docs.stripe.com/refunds#failed-refunds), and the first of them is the one that marks it.
 */
export function withFailed(seen: readonly Refund[], event: UniversalEvent, orderId: number): readonly Refund[] {
  const report = { ...event, genericType: 'payment_refunded' } as const;
  const key = occurrenceOfEvent(report, orderId)?.key;
  const refund = isFailedRefund(event) && key !== undefined ? refundOf(report, key) : null;
  if (!refund) return seen;
  const mark = { failed: true, failed_by: event.idempotencyKey } as const;
  const reported = seen.find((one) => one.key === key);
  if (!reported) return [...seen, { ...countedRefund(seen, refund), ...mark }];
  if (reported.failed) return seen;
  return seen.map((one) => (one.counts_as === reported.counts_as ? { ...one, ...mark } : one));
}

const failedIn = (seen: readonly Refund[]): ReadonlySet<string> =>
  new Set(seen.filter(({ failed }) => failed).map(({ counts_as }) => counts_as));

/** What is known of the refund is that it has failed: its report comes later, unless a sum or the shop has reported it. */
const isFailureAlone = ({ event_id, failed_by, key, counts_as }: Refund): boolean =>
  event_id === failed_by && key === counts_as;

/** Whether it is news that the refund has failed, by the list after the event. Of refunds without an id each event is. */
export function isFirstFailure(failed: readonly Refund[], event: UniversalEvent): boolean {
  if (!isFailedRefund(event)) return false;
  const isNamed = refundIdOf({ ...event, genericType: 'payment_refunded' }) !== null;
  return !isNamed || failed.some(({ failed_by }) => failed_by === event.idempotencyKey);
}

const maxRefunds = 200;

/** The list after the event; the same object when nothing is new. */
export function withRefund(seen: readonly Refund[], refund: Refund): readonly Refund[] {
  const known = seen.find(({ key }) => key === refund.key);
  if (!known) return [...seen, refund].slice(-maxRefunds);
  return isFailureAlone(known) ? seen.map((one) => (one === known ? { ...known, ...refund } : one)) : seen;
}
