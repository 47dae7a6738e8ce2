import {
  addDecimals,
  type Decimal,
  type GenericType,
  type Occurrence,
  payableStatuses,
  type UniversalEvent,
} from '@order-automation/contracts';
import { kindOf, type OrderOfPayment, type PaymentCase, paysRest } from './first-or-renewal';
import { matchInvoice, withoutComplete, withoutSummedUp } from './invoice-parts';
import { isReturn, standing, withoutReturned } from './object-states';
import { followsPayment, occurrenceOfEvent } from './occurrence';
import type { Known } from './order-history';
import { amountOf, comparedWithTotal, exceeds, hintOf, inDecimalsOf, isNothing, nothing, totalOf } from './order-money';
import {
  classifyPayment,
  idsOf,
  type Payment,
  type PaymentMatch,
  paymentOf,
  sameRenewal,
  timeOf,
  withoutCaptures,
} from './payments';
import { isFailedRefund, keptOf, withFailed } from './refunds';

/** Why an event may not change its order: both sides of the disagreement, as the log shows them. */
export type AmountMismatch = {
  readonly kind: 'amount_mismatch' | 'amount_unreadable';
  readonly expected: string;
  readonly actual: string;
};

/** `whole`: the order is paid now; `part`: money for it came, and some is missing; `renewal`: a later payment of its subscription. */
export type Paid = 'whole' | 'part' | 'renewal' | 'none';

/** What has been paid so far, this event included, of an order that is not paid in full. */
export type PartialPayment = {
  readonly received: string;
  readonly total: string;
  readonly currency: string;
  /** The gateway says that no more is captured of this payment. */
  readonly is_final?: true;
  /** The payment of the rest was cancelled. */
  readonly is_cancelled?: true;
};

export type Classification = {
  readonly occurrence: Occurrence | null;
  readonly paid: Paid;
  /** The law that decided, for those who read the log closely. */
  readonly because: string;
  readonly mismatch: AmountMismatch | null;
  /** What is remembered of the payment; null where there is none, or where it is not one for this order. One of a subscription with another amount is `none`. */
  readonly payment: Payment | null;
  readonly match: PaymentMatch | null;
  readonly partial: PartialPayment | null;
};

type Case = PaymentCase & Partial<Pick<Known, 'refunds' | 'states'>>;

/**
 * What an event of a gateway means for its order, by what gateways said of the order before (decisions.md section 12). Events of one payment have one
 * occurrence; a payment of a subscription is its first or a renewal, whatever the gateway calls it; payments of one order add up.
 */
export const classify = (one: Case): Classification => completedByReturn(one) ?? classifyAsSent(one);

/** Of an event that says of money of the order that it is back, where the order is paid with it. Of the events of one return the first is the one. */
function completedByReturn(one: Case): Classification | null {
  const { event, order, payments, states = [], refunds = [] } = one;
  const { genericType, transactionID, idempotencyKey: completed_by } = event;
  const part = payments.find(({ transaction }) => transaction !== null && transaction === transactionID);
  if (!part || genericType !== null || !(isReturn(event) || isFailedRefund(event))) return null;
  if (part.paid !== 'part' && part.completed_by !== completed_by) return null;
  const { amount, currency } = part;
  const again = { ...event, genericType: 'payment_completed', amount, currency, amountProblem: null } as const;
  const now = { states: withoutReturned(states, event), refunds: withFailed(refunds, event, order.id) };
  const { payment, ...classification } = classifyAsSent({ ...one, ...now, event: again });
  return payment && classification.paid === 'whole'
    ? { ...classification, payment: { ...payment, completed_by } }
    : null;
}

function classifyAsSent(one: Case): Classification {
  const { event, order } = one;
  const { type, because } = kindOf(one);
  const occurrence = occurrenceOfEvent({ ...event, genericType: type }, order.id);
  const none = {
    occurrence,
    paid: 'none',
    because,
    mismatch: null,
    payment: null,
    match: null,
    partial: null,
  } as const;
  if (type === 'renewal_payment_completed') {
    const payment = { ...paymentOf(event), paid: 'renewal' } as const;
    const of = sameRenewal(one.payments, payment);
    return { ...none, paid: 'renewal', payment, match: of ? { kind: 'repeated', of } : null };
  }
  if (type === 'payment_completed') {
    const own = ownPayment(one);
    const isPart = own.paid === 'part';
    const partly = occurrenceOfEvent({ ...event, genericType: 'payment_processing' }, order.id);
    return { ...none, ...own, occurrence: isPart ? partly : occurrence };
  }
  return { ...none, mismatch: tooMuch(one, type), partial: type === 'payment_cancelled' ? restCancelled(one) : null };
}

