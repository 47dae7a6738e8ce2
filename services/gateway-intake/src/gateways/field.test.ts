import type { NormalizedEvent } from './adapter';
import { cardAdapter } from './card/adapter';
import type { Connection } from './connection';
import { genericAdapter } from './generic/adapter';
import type { Payload } from './payload';
import { notificationEvent, notificationKey } from './wallet/notification';
import { resourceEvent } from './wallet/resource';

const context = { connection: null, otherConnections: () => [], withinRate: true, testProof: null };
const now = Date.parse('2026-11-25T12:00:00Z');
const card = cardAdapter({ secrets: () => [], mode: 'any' });
const generic = genericAdapter({ requireConnection: false, hasConnections: () => false });

const inputOf = (payload: Payload, connection: Partial<Connection> | null = null) => ({
  connection: connection === null ? null : 'erp',
  headers: {},
  body: Buffer.from(JSON.stringify(payload)),
  now,
  payload,
  context: { ...context, connection: connection as Connection | null },
});

const ofCard = (type: string, object: Payload): NormalizedEvent =>
  card.normalize(inputOf({ id: 'evt_1', type, created: 1, data: { object } }))[0] as NormalizedEvent;
const ofWallet = (event_type: string, resource: Payload, resource_type = 'capture'): NormalizedEvent =>
  resourceEvent({ id: 'WH-1', event_type, resource_type, resource })[0] as NormalizedEvent;
const ofGeneric = (payload: Payload, connection: Partial<Connection> | null = null): NormalizedEvent =>
  generic.normalize(inputOf(payload, connection))[0] as NormalizedEvent;
const keyOf = (payload: Payload): string => generic.computeIdempotencyKey(inputOf(payload));

const charge = { object: 'charge', id: 'ch_1', payment_intent: 'pi_1', amount: 4900, currency: 'usd' };
const session = {
  object: 'checkout.session',
  id: 'cs_1',
  mode: 'payment',
  client_reference_id: '7',
  amount_total: 4900,
};
const dispute = { object: 'dispute', id: 'dp_1', charge: 'ch_1', amount: 4987, currency: 'usd' };

// "Enum InvoiceBillingReason", https://docs.rs/async-stripe-shared/1.0.0-alpha.9/stripe_shared/enum.InvoiceBillingReason.html
describe('card: what an invoice pays', () => {
  test.each([
    ['subscription_create', 'payment_completed', 'first'],
    ['subscription_cycle', 'renewal_payment_completed', 'renewal'],
    ...[
      'subscription_update',
      'subscription_threshold',
      'manual',
      'upcoming',
      'quote_accept',
      'automatic_pending_invoice_item_invoice',
    ].map((reason) => [reason, null, 'other']),
  ])('%s', (billing_reason, genericType, billing) => {
    const invoice = { object: 'invoice', id: 'in_1', subscription: 'sub_1', payment_intent: 'pi_1', billing_reason };
    const expected = { genericType, billing, subscriptionID: 'sub_1', transactionID: 'pi_1' };
    expect(ofCard('invoice.payment_succeeded', invoice)).toMatchObject(expected);
  });
});

// "Fulfill orders", https://docs.stripe.com/payments/mobile/checkout-sessions/fulfillment; "paymentStatus property",
// https://pub.dev/documentation/stripe_api_client/latest/models_checkout_session/Session/paymentStatus.html
// "status property", https://pub.dev/documentation/stripe_api_client/0.7.0/models_dispute/Dispute/status.html
test.each<[string, Payload, string | null]>([
  ['charge.succeeded', { ...charge, captured: false, amount_captured: 0 }, 'payment_pending'],
  ['charge.succeeded', { ...charge, captured: true }, 'payment_completed'],
  ['charge.refunded', { ...charge, captured: false, amount_captured: 0, amount_refunded: 4900 }, 'payment_cancelled'],
  ['charge.refunded', { ...charge, captured: true, amount_refunded: 500 }, 'payment_refunded'],
  ['charge.expired', { ...charge, captured: false }, 'payment_cancelled'],
  ['payment_intent.canceled', { object: 'payment_intent', id: 'pi_1' }, 'payment_cancelled'],
  ['checkout.session.completed', { ...session, payment_status: 'unpaid' }, 'payment_pending'],
  ['checkout.session.completed', { ...session, payment_status: 'paid' }, 'payment_completed'],
  ['checkout.session.completed', { ...session, payment_status: 'no_payment_required' }, null],
  ['checkout.session.completed', { ...session, mode: 'setup', payment_status: 'no_payment_required' }, null],
  ['checkout.session.async_payment_succeeded', { ...session, payment_status: 'paid' }, 'payment_completed'],
  ['checkout.session.async_payment_failed', session, 'payment_failed'],
  ['checkout.session.expired', session, 'payment_cancelled'],
  ['refund.failed', { object: 'refund', id: 're_1', status: 'failed' }, null],
  ['refund.updated', { object: 'refund', id: 're_1', status: 'failed' }, null],
  ['refund.created', { object: 'refund', id: 're_1', status: 'failed' }, null],
  ['charge.dispute.created', { ...dispute, status: 'warning_needs_response' }, 'dispute_opened'],
  ['charge.dispute.closed', { ...dispute, status: 'warning_closed' }, 'dispute_resolved'],
  ['charge.dispute.closed', { ...dispute, status: 'won' }, 'dispute_won'],
  ['charge.dispute.closed', { ...dispute, status: 'lost' }, 'dispute_lost'],
])('card: %s of %j', (type, object, genericType) => {
  const eventType = `payment.card.${type.replaceAll('.', '_')}`;
  expect(ofCard(type, object)).toMatchObject({ eventType, genericType });
});

