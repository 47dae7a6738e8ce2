import {
  formatDecimal,
  type GenericType,
  genericTypeRungs,
  genericTypes,
  isoTime,
  type Order,
  type OrderChange,
  parseDecimal,
  type UniversalEvent,
} from '@order-automation/contracts';
import { followsPayment } from './occurrence';
import { exceeds, minus } from './order-money';
import { idsOf, type Paid, type Payment, withoutCaptures } from './payments';

/** The last state of one object of a gateway (a payment, a subscription, a dispute) that an event of the order reported. */
export type ObjectState = {
  readonly object: string;
  readonly type: GenericType;
  /** ISO 8601; gateways count in seconds. */
  readonly at: string;
  /** The idempotency key of the event: a replay is the same event. */
  readonly event_id: string;
  readonly transaction?: string | null;
  /** The event has no time: `at` is that of its arrival. */
  readonly is_arrival?: true;
  /** Of what follows a payment (a refund, a dispute): when we learned of it. */
  readonly noted_at?: string;
  /** Of a subscription, and of a dispute that was opened again: the kind of event that reported it. */
  readonly event_type?: string;
  /** Of a reversal or a lost dispute: how much it took. */
  readonly amount?: string;
  readonly currency?: string | null;
};

const ladderOf = (type: GenericType): number | undefined => genericTypeRungs[type][0];

/** The state that an event reports; null when it reports none, or names no object. `now` in milliseconds since the epoch; `seen`: what was reported before. */
export function stateOf(event: UniversalEvent, now: number, seen: readonly ObjectState[] = []): ObjectState | null {
  const { idempotencyKey, sourceGateway, transactionID: transaction, primaryObjectID } = event;
  const type = isReturn(event) ? 'payment_completed' : event.genericType;
  const ladder = isReturn(event) ? returned : type === null ? undefined : ladderOf(type);
  const object = ladder === 0 ? (transaction ?? primaryObjectID) : primaryObjectID;
  if (type === null || ladder === undefined || object === null) return null;
  const at = event.occurredAt ?? event.receivedAt;
  const state = { object: `${sourceGateway}:${ladder}:${object}`, type, at, event_id: idempotencyKey };
  const taken = event.amount !== null && takenBack.has(type) && { amount: event.amount, currency: event.currency };
  const again = isOpenedAgain(seen, state, event.eventType) && { event_type: event.eventType };
  if (followsPayment.has(type)) return { ...state, transaction, noted_at: isoTime(now), ...taken, ...again };
  if (ladder === 0 || ladder === 1 || ladder === returned)
    return { ...state, transaction, ...(event.occurredAt === null && { is_arrival: true as const }) };
  return type.startsWith('subscription_') ? { ...state, event_type: event.eventType } : state;
}

/** "A later chargeback on the same payment may update the existing dispute", which was closed (developer.squareup.com/forums/t/28718). */
function isOpenedAgain(seen: readonly ObjectState[], { object, type, event_id }: ObjectState, by: string): boolean {
  const last = type === 'dispute_opened' ? seen.find((one) => one.object === object) : undefined;
  return last?.event_id === event_id ? last.event_type === by : /^dispute_(?!opened)/.test(last?.type ?? '');
}

/** A payment that was refunded or disputed has completed: that it failed once is past. */
const beforeCompletion: ReadonlySet<GenericType> = new Set(
  genericTypes.filter((type) => ladderOf(type) === 0 && type !== 'payment_completed'),
);

function isBeforeWhatFollowed(seen: readonly ObjectState[], state: ObjectState): boolean {
  const { type, transaction = null } = state;
  if (transaction === null || !beforeCompletion.has(type)) return false;
  return seen.some(
    (one) => followsPayment.has(one.type) && one.transaction === transaction && secondOf(one) >= secondOf(state),
  );
}

/** Statuses that wait for a payment, and that a rule may have set because of what followed it. */
const movedAside: ReadonlySet<string> = new Set(['on-hold', 'failed']);

/**
 * What followed a payment, was seen before it and may have set the status of its order: when the order entered its status after that. A payment never
 * takes an order off hold that is disputed. What follows a capture may name the payment that it belongs to.
 */
