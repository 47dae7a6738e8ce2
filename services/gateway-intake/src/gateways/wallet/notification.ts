import type { OrderReference } from '@order-automation/contracts';
import type { NormalizedEvent } from '../adapter';
import { decimalMoney, type Money } from '../money';
import { own, type Payload, scalarAt, scalarIn } from '../payload';
import { allOf, namesNoOrder, referenceOf, saidAt, saidInFreeText } from '../references';
import { authenticityRefusal, type Refusal } from '../refusal';
import { formEventId, walletGenericType } from './events';

/** The events of a form-encoded notification (IPN): one, and the payment that it tells of besides. */
export const notificationEvent = (payload: Payload): NormalizedEvent[] =>
  [payload, ...initialPayment(payload), ...lastFailure(payload)].flatMap(eventOf);

/** "Recurring payment failed and the related recurring payment profile has been suspended" (the same page): nothing else tells of that failure. */
function lastFailure(payload: Payload): Payload[] {
  const kind = scalarAt(payload, 'txn_type') ?? '';
  return /_due_to_max_failed_payment$/i.test(kind) ? [{ ...payload, txn_type: 'recurring_payment_failed' }] : [];
}

/** Only the notice of the profile tells of it ("initial_payment_status", developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables). */
function initialPayment(payload: Payload): Payload[] {
  const [payment_status, txn_id, mc_gross] = ['status', 'txn_id', 'amount'].map((name) =>
    scalarAt(payload, `initial_payment_${name}`),
  );
  return payment_status === undefined
    ? []
    : [{ ...payload, txn_type: 'recurring_payment', payment_status, txn_id, mc_gross }];
}

function eventOf(payload: Payload): NormalizedEvent[] {
  const eventId = notificationEventId(payload);
  if (eventId === undefined) return [];
  const text = (name: string): string | null => scalarAt(payload, name) ?? null;
  const transaction = notificationTransaction(payload);
  const subscription = subscriptionOf(payload) ?? null;
  const [kind, itself] = subjectOf(payload, eventId);
  const openedAt = eventId === 'dispute_opened' ? text('case_creation_date') : null;
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
      occurredAt: instant(openedAt ?? text('payment_date') ?? text('time_created') ?? text('subscr_date')),
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
    ...['custom', 'mp_custom'].map((name) => saidInFreeText(own(payload, name), name)),
    ...['invoice', 'rp_invoice_id'].map((name) => saidAt(own(payload, name), name)),
  ]);
  const [itself, parent, authorization, dispute] = ['txn_id', 'parent_txn_id', 'auth_id', 'case_id'].map((name) =>
    scalarAt(payload, name),
  );
  // A means of payment that a customer saves is about no order.
  if (said.references.length === 0 && /^mp_signup$/i.test(scalarAt(payload, 'txn_type') ?? '')) return namesNoOrder;
  const links = [itself, subscriptionOf(payload), dispute];
  return referenceOf(said, { transaction, transactions: [parent, authorization], links });
}

function subscriptionOf(payload: Payload): string | undefined {
  const isAgreement = /^(?:mp_|merch_pmt$)/i.test(scalarAt(payload, 'txn_type') ?? '');
  return scalarIn(payload, 'recurring_payment_id', 'subscr_id', ...(isAgreement ? ['mp_id'] : []));
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

/** The same for every copy: the payment with its state and its case at its stage, else the sender's id of the notification with what it is about. */
export function notificationKey(payload: Payload): string | undefined {
  const at = (name: string) => scalarAt(payload, name);
  const { txn, track, kind, status, dispute } = idsOf(payload);
  if (txn !== undefined) {
    const stage = dispute === undefined ? [] : [dispute, at('case_type')];
    return JSON.stringify([txn, kind, status, at('pending_reason'), ...stage]);
  }
  if (track === undefined) return undefined;
  return JSON.stringify(['ipn', track, kind, subscriptionOf(payload) ?? dispute, at('profile_status') ?? status]);
}

/** The key that the version before gave the same notification, where it was another one. */
export function earlierNotificationKey(payload: Payload): string | undefined {
  const { txn, track, kind, status, dispute } = idsOf(payload);
  if (txn === undefined) return track === undefined ? undefined : JSON.stringify(['ipn', track, kind]);
  return dispute === undefined ? undefined : JSON.stringify([txn, kind, status, scalarAt(payload, 'pending_reason')]);
}

const idsOf = (payload: Payload) => ({
  txn: scalarAt(payload, 'txn_id'),
  track: scalarAt(payload, 'ipn_track_id'),
  kind: scalarAt(payload, 'txn_type'),
  status: scalarAt(payload, 'payment_status'),
  dispute: scalarAt(payload, 'case_id'),
});

/** Of refunds and reversals how much was given back, which comes negative. `payment_gross`, in USD, is older than `mc_gross` (…/ipn/IPNandPDTVariables). */
function moneyOf(payload: Payload, isGivenBack: boolean): Money {
  const gross = scalarIn(payload, 'mc_gross', 'payment_gross', 'amount', 'amount_per_cycle');
  const currency = scalarIn(payload, 'mc_currency', 'currency_code') ?? (own(payload, 'payment_gross') && 'USD');
  return decimalMoney(isGivenBack ? gross?.replace(/^-/, '') : gross, currency);
}

const notificationTime = /^(\d{2}:\d{2}:\d{2}) ([A-Z][a-z]{2} \d{1,2}, \d{4}) (P[SD]T|GMT|UTC)$/;

/** `20:12:59 Jan 13, 2026 PST`. */
function instant(text: string | null): string | null {
  const [, time, day, zone] = notificationTime.exec(text ?? '') ?? [];
  const at = Date.parse(`${day} ${time} ${zone}`);
  return Number.isFinite(at) ? new Date(at).toISOString() : null;
}

const otherReceiver = authenticityRefusal(
  'other_receiver',
  'The notification is about a payment to an account that the settings of the wallet do not name: the money went to somebody else.',
);
const noReceiver = authenticityRefusal(
  'no_receiver',
  'The notification is about a payment and does not name its receiver, so nothing says that the money came to you.',
);

/**
 * Why a notification must not act although the wallet confirms it. The wallet confirms what it has sent to anybody: a payment to an account of
 * the payer's own, with the number of one of our orders, is a true notification. `business` is an echo of what the
 * payment form said, which the payer can write: it proves nothing. `receivers` are our addresses and account ids in lower case.
 */
export function receiverObjection(payload: Payload, receivers: ReadonlySet<string>): Refusal | undefined {
  const named = (...fields: readonly string[]): string[] =>
    fields.map((field) => scalarAt(payload, field)?.trim().toLowerCase() ?? '').filter((name) => name !== '');
  const isOurs = (name: string): boolean => receivers.has(name);
  const accounts = named('receiver_id', 'receiver_email');
  if (accounts.some(isOurs)) return undefined;
  if (accounts.length > 0 || !named('business').every(isOurs)) return otherReceiver;
  return scalarIn(payload, 'payment_status', 'initial_payment_status') === undefined ? undefined : noReceiver;
}