// "dispute_outcome", https://developer.paypal.com/api/customer-disputes/v1/definitions/dispute_outcome
test.each([
  ['RESOLVED_BUYER_FAVOUR', 'dispute_lost'],
  ['RESOLVED_SELLER_FAVOUR', 'dispute_won'],
  ...['RESOLVED_WITH_PAYOUT', 'CANCELED_BY_BUYER', 'ACCEPTED', 'DENIED', 'NONE', 'WITHDRAWN'].map((code) => [
    code,
    'dispute_resolved',
  ]),
])('wallet: a dispute that ends as %s', (outcome_code, genericType) => {
  const resource = { dispute_id: 'PP-D-1', dispute_outcome: { outcome_code } };
  expect(ofWallet('CUSTOMER.DISPUTE.RESOLVED', resource, 'dispute')).toMatchObject({ genericType });
});

test.each([
  'VAULT.PAYMENT-TOKEN.CREATED',
  'CATALOG.PRODUCT.CREATED',
  'BILLING.PLAN.CREATED',
  'MERCHANT.ONBOARDING.COMPLETED',
  'IDENTITY.AUTHORIZATION-CONSENT.REVOKED',
  'PAYMENT.PAYOUTS-ITEM.SUCCEEDED',
  'PAYMENT.PAYOUTSBATCH.SUCCESS',
  'CUSTOMER.MERCHANT-MIGRATION.COMPLETED',
  // developer.paypal.com/api/invoicing/webhooks: `invoice_number` is one that the wallet counts
  ...['CREATED', 'SENT', 'UPDATED', 'SCHEDULED'].map((state) => `INVOICING.INVOICE.${state}`),
])('wallet: %s names no order', (type) => {
  const event = ofWallet(type, { id: 'X-1', custom_id: '7', invoice_number: '#7' }, 'x');
  expect(event).toMatchObject({ transactionID: null });
  expect(event.orderReference).toEqual({ gateway_ids: [], order_id: null, transaction_id: null });
});

test.each([
  ['review.opened', 'review'],
  ['radar.early_fraud_warning.created', 'radar.early_fraud_warning'],
])('card: %s names its payment', (type, object) => {
  const event = ofCard(type, { object, id: 'x_1', charge: 'ch_1', payment_intent: 'pi_1' });
  expect(event).toMatchObject({ genericType: null, transactionID: 'pi_1' });
  expect(event.orderReference.transactions).toEqual(['pi_1', 'ch_1']);
});

test.each(['customer', 'product', 'price', 'payout', 'setup_intent', 'balance', 'account', 'plan', 'payment_method'])(
  'card: a %s names no order',
  (object) => {
    const event = ofCard(`${object}.updated`, { object, id: 'x_1', metadata: { order_id: '7' } });
    expect(event.orderReference).toEqual({ gateway_ids: [], order_id: null, transaction_id: null });
  },
);

// "Invoice Payment", https://docs.stripe.com/api/invoice-payment/object: since 2025-03-31 it alone names both the invoice and what paid it.
test('card: the payment of an invoice names its invoice and its payment', () => {
  const payment = { type: 'payment_intent', payment_intent: 'pi_1' };
  const paid = { object: 'invoice_payment', id: 'inpay_1', invoice: 'in_1', amount_paid: 4900, payment };
  const expected = { genericType: null, transactionID: 'pi_1', invoiceID: 'in_1' };
  expect(ofCard('invoice_payment.paid', paid)).toMatchObject(expected);
});

