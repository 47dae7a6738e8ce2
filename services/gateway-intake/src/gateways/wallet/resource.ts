import { type GenericType, type OrderReference, walletEvents } from '@order-automation/contracts';
import type { NormalizedEvent } from '../adapter';
import { decimalMoney, type Money } from '../money';
import { instant, isObject, listAt, objectAt, own, type Payload, scalarAt, scalarIn } from '../payload';
import { allOf, namesNoOrder, referenceOf, type Said, saidAt, saidInFreeText } from '../references';
import { capturedType, walletEventId, walletGenericType } from './events';
import { invoiceEvents } from './invoice';

/** What names orders (developer.paypal.com/api/rest/webhooks/event-names): not payment tokens, the catalogue, plans, merchants, payouts and invoices that are no more than written. */
const namesOrders =
  /^(?:PAYMENT\.(?!PAYOUT|REFERENCED)|PAYMENTS\.|CHECKOUT\.|CUSTOMER\.DISPUTE\.|RISK\.DISPUTE\.|BILLING\.SUBSCRIPTION\.|BILLING_AGREEMENTS?\.|INVOICING\.INVOICE\.(?:PAID|REFUNDED|CANCELLED)$)/i;

/** A means of payment that a customer saves; one that names nothing is about no order. */
const ofMeans = /^BILLING_AGREEMENTS?\.AGREEMENT\.CREATED$/i;

function isAboutOrder(type: string, eventId: string, resource: Payload): boolean {
  if (eventId.startsWith('mass_payment_') || (ofMeans.test(type) && saidOf(resource).references.length === 0))
    return false;
  return namesOrders.test(type) || Object.hasOwn(walletEvents, eventId);
}

/** A dispute becomes an event for each of its transactions, a checkout for each of its captures: each may belong to an order of its own. */
export function resourceEvent(payload: Payload): NormalizedEvent[] {
  const type = scalarAt(payload, 'event_type');
  const resource = objectAt(payload, 'resource');
  if (type === undefined || resource === undefined) return [];
  const invoiced = invoiceEvents(type, resource);
  if (invoiced) return invoiced.flatMap((one) => eventOf(payload, type, one.resource, one.meaning));
  const disputed = listAt(resource, 'disputed_transactions').map((one) => ({ disputed_transactions: [one] }));
  const parts = disputed.length > 0 ? disputed : unitsOf(resource).map((one) => ({ purchase_units: [one] }));
  if (parts.length === 0) return eventOf(payload, type, resource);
  return parts.flatMap((part) => eventOf(payload, type, { ...resource, ...part }));
}

const refused = /^(?:declined|denied|failed)$/i;

/**
 * The units of a checkout, each perhaps for an order of its own, once for each of its captures: "Check the payment status in
 * `purchase_units[].payments.captures[].status`" (developer.paypal.com/docs/api/orders/v2, order status). Beside one that came, one that was refused says nothing.
 */
function unitsOf(resource: Payload): Payload[] {
  return listAt(resource, 'purchase_units')
    .filter(isObject)
    .flatMap((unit) => {
      const payments = objectAt(unit, 'payments');
      const captures = listAt(payments, 'captures');
      const came = captures.filter((one) => !refused.test(scalarAt(one, 'status') ?? ''));
      const told = came.length > 0 ? came : captures.slice(0, 1);
      return told.length === 0 ? [unit] : told.map((one) => ({ ...unit, payments: { ...payments, captures: [one] } }));
    });
}

function eventOf(payload: Payload, type: string, resource: Payload, meaning?: GenericType): NormalizedEvent[] {
  const eventId = exactId(walletEventId(type), resource);
  const genericType = meaning ?? meaningOf(eventId, resource);
  const isRefund = eventId === 'payment_refunded' || genericType === 'payment_refunded';
  const isNamed = isAboutOrder(type, eventId, resource);
  const transaction = isNamed ? transactionOf(payload, resource) : null;
  const subscriptionID = isNamed ? subscriptionOf(payload, resource) : undefined;
  const isFinalCapture = own(resource, 'final_capture') ?? own(resource, 'is_final_capture');
  return [
    {
      eventType: `payment.wallet.${eventId}`,
      genericType,
      primaryObjectType: isRefund ? 'refund' : (scalarAt(payload, 'resource_type')?.slice(0, 100) ?? 'payment'),
      primaryObjectID: idOf(resource) ?? null,
      ...secondaryOf(resource, transaction),
      transactionID: transaction,
      ...moneyOf(resource, isRefund || eventId === 'payment_reversed', eventId),
      status: scalarIn(resource, 'status', 'state') ?? null,
      reason: reasonOf(resource),
      occurredAt: instant(scalarAt(payload, 'create_time')) ?? null,
      orderReference: isNamed ? orderReferenceOf(resource, transaction, eventId) : namesNoOrder,
      ...(subscriptionID !== undefined && { subscriptionID }),
      ...(typeof isFinalCapture === 'boolean' && { isFinalCapture }),
    },
  ];
}

/** A dispute's outcome says who won (developer.paypal.com/docs/api/customer-disputes/v1, `outcome_code`); one settled otherwise is resolved. */
function exactId(eventId: string, resource: Payload): string {
  if (eventId !== 'dispute_resolved') return eventId;
  const outcome = scalarAt(objectAt(resource, 'dispute_outcome'), 'outcome_code')?.toUpperCase();
  if (/^RESOLVED_SELLER_FAVOU?R$/.test(outcome ?? '')) return 'dispute_won';
  return /^RESOLVED_BUYER_FAVOU?R$/.test(outcome ?? '') ? 'dispute_lost' : eventId;
}

