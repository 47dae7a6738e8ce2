import { fromMinorUnits, type OrderReference } from '@order-automation/contracts';
import { isObject, objectAt, own, type Payload, scalar, scalarAt } from '../payload';

/** The object an event is about, `data.object`. */
export function subjectOf(payload: Payload): Payload | undefined {
  return objectAt(objectAt(payload, 'data'), 'object');
}

/** What kind of object it is; taken from the event id where the object does not say. */
export function kindOf(eventId: string, subject: Payload): string {
  return scalarAt(subject, 'object')?.slice(0, 100) ?? kindOfEvent(eventId);
}

const prefixes: readonly (readonly [string, string])[] = [
  ['payment_intent_', 'payment_intent'],
  ['setup_intent_', 'setup_intent'],
  ['charge_dispute_', 'dispute'],
  ['charge_refund_', 'refund'],
  ['charge_', 'charge'],
  ['refund_', 'refund'],
  ['customer_subscription_', 'subscription'],
  ['customer_source_', 'source'],
  ['customer_', 'customer'],
  ['invoice_', 'invoice'],
  ['checkout_session_', 'checkout.session'],
  ['payout_', 'payout'],
  ['price_', 'price'],
  ['product_', 'product'],
];

function kindOfEvent(eventId: string): string {
  return prefixes.find(([prefix]) => eventId.startsWith(prefix))?.[1] ?? 'unknown';
}

/** The id under a key, whether the object refers by id or was expanded. */
export function idAt(subject: Payload, key: string): string | undefined {
  const value = own(subject, key);
  return isObject(value) ? scalarAt(value, 'id') : scalar(value);
}

/** The payment behind an object: the payment intent if there is one, else the charge. Null for objects that are no payment. */
export function transactionOf(kind: string, subject: Payload): string | null {
  switch (kind) {
    case 'payment_intent':
      return scalarAt(subject, 'id') ?? null;
    case 'charge':
      return idAt(subject, 'payment_intent') ?? scalarAt(subject, 'id') ?? null;
    case 'refund':
    case 'dispute':
    case 'invoice':
    case 'checkout.session':
      return idAt(subject, 'payment_intent') ?? idAt(subject, 'charge') ?? null;
    default:
      return null;
  }
}

const secondaryKeys = new Map([
  ['payment_intent', { key: 'latest_charge', type: 'charge' }],
  ['charge', { key: 'payment_intent', type: 'payment_intent' }],
  ['refund', { key: 'charge', type: 'charge' }],
  ['dispute', { key: 'charge', type: 'charge' }],
  ['invoice', { key: 'subscription', type: 'subscription' }],
  ['subscription', { key: 'latest_invoice', type: 'invoice' }],
  ['checkout.session', { key: 'payment_intent', type: 'payment_intent' }],
]);

export type SecondaryObject = {
  readonly secondaryObjectType: string | null;
  readonly secondaryObjectID: string | null;
};

/** The object that this one belongs to, where it names one. */
export function secondaryOf(kind: string, subject: Payload): SecondaryObject {
  const link = secondaryKeys.get(kind);
  const id = link && idAt(subject, link.key);
  return { secondaryObjectType: id === undefined ? null : (link?.type ?? null), secondaryObjectID: id ?? null };
}

const linkKeys = ['payment_intent', 'charge', 'latest_charge', 'subscription', 'invoice'] as const;

/** By what the shop may find the order: ids it may have stored, and what the metadata names. */
export function orderReferenceOf(kind: string, subject: Payload): OrderReference {
  const ids = new Set<string>();
  const itself = scalarAt(subject, 'id');
  if (itself !== undefined) ids.add(itself);
  for (const key of linkKeys) {
    const id = idAt(subject, key);
    if (id !== undefined) ids.add(id);
  }
  return {
    gateway_ids: [...ids],
    order_id: orderIdOf(subject) ?? null,
    transaction_id: transactionOf(kind, subject),
  };
}

function orderIdOf(subject: Payload): string | undefined {
  const details =
    objectAt(subject, 'subscription_details') ?? objectAt(objectAt(subject, 'parent'), 'subscription_details');
  for (const metadata of [objectAt(subject, 'metadata'), objectAt(details, 'metadata')]) {
    const id = scalarAt(metadata, 'order_id') ?? scalarAt(metadata, 'order_number');
    if (id !== undefined) return id;
  }
  return undefined;
}

/** What was paid, refunded or disputed, in the first of these fields that holds an amount; by kind of object. */
const amountKeys = new Map([
  ['invoice', ['amount_due', 'total']],
  ['checkout.session', ['amount_total']],
  ['price', ['unit_amount']],
]);
const amountKeysOfEvent = new Map([
  ['payment_intent_succeeded', ['amount_received', 'amount']],
  ['charge_captured', ['amount_captured', 'amount']],
  ['charge_refunded', ['amount_refunded', 'amount']],
  ['invoice_payment_succeeded', ['amount_paid', 'total']],
]);

export type Money = { readonly amount: string | null; readonly currency: string | null };

/** Exact decimal text from minor units, with the currency's own number of decimals. Both or nothing: minor units mean nothing alone. */
export function moneyOf(eventId: string, kind: string, subject: Payload): Money {
  const code = scalarAt(subject, 'currency')?.toUpperCase();
  const currency = code !== undefined && /^[A-Z]{3}$/.test(code) ? code : null;
  const keys = amountKeysOfEvent.get(eventId) ?? amountKeys.get(kind) ?? ['amount'];
  const units = firstAmount(subject, keys);
  return { currency, amount: currency === null || units === undefined ? null : fromMinorUnits(units, currency) };
}

/** The first of these fields that is not zero; zero when one is, undefined when none holds an amount. */
function firstAmount(subject: Payload, keys: readonly string[]): bigint | undefined {
  let zero: bigint | undefined;
  for (const key of keys) {
    const amount = minorUnits(own(subject, key));
    if (amount === 0n) zero = amount;
    else if (amount !== undefined) return amount;
  }
  return zero;
}

function minorUnits(value: unknown): bigint | undefined {
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 1e30 ? BigInt(value) : undefined;
  return typeof value === 'string' && /^-?\d{1,30}$/.test(value) ? BigInt(value) : undefined;
}

/** The gateway's own code for why something failed, was disputed, refunded or cancelled; never its free text. */
export function reasonOf(subject: Payload): string | null {
  const failure = objectAt(subject, 'last_payment_error') ?? objectAt(subject, 'last_setup_error');
  return (
    scalarAt(failure, 'decline_code') ??
    scalarAt(failure, 'code') ??
    scalarAt(subject, 'failure_code') ??
    scalarAt(subject, 'failure_reason') ??
    scalarAt(subject, 'cancellation_reason') ??
    scalarAt(subject, 'reason') ??
    scalarAt(objectAt(subject, 'cancellation_details'), 'reason') ??
    null
  );
}