// `Canceled_Reversal` of a payment of a subscription: developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables
test.each(['subscr_payment', 'recurring_payment', 'web_accept'])('wallet: a cancelled reversal of %s', (txn_type) => {
  const payload = { txn_type, txn_id: 'T2', parent_txn_id: 'T1', payment_status: 'Canceled_Reversal' };
  const expected = { eventType: 'payment.wallet.canceled_reversal', genericType: null, transactionID: 'T1' };
  expect(notificationEvent(payload)).toMatchObject([expected]);
});

describe('references', () => {
  test('card: the metadata of the shop’s plugin, then the session’s reference', () => {
    const metadata = { order_id: '7', order_number: 'N7', site_url: 'https://a.example', order_key: 'wc_order_x' };
    const { orderReference } = ofCard('checkout.session.completed', {
      ...session,
      client_reference_id: 'S7',
      metadata,
    });
    expect(orderReference.references).toEqual([
      { value: '7', from: 'metadata.order_id' },
      { value: 'N7', from: 'metadata.order_number' },
      { value: 'S7', from: 'client_reference_id' },
    ]);
    expect(orderReference.claims).toEqual({ site_url: 'https://a.example', order_key: 'wc_order_x' });
  });

  // mage2.pro/t/topic/2745: metadata with `Store Domain`; another shop on the same account
  test.each(['site_url', 'Store URL', 'Store Domain', 'shop_domain'])('card: the shop in %s', (name) => {
    const { orderReference } = ofCard('charge.succeeded', {
      ...charge,
      metadata: { order_id: '7', [name]: 'a.example' },
    });
    expect(orderReference.claims).toEqual({ site_url: 'a.example' });
  });

  test('card: payments apart from what they belong to', () => {
    const { orderReference } = ofCard('charge.succeeded', { ...charge, invoice: 'in_1' });
    expect(new Set(orderReference.transactions)).toEqual(new Set(['pi_1', 'ch_1']));
  });

  // https://docs.stripe.com/changelog/2022-11-15/removes-charges-attribute-paymentintent
  test('card: the charge of an intent before version 2022-11-15', () => {
    const charges = { object: 'list', data: [{ ...charge, metadata: { order_id: '7' } }] };
    const event = ofCard('payment_intent.succeeded', { object: 'payment_intent', id: 'pi_1', metadata: {}, charges });
    expect(event).toMatchObject({ secondaryObjectType: 'charge', secondaryObjectID: 'ch_1' });
    expect(event.orderReference).toMatchObject({ order_id: '7', transactions: ['pi_1', 'ch_1'] });
  });

  // `metadata`, https://docs.stripe.com/api/invoice-line-item/object; `parent`, https://docs.stripe.com/changelog/basil/2025-03-31/adds-new-parent-field-to-invoicing-objects
  test.each<[Payload, string | null]>([
    [{ type: 'subscription' }, '7'],
    [{ parent: { type: 'subscription_item_details' } }, '7'],
    [{ type: 'invoiceitem' }, null],
    [{ parent: { type: 'invoice_item_details' } }, null],
  ])('card: the line %j of an invoice', (line, order_id) => {
    const lines = { object: 'list', data: [{ ...line, metadata: { order_id: '7' } }] };
    expect(ofCard('invoice.paid', { object: 'invoice', id: 'in_1', lines }).orderReference.order_id).toBe(order_id);
  });

  test.each<[unknown, string[], string | undefined]>([
    ['12', ['12'], undefined],
    ['WC-12', ['WC-12'], undefined],
    ['{"order_id": 12}', ['12'], undefined],
    ['{"order_id":12,"order_key":"wc_order_k"}', ['12'], 'wc_order_k'],
  ])('wallet: the free field %j', (custom, values, key) => {
    for (const event of [
      ofWallet('PAYMENT.CAPTURE.COMPLETED', { id: 'C1', custom_id: custom }),
      notificationEvent({ txn_id: 'T1', payment_status: 'Completed', custom })[0],
    ]) {
      expect(event?.orderReference.references?.map(({ value }) => value)).toEqual(values);
      expect(event?.orderReference.claims?.order_key).toBe(key);
    }
  });

  test('wallet: units, their captures and invoices', () => {
    const unit = {
      custom_id: '7',
      invoice_id: 'WC-7',
      reference_id: 'default',
      payments: { captures: [{ id: 'C1' }] },
    };
    const event = ofWallet('CHECKOUT.ORDER.COMPLETED', { id: 'O1', purchase_units: [unit] }, 'checkout-order');
    expect(event.orderReference.transactions).toEqual(['C1']);
    expect(event.orderReference.references?.map(({ value }) => value)).toEqual(['7', 'WC-7']);
  });
});

