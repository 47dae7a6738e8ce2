import { type GenericType, type Order, parseDecimal, type UniversalEvent } from '@order-automation/contracts';
import { type Classification, classify } from './classify';
import { isStale, type ObjectState, reportedBefore, stateOf, withoutReturned, withState } from './object-states';
import { ownKey } from './occurrence';
import type { Known, Read } from './order-history';
import { inMoneyOfOrder, isNothing } from './order-money';
import { apart, readPaidMove } from './paid-moves';
import { idsOf, type Payment, paymentOf, remembering, timeOf } from './payments';
import { countedRefund, isFirstFailure, type Refund, refundOf, withFailed, withRefund } from './refunds';

/** An event by the light of what gateways said of its order before. */
export type EventReading = {
  readonly classification: Classification;
  readonly stale: boolean;
  /** The occurrence it counts as: that of the first event about the same refund, or of the order's move into `processing`. */
  readonly counts_as: string | undefined;
  readonly failedRefund: boolean;
  readonly before: Known;
};

/** `now` in milliseconds since the epoch. */
export function readEvent(
  received: UniversalEvent,
  order: Order,
  awaiting: ReadonlySet<string>,
  now: number,
): Read<EventReading> {
  const sent = withoutEmptyRefund(inMoneyOfOrder(received, order));
  return (known) => {
    const isRelease = isOfUncaptured(sent, known, awaiting.has(order.status));
    const event = isRelease ? { ...sent, genericType: null } : asKnown(sent, known, order);
    const state = stateOf(event, now, known.states);
    const classification = asReportedBefore(classify({ ...known, event, order, awaiting }), state, known);
    const { occurrence, mismatch, payment, match } = classification;
    const stale = state !== null && isStale(known.states, state);
    const seen = known.refunds ?? none;
    const told =
      occurrence && (mismatch === null || isOfPayment(event, known)) ? refundOf(event, occurrence.key) : null;
    const refund = told && !stale ? countedRefund(seen, told) : null;
    const refunds = withFailed(seen, event, order.id);
    const isPaid = classification.paid === 'whole' && match?.kind !== 'repeated' && !stale;
    const longest = awaiting.has(order.status) ? apart.awaiting : apart.paid;
    const paid = occurrence && isPaid ? readPaidMove('payment', occurrence.key, now, longest)(known) : null;
    const counts_as = refund?.counts_as ?? paid?.result;
    const result = { classification, stale, counts_as, failedRefund: isFirstFailure(refunds, event), before: known };
    const payments = payment && !stale ? remembering(known.payments, payment, match ?? undefined) : known.payments;
    const states = withoutReturned(state && !stale ? withState(known.states, state) : known.states, event);
    const added = refund ? withRefund(refunds, refund) : refunds;
    const unfit = mismatch !== null && !stale ? unfitAfter(known, event, occurrence) : known.unfit;
    const isSame = payments === known.payments && states === known.states && added === seen && unfit === known.unfit;
    const after = paid?.after ?? known;
    const more = { ...(added.length > 0 && { refunds: added }), ...(unfit && { unfit }) };
    return { result, after: isSame ? after : { ...after, payments, states, ...more } };
  };
}

const none: readonly Refund[] = [];

/** Money of a payment that is known. A refund of more than that moves nothing, and is given back all the same. */
const isOfPayment = ({ transactionID, amount, currency }: UniversalEvent, { payments }: Known): boolean =>
  amount !== null &&
  payments.some((one) => idsOf(one).includes(transactionID ?? '') && (currency ?? one.currency) === one.currency);

/** Completed payments that do not fit their order, after an event that does not fit it, either: one is gone with a refund of it, be that reported before. */
function unfitAfter({ unfit, states }: Known, event: UniversalEvent, occurrence: Classification['occurrence']) {
  const { transactionID: id } = event;
  const isBack = states.some(({ type, transaction }) => type === 'payment_refunded' && transaction === id);
  if (occurrence?.type === 'payment_completed') return isBack ? unfit : remembering(unfit ?? [], paymentOf(event));
  const isOther = (one: Payment) => id !== null && !idsOf(one).includes(id);
  return occurrence?.type === 'payment_refunded' ? unfit?.filter(isOther) : unfit;
}

/**
 * The currency that the customer of a payment saw says nothing of how much of it that is: up to version 2025-03-31 a session has the currency of the shop, and
 * its intent, its charge and their refunds have that of the customer (docs.stripe.com/changelog/basil/2025-03-31/add_presentment_details).
 */
function asKnown(event: UniversalEvent, { payments }: Known, order: Order): UniversalEvent {
  const isInOwn = ({ currency }: Pick<Payment, 'currency'>) => currency?.toUpperCase() === order.currency.toUpperCase();
  const isPaid = (one: Payment) => (one.paid ?? 'whole') === 'whole' && isInOwn(one);
  const isKnown = payments.some((one) => isPaid(one) && idsOf(one).includes(event.transactionID ?? ''));
  return isKnown && event.currency !== null && !isInOwn(event) ? { ...event, amount: null, currency: null } : event;
}

/** A refund of nothing gives nothing back: a shop books one for what is only restocked (github.com/Automattic/woocommerce-payments/pull/8013). */
function withoutEmptyRefund(event: UniversalEvent): UniversalEvent {
  const amount = parseDecimal(event.amount ?? '');
  return event.genericType === 'payment_refunded' && amount && isNothing(amount)
    ? { ...event, genericType: null }
    : event;
}

const aMinute = 60_000;

/**
 * Whether a refund object of the card is what was let go of an authorisation: up to version 2025-03-31 the gateway made one of each capture of a part, and of
 * each cancellation (docs.stripe.com/changelog/basil/2025-03-31/remove-refund-from-partial-capture-and-payment-cancellation-flow). `isAwaited`: the order
 * awaits its payment.
 */
function isOfUncaptured(event: UniversalEvent, { payments, states }: Known, isAwaited: boolean): boolean {
  const { eventType, genericType, transactionID, amount, released } = event;
  if (eventType !== 'payment.card.refund_created' || genericType === null || transactionID === null) return false;
  const paid = payments.find(({ transaction }) => transaction === transactionID);
  if (paid)
    return paid.released === amount && Math.abs(Date.parse(paid.at ?? '') - Date.parse(timeOf(event))) <= aMinute;
  const isOf = (type: GenericType) => states.some((one) => one.type === type && one.transaction === transactionID);
  return isOf('payment_cancelled') || (released === undefined && isAwaited && isOf('payment_pending'));
}

/** What an event of another kind has reported is the occurrence that it was then; a dispute that is opened again is one of its own. */
function asReportedBefore(
  classification: Classification,
  state: ObjectState | null,
  { states }: Known,
): Classification {
  const told = state?.type === 'dispute_opened' && state.event_type ? state : state && reportedBefore(states, state);
  if (!told?.event_type || !classification.occurrence) return classification;
  const { occurrence } = classification;
  const key = ownKey(told.event_type, occurrence.order_id, told.event_id);
  return { ...classification, occurrence: { ...occurrence, key } };
}

export function readRefund(refund: Refund): Read<Refund> {
  return (known) => {
    const before = known.refunds ?? [];
    const counted = countedRefund(before, refund);
    const refunds = withRefund(before, counted);
    return { result: counted, after: refunds === before ? known : { ...known, refunds } };
  };
}