export function overtakenBy(
  seen: readonly ObjectState[],
  { transactionID, orderReference }: Pick<UniversalEvent, 'transactionID' | 'orderReference'>,
  { status, status_since }: Pick<Order, 'status' | 'status_since'>,
): GenericType | null {
  if (!movedAside.has(status)) return null;
  const ids = [transactionID ?? [], orderReference.transactions ?? []].flat();
  const isOf = (id = ids[0]) => ids.some((one) => one === id);
  const followed = seen.filter(({ type, transaction }) => followsPayment.has(type) && isOf(transaction ?? undefined));
  const movedBy = followed.find(({ type, noted_at }) =>
    type.startsWith('dispute_') && status === 'on-hold'
      ? true
      : status_since !== undefined && noted_at !== undefined && Date.parse(status_since) >= Date.parse(noted_at),
  );
  return movedBy?.type ?? null;
}

/** Statuses in which an order is over without being delivered. */
const ended: ReadonlySet<string> = new Set(['cancelled', 'refunded', 'failed', 'trash']);

/** The status in which the order has ended since a change of it, if it has: a rule on the change must not take it out of there. */
export const endedSince = ({ to }: Pick<OrderChange, 'to'>, { status }: Pick<Order, 'status'>): string | null =>
  ended.has(status) && !ended.has(to) ? status : null;

/** What can become of a payment that had completed: a direct debit fails days later (developer.gocardless.com/api-reference/#event-types), an authorisation is let go. */
const undone: ReadonlySet<GenericType> = new Set(['payment_failed', 'payment_denied', 'payment_cancelled']);
export const takenBack: ReadonlySet<GenericType> = new Set(['payment_reversed', 'dispute_lost']);

/**
 * Payments with the money of them that is there: not taken back by a reversal or a lost dispute, and neither failed nor cancelled later. A void, or a capture
 * that was declined, names the payment of earlier captures and leaves these as they are (checkout.com/docs/payments/manage-payments/void-a-payment).
 */
export function standing(payments: readonly Payment[], seen: readonly ObjectState[] = []): readonly Paid[] {
  const isUndone = ({ transaction, at = '' }: Payment) =>
    seen.some((one) => undone.has(one.type) && one.transaction === transaction && secondOf(one) > secondOf({ at }));
  return withoutCaptures(payments.filter((one) => one.transaction === null || !isUndone(one))).flatMap((payment) => {
    const ids = idsOf(payment);
    const taken = seen.filter(({ type, transaction }) => takenBack.has(type) && ids.includes(transaction ?? ''));
    return taken.length === 0 ? [payment] : leftOf(payment, taken);
  });
}

/**
 * The payment with what is left of it: a part is reversed (github.com/woocommerce/woocommerce-paypal-payments/issues/1614) or disputed. What a dispute takes may
 * "differ (usually because of currency fluctuation)" (docs.stripe.com/api/disputes/object, `amount`): nine tenths are all of it. A dispute and its reversal are one.
 */
function leftOf(payment: Paid, taken: readonly ObjectState[]): Paid[] {
  const paid = parseDecimal(payment.amount ?? '');
  const reversed = taken.filter(({ type }) => type === 'payment_reversed');
  const left = (reversed.length > 0 ? reversed : taken).reduce((rest, { amount = '', currency }) => {
    const some = currency === payment.currency ? parseDecimal(amount) : undefined;
    return rest && some && minus(rest, some);
  }, paid);
  const isRest = left && paid && exceeds({ ...left, units: left.units * 10n }, paid);
  return isRest ? [{ ...payment, amount: formatDecimal(left, left.scale) }] : [];
}

/**
 * The states after an event, without reversals whose money is back: "the funds for the transaction that was reversed have been returned to you"
 * (`Canceled_Reversal`, developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables), `charge.dispute.funds_reinstated`, a dispute that was won, be it reported before.
 */
export function withoutReturned(seen: readonly ObjectState[], event: UniversalEvent): readonly ObjectState[] {
  const taken = seen.filter(({ type, transaction }) => type === 'payment_reversed' && transaction !== null);
  const returned = isReturn(event) ? taken.filter(({ transaction }) => transaction === event.transactionID) : [];
  const named = returned.filter((one) => idOf(one) === event.primaryObjectID);
  const back = new Set([...(named.length > 0 ? named : returned), ...taken.filter((one) => isWon(seen, one))]);
  return back.size > 0 ? seen.filter((one) => !back.has(one)) : seen;
}

/** In place of the ladder, where the money of a reversal has come back: the reversal may be reported after that. */
const returned = 'returned';