describe('wallet: subscriptions, captures and refunds', () => {
  // `supplementary_data.related_ids`, https://developer.paypal.com/docs/api/payments/v2; before its capture the authorisation is the order's transaction:
  // TransactionIdHandlingTrait.php, https://github.com/woocommerce/woocommerce-paypal-payments
  test('the capture of an authorisation may be told by that', () => {
    const resource = { id: 'C1', supplementary_data: { related_ids: { order_id: 'O1', authorization_id: 'A1' } } };
    const { transactions } = ofWallet('PAYMENT.CAPTURE.COMPLETED', resource).orderReference;
    expect(transactions).toEqual(['C1', 'A1']);
  });
  test('a sale of an agreement leaves first or renewal to the history', () => {
    const event = ofWallet('PAYMENT.SALE.COMPLETED', { id: 'S1', billing_agreement_id: 'I-1' }, 'sale');
    expect(event).toMatchObject({ subscriptionID: 'I-1', transactionID: 'S1' });
    expect(event.billing).toBeUndefined();
  });
  test('so does a notification', () => {
    const payload = { txn_type: 'subscr_payment', payment_status: 'Completed', txn_id: 'T1', subscr_id: 'I-1' };
    const expected = { subscriptionID: 'I-1', genericType: 'renewal_payment_completed' };
    expect(notificationEvent(payload)[0]).toMatchObject(expected);
  });
  // `billing_info.last_failed_payment`, developer.paypal.com/docs/api/subscriptions/v1
  test('a renewal that failed is about what could not be paid, not about the last payment', () => {
    const paid = (value: string) => ({ amount: { value, currency_code: 'USD' } });
    const billing_info = { last_payment: paid('49.00'), last_failed_payment: paid('39.00') };
    const resource = { id: 'I-1', billing_info };
    const expected = { genericType: 'renewal_payment_failed', amount: '39.00' };
    expect(ofWallet('BILLING.SUBSCRIPTION.PAYMENT.FAILED', resource, 'subscription')).toMatchObject(expected);
  });
  test('an agreement is no payment', () =>
    expect(ofWallet('BILLING.SUBSCRIPTION.CANCELLED', { id: 'I-1' }, 'Agreement')).toMatchObject({
      transactionID: null,
      subscriptionID: 'I-1',
    }));
  test('the refund of a sale is how much, and names the sale', () => {
    const resource = { id: 'R1', sale_id: 'S1', amount: { total: '-5.00', currency: 'USD' } };
    const expected = { primaryObjectType: 'refund', primaryObjectID: 'R1', transactionID: 'S1', amount: '5.00' };
    expect(ofWallet('PAYMENT.SALE.REFUNDED', resource, 'sale')).toMatchObject(expected);
  });
  // `is_final_capture`: https://developer.paypal.com/docs/api/payments/v1, capture
  test.each(['final_capture', 'is_final_capture'])('%s', (name) => {
    for (const isFinal of [true, false])
      expect(ofWallet('PAYMENT.CAPTURE.COMPLETED', { id: 'C1', [name]: isFinal }).isFinalCapture).toBe(isFinal);
  });
  test('notifications about two cases of one payment are two', () => {
    const about = (case_id: string) => notificationKey({ txn_id: 'T1', txn_type: 'new_case', case_id });
    expect(about('PP-1')).not.toBe(about('PP-2'));
  });
});

