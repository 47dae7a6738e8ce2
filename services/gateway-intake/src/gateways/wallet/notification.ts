import type { OrderReference } from '@order-automation/contracts';
import type { NormalizedEvent } from '../adapter';
import { decimalMoney, type Money } from '../money';
import { own, type Payload, scalarAt } from '../payload';
import { allOf, namesNoOrder, referenceOf, saidAt, saidInFreeText } from '../references';
import { formEventId, walletGenericType } from './events';

/** The event of a form-encoded notification (IPN). */
export function notificationEvent(payload: Payload): NormalizedEvent[] {
  const eventId = notificationEventId(payload);
  if (eventId === undefined) return [];
  const text = (name: string): string | null => scalarAt(payload, name) ?? null;
  const transaction = notificationTransaction(payload);
  const subscription = subscriptionOf(payload) ?? null;
  const [kind, itself] = subjectOf(payload, eventId);
  const secondary =
    subscription !== null && subscription !== itself ? subscription : transaction === itself ? null : transaction;
  return [
    {
      eventType: `payment.wallet.${eventId}`,
      genericType: walletGenericType(eventId),
      primaryObjectType: kind,
      primaryObjectID: itself,
      secondaryObjectType: secondary === null ? null : secondary === subscription ? 'subscription' : 'payment',
      secondaryObjectID: secondary,
      transactionID: transaction,
      ...moneyOf(payload, /refund|reversed/.test(eventId)),
      status: text('payment_status') ?? text('profile_status'),
      reason: text('reason_code') ?? text('pending_reason'),
      occurredAt: instant(text('payment_date') ?? text('time_created') ?? text('subscr_date')),
      orderReference: /^mass_payment|^payout$/.test(eventId) ? namesNoOrder : orderReferenceOf(payload, transaction),
      ...(subscription !== null && { subscriptionID: subscription }),
    },
  ];
}

/** What it is about: the case of a dispute, a payment, a subscription. */
function subjectOf(payload: Payload, eventId: string): readonly [kind: string, id: string | null] {
  const [transaction, dispute] = [scalarAt(payload, 'txn_id'), scalarAt(payload, 'case_id') ?? null];
  if (eventId.startsWith('dispute_') && dispute !== null) return ['dispute', dispute];
  if (transaction !== undefined) return ['payment', transaction];
  const subscription = subscriptionOf(payload);
  return subscription === undefined ? ['case', dispute] : ['subscription', subscription];
}

function orderReferenceOf(payload: Payload, transaction: string | null): OrderReference {
  const said = allOf([
    saidInFreeText(own(payload, 'custom'), 'custom'),
    ...['invoice', 'rp_invoice_id'].map((name) => saidAt(own(payload, name), name)),
  ]);
  const [itself, subscription] = [scalarAt(payload, 'txn_id'), subscriptionOf(payload)];
  const [parent, authorization] = [scalarAt(payload, 'parent_txn_id'), scalarAt(payload, 'auth_id')];
  return referenceOf(said, {
    transaction,
    transactions: [parent, authorization],
    links: [itself, subscription, scalarAt(payload, 'case_id')],
  });
}

function subscriptionOf(payload: Payload): string | undefined {
  return scalarAt(payload, 'recurring_payment_id') ?? scalarAt(payload, 'subscr_id');
}

/** Which of our ids a notification is; undefined when it is no notification. */
export function notificationEventId(payload: Payload): string | undefined {
  const kind = scalarAt(payload, 'txn_type')?.toLowerCase() ?? '';
  const status = scalarAt(payload, 'payment_status') ?? '';
  const caseType = scalarAt(payload, 'case_type') ?? '';
  if (kind === '' && status === '' && caseType === '') return undefined;
  const pendingReason = scalarAt(payload, 'pending_reason')?.toLowerCase() ?? '';
  const eventId = isSpent(payload, status) ? 'payment_sent' : formEventId(kind, status, pendingReason, caseType);
  return eventId !== undefined && /^[a-z0-9_]{1,150}$/.test(eventId) ? eventId : undefined;
}

const isAdjustment = (payload: Payload): boolean => scalarAt(payload, 'txn_type')?.toLowerCase() === 'adjustment';

/** The wallet reports money that leaves the account as completed too, with a negative amount. It pays no order. */
function isSpent(payload: Payload, status: string): boolean {
  return (
    !isAdjustment(payload) &&
    status.toLowerCase() === 'completed' &&
    scalarAt(payload, 'mc_gross')?.startsWith('-') === true
  );
}

/** States of money that comes. Each capture of an authorisation is a payment of its own, and names the authorisation as its parent. */
const ofItself = /^(?:completed|pending|processed|in-progress|created|denied|failed)$/i;

/** The payment: a refund, a reversal or the end of an authorisation names it as its parent. */
export function notificationTransaction(payload: Payload): string | null {
  const [itself, parent] = [scalarAt(payload, 'txn_id'), scalarAt(payload, 'parent_txn_id')];
  const isOwn = ofItself.test(scalarAt(payload, 'payment_status') ?? '') && !isAdjustment(payload);
  return (isOwn ? (itself ?? parent) : (parent ?? itself)) ?? null;
}

/**
 * The same for every copy of a notification: the payment with its state and its case at its stage (a dispute becomes a claim), else the sender's own id
 * of the notification with what it is about, since one id may serve several of them.
 */
export function notificationKey(payload: Payload): string | undefined {
  const [txn, track, kind, status, pending, dispute, stage, profile] = [
    'txn_id',
    'ipn_track_id',
    'txn_type',
    'payment_status',
    'pending_reason',
    'case_id',
    'case_type',
    'profile_status',
  ].map((name) => scalarAt(payload, name));
  if (txn !== undefined)
    return JSON.stringify([txn, kind, status, pending, ...(dispute === undefined ? [] : [dispute, stage])]);
  if (track === undefined) return undefined;
  return JSON.stringify(['ipn', track, kind, subscriptionOf(payload) ?? dispute, profile ?? status]);
}

/** The key that the version before gave the same notification, where it was another one. */
export function earlierNotificationKey(payload: Payload): string | undefined {
  const [txn, track, kind, status, pending, dispute] = [
    'txn_id',
    'ipn_track_id',
    'txn_type',
    'payment_status',
    'pending_reason',
    'case_id',
  ].map((name) => scalarAt(payload, name));
  if (txn !== undefined) return dispute === undefined ? undefined : JSON.stringify([txn, kind, status, pending]);
  return track === undefined ? undefined : JSON.stringify(['ipn', track, kind]);
}

/** Amounts of refunds and reversals come negative: here they are how much was given back. A negative payment keeps its sign. */
function moneyOf(payload: Payload, isGivenBack: boolean): Money {
  const gross = scalarAt(payload, 'mc_gross') ?? scalarAt(payload, 'amount') ?? scalarAt(payload, 'amount_per_cycle');
  return decimalMoney(
    isGivenBack ? gross?.replace(/^-/, '') : gross,
    scalarAt(payload, 'mc_currency') ?? scalarAt(payload, 'currency_code'),
  );
}

const notificationTime = /^(\d{2}:\d{2}:\d{2}) ([A-Z][a-z]{2} \d{1,2}, \d{4}) (P[SD]T|GMT|UTC)$/;

/** `20:12:59 Jan 13, 2026 PST`. */
function instant(text: string | null): string | null {
  const [, time, day, zone] = notificationTime.exec(text ?? '') ?? [];
  const at = Date.parse(`${day} ${time} ${zone}`);
  return Number.isFinite(at) ? new Date(at).toISOString() : null;
}
