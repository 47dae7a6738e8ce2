import { walletEvents } from '@order-automation/contracts';
import type { NormalizedEvent } from '../adapter';
import { decimalMoney, type Money } from '../money';
import { isObject, objectAt, own, type Payload, scalarAt } from '../payload';
import {
  joinNamed,
  type Named,
  namedByText,
  namesNoOrder,
  objectsAt,
  orderReference,
  referenceAt,
} from '../references';
import { walletEventId, walletGenericType } from './events';

/** Kinds of events that belong to an order. Tokens, catalogues, plans, merchants and payouts do not. */
const aboutAnOrder =
  /^(?:PAYMENT\.(?:CAPTURE|SALE|AUTHORIZATION|ORDER|REFUND)|PAYMENTS\.PAYMENT|CHECKOUT|BILLING\.SUBSCRIPTION|BILLING_AGREEMENTS\.AGREEMENT|(?:CUSTOMER|RISK)\.DISPUTE|INVOICING\.INVOICE)\./i;

function isAboutAnOrder(type: string, eventId: string): boolean {
  if (eventId.startsWith('mass_payment_')) return false;
  return Object.hasOwn(walletEvents, eventId) || aboutAnOrder.test(type);
}

/** The event of a JSON webhook: what is about the payment stands in `resource`. */
export function resourceEvent(payload: Payload): NormalizedEvent[] {
  const type = scalarAt(payload, 'event_type');
  const resource = objectAt(payload, 'resource');
  if (type === undefined || resource === undefined) return [];
  const eventId = exactId(walletEventId(type), resource);
  const named = isAboutAnOrder(type, eventId);
  const transaction = named ? transactionOf(payload, resource) : null;
  const isRefund = isRefundOf(payload, resource);
  const final = own(captureOf(resource) ?? resource, 'final_capture');
  const generic = walletGenericType(eventId);
  return [
    {
      eventType: `payment.wallet.${eventId}`,
      genericType: isRefund && failedRefund.test(statusOf(resource) ?? '') ? null : generic,
      primaryObjectType: isRefund ? 'refund' : (scalarAt(payload, 'resource_type')?.slice(0, 100) ?? 'payment'),
      primaryObjectID: idOf(resource) ?? null,
      ...secondaryOf(resource, transaction),
      transactionID: transaction,
      ...moneyOf(resource),
      status: statusOf(resource) ?? null,
      reason: reasonOf(resource),
      occurredAt: instant(scalarAt(payload, 'create_time')),
      orderReference: named ? orderReference(namedOf(resource), transaction, idsOf(payload, resource)) : namesNoOrder,
      subscriptionID: subscriptionOf(payload, resource),
      ...(typeof final === 'boolean' && { isFinalCapture: final }),
    },
  ];
}

const failedRefund = /^(?:failed|cancelled|canceled|denied)$/i;

function statusOf(resource: Payload): string | undefined {
  return scalarAt(resource, 'status') ?? scalarAt(resource, 'state');
}

/** The payment behind a JSON webhook. */
export function resourceTransaction(payload: Payload): string | null {
  const resource = objectAt(payload, 'resource');
  return resource ? transactionOf(payload, resource) : null;
}

/** A dispute says in its outcome who won it. */
function exactId(eventId: string, resource: Payload): string {
  if (eventId !== 'dispute_resolved') return eventId;
  const outcome = scalarAt(objectAt(resource, 'dispute_outcome'), 'outcome_code') ?? '';
  if (/^RESOLVED_SELLER_FAVOU?R$/i.test(outcome)) return 'dispute_won';
  return /^RESOLVED_BUYER_FAVOU?R$/i.test(outcome) ? 'dispute_lost' : eventId;
}

function idOf(resource: Payload): string | undefined {
  return scalarAt(resource, 'id') ?? scalarAt(resource, 'dispute_id');
}

/** A subscription, in its older shape an agreement, is no payment. */
const subscriptionKind = /^(?:subscription|agreement)$/i;

const kindOf = (payload: Payload): string => scalarAt(payload, 'resource_type') ?? '';

/** A refund of a sale comes with the sale's `resource_type` too, and names the sale. */
function isRefundOf(payload: Payload, resource: Payload): boolean {
  return kindOf(payload) === 'refund' || scalarAt(resource, 'sale_id') !== undefined;
}

/** A refund leads up to what it refunds, a dispute to what is disputed, an order to its capture. Subscriptions are no payment. */
function transactionOf(payload: Payload, resource: Payload): string | null {
  const kind = kindOf(payload);
  if (subscriptionKind.test(kind) || kind === 'plan') return null;
  const refunded = isRefundOf(payload, resource) ? (scalarAt(resource, 'sale_id') ?? upwards(resource)) : undefined;
  return (
    refunded ??
    scalarAt(firstOf(resource, 'disputed_transactions'), 'seller_transaction_id') ??
    scalarAt(captureOf(resource), 'id') ??
    scalarAt(resource, 'transaction_id') ??
    (kind === 'dispute' ? undefined : scalarAt(resource, 'id')) ??
    null
  );
}

