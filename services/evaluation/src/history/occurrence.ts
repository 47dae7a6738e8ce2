import {
  derivedId,
  type Occurrence,
  type OrderChange,
  type OrderRefunded,
  type UniversalEvent,
} from '@order-automation/contracts';

/**
 * What a gateway event means for an order (decisions.md sections 4 and 12); null when there is no order. Two events of one payment, refund or dispute have
 * the same key; every other event is an occurrence of its own.
 */
export function occurrenceOfEvent(event: UniversalEvent, orderId: number | null): Occurrence | null {
  if (orderId === null) return null;
  const { genericType: type, transactionID, idempotencyKey } = event;
  const key =
    type === null || !recognised.test(type)
      ? ownKey(event.eventType, orderId, idempotencyKey)
      : derivedId('occurrence', type, orderId, subjectOf(event) ?? idempotencyKey);
  return {
    key,
    type,
    order_id: orderId,
    transaction_id: transactionID,
    from_status: null,
    to_status: null,
    event_type: event.eventType,
    ...(event.sentAs !== undefined && { sent_as: event.sentAs }),
    gateway: event.sourceGateway,
    authenticated: event.authenticated,
    at: event.occurredAt ?? event.receivedAt,
    event_key: severalPayments.test(event.eventType)
      ? derivedId('webhook', idempotencyKey.replace(/ \d+$/, ''), orderId)
      : idempotencyKey,
  };
}

/** A webhook of these may tell of several payments, each an event: a rule on the webhook acts once for each of their orders. */
const severalPayments = /^payment\.wallet\.(?:(?:customer_)?dispute_|express_checkout_)/;

export const ownKey = (eventType: string, orderId: number, idempotencyKey: string): string =>
  derivedId('occurrence', eventType, orderId, idempotencyKey);

/** What is recognised by what it is about, whichever events report it. */
const recognised = /^(?:payment|renewal_payment|dispute)_/;

/**
 * What the events of one occurrence have in common: the refund or the dispute, else the payment. A charge may be disputed in parts, or again; refunds without
 * an id differ by their amounts.
 */
function subjectOf(event: UniversalEvent): string | null {
  const { genericType, transactionID, amount, primaryObjectType, primaryObjectID } = event;
  const dispute = isOfDispute(event) && primaryObjectType === 'dispute' ? primaryObjectID : null;
  const one = dispute ?? refundIdOf(event);
  if (one !== null || transactionID === null || amount === null) return one ?? transactionID;
  return genericType === 'payment_refunded' ? `${transactionID} ${amount}` : transactionID;
}

const isOfDispute = ({ genericType }: UniversalEvent): boolean => genericType?.startsWith('dispute_') === true;

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

/** Whether the amount of the event is the sum of all refunds of the payment so far: as the sender's paths say, or as an event of the card's charge, which names no refund. */
export const isRefundSoFar = ({ eventType, isRefundTotal }: UniversalEvent): boolean =>
  isRefundTotal === true || eventType === 'payment.card.charge_refunded';

/** No event of a gateway. */
const ofOrder = {
  transaction_id: null,
  from_status: null,
  to_status: null,
  event_type: null,
  gateway: null,
  authenticated: true,
} as const;

/** What the shop reports of an order; null for what no rule listens to. */
export function occurrenceOfShop(reported: OrderChange | OrderRefunded): Occurrence | null {
  if (reported.kind === 'identified') return null;
  return reported.kind === 'refunded' ? occurrenceOfRefund(reported) : occurrenceOfChange(reported);
}

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
  return { key: derivedId('refund', order_id, refund_id), type: 'payment_refunded', order_id, ...ofOrder, at };
}

/** What a schedule means for one of its orders; `at` is the time it was due. */
export function occurrenceOfSchedule(due: { rule_id: number; order_id: number; at: string }): Occurrence {
  return { key: derivedId('schedule', due.rule_id, due.order_id, due.at), type: 'schedule', ...ofOrder, ...due };
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