// "webhooks notification request item structure",
// https://raw.githubusercontent.com/api-evangelist/adyen/refs/heads/main/json-structure/webhooks-notification-request-item-structure.json
describe('generic: what did not happen', () => {
  const item = '/notificationItems/0/NotificationRequestItem';
  const paths = { type: `${item}/eventCode`, success: `${item}/success`, order: `${item}/merchantReference` };
  test.each([
    ['REFUND', 'refund_failed', null],
    ['AUTHORISATION', 'payment_failed', 'payment_failed'],
    ['CAPTURE', 'payment_failed', 'payment_failed'],
    ['CHARGEBACK', 'chargeback_failed', null],
    ['CANCELLATION', 'cancellation_failed', null],
    ['AUTHORISATION_ADJUSTMENT', 'authorisation_adjustment_failed', null],
    ['payment.refund', 'payment.refund_failed', null],
    ['void', 'void_failed', null],
    ['identity.verified', 'identity.verified_failed', null],
    ['payment_cancelled', 'payment_cancelled', 'payment_cancelled'],
    ['REFUND_FAILED', 'REFUND_FAILED', 'custom_event'],
  ])('%s', (eventCode, eventType, genericType) => {
    const request = { eventCode, success: 'false', merchantReference: '7' };
    const payload = { notificationItems: [{ NotificationRequestItem: request }] };
    expect(ofGeneric(payload, { paths })).toMatchObject({ eventType, genericType });
  });
  test.each<[unknown, string]>([
    ...[false, 0, '0', 'False', 'no', 'N', 'f', 'off', 'KO', 'failed', 'error', 'Declined'].map(
      (success) => [success, 'payment_failed'] as [unknown, string],
    ),
    ...[true, 1, '1', 'yes', 'ok', '', null, [], {}, 'pending'].map(
      (success) => [success, 'payment_completed'] as [unknown, string],
    ),
  ])('success %j', (success, genericType) =>
    expect(ofGeneric({ event: 'payment_completed', success })).toMatchObject({ genericType }),
  );
  test('a field of the generic shape needs no path', () =>
    expect(ofGeneric({ event: 'payment_completed', success: false }).genericType).toBe('payment_failed'));
});

test.each([
  [4900, 'EUR', '49.00', undefined],
  [4900, 'JPY', '4900', undefined],
  [4900, 'KWD', '4.900', undefined],
  [4900, 'USDT', '49.00', '4900'],
])('generic: %j minor units of %s are %s', (amount, currencyCode, expected, minorUnits) => {
  const payload = { amount, currencyCode, status: 'CAPTURED', reference: '7' };
  const event = ofGeneric(payload, { paths: {}, amount_unit: 'minor' });
  expect(event).toMatchObject({ amount: expected, genericType: 'payment_completed' });
  expect(event.minorUnits).toBe(minorUnits);
});

test('generic: a type outside the list passes unchanged', () =>
  expect(ofGeneric({ type: 'dispute.opened' })).toMatchObject({
    eventType: 'dispute.opened',
    genericType: 'dispute_opened',
  }));

// `payout.paid`, `customer.created`: https://docs.stripe.com/api/events/types; `CATALOG.PRODUCT.CREATED`: developer.paypal.com/api/rest/webhooks/event-names
describe('generic: kinds without an order', () => {
  test.each([
    'payout.paid',
    'balance_available',
    'customer.created',
    'CATALOG.PRODUCT.CREATED',
    'payment_method.attached',
    'mandates.created',
    'settlement.paid',
    'users.created',
    'coupon.updated',
    // https://ckeditor.com/docs/cs/latest/developer-resources/webhooks/testing.md, https://sourcecraft.dev/portal/docs/en/events-ref/webhook-ping.md
    'ping',
    'webhook.ping',
    'test',
    // https://developers.monnify.com/docs/integration-tools/webhooks, https://developer.authorize.net/api/reference/features/webhooks.html
    'SUCCESSFUL_DISBURSEMENT',
    'net.authorize.customer.paymentProfile.created',
    // https://developer.paddle.com/webhooks/overview, https://www.airwallex.com/docs/developer-tools__listen-for-webhook-events
    'address.created',
    'business.updated',
    'payment_consent.created',
  ])('%s names none by its id', (type) => {
    const event = ofGeneric({ type, id: 'x_1', amount: '49.00' });
    expect(event.orderReference).toMatchObject({ order_id: null, transaction_id: null });
    expect(ofGeneric({ type, id: 'x_1', order_id: 7 }).orderReference.order_id).toBe('7');
  });
  test.each([
    'customer.subscription.deleted',
    'customer.dispute.created',
    'customer_order_paid',
    'product.purchased',
    'payment.captured',
    'account.payment.received',
    'accounting',
    'plan',
    'testing.paid',
    'transfer.completed',
  ])('%s may', (type) => expect(ofGeneric({ type, id: 'x_1' }).transactionID).toBe('x_1'));
});

