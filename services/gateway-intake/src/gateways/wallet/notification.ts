import type { NormalizedEvent } from '../adapter';
import { decimalMoney, type Money } from '../money';
import { own, type Payload, scalarAt } from '../payload';
import { joinNamed, namedByText, namesNoOrder, orderReference, referenceAt } from '../references';
import { formEventId, walletGenericType } from './events';

/** The event of a form-encoded notification (IPN). */
export function notificationEvent(payload: Payload): NormalizedEvent[] {
  const eventId = notificationEventId(payload);
  if (eventId === undefined) return [];
  const text = (name: string): string | null => scalarAt(payload, name) ?? null;
  const transaction = notificationTransaction(payload);
  const subscription = text('recurring_payment_id') ?? text('subscr_id');
  const itself = text('txn_id') ?? subscription ?? text('case_id');
  const secondary =
    subscription !== null && subscription !== itself ? subscription : transaction === itself ? null : transaction;
  return [
    {
      eventType: `payment.wallet.${eventId}`,
      genericType: walletGenericType(eventId),
      primaryObjectType: text('txn_id') === null ? (subscription === null ? 'case' : 'subscription') : 'payment',
      primaryObjectID: itself,
      secondaryObjectType: secondary === null ? null : secondary === subscription ? 'subscription' : 'payment',
      secondaryObjectID: secondary,
      transactionID: transaction,
      ...moneyOf(payload),
      status: text('payment_status') ?? text('profile_status'),
      reason: text('reason_code') ?? text('pending_reason'),
      occurredAt: instant(text('payment_date') ?? text('time_created') ?? text('subscr_date')),
      orderReference: eventId.startsWith('mass_payment_')
        ? namesNoOrder
        : orderReference(namedOf(payload), transaction, {
            transactions: ['txn_id', 'parent_txn_id'].flatMap((name) => text(name) ?? []),
            links: [itself, subscription].filter((id) => id !== null),
          }),
      subscriptionID: subscription,
    },
  ];
}

function namedOf(payload: Payload) {
  const invoices = ['invoice', 'rp_invoice_id'].flatMap((name) => referenceAt(payload, name));
  return joinNamed([namedByText(own(payload, 'custom'), 'custom'), { references: invoices, claims: {} }]);
}

/** Which of our ids a notification is; undefined when it is no notification. */
export function notificationEventId(payload: Payload): string | undefined {
  const kind = scalarAt(payload, 'txn_type')?.toLowerCase() ?? '';
  const status = scalarAt(payload, 'payment_status') ?? '';
  if (kind === '' && status === '') return undefined;
  const eventId = formEventId(kind, status, scalarAt(payload, 'pending_reason')?.toLowerCase() ?? '');
  return eventId !== undefined && /^[a-z0-9_]{1,150}$/.test(eventId) ? eventId : undefined;
}

/** The payment: a refund or reversal names it as its parent. */
export function notificationTransaction(payload: Payload): string | null {
  return scalarAt(payload, 'parent_txn_id') ?? scalarAt(payload, 'txn_id') ?? null;
}

/**
 * The same for every copy of a notification: the payment with its state, else the sender's own id of the notification; each with the subscription or
 * case that it is about.
 */
export function notificationKey(payload: Payload): string | undefined {
  const text = (name: string): string | undefined => scalarAt(payload, name);
  const [txn, track, kind, caseId] = ['txn_id', 'ipn_track_id', 'txn_type', 'case_id'].map(text);
  const about = caseId === undefined ? [] : [caseId];
  if (txn !== undefined) return JSON.stringify([txn, kind, text('payment_status'), text('pending_reason'), ...about]);
  const subscription = text('recurring_payment_id') ?? text('subscr_id');
  if (subscription !== undefined) about.unshift(subscription);
  return track === undefined ? undefined : JSON.stringify(['ipn', track, kind, ...about]);
}

/** The key that version b457727 gave it. */
export function earlierNotificationKey(payload: Payload): string | undefined {
  const { case_id: _case, recurring_payment_id: _profile, subscr_id: _subscription, ...others } = payload;
  return notificationKey(others);
}

/** Amounts of refunds and reversals come negative; what an event is about is how much. */
function moneyOf(payload: Payload): Money {
  const gross = scalarAt(payload, 'mc_gross') ?? scalarAt(payload, 'amount') ?? scalarAt(payload, 'amount_per_cycle');
  return decimalMoney(gross?.replace(/^-/, ''), scalarAt(payload, 'mc_currency') ?? scalarAt(payload, 'currency_code'));
}

const notificationTime = /^(\d{2}:\d{2}:\d{2}) ([A-Z][a-z]{2} \d{1,2}, \d{4}) (P[SD]T|GMT|UTC)$/;

/** `20:12:59 Jan 13, 2026 PST`. */
function instant(text: string | null): string | null {
  const [, time, day, zone] = notificationTime.exec(text ?? '') ?? [];
  const at = Date.parse(`${day} ${time} ${zone}`);
  return Number.isFinite(at) ? new Date(at).toISOString() : null;
}