function subscriptionOf(payload: Payload, resource: Payload): string | null {
  const itself = subscriptionKind.test(kindOf(payload)) ? scalarAt(resource, 'id') : undefined;
  return itself ?? scalarAt(resource, 'billing_agreement_id') ?? null;
}

/** The last segment of the link `up`. */
function upwards(resource: Payload): string | undefined {
  const links = own(resource, 'links');
  if (!Array.isArray(links)) return undefined;
  const up = links.slice(0, 50).find((link) => own(link, 'rel') === 'up');
  return /\/([A-Za-z0-9-]{1,100})$/.exec(scalarAt(up, 'href') ?? '')?.[1];
}

function firstOf(source: Payload | undefined, key: string): Payload | undefined {
  const list = own(source, key);
  const [first] = Array.isArray(list) ? list : [];
  return isObject(first) ? first : undefined;
}

function captureOf(resource: Payload): Payload | undefined {
  return firstOf(objectAt(firstOf(resource, 'purchase_units'), 'payments'), 'captures');
}

function secondaryOf(resource: Payload, transaction: string | null) {
  const subscription = scalarAt(resource, 'billing_agreement_id');
  const id = subscription ?? (transaction === idOf(resource) ? undefined : (transaction ?? undefined));
  const type = subscription === undefined ? 'capture' : 'subscription';
  return { secondaryObjectType: id === undefined ? null : type, secondaryObjectID: id ?? null };
}

/** `amount.value` with `currency_code`, or `amount.total` with `currency` in the older shape, where refunds are negative. */
function moneyOf(resource: Payload): Money {
  const amount =
    own(resource, 'amount') ?? own(resource, 'dispute_amount') ?? own(firstOf(resource, 'purchase_units'), 'amount');
  if (!isObject(amount)) return decimalMoney(amount, undefined);
  const value = own(amount, 'value') ?? own(amount, 'total');
  return decimalMoney(
    typeof value === 'string' ? value.replace(/^-/, '') : (value ?? amount),
    own(amount, 'currency_code') ?? own(amount, 'currency'),
  );
}

/** Ids that an order of the shop may have as its transaction, and others that lead to it. */
function idsOf(payload: Payload, resource: Payload) {
  const related = objectAt(objectAt(resource, 'supplementary_data'), 'related_ids');
  const units = objectsAt(resource, 'purchase_units').map((unit) => objectAt(unit, 'payments'));
  const payments = ['captures', 'authorizations'].flatMap((key) => units.flatMap((unit) => objectsAt(unit, key)));
  const disputed = objectsAt(resource, 'disputed_transactions');
  const itself = idOf(resource);
  const isPayment = /^(?:capture|sale|authorization)$/i.test(kindOf(payload)) && !isRefundOf(payload, resource);
  const present = (ids: readonly (string | undefined)[]): string[] => ids.filter((id) => id !== undefined);
  return {
    transactions: present([
      isPayment ? itself : undefined,
      scalarAt(resource, 'sale_id'),
      scalarAt(related, 'capture_id'),
      scalarAt(related, 'authorization_id'),
      ...payments.map((payment) => scalarAt(payment, 'id')),
      ...disputed.map((one) => scalarAt(one, 'seller_transaction_id')),
    ]),
    links: present([
      itself,
      scalarAt(related, 'order_id'),
      scalarAt(resource, 'parent_payment'),
      scalarAt(resource, 'billing_agreement_id'),
    ]),
  };
}

const invoiceKeys = ['invoice_id', 'invoice_number'] as const;

function namedOf(resource: Payload): Named {
  const units = objectsAt(resource, 'purchase_units');
  const captures = units.flatMap((unit) => objectsAt(objectAt(unit, 'payments'), 'captures'));
  const sources = [
    ...[resource].map((source) => ['resource', source] as const),
    ...units.map((source) => ['purchase_units', source] as const),
    ...captures.map((source) => ['captures', source] as const),
    ...objectsAt(resource, 'disputed_transactions').map((source) => ['disputed_transactions', source] as const),
  ];
  return joinNamed(
    sources.flatMap(([from, source]) => [
      namedByText(own(source, 'custom_id'), `${from}.custom_id`),
      namedByText(own(source, 'custom'), `${from}.custom`),
      ...invoiceKeys.map((key) => ({ references: referenceAt(source, key, `${from}.${key}`), claims: {} })),
      ...(from === 'purchase_units' ? [namedByText(own(source, 'reference_id'), `${from}.reference_id`)] : []),
    ]),
  );
}

/** The gateway's code for why; never its free text. */
function reasonOf(resource: Payload): string | null {
  return (
    scalarAt(objectAt(resource, 'status_details'), 'reason') ??
    scalarAt(resource, 'reason_code') ??
    scalarAt(resource, 'pending_reason') ??
    (scalarAt(resource, 'dispute_id') === undefined ? undefined : scalarAt(resource, 'reason')) ??
    null
  );
}

function instant(text: string | undefined): string | null {
  const time = text !== undefined && /^\d{4}-\d{2}-\d{2}T/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isFinite(time) && time >= 0 ? new Date(time).toISOString() : null;
}
