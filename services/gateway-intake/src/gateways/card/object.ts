import { currencyDecimals, type OrderReference } from '@order-automation/contracts';
import { type Money, minorMoney } from '../money';
import { isObject, listAt, objectAt, own, type Payload, scalar, scalarAt, scalarIn } from '../payload';
import { allOf, namesNoOrder, referenceOf, type Said, saidInData, saidInFreeText } from '../references';
import { kindOfEvent } from './events';
import tables from './objects.json';

export const subjectOf = (payload: Payload): Payload | undefined => objectAt(objectAt(payload, 'data'), 'object');

/** What kind of object it is; taken from the event id where the object does not say. */
export const kindOf = (eventId: string, subject: Payload): string =>
  scalarAt(subject, 'object')?.slice(0, 100) ?? kindOfEvent(eventId);

/** What is under a key. Versions before 2022-11-15 list the latest charge (docs.stripe.com/changelog/2022-11-15/removes-charges-attribute-paymentintent). */
const valueAt = (subject: Payload, key: string): unknown =>
  own(subject, key) ?? (key === 'latest_charge' ? listAt(objectAt(subject, 'charges'), 'data')[0] : undefined);

/** The id under a key, whether the object refers by id or was expanded. */
function idAt(subject: Payload, key: string): string | undefined {
  const value = valueAt(subject, key);
  return isObject(value) ? scalarAt(value, 'id') : scalar(value);
}

/** The payment behind an object: the payment intent if there is one, else the charge. Null for objects that are no payment. */
export function transactionOf(kind: string, subject: Payload): string | null {
  if (!namesOrders.has(kind) || kind === 'subscription') return null;
  const [intent, charge] = ['payment_intent', 'charge'].map((key) =>
    kind === key ? scalarAt(subject, 'id') : idAt(subject, key),
  );
  return intent ?? paymentIn(subject) ?? paymentOf(subject) ?? charge ?? null;
}

/** The payment of an invoice in its present shape, `payments.data[].payment`: the one that was paid, else the default one, else the first. */
function paymentOf(invoice: Payload): string | undefined {
  const payments = listAt(objectAt(invoice, 'payments'), 'data');
  const chosen =
    payments.find((payment) => own(payment, 'status') === 'paid') ??
    payments.find((payment) => own(payment, 'is_default') === true) ??
    payments[0];
  return paymentIn(chosen);
}

function paymentIn(invoicePayment: unknown): string | undefined {
  const payment = objectAt(invoicePayment, 'payment');
  return payment && (idAt(payment, 'payment_intent') ?? idAt(payment, 'charge'));
}

/** Where an invoice does not copy the metadata of its subscription itself, its line does (docs.stripe.com/api/invoice-line-item/object, `metadata`). */
const subscriptionLineOf = (invoice: Payload): unknown =>
  listAt(objectAt(invoice, 'lines'), 'data').find((line) =>
    /^subscription/.test(scalarAt(objectAt(line, 'parent') ?? line, 'type') ?? ''),
  );

const expandable = ['payment_intent', 'charge', 'latest_charge', 'invoice', 'subscription'] as const;

/** The object and what is expanded in it, to two levels: a charge may hold its payment intent, which holds its invoice (docs.stripe.com/expand). */
export function withExpanded(subject: Payload): readonly Payload[] {
  const within = (source: Payload) => expandable.map((key) => valueAt(source, key)).filter(isObject);
  const inner = within(subject);
  return [subject, ...inner, ...inner.flatMap(within)];
}

/** The subscription of an invoice, at the top or, in its present shape, in `parent`; that of a payment stands in its expanded invoice. */
export function subscriptionOf(subject: Payload): string | undefined {
  const ids = withExpanded(subject).map((source) => {
    const details = objectAt(objectAt(source, 'parent'), 'subscription_details');
    return idAt(source, 'subscription') ?? (details && idAt(details, 'subscription'));
  });
  return ids.find((id) => id !== undefined);
}