// developer.bigcommerce.com/docs/integrations/webhooks/events: `data.id` is that of the product, or of the shipment beside its `orderId`
test('generic: where a path finds the id of the thing itself, what is about no order has none', () => {
  const connection = { paths: { order: '/data/orderId | /data/id' } };
  const orderOf = (type: string, data: object) => ofGeneric({ type, data }, connection).orderReference.order_id;
  expect(orderOf('store/product/updated', { type: 'product', id: 12 })).toBeNull();
  expect(orderOf('store/order/updated', { type: 'order', id: 12 })).toBe('12');
  expect(orderOf('store/shipment/created', { type: 'shipment', id: 12, orderId: 251 })).toBe('251');
});

describe('generic: one webhook, one event', () => {
  const refund = { event: 'payment_refunded', transaction_id: 't_1', amount: '5.00', currency: 'USD' };
  test.each<[string, Payload, Payload]>([
    ['refunds', { ...refund, refund_id: 'rf_1' }, { ...refund, refund_id: 'rf_2' }],
    ['refunds as texts', { ...refund, refund: 'rf_1' }, { ...refund, refund: 'rf_2' }],
    ['times', { ...refund, created_at: '2026-11-25T10:00:00Z' }, { ...refund, created_at: '2026-11-25T10:09:00Z' }],
  ])('two %s', (_what, one, other) => expect(keyOf(one)).not.toBe(keyOf(other)));
  // `refund` is an id where it is not expanded (docs.stripe.com/expand), and an amount elsewhere.
  test.each<[Payload, string | null]>([
    [{ refund_id: 'rf_1' }, 'rf_1'],
    [{ refund: { id: 'rf_1' } }, 'rf_1'],
    [{ refund: 'rf_1' }, 'rf_1'],
    [{ refund: '5.00' }, null],
    [{ refund: 'partial' }, null],
  ])('a refund is what %j is about', (said, id) => {
    const { primaryObjectType, primaryObjectID } = ofGeneric({ ...refund, ...said });
    expect(primaryObjectType === 'refund' ? primaryObjectID : null).toBe(id);
  });
});

// Objects that are expanded within others: "Expanding Responses", https://docs.stripe.com/expand; `billing_reason` as above.
describe('card: a payment that holds its expanded invoice', () => {
  const invoice = {
    object: 'invoice',
    id: 'in_1',
    parent: { subscription_details: { subscription: 'sub_1', metadata: { order_id: '7' } } },
  };
  const intent = { object: 'payment_intent', id: 'pi_1', amount: 4900, currency: 'usd' };
  test.each<[string, string, Payload, string | null]>([
    ['payment_intent.succeeded', 'subscription_create', intent, 'payment_completed'],
    ['payment_intent.succeeded', 'subscription_cycle', intent, 'renewal_payment_completed'],
    ['payment_intent.succeeded', 'subscription_update', intent, null],
    ['payment_intent.payment_failed', 'subscription_cycle', intent, 'renewal_payment_failed'],
    ['charge.succeeded', 'subscription_cycle', { ...charge, captured: true }, 'renewal_payment_completed'],
    ['charge.refunded', 'subscription_cycle', { ...charge, captured: true }, 'payment_refunded'],
  ])('%s of %s', (type, billing_reason, object, genericType) => {
    const event = ofCard(type, { ...object, invoice: { ...invoice, billing_reason } });
    expect(event).toMatchObject({ genericType, subscriptionID: 'sub_1' });
    expect(event.orderReference.references).toEqual([{ value: '7', from: 'subscription_details.metadata.order_id' }]);
    expect(event.orderReference.gateway_ids).toContain('in_1');
  });
  test('also within the payment intent of a charge', () => {
    const payment_intent = { ...intent, invoice: { ...invoice, billing_reason: 'subscription_cycle' } };
    const expected = { genericType: 'renewal_payment_completed', subscriptionID: 'sub_1', transactionID: 'pi_1' };
    expect(ofCard('charge.succeeded', { ...charge, payment_intent })).toMatchObject(expected);
  });
  test('a dispute finds the metadata of its expanded charge', () =>
    expect(
      ofCard('charge.dispute.created', { ...dispute, metadata: {}, charge: { ...charge, metadata: { order_id: 7 } } })
        .orderReference,
    ).toMatchObject({ order_id: '7' }));
});