/**
 * A refund that its own state says did not reach the buyer is none (developer.paypal.com/docs/api/payments/v2, refund `status`); a payment and a checkout
 * that are completed have paid what the state of the capture says.
 */
function meaningOf(eventId: string, resource: Payload): GenericType | null {
  const status = scalarIn(resource, 'status', 'state') ?? '';
  if (eventId === 'payment_refunded' && /^(?:failed|cancell?ed|denied)$/i.test(status)) return null;
  const captured = eventId === 'express_checkout_completed' ? scalarAt(captureOf(resource), 'status') : status;
  const isPayment = eventId === 'express_checkout_completed' || eventId === 'payment_completed';
  return (isPayment && capturedType(captured ?? '')) || walletGenericType(eventId);
}

const ofSubscription = /^(?:subscription|agreement)$/i;

/** The subscription that a payment belongs to, or that the event is about. */
function subscriptionOf(payload: Payload, resource: Payload): string | undefined {
  if (ofSubscription.test(scalarAt(payload, 'resource_type') ?? '')) return idOf(resource);
  return scalarAt(resource, 'billing_agreement_id');
}

const idOf = (resource: Payload): string | undefined => scalarIn(resource, 'id', 'dispute_id');

/** A refund leads up to what it refunds, a dispute to what is disputed, an order to its capture. Subscriptions are no payment. */
function transactionOf(payload: Payload, resource: Payload): string | null {
  const kind = scalarAt(payload, 'resource_type') ?? '';
  if (ofSubscription.test(kind) || kind === 'plan') return null;
  const parent = scalarIn(resource, 'sale_id', 'capture_id');
  const refunded = kind === 'refund' || parent !== undefined ? (upwards(resource) ?? parent) : undefined;
  return (
    refunded ??
    scalarAt(firstOf(resource, 'disputed_transactions'), 'seller_transaction_id') ??
    scalarAt(captureOf(resource), 'id') ??
    scalarAt(resource, 'transaction_id') ??
    (kind === 'dispute' ? undefined : scalarAt(resource, 'id')) ??
    null
  );
}

/** The last segment of the link `up`. */
function upwards(resource: Payload): string | undefined {
  const up = listAt(resource, 'links').find((link) => own(link, 'rel') === 'up');
  return /\/([A-Za-z0-9-]{1,100})$/.exec(scalarAt(up, 'href') ?? '')?.[1];
}

function firstOf(source: Payload | undefined, key: string): Payload | undefined {
  const [first] = listAt(source, key);
  return isObject(first) ? first : undefined;
}

const captureOf = (resource: Payload): Payload | undefined =>
  firstOf(objectAt(firstOf(resource, 'purchase_units'), 'payments'), 'captures');

function secondaryOf(resource: Payload, transaction: string | null) {
  const subscription = scalarAt(resource, 'billing_agreement_id');
  const id = subscription ?? (transaction === idOf(resource) ? undefined : (transaction ?? undefined));
  const type = subscription === undefined ? 'capture' : 'subscription';
  return { secondaryObjectType: id === undefined ? null : type, secondaryObjectID: id ?? null };
}

/** `amount.value` with `currency_code`, or `amount.total` with `currency` in the older shape, in which what is given back is negative. */
function moneyOf(resource: Payload, isGivenBack: boolean, eventId: string): Money {
  const payment = eventId === 'recurring_payment_failed' ? 'last_failed_payment' : 'last_payment';
  const amount =
    own(resource, 'amount') ??
    own(resource, 'dispute_amount') ??
    own(captureOf(resource), 'amount') ??
    own(firstOf(resource, 'purchase_units'), 'amount') ??
    own(objectAt(objectAt(resource, 'billing_info'), payment), 'amount');
  if (!isObject(amount)) return decimalMoney(amount, undefined);
  const value = own(amount, 'value') ?? own(amount, 'total');
  const text = isGivenBack && typeof value === 'string' ? value.replace(/^-/, '') : value;
  return decimalMoney(text ?? amount, own(amount, 'currency_code') ?? own(amount, 'currency'));
}

/** What an order may have as its own transaction. */
const paid = new Set(['payment_completed', 'payment_pending', 'payment_denied', 'payment_created']);

function orderReferenceOf(resource: Payload, transaction: string | null, eventId: string): OrderReference {
  const related = objectAt(objectAt(resource, 'supplementary_data'), 'related_ids');
  return referenceOf(saidOf(resource), {
    transaction,
    transactions: [
      paid.has(eventId) ? idOf(resource) : undefined,
      scalarAt(related, 'capture_id'),
      scalarAt(related, 'authorization_id'),
      scalarAt(resource, 'sale_id'),
      scalarAt(resource, 'capture_id'),
      scalarAt(resource, 'parent_payment'),
    ],
    links: [idOf(resource), scalarAt(related, 'order_id'), scalarAt(resource, 'billing_agreement_id')],
  });
}

function saidOf(resource: Payload): Said {
  const lists = ['purchase_units', 'disputed_transactions', 'transactions'] as const;
  const sources = [resource, ...lists.map((name) => firstOf(resource, name))];
  return allOf(
    sources.flatMap((source) => [
      ...['custom_id', 'custom'].map((name) => saidInFreeText(own(source, name), name)),
      ...['invoice_id', 'invoice_number'].map((name) => saidAt(own(source, name), name)),
    ]),
  );
}

/** The gateway's code for why; never its free text. */
function reasonOf(resource: Payload): string | null {
  const isDispute = scalarAt(resource, 'dispute_id') !== undefined;
  return (
    scalarAt(objectAt(resource, 'status_details'), 'reason') ??
    scalarIn(resource, 'reason_code', 'pending_reason', ...(isDispute ? ['reason'] : [])) ??
    null
  );
}