/** The invoice that a payment pays, named by its id alone: what it is in its subscription is not known. */
export function unexpandedInvoiceOf(kind: string, subject: Payload): string | undefined {
  if (!['charge', 'payment_intent', 'invoice_payment'].includes(kind)) return undefined;
  const reference = orderNamedBy(subject);
  return scalarAt(subject, 'invoice') ?? (reference?.startsWith('in_') ? reference : undefined);
}

const orderNamedBy = (payment: Payload): string | undefined =>
  scalarAt(objectAt(payment, 'payment_details'), 'order_reference');

/** Where a business says nothing, the gateway writes an id of its own there: that of the checkout, the invoice or the product. */
const idOfGateway = /^(?:cs|in|plink|price|prod|sub)_/;

const links = new Map(Object.entries(tables.secondary));

/** The object that this one belongs to, where it names one. */
export function secondaryOf(kind: string, subject: Payload) {
  const link = links.get(kind);
  const id = link && (link.key === 'subscription' ? subscriptionOf(subject) : idAt(subject, link.key));
  return { secondaryObjectType: id === undefined ? null : (link?.type ?? null), secondaryObjectID: id ?? null };
}

/**
 * Of these alone the metadata names an order (decisions.md section 6). The last two, doubts about a payment (docs.stripe.com/api/radar/reviews,
 * …/early_fraud_warnings), name it, and have no metadata of their own.
 */
const namesOrders: ReadonlySet<string> = new Set(tables.names_orders);

/** By what the shop may find the order: ids it may have stored, what the metadata names and claims. */
export function orderReferenceOf(kind: string, subject: Payload): OrderReference {
  // What a platform passes on to an account pays no order: the charge behind it does (docs.stripe.com/api/charges/object, `source_transfer`).
  if (!namesOrders.has(kind) || scalarAt(subject, 'source_transfer') !== undefined) return namesNoOrder;
  const itself = scalarAt(subject, 'id');
  const isPayment = kind === 'payment_intent' || kind === 'charge';
  return referenceOf(saidOf(subject), {
    transaction: transactionOf(kind, subject),
    transactions: [
      isPayment ? itself : undefined,
      ...['payment_intent', 'charge', 'latest_charge'].map((key) => idAt(subject, key)),
    ],
    links: [
      itself,
      ...['subscription', 'invoice'].map((key) => idAt(subject, key)),
      subscriptionOf(subject),
      unexpandedInvoiceOf(kind, subject),
    ],
  });
}

function saidOf(subject: Payload): Said {
  return allOf(
    withExpanded(subject).flatMap((source) => {
      const details =
        objectAt(source, 'subscription_details') ?? objectAt(objectAt(source, 'parent'), 'subscription_details');
      const reference = orderNamedBy(source);
      return [
        saidInData(objectAt(source, 'metadata'), 'metadata'),
        saidInData(objectAt(details, 'metadata'), 'subscription_details.metadata'),
        saidInData(objectAt(subscriptionLineOf(source), 'metadata'), 'lines.metadata'),
        saidInFreeText(own(source, 'client_reference_id'), 'client_reference_id'),
        saidInFreeText(idOfGateway.test(reference ?? '') ? undefined : reference, 'payment_details.order_reference'),
      ];
    }),
  );
}

/** What was paid, refunded or disputed, by event or kind of object: the first of these fields that is there decides, at zero too. */
const amountKeys = new Map(Object.entries(tables.amounts));

/**
 * Where card gateways count minor units otherwise than ISO 4217 (docs.stripe.com/currencies, "Special cases"): ISK and UGX have no decimals
 * any more and are still sent with two, and MGA, whose fifths nobody uses, is sent without.
 */
const special: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/** Decimals that the minor units of this currency stand for. */
export function cardDecimals(currency: string): number {
  const code = currency.toUpperCase();
  return special[code] ?? currencyDecimals(code);
}