// "Fallback to serialized data if safe", get_paypal_order of WooCommerce's PayPal Standard (class-wc-gateway-paypal-response.php); "This can be a customer
// ID, a cart ID, or similar", `client_reference_id`, https://docs.stripe.com/api/checkout/sessions/object; PayPal Payments for WooCommerce puts
// `pcp_customer_…` of the session there ("cart session checkout event", https://github.com/woocommerce/woocommerce-paypal-payments).
describe('free fields', () => {
  test.each<[string, readonly string[], string | undefined]>([
    ['a:2:{i:0;i:1042;i:1;s:17:"wc_order_abc12345";}', ['1042'], 'wc_order_abc12345'],
    ['a:2:{i:0;s:4:"1042";i:1;s:17:"wc_order_abc12345";}', ['1042'], 'wc_order_abc12345'],
    ['a:1:{i:0;O:8:"stdClass":0:{}}', [], undefined],
    ['pcp_customer_12', [], undefined],
    ['customer_12', [], undefined],
    ['USER-12', [], undefined],
    ['CUSTOM-12', ['CUSTOM-12'], undefined],
    ['Custard-12', ['Custard-12'], undefined],
  ])('%s', (custom, values, key) => {
    for (const event of [
      ofWallet('PAYMENT.CAPTURE.COMPLETED', { id: 'C1', custom_id: custom }),
      notificationEvent({ txn_id: 'T1', payment_status: 'Completed', custom })[0],
      ofCard('checkout.session.completed', { ...session, client_reference_id: custom }),
      ofGeneric({ event: 'payment_completed', custom }),
    ]) {
      expect(event?.orderReference.references?.map(({ value }) => value) ?? []).toEqual(values);
      expect(event?.orderReference.claims?.order_key).toBe(key);
    }
  });
});

test.each<[unknown, string[]]>([
  ['WC-1042', ['WC-1042']],
  ['customer_12', ['customer_12']],
  ['{"order_id": 1042}', ['1042']],
  ['{"basket": 5}', []],
  [{ order_id: 1042 }, ['1042']],
])('generic: the reference %j at the connection’s path carries the path', (nr, values) => {
  const { orderReference } = ofGeneric({ deep: [{ nr }] }, { paths: { order: '/deep/0/nr' } });
  expect(orderReference.references?.map(({ value }) => value) ?? []).toEqual(values);
  for (const { from } of orderReference.references ?? []) expect(from).toMatch(/^\/deep\/0\/nr/);
});

test.each([
  [490000, 'IRT', '490000'],
  ['490000', 'irt', '490000'],
  ['12.3456', 'USDT', '12.3456'],
  ['49.50', 'PTS', '49.50'],
  [49, 'EUR', '49.00'],
])('generic: %j %s keeps the decimals that a currency outside ISO 4217 comes with', (amount, currency, expected) =>
  expect(ofGeneric({ amount, currency })).toMatchObject({ amount: expected, amountProblem: null }),
);

// "webhook_id: ID of the webhook endpoint", "Retrieve a webhook event delivery",
// https://docs.paymentplatform.dev/payengine-api-v2.5/webhooks/webhook-event-deliveries/list-all-webhooks; "The stored event payload and its event ID
// remain unchanged", https://affonso.io/help/integrations/webhooks/redeliver-webhook-delivery
describe('generic: what is the identity of an event', () => {
  const paid = { event: 'payment_completed', webhook_id: '7', transaction_id: 't_1', order_id: 1, amount: 5 };
  test.each<[string, Payload, Payload]>([
    ['an endpoint’s id', paid, { ...paid, transaction_id: 't_2' }],
    ['an endpoint’s id alone', { webhook_id: '7', note: 'a' }, { webhook_id: '7', note: 'b' }],
    ['the last change', { ...paid, updated_at: '2026-11-25 10:00' }, { ...paid, updated_at: '2026-11-25 10:05' }],
    ['a time without a zone', { ...paid, date: '2026-11-25 10:00' }, { ...paid, date: '2026-11-25 10:05' }],
    ['a dispute', { ...paid, dispute_id: 'd1' }, { ...paid, dispute_id: 'd2' }],
    ['a subscription', { ...paid, subscription_id: 's1' }, { ...paid, subscription_id: 's2' }],
    ['a field’s place', { ...paid, refund_id: 'x' }, { ...paid, dispute_id: 'x' }],
    ['a field of any name', { ...paid, order_status: 'packed' }, { ...paid, order_status: 'sent' }],
    ['a field further down', { ...paid, data: { rows: [{ n: 1 }] } }, { ...paid, data: { rows: [{ n: 2 }] } }],
    ['the success', { ...paid, success: true }, { ...paid, success: false }],
    // shopify.dev/docs/api/webhooks (subscription_billing_attempts): `idempotency_key` is that of the attempt, which is challenged and then succeeds
    ...(['event', 'status'] as const).map((field): [string, Payload, Payload] => {
      const asked = { ...paid, idempotency_key: 'k', status: 'pending' };
      return [`the ${field} of one idempotency_key`, asked, { ...asked, [field]: 'completed' }];
    }),
  ])('%s: two', (_what, one, other) => expect(keyOf(one)).not.toBe(keyOf(other)));
  test.each<[string, Payload, Payload]>([
    ['event_id', { ...paid, event_id: 'e' }, { ...paid, event_id: 'e', timestamp: 2 }],
    ['delivery_id', { ...paid, delivery_id: 'd1' }, { ...paid, delivery_id: 'd2', original_delivery_id: 'd1' }],
    ['the first or a later try', { ...paid, attempt: 1, sent_at: 'x' }, { ...paid, attempt: 2, retryCount: 1 }],
    ['the order and the form of fields', { ...paid, tax: '1.50', fee: 2 }, { fee: '2.00', tax: 1.5, ...paid }],
    ['idempotency_key', { ...paid, idempotency_key: 'k' }, { ...paid, idempotency_key: 'k', attempt: 2 }],
  ])('%s: one', (_what, one, other) => expect(keyOf(one)).toBe(keyOf(other)));
});