/** Whether the money was back later than it was taken. The card gateway names the dispute in both; the wallet gives each notice an id of its own. */
function isBack(seen: readonly ObjectState[], { type, object, transaction, at }: ObjectState): boolean {
  if (type !== 'payment_reversed' || transaction === null) return false;
  const isOf = (one: ObjectState) => !object.startsWith('gateway_card:') || idOf(one) === idOf({ object });
  const returns = seen.filter((one) => one.transaction === transaction && one.object.split(':')[1] === returned);
  return returns.some((one) => isOf(one) && secondOf(one) > secondOf({ at }));
}

const idOf = ({ object }: Pick<ObjectState, 'object'>): string => object.split(':').slice(2).join(':');

/** Of several disputes of a payment it is the one that the reversal names, where that is known. */
function isWon(seen: readonly ObjectState[], reversal: ObjectState): boolean {
  const all = seen.filter(({ type, transaction }) => /^dispute_/.test(type) && transaction === reversal.transaction);
  const own = all.filter((one) => idOf(one) === idOf(reversal));
  return (own.length > 0 ? own : all).some((one) => one.type === 'dispute_won' && secondOf(one) >= secondOf(reversal));
}

export const isReturn = ({ eventType }: UniversalEvent): boolean =>
  /(?:canceled_reversal|funds_reinstated)$/.test(eventType);

/** Whether the object has passed that state already: a later one was seen, by time and, within a second, by rank. */
export function isStale(seen: readonly ObjectState[], state: ObjectState): boolean {
  if (isBeforeWhatFollowed(seen, state) || isBack(seen, state)) return true;
  const last = seen.find(({ object }) => object === state.object);
  if (!last || last.event_id === state.event_id || last.type === state.type || isOtherRenewal(last, state))
    return false;
  // When the attempt failed is not known: the money that came since is not older than that.
  if (last.is_arrival && isFailure(last) && state.type === 'payment_completed') return false;
  const [then, now] = [secondOf(last), secondOf(state)];
  return now === then || isOnItsWay(last, state) ? rankOf(state) < rankOf(last) : now < then;
}

/** Money of another month, or of another subscription of the order, where events name the order and a transaction. */
const isOtherRenewal = ({ transaction: before }: ObjectState, { type, transaction }: ObjectState): boolean =>
  type === 'renewal_payment_completed' && !!before && !!transaction && before !== transaction;

const isFailure = ({ type }: ObjectState): boolean => type === 'payment_failed' || type === 'payment_denied';

/** Money that came was on its way before, whatever the clocks of two notices say: one of them may have no time but that of its arrival. */
const isOnItsWay = (...states: readonly ObjectState[]): boolean =>
  states.some(({ type }) => type.endsWith('payment_completed')) &&
  states.some(({ type }) => /payment_(?:created|pending|processing)$/.test(type));

/** Milliseconds in which a gateway reports one change of a subscription in all its ways: PayPal sends an IPN again for up to four days. */
const reportedWithin = 4 * 24 * 60 * 60 * 1000;

/** The state as an event of another kind has reported it: PayPal reports the end of a subscription by webhook and by IPN. Null for the first report. */
export function reportedBefore(seen: readonly ObjectState[], state: ObjectState): ObjectState | null {
  const last = seen.find(({ object }) => object === state.object);
  if (!last?.event_type || last.type !== state.type || last.event_type === state.event_type) return null;
  return Math.abs(Date.parse(state.at) - Date.parse(last.at)) <= reportedWithin ? last : null;
}

const maxObjects = 200;

/** The list after an event that is not stale; the same object when nothing changes. */
export function withState(seen: readonly ObjectState[], state: ObjectState): readonly ObjectState[] {
  const last = seen.find(({ object }) => object === state.object);
  if (last?.event_id === state.event_id || reportedBefore(seen, state)) return seen;
  const isApart = last && (last.type === state.type || isOtherRenewal(last, state));
  if (isApart && secondOf(state) <= secondOf(last)) return seen;
  return [...seen.filter((one) => one !== last), state].slice(-maxObjects);
}

const secondOf = ({ at }: Pick<ObjectState, 'at'>): number => Math.floor(Date.parse(at) / 1000);
const rankOf = ({ type }: ObjectState): number => genericTypeRungs[type][1] ?? 0;