type OwnPayment = Pick<Classification, 'paid' | 'mismatch' | 'payment' | 'match' | 'partial'>;

/** A completed payment of the order's own money: with what was paid before it is all of the order, a part, or too much. */
function ownPayment(one: Case): OwnPayment {
  const { event, order, payments } = one;
  const payment = paymentOf(event);
  // It was the first of its subscription all the same: the next one renews.
  const isOfSubscription = payment.subscription !== undefined && payment.transaction !== null;
  const remembered = isOfSubscription ? ({ ...payment, paid: 'none' } as const) : null;
  const none = { paid: 'none', payment: remembered, match: null, partial: null } as const;
  const unlike = unreadable(event, order) ?? otherCurrency(event, order);
  if (unlike) return { ...none, mismatch: unlike };
  const own = payments.filter(({ paid }) => paid !== 'renewal' && paid !== 'none');
  const known = classifyPayment(withoutComplete(own, order), payment);
  const match = known.kind === 'new' ? (matchInvoice(own, payment, order) ?? known) : known;
  const seen = match.kind === 'new' ? undefined : match.kind === 'repeated' ? match.of : sameAs(own, payment);
  const amount = amountOf(event, order);
  if (event.amount !== null && (amount === undefined || (isNothing(amount) && !isNothing(totalOf(order)))))
    return { ...none, mismatch: disagreement(event, order, null) };
  const isSum = match.kind === 'repeated' && payment.transaction === null && seen?.transaction !== null;
  const isSame =
    seen && (isSum || amount === undefined || seen.amount === null || !exceeds(amount, amountOf(seen, order)));
  const isRest = paysRest(one);
  const others = own.filter(
    (one) => one !== seen && (isRest || !one.subscription || one.subscription !== payment.subscription),
  );
  // A second payment of all of it is one by itself; what is less than that, or follows a part, adds up, without what was given back of it already.
  const isLess = amount !== undefined && exceeds(totalOf(order), amount);
  const addsUp = others.some(({ paid }) => paid === 'part' || isLess);
  const received = addsUp ? receivedOf([payment, ...others], one) : (amount ?? totalOf(order));
  const difference = comparedWithTotal(received, event, order);
  if (isSame) {
    const before = sumOf([seen, ...others.filter(({ paid }) => paid === 'part')], order);
    const isShort = one.awaiting.has(order.status) && comparedWithTotal(before, event, order) < 0;
    // The order costs more by now, and waits for the rest.
    if (isShort && seen.paid !== 'part' && match.kind === 'known') {
      const part = { paid: 'part', payment: { ...seen, paid: 'part' }, match, mismatch: null } as const;
      return { ...part, partial: partialOf(before, event, order) };
    }
    const isPart = seen.paid === 'part' && (difference < 0 || own.some(({ paid }) => paid !== 'part'));
    const partial = isPart && difference < 0 ? partialOf(received, event, order) : null;
    const completes = seen.paid === 'part' && !isPart && { paid: 'whole' as const };
    return { paid: isPart ? 'part' : 'whole', payment: { ...payment, ...completes }, match, mismatch: null, partial };
  }
  if (amount !== undefined && difference > 0)
    return { ...none, mismatch: disagreement(event, order, addsUp ? received : null) };
  const paid = amount !== undefined && difference < 0 ? 'part' : 'whole';
  const partial = paid === 'part' ? partialOf(received, event, order) : null;
  return { paid, payment: { ...payment, paid }, match, mismatch: null, partial };
}

/** A payment that names no amount is all of it. */
const sumOf = (payments: readonly Payment[], order: OrderOfPayment): Decimal =>
  payments.map((one) => amountOf(one, order) ?? totalOf(order)).reduce(addDecimals, nothing);