// "A JSON envelope containing one or more events (up to 250 per request)",
// https://raw.githubusercontent.com/api-evangelist/gocardless/refs/heads/main/asyncapi/gocardless-asyncapi.yml
describe('generic: several events in one body', () => {
  const event = (id: string, action: string, payment: string, order_id: string) => ({
    id,
    resource_type: 'payments',
    action,
    links: { payment },
    resource_metadata: { order_id },
  });
  const paths = {
    type: '/events/*/action',
    event: '/events/*/id',
    transaction: '/events/*/links/payment',
    order: '/events/*/resource_metadata/order_id',
    currency: '/currency',
  };
  const both = {
    currency: 'GBP',
    events: [event('EV1', 'payment_completed', 'PM1', '7'), event('EV2', 'payment_failed', 'PM2', '8')],
  };
  const read = (payload: unknown, by: object = paths) =>
    generic.normalize(inputOf(payload as Payload, { paths: by } as Partial<Connection>));
  const key = (payload: unknown, by: object = paths) =>
    generic.computeIdempotencyKey(inputOf(payload as Payload, { paths: by } as Partial<Connection>));

  test('are each read where the paths have a star', () => {
    expect(read(both)).toMatchObject([
      { genericType: 'payment_completed', transactionID: 'PM1', currency: 'GBP', orderReference: { order_id: '7' } },
      { genericType: 'payment_failed', transactionID: 'PM2', currency: 'GBP', orderReference: { order_id: '8' } },
    ]);
    expect(read(both.events, { order: '/*/resource_metadata/order_id' })).toHaveLength(2);
    expect(read([{ order_id: 1, id: 'a' }, { id: 'b' }], { type: '/*/kind' })).toMatchObject([
      { transactionID: 'a', orderReference: { order_id: '1' } },
      { transactionID: 'b', orderReference: { order_id: null } },
    ]);
  });

  test.each([{}, { events: [] }, { events: 'none' }, [], null, 'text'])('%j leaves one that names nothing', (payload) =>
    expect(read(payload)).toMatchObject([{ orderReference: { order_id: null, transaction_id: null } }]),
  );

  test('more than one webhook may bring are refused, none is taken silently', () => {
    const objection = (count: number) =>
      generic.objection?.(inputOf({ events: Array(count).fill({}) }, { paths } as Partial<Connection>))?.code;
    expect([objection(500), objection(501)]).toEqual([undefined, 'too_many_events']);
  });

  test('odd elements are events that name nothing', () =>
    expect(read({ events: [null, 1, [], event('EV1', 'success', 'PM1', '7')] })).toHaveLength(4));

  test('one event has the key of its id, several one of all', () => {
    const [first] = both.events;
    expect(key({ events: [first] })).toBe(key({ events: [{ ...first, details: 'again' }] }));
    expect(key(both)).toBe(key({ ...both, more: 1 }));
    expect(key(both)).not.toBe(key({ events: [first] }));
    expect(key(both)).not.toBe(key({ ...both, events: [first, event('EV3', 'payment_failed', 'PM2', '8')] }));
  });
});
