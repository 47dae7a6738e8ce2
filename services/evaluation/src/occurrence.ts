import {
  compareDecimals,
  derivedId,
  type Occurrence,
  type Order,
  type OrderChange,
  type OrderRefunded,
  parseDecimal,
  type UniversalEvent,
} from '@order-automation/contracts';

/**
 * What a gateway event means for an order (decisions.md section 4); null when there is no order. Two events of one payment have
 * the same key. Events without a counterpart in the generic vocabulary are each their own occurrence.
 */
export function occurrenceOfEvent(event: UniversalEvent, orderId: number | null): Occurrence | null {
  if (orderId === null) return null;
  const { genericType: type, transactionID, idempotencyKey } = event;
  const key =
    type === null
      ? derivedId('occurrence', event.eventType, orderId, idempotencyKey)
      : derivedId('occurrence', type, orderId, subjectOf(event) ?? idempotencyKey);
  return {
    key,
    type,
    order_id: orderId,
    transaction_id: transactionID,
    from_status: null,
    to_status: null,
    event_type: event.eventType,
    gateway: event.sourceGateway,
    authenticated: event.authenticated,
    at: event.occurredAt ?? event.receivedAt,
  };
}

/** What the events of one occurrence have in common: the refund, else the payment. */
function subjectOf(event: UniversalEvent): string | null {
  const { transactionID, amount } = event;
  if (isRefundSoFar(event)) return amount === null ? transactionID : `${transactionID} ${amount}`;
  return refundIdOf(event) ?? transactionID;
}

/** The refund that an event is about, where it has an id of its own beside that of the payment. */
export function refundIdOf({
  genericType,
  primaryObjectType: type,
  primaryObjectID: id,
  transactionID,
}: UniversalEvent): string | null {
  if (genericType !== 'payment_refunded' || id === transactionID) return null;
  return type === 'refund' || (type === 'payment' && transactionID !== null) ? id : null;
}

/** Whether the amount of the event is the sum of all refunds of the payment so far: it is an event of the charge, which names no refund. */
export function isRefundSoFar({ eventType }: UniversalEvent): boolean {
  return eventType === 'payment.card.charge_refunded';
}

/** No event of a gateway. */
const ofOrder = {
  transaction_id: null,
  from_status: null,
  to_status: null,
  event_type: null,
  gateway: null,
  authenticated: true,
} as const;

/** What a change of an order means. `order_created` has the first status in `to_status`. */
export function occurrenceOfChange(change: OrderChange): Occurrence {
  return {
    key: derivedId('order', change.order_id, change.change_id),
    type: change.kind === 'created' ? 'order_created' : 'order_status_changed',
    order_id: change.order_id,
    ...ofOrder,
    from_status: change.from,
    to_status: change.to,
    at: change.at,
  };
}

/** A refund that the shop reports. A gateway may report the same refund: evaluation finds which of its events are about it. */
export function occurrenceOfRefund({ order_id, refund_id, at }: OrderRefunded): Occurrence {
  return {
    key: derivedId('refund', order_id, refund_id),
    type: 'payment_refunded',
    order_id,
    ...ofOrder,
    at,
  };
}

/** What a schedule means for one of its orders; `at` is the time it was due. */
export function occurrenceOfSchedule({
  rule_id,
  order_id,
  at,
}: {
  rule_id: number;
  order_id: number;
  at: string;
}): Occurrence {
  return {
    key: derivedId('schedule', rule_id, order_id, at),
    type: 'schedule',
    order_id,
    ...ofOrder,
    at,
    rule_id,
  };
}

/** What can only happen to a payment that has completed, to a part of it or to all: the amount is never more than the order's, often less. */
export const followsPayment: ReadonlySet<UniversalEvent['genericType']> = new Set([
  'payment_refunded',
  'payment_reversed',
  'dispute_opened',
  'dispute_resolved',
  'dispute_won',
  'dispute_lost',
]);

/** Why an event may not change its order: both sides of the disagreement, as the log shows them. */
export type AmountMismatch = {
  readonly kind: 'amount_mismatch' | 'amount_unreadable';
  readonly expected: string;
  readonly actual: string;
};

/**
 * What the order and the event say when they disagree on amount or currency (decisions.md section 6), else null. An event without an
 * amount agrees; an amount that is there and cannot be read never does. Readable ones are compared exactly, whatever the event; a refund or a
 * dispute may be about less than the order, never about more.
 */
export function amountMismatch(event: UniversalEvent, order: Order): AmountMismatch | null {
  const expected = `${order.total} ${order.currency}`;
  if (event.amountProblem !== null) return { kind: 'amount_unreadable', expected, actual: event.amountProblem };
  if (event.amount === null) return null;
  const wanted = parseDecimal(order.total);
  const found = parseDecimal(event.amount);
  const sameCurrency = event.currency === null || event.currency.toUpperCase() === order.currency.toUpperCase();
  const difference = wanted && found ? compareDecimals(found, wanted) : Number.NaN;
  if (sameCurrency && (difference === 0 || (difference < 0 && followsPayment.has(event.genericType)))) return null;
  const actual = event.currency === null ? event.amount : `${event.amount} ${event.currency}`;
  return { kind: 'amount_mismatch', expected, actual };
}