/**
 * What the shop has of these payments: without what was taken or given back by the time of the last of them, or of `until`, and what an invoice reports a
 * second time. What follows the last payment may be reported before another of them: all of the order had been paid, or more, which it gave back.
 */
function receivedOf(payments: readonly Payment[], { order, refunds = [], states = [] }: Case, until = ''): Decimal {
  const last = Math.max(...[until, ...payments.map(({ at = '' }) => at)].map(Date.parse).filter(Number.isFinite));
  const isByThen = ({ at = '' }: { readonly at?: string }) => !(Date.parse(at) > last);
  const keptBy = (seen: typeof states, given: typeof refunds) =>
    withoutSummedUp(standing(payments, seen), order)
      .map((one) => keptOf(one, order, given))
      .reduce(addDecimals, nothing);
  const then = keptBy(
    states.filter((one) => !followsPayment.has(one.type) || isByThen(one)),
    refunds.filter(isByThen),
  );
  return exceeds(then, totalOf(order)) ? keptBy(states, refunds) : then;
}

/** What is paid of an order in part when another payment of it is cancelled: "Void authorized payment", developer.paypal.com/docs/api/payments/v2. */
function restCancelled(one: Case): PartialPayment | null {
  const { event, order, payments, awaiting } = one;
  if (!payableStatuses(awaiting).includes(order.status)) return null;
  const isOther = ({ transaction }: Payment) => transaction === null || transaction !== event.transactionID;
  const own = payments.filter((payment) => payment.paid !== 'renewal' && payment.paid !== 'none' && isOther(payment));
  const received = receivedOf(own, one, timeOf(event));
  if (isNothing(received) || !exceeds(totalOf(order), received)) return null;
  return { ...partialOf(received, event, order), is_cancelled: true };
}

function partialOf(received: Decimal, { isFinalCapture }: UniversalEvent, order: OrderOfPayment): PartialPayment {
  const { total, currency } = order;
  return {
    received: inDecimalsOf(received, order),
    total,
    currency,
    ...(isFinalCapture === true && { is_final: true as const }),
  };
}

const sameAs = (own: readonly Payment[], { event_id, transaction }: Payment): Payment | undefined =>
  own.find((one) => one.event_id === event_id) ?? own.find((one) => one.transaction === transaction);

/** What may be less than the order, and never more: payments in flight, and refunds. Of everything else the amount is no business of the order. */
const bounded: ReadonlySet<GenericType | null> = new Set([
  'payment_created',
  'payment_pending',
  'payment_processing',
  'payment_refunded',
]);

function tooMuch({ event, order, payments }: Case, type: GenericType | null): AmountMismatch | null {
  if (!bounded.has(type)) return null;
  const unlike = unreadable(event, order) ?? otherCurrency(event, order);
  if (unlike || event.amount === null) return unlike;
  const amount = amountOf(event, order);
  const isRefunded = (one: Payment) => idsOf(one).includes(event.transactionID ?? '');
  const paid = type === 'payment_refunded' && withoutCaptures(payments).find(isRefunded);
  const most = { ...order, total: inDecimalsOf((paid && amountOf(paid, order)) || totalOf(order), order) };
  return amount && comparedWithTotal(amount, event, most) <= 0 ? null : disagreement(event, most, null);
}

function unreadable({ amountProblem }: UniversalEvent, { total, currency }: OrderOfPayment): AmountMismatch | null {
  if (amountProblem === null) return null;
  return { kind: 'amount_unreadable', expected: `${total} ${currency}`, actual: amountProblem };
}

function otherCurrency(event: UniversalEvent, order: OrderOfPayment): AmountMismatch | null {
  if (event.amount === null || event.currency === null) return null;
  return event.currency.toUpperCase() === order.currency.toUpperCase() ? null : disagreement(event, order, null);
}

/** `together`: with what was paid before. */
function disagreement(event: UniversalEvent, order: OrderOfPayment, together: Decimal | null): AmountMismatch {
  const { amount, currency } = event;
  const given = currency === null ? String(amount) : `${amount} ${currency}`;
  const sum = together === null ? '' : `, ${inDecimalsOf(together, order)} with what was paid before`;
  const actual = `${given}${sum}${hintOf(event, order)}`;
  return { kind: 'amount_mismatch', expected: `${order.total} ${order.currency}`, actual };
}