/**
 * Exact decimal text from minor units, with the currency's own number of decimals. A session that showed the customer another currency than the shop's says in
 * `currency_conversion` what it asked for (docs.stripe.com/api/checkout/sessions/object).
 */
export function moneyOf(eventId: string, kind: string, subject: Payload, released: number): Money {
  const converted = kind === 'checkout.session' ? objectAt(subject, 'currency_conversion') : undefined;
  if (converted) return minorMoney(own(converted, 'amount_total'), own(converted, 'source_currency'), cardDecimals);
  // A balance of the customer pays a part of an invoice, or is settled with it (docs.stripe.com/billing/customer/balance): what it was for is paid all the same.
  const isSettled = /^invoice_(?:paid|payment_succeeded)$/.test(eventId) && scalarAt(subject, 'status') === 'paid';
  const keys = isSettled ? ['total', 'amount_paid'] : (amountKeys.get(eventId) ?? amountKeys.get(kind) ?? ['amount']);
  const key = keys.find((name) => own(subject, name) !== undefined && own(subject, name) !== null);
  const amount = key === undefined ? undefined : own(subject, key);
  const paid = eventId === 'charge_refunded' && released > 0 ? Number(amount) - released : amount;
  return minorMoney(paid, own(subject, 'currency'), cardDecimals);
}

/**
 * What is let go of an authorisation with its capture (docs.stripe.com/payments/place-a-hold-on-a-payment-method, "Capture the funds"), in minor units. Of a
 * charge it stands among what was refunded: "Stripe treats a partial capture as a Charge object with a partial Refund inside it",
 * https://github.com/woocommerce/woocommerce-gateway-stripe/pull/861.
 */
export function releasedOf(eventId: string, payload: Payload, subject: Payload): number {
  if (eventId === 'payment_intent_succeeded') return restOf(own(subject, 'amount'), own(subject, 'amount_received'));
  const captured = own(subject, 'captured') === true ? own(subject, 'amount_captured') : 0;
  const [rest, refunded] = [restOf(own(subject, 'amount'), captured), own(subject, 'amount_refunded')];
  return isUnits(refunded) && refunded >= rest && !isOfRefundsAlone(payload) ? rest : 0;
}

const restOf = (authorised: unknown, taken: unknown): number =>
  isUnits(authorised) && isUnits(taken) && taken > 0 ? Math.max(authorised - taken, 0) : 0;

/** What is released is no refund in versions since then: docs.stripe.com/changelog/basil/2025-03-31/remove-refund-from-partial-capture-and-payment-cancellation-flow */
export const isOfRefundsAlone = (payload: Payload): boolean => (scalarAt(payload, 'api_version') ?? '') >= '2025-03-31';

export const inMoney = (units: number, subject: Payload): string | undefined =>
  minorMoney(units, own(subject, 'currency'), cardDecimals).amount ?? undefined;

/** The sum that a charge had given back before this event, which says it beside the charge (docs.stripe.com/api/events/object, `previous_attributes`). */
export function refundedBefore(eventId: string, payload: Payload, charge: Payload, released: number) {
  const before = own(objectAt(objectAt(payload, 'data'), 'previous_attributes'), 'amount_refunded');
  if (eventId !== 'charge_refunded' || !isUnits(before)) return undefined;
  return inMoney(Math.max(before - released, 0), charge);
}

const isUnits = (value: unknown): value is number => Number.isSafeInteger(value);

/** The gateway's own code for why something failed, was disputed, refunded or cancelled; never its free text. */
export function reasonOf(subject: Payload): string | null {
  const failure = objectAt(subject, 'last_payment_error') ?? objectAt(subject, 'last_setup_error');
  return (
    scalarIn(failure, 'decline_code', 'code') ??
    scalarIn(subject, 'failure_code', 'failure_reason', 'cancellation_reason', 'reason') ??
    scalarAt(objectAt(subject, 'cancellation_details'), 'reason') ??
    null
  );
}
