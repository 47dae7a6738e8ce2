import { createHmac } from 'node:crypto';
import { cardEvents, genericTypes } from '@order-automation/contracts';
import type { AdapterInput } from '../adapter';
import { cardAdapter } from './adapter';

const secret = 'whsec_0123456789abcdef';
const now = 1_760_000_000_000;
const secrets = [{ value: secret, expiresAt: null }];
const adapter = cardAdapter({ secrets: () => secrets, mode: 'any' });
const context = { connection: null, otherConnections: () => [], withinRate: true, testProof: null };

const inputOf = (payload: Record<string, unknown>): AdapterInput => {
  const body = Buffer.from(JSON.stringify(payload));
  return { connection: null, headers: {}, body, now, payload, context };
};
const eventOf = (type: string, object: Record<string, unknown>, rest: Record<string, unknown> = {}) => ({
  id: 'evt_1',
  type,
  created: 1_759_999_999,
  data: { object },
  ...rest,
});
const normalize = (type: string, object: Record<string, unknown>) => {
  const [event] = adapter.normalize(inputOf(eventOf(type, object)));
  if (!event) throw new Error('no event');
  return event;
};

describe('the 52 event ids', () => {
  const categories: Record<string, number> = {
    payment_intent_: 6,
    charge_: 11,
    refund_: 3,
    customer_: 12,
    invoice_: 7,
    payout_: 5,
    setup_intent_: 4,
    price_: 2,
    product_: 2,
  };

  it('are all there, each with a generic type of the vocabulary or null', () => {
    const ids = adapter.getSupportedEventTypes();
    expect(ids).toHaveLength(52);
    for (const [prefix, count] of Object.entries(categories)) {
      expect([prefix, ids.filter((id) => id.startsWith(prefix)).length]).toEqual([prefix, count]);
    }
    for (const id of ids) expect([null, ...genericTypes]).toContain(adapter.mapEventType(id));
  });

  it.each(Object.entries(cardEvents))('%s is normalised', (id, { generic }) => {
    const event = normalize(id, { id: 'obj_1', amount: 100, currency: 'usd' });
    expect(event).toMatchObject({ eventType: `payment.card.${id}`, genericType: generic });
  });

  it.each([
    ['payment_intent.succeeded', 'payment_intent_succeeded', 'payment_completed'],
    ['charge.dispute.funds_withdrawn', 'charge_dispute_funds_withdrawn', 'payment_reversed'],
    ['customer.subscription.deleted', 'customer_subscription_deleted', 'subscription_cancelled'],
    ['checkout.session.completed', 'checkout_session_completed', null],
    ['constructor', 'constructor', null],
  ])('the original name %s is accepted', (type, id, generic) => {
    expect(normalize(type, { id: 'obj_1' })).toMatchObject({ eventType: `payment.card.${id}`, genericType: generic });
    expect(adapter.mapEventType(type)).toBe(generic);
  });
});

describe('meaning that the object makes more exact', () => {
  it.each([
    ['charge.dispute.closed', { status: 'won' }, 'dispute_won'],
    ['charge.dispute.closed', { status: 'lost' }, 'dispute_lost'],
    ['charge.dispute.closed', { status: 'warning_closed' }, 'dispute_resolved'],
    ['charge.succeeded', { captured: true }, 'payment_completed'],
    ['charge.succeeded', { captured: false }, 'payment_pending'],
    ['invoice.payment_succeeded', { billing_reason: 'subscription_cycle' }, 'renewal_payment_completed'],
    ['invoice.payment_succeeded', { billing_reason: 'subscription_create' }, 'payment_completed'],
    // "manual: Unrelated to a subscription or invoice item", docs.stripe.com/api/invoices/object; `parent` since basil
    ['invoice.payment_succeeded', { billing_reason: 'manual', subscription: null }, 'payment_completed'],
    ['invoice.payment_succeeded', { billing_reason: 'manual', parent: null }, 'payment_completed'],
    ['invoice.payment_failed', { billing_reason: 'manual', parent: null }, 'payment_failed'],
    ['invoice.payment_succeeded', { billing_reason: 'manual' }, null],
    ['invoice.payment_failed', { billing_reason: 'manual' }, null],
    ['invoice.payment_action_required', { billing_reason: 'manual' }, null],
  ])('%s of %j is %s', (type, object, generic) => {
    expect(normalize(type, { id: 'obj_1', ...object }).genericType).toBe(generic);
  });
});

describe('amounts', () => {
  it.each<readonly [unknown, string | undefined, string | null]>([
    [1050, 'usd', '10.50'],
    [5, 'eur', '0.05'],
    [0, 'eur', '0.00'],
    [1050, 'jpy', '1050'],
    [1050, 'KWD', '1.050'],
    ...['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'].map(
      (currency) => [500, currency, '500'] as const,
    ),
    ...['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND'].map((currency) => [5120, currency, '5.120'] as const),
    ...['HUF', 'TWD', 'USD', 'EUR'].map((currency) => [1045, currency, '10.45'] as const),
    // Sent with two decimals although they have none any more; a fraction is kept, so that it agrees with no order.
    [500, 'isk', '5'],
    [500, 'UGX', '5'],
    [1050, 'ISK', '10.5'],
    [1055, 'UGX', '10.55'],
    // Sent without its fifths.
    [500, 'mga', '500.00'],
    [-250, 'eur', '-2.50'],
    ['12345678901234567890', 'eur', '123456789012345678.90'],
    [undefined, 'usd', null],
    [null, 'usd', null],
    [undefined, undefined, null],
  ])('%j minor units of %s are %s', (amount, currency, text) => {
    const event = normalize('charge.pending', { id: 'ch_1', object: 'charge', amount, currency });
    expect(event).toMatchObject({ amount: text, amountProblem: null });
  });

  it.each([
    ['1,00', 'usd', 'The amount "1,00" is not a whole number of minor units.'],
    ['$1.00', 'usd', 'The amount "$1.00" is not a whole number of minor units.'],
    [1.5, 'usd', 'The amount 1.5 is not a whole number of minor units.'],
    ['1e2', 'usd', 'The amount "1e2" is not a whole number of minor units.'],
    [1e21, 'usd', 'The amount 1e+21 is not a whole number of minor units.'],
    ['10.50', 'usd', 'The amount "10.50" is not a whole number of minor units.'],
    [{ value: 1 }, 'usd', 'The amount that is an object is not a whole number of minor units.'],
    [{}, 'usd', 'The amount that is an object is not a whole number of minor units.'],
    [[1], 'usd', 'The amount that is a list is not a whole number of minor units.'],
    [true, 'usd', 'The amount true is not a whole number of minor units.'],
    ['x'.repeat(300), 'usd', 'The amount of 302 characters is not a whole number of minor units.'],
    [1050, undefined, 'The amount is in minor units and there is no currency.'],
    [1050, 'u$d', 'The currency "u$d" is not the code of a currency.'],
    [1050, 7, 'The currency 7 is not the code of a currency.'],
    [undefined, 'US dollars', 'The currency "US dollars" is not the code of a currency.'],
  ])('%j minor units of %s cannot be read', (amount, currency, amountProblem) => {
    const event = normalize('payment_intent.succeeded', { id: 'pi_1', object: 'payment_intent', amount, currency });
    expect(event).toMatchObject({ amount: null, amountProblem });
  });

  it.each([
    ['payment_intent.succeeded', { amount: 5000, amount_received: 4900 }, '49.00'],
    ['payment_intent.succeeded', { amount: 5000 }, '50.00'],
    ['payment_intent.succeeded', { amount: 5000, amount_received: 0 }, '0.00'],
    ['payment_intent.succeeded', { amount: 5000, amount_received: '50,00' }, null],
    ['payment_intent.succeeded', { amount: 5000, amount_received: null }, '50.00'],
    ['invoice.payment_succeeded', { object: 'invoice', amount_paid: 0, total: 1300 }, '0.00'],
    ['payment_intent.payment_failed', { amount: 5000, amount_received: 0 }, '50.00'],
    ['charge.refunded', { amount: 5000, amount_refunded: 1500 }, '15.00'],
    ['charge.captured', { amount: 5000, amount_captured: 4000 }, '40.00'],
    ['invoice.payment_succeeded', { object: 'invoice', amount_paid: 1200, amount_due: 1300 }, '12.00'],
    // A balance of the customer pays the rest, or is settled with it: docs.stripe.com/billing/customer/balance
    ['invoice.payment_succeeded', { object: 'invoice', status: 'paid', amount_paid: 1200, total: 1300 }, '13.00'],
    ['invoice.paid', { object: 'invoice', status: 'paid', amount_paid: 1200, amount_due: 1200, total: 1300 }, '13.00'],
    ['invoice.payment_failed', { object: 'invoice', amount_paid: 0, amount_due: 1300 }, '13.00'],
    ['checkout.session.completed', { object: 'checkout.session', amount_total: 700 }, '7.00'],
    ['charge.dispute.created', { object: 'dispute', amount: 800 }, '8.00'],
  ])('%s of %j is about %s', (type, object, amount) => {
    expect(normalize(type, { id: 'obj_1', currency: 'eur', ...object }).amount).toBe(amount);
  });

  // A partial capture releases the rest, which stands among what was refunded: github.com/woocommerce/woocommerce-gateway-stripe/pull/861
  it.each([
    [{ amount_refunded: 2500 }, { amount_refunded: 1000 }, '10.00'],
    [{ amount_refunded: 1000 }, { amount_refunded: 0, refunded: false }, '0.00'],
    [{ amount: 4900, amount_captured: 3000, captured: true, amount_refunded: 2900 }, { amount_refunded: 1900 }, '0.00'],
    [{ amount_refunded: 1000 }, undefined, undefined],
    [{ amount_refunded: 1000 }, { amount_refunded: '0' }, undefined],
  ])('charge.refunded of %j, before that %j, has grown from %s', (charge, previous_attributes, before) => {
    const object = { id: 'ch_1', object: 'charge', currency: 'eur', ...charge };
    const payload = { id: 'evt_1', type: 'charge.refunded', data: { object, previous_attributes } };
    expect(adapter.normalize(inputOf(payload))[0]?.refundedBefore).toBe(before);
  });
});

/** An invoice in its present shape: the payment is no longer at the top. The paid one counts, not the one that was given up. */
const invoiceOf = (payment: Record<string, unknown>) => ({
  object: 'invoice',
  id: 'in_1',
  parent: {
    type: 'subscription_details',
    subscription_details: { subscription: 'sub_1', metadata: { order_id: '7' } },
  },
  payments: {
    object: 'list',
    data: [
      { object: 'invoice_payment', status: 'canceled', payment: { type: 'payment_intent', payment_intent: 'pi_old' } },
      { object: 'invoice_payment', status: 'paid', is_default: true, payment },
    ],
  },
});

describe('references', () => {
  it('takes payment, subscription and order of an invoice from where they stand now', () => {
    expect(normalize('invoice.payment_succeeded', invoiceOf({ payment_intent: { id: 'pi_3' } }))).toMatchObject({
      transactionID: 'pi_3',
      secondaryObjectType: 'subscription',
      secondaryObjectID: 'sub_1',
      orderReference: { gateway_ids: ['pi_3', 'in_1', 'sub_1'], order_id: '7', transaction_id: 'pi_3' },
    });
  });

  it.each([
    ['charge.succeeded', { object: 'charge', id: 'ch_1', payment_intent: 'pi_1' }, 'pi_1'],
    ['charge.succeeded', { object: 'charge', id: 'ch_1', payment_intent: null }, 'ch_1'],
    ['charge.succeeded', { id: 'ch_1', payment_intent: { id: 'pi_2' } }, 'pi_2'],
    ['payment_intent.succeeded', { object: 'payment_intent', id: 'pi_1', latest_charge: 'ch_1' }, 'pi_1'],
    ['refund.created', { object: 'refund', id: 're_1', payment_intent: 'pi_1', charge: 'ch_1' }, 'pi_1'],
    ['refund.created', { object: 'refund', id: 're_1', charge: 'ch_1' }, 'ch_1'],
    ['charge.dispute.created', { object: 'dispute', id: 'dp_1', charge: 'ch_1' }, 'ch_1'],
    ['charge.dispute.created', { id: 'dp_1', payment_intent: 'pi_1', charge: 'ch_1' }, 'pi_1'],
    ['customer.created', { object: 'customer', id: 'cus_1' }, null],
    ['invoice.payment_succeeded', { object: 'invoice', id: 'in_1', payment_intent: 'pi_1', charge: 'ch_1' }, 'pi_1'],
    ['invoice.payment_succeeded', invoiceOf({ type: 'payment_intent', payment_intent: 'pi_3' }), 'pi_3'],
    ['invoice.payment_succeeded', invoiceOf({ type: 'charge', charge: 'ch_3' }), 'ch_3'],
    ['invoice.payment_succeeded', { ...invoiceOf({}), charge: 'ch_4' }, 'ch_4'],
    ['invoice.payment_succeeded', { object: 'invoice', id: 'in_1', payments: { data: 'x' } }, null],
    ['payout.paid', { object: 'payout', id: 'po_1' }, null],
    ['charge.succeeded', { object: 'charge', id: { $ne: '' }, payment_intent: ['pi_1'] }, null],
  ])('the transaction of %s %j is %s', (type, object, id) => {
    const payload = eventOf(type, object);
    expect(adapter.extractTransactionId(payload)).toBe(id);
    expect(normalize(type, object)).toMatchObject({ transactionID: id, orderReference: { transaction_id: id } });
  });

  it('names the order of the metadata and every gateway id once', () => {
    const charge = { object: 'charge', id: 'ch_1', payment_intent: 'pi_1', invoice: 'in_1', charge: 'ch_1' };
    expect(normalize('charge.succeeded', { ...charge, metadata: { order_id: ' 1001 ' } }).orderReference).toEqual({
      gateway_ids: ['pi_1', 'ch_1', 'in_1'],
      order_id: '1001',
      transaction_id: 'pi_1',
      transactions: ['pi_1', 'ch_1'],
      references: [{ value: '1001', from: 'metadata.order_id' }],
    });
    expect(
      normalize('charge.succeeded', { ...charge, metadata: { order_number: 'A-7' } }).orderReference.order_id,
    ).toBe('A-7');
    expect(normalize('charge.succeeded', { ...charge, metadata: [] }).orderReference.order_id).toBeNull();
    const invoice = { object: 'invoice', id: 'in_1', subscription_details: { metadata: { order_id: 7 } } };
    expect(normalize('invoice.payment_succeeded', invoice).orderReference.order_id).toBe('7');
  });

  it('tells objects, status, reason and time', () => {
    const object = {
      object: 'payment_intent',
      id: 'pi_1',
      status: 'requires_payment_method',
      latest_charge: 'ch_1',
      last_payment_error: { code: 'card_declined', decline_code: 'insufficient_funds', message: 'Ada has no money' },
    };
    expect(normalize('payment_intent.payment_failed', object)).toMatchObject({
      primaryObjectType: 'payment_intent',
      primaryObjectID: 'pi_1',
      secondaryObjectType: 'charge',
      secondaryObjectID: 'ch_1',
      status: 'requires_payment_method',
      reason: 'insufficient_funds',
      occurredAt: new Date(1_759_999_999_000).toISOString(),
    });
  });

  it.each([-1, 1.5, 1e18, '1759999999', null])('has no time for %j', (created) => {
    const [event] = adapter.normalize(inputOf(eventOf('charge.succeeded', { id: 'ch_1' }, { created })));
    expect(event?.occurredAt).toBeNull();
  });
});

describe('the idempotency key', () => {
  const keyOf = (payload: Record<string, unknown>) => adapter.computeIdempotencyKey(inputOf(payload));

  it('is the id of the event, whatever else differs', () => {
    const first = keyOf(eventOf('charge.succeeded', { id: 'ch_1' }));
    expect(first).toBe('gateway_card:evt_1');
    expect(keyOf(eventOf('charge.updated', { id: 'ch_2' }))).toBe(first);
  });

  it('is the body without one, and a hash where the id cannot be a key', () => {
    const { id: _id, ...without } = eventOf('charge.succeeded', { id: 'ch_1' });
    expect(keyOf(without)).toMatch(/^gateway_card@[0-9a-f]{64}$/);
    expect(keyOf(without)).not.toBe(keyOf({ ...without, created: 5 }));
    expect(keyOf({ ...without, id: 'evt\u0000 1' })).toMatch(/^gateway_card#[0-9a-f]{64}$/);
    expect(keyOf({ ...without, id: `evt_${'x'.repeat(200)}` })).toMatch(/^gateway_card#[0-9a-f]{64}$/);
  });
});

describe('what it takes', () => {
  it.each([
    { type: 'charge.succeeded' },
    { type: 'charge.succeeded', id: 'evt_1', data: { object: [] } },
    { type: 'charge.succeeded', data: { object: [] } },
    { type: 'charge.succeeded', data: 'x' },
    { data: { object: { id: 'ch_1' } } },
    { type: 7, data: { object: { id: 'ch_1' } } },
    { type: 'charge succeeded', data: { object: {} } },
    { type: 'x'.repeat(200), data: { object: {} } },
  ])('%j is no event of this gateway', (payload) => {
    expect(adapter.canHandle(inputOf(payload))).toBe(false);
    expect(adapter.normalize(inputOf(payload))).toEqual([]);
  });

  // docs.stripe.com/api/v2/core/accounts/event-types; docs.stripe.com/changelog/acacia/2024-09-30/api-v2-thin-events (`data`)
  it.each([
    { type: 'v2.core.account[configuration.merchant].capability_status_updated' },
    { type: 'v1.billing.meter.error_report_triggered', data: { developer_message_summary: 'x' } },
  ])('objects to the thin event %j for being thin', (fields) => {
    const thin = inputOf({ id: 'evt_1', object: 'v2.core.event', related_object: {}, ...fields });
    expect(adapter.canHandle(thin)).toBe(true);
    expect(adapter.objection?.(thin)).toMatchObject({ code: 'thin_event' });
  });

  it('objects to thin events, and to those of the test mode where only live ones count', () => {
    const thin = inputOf({ id: 'evt_1', object: 'v2.core.event', type: 'v1.charge.succeeded', related_object: {} });
    expect(adapter.canHandle(thin)).toBe(true);
    expect(adapter.objection?.(thin)).toMatchObject({ code: 'thin_event' });
    expect(adapter.normalize(thin)).toMatchObject([
      { eventType: 'payment.card.v1_charge_succeeded', genericType: null },
    ]);
    const test = inputOf(eventOf('charge.succeeded', { id: 'ch_1' }, { livemode: false }));
    expect(adapter.objection?.(test)).toBeUndefined();
    expect(cardAdapter({ secrets: () => secrets, mode: 'live' }).objection?.(test)).toMatchObject({
      code: 'test_mode',
    });
  });

  it.each(['customer', 'payout', 'product', 'price', 'setup_intent', 'source'])(
    'the metadata of a %s names no order',
    (object) => {
      const event = normalize(`${object}.updated`, { object, id: 'x_1', metadata: { order_id: '1001' } });
      expect(event.orderReference).toEqual({ gateway_ids: [], order_id: null, transaction_id: null });
    },
  );

  it('believes a signature, and nobody without a secret', () => {
    const input = inputOf(eventOf('charge.succeeded', { id: 'ch_1' }));
    const t = now / 1000;
    const v1 = createHmac('sha256', secret).update(`${t}.`).update(input.body).digest('hex');
    const signed = { ...input, headers: { 'card-signature': [`t=${t},v1=${v1}`] } };
    expect(adapter.validateAuthenticity(signed, context)).toEqual({ kind: 'authentic' });
    expect(adapter.validateAuthenticity(input, context)).toMatchObject({ refusal: { code: 'signature_missing' } });
    const bare = cardAdapter({ secrets: () => [], mode: 'any' });
    expect(bare.validateAuthenticity(signed, context)).toMatchObject({ refusal: { code: 'no_secret_configured' } });
    expect(bare.status?.(0)).toMatchObject({ active: false });
  });

  it('tells the log what it may see', () => {
    const payload = eventOf('charge.succeeded', { id: 'ch_1', billing_details: { email: 'ada@example.com' } });
    const input: AdapterInput = {
      ...inputOf({ ...payload, livemode: false }),
      headers: { 'card-signature': [`t=7,v1=${'a'.repeat(64)}`] },
    };
    expect(adapter.extractGatewaySpecificMetadata(input)).toEqual({
      gateway_event_id: 'evt_1',
      gateway_event_type: 'charge.succeeded',
      livemode: false,
      signed_at: 7,
    });
  });
});

/**
 * docs.stripe.com/api/charges/object (`captured`, `amount_captured`), docs.stripe.com/payments/place-a-hold-on-a-payment-method,
 * docs.stripe.com/payments/checkout/fulfill-orders (`payment_status`), docs.stripe.com/api/disputes/object (`status`), docs.stripe.com/api/refunds/object
 * (`status`), docs.stripe.com/api/invoices/object (`billing_reason`).
 */
describe('what did not happen, and what is neither payment nor renewal', () => {
  const charge = { object: 'charge', id: 'ch_1', amount: 4900, currency: 'usd' };
  const session = { object: 'checkout.session', id: 'cs_1', amount_total: 4900, currency: 'usd' };
  const invoice = { object: 'invoice', id: 'in_1', subscription: 'sub_1' };
  it.each([
    ['charge.succeeded', { ...charge, captured: false, amount_captured: 0 }, 'payment_pending'],
    ['charge.refunded', { ...charge, captured: false, amount_captured: 0, amount_refunded: 4900 }, 'payment_cancelled'],
    ['charge.refunded', { ...charge, captured: true, amount_captured: 4900, amount_refunded: 900 }, 'payment_refunded'],
    ['refund.created', { object: 'refund', id: 're_1', status: 'failed' }, null],
    ['refund.created', { object: 'refund', id: 're_1', status: 'pending' }, 'payment_refunded'],
    ['checkout.session.completed', { ...session, payment_status: 'unpaid' }, 'payment_pending'],
    ['checkout.session.completed', { ...session, payment_status: 'paid' }, 'payment_completed'],
    ['checkout.session.completed', { ...session, payment_status: 'no_payment_required' }, null],
    ['checkout.session.async_payment_succeeded', { ...session, payment_status: 'paid' }, 'payment_completed'],
    ['checkout.session.async_payment_failed', { ...session, payment_status: 'unpaid' }, 'payment_failed'],
    ['checkout.session.expired', { ...session, payment_status: 'unpaid' }, 'payment_cancelled'],
    ['charge.dispute.closed', { object: 'dispute', id: 'dp_1', status: 'warning_closed' }, 'dispute_resolved'],
    ['invoice.payment_succeeded', { ...invoice, billing_reason: 'subscription_update' }, null],
    ['invoice.payment_succeeded', { ...invoice, billing_reason: 'subscription_threshold' }, null],
    // "invoice.paid: Sent when the invoice is successfully paid", docs.stripe.com/billing/subscriptions/webhooks
    ['invoice.paid', { ...invoice, billing_reason: 'subscription_cycle' }, 'renewal_payment_completed'],
    ['invoice.paid', { ...invoice, billing_reason: 'subscription_update' }, null],
    // "invoice.paid: … or an invoice is marked as paid out-of-band", docs.stripe.com/api/events/types; docs.stripe.com/api/invoice-payment/object
    [
      'invoice.paid',
      { ...invoice, billing_reason: 'subscription_create', paid_out_of_band: true },
      'payment_completed',
    ],
    [
      'invoice.paid',
      {
        ...invoice,
        billing_reason: 'subscription_cycle',
        payments: { data: [{ payment: { type: 'payment_record', payment_record: 'pr_1' } }] },
      },
      'renewal_payment_completed',
    ],
    // docs.stripe.com/payments/checkout/no-cost-orders
    [
      'checkout.session.completed',
      { ...session, mode: 'payment', amount_total: 0, payment_status: 'no_payment_required' },
      'payment_completed',
    ],
    [
      'checkout.session.completed',
      { ...session, mode: 'subscription', amount_total: 0, payment_status: 'no_payment_required' },
      null,
    ],
  ])('%s of %j is %s', (type, object, generic) => {
    expect(normalize(type, object).genericType).toBe(generic);
  });

  it.each([
    [{ ...invoice, billing_reason: 'subscription_create' }, 'first'],
    [{ ...invoice, billing_reason: 'subscription_cycle' }, 'renewal'],
    [{ ...invoice, billing_reason: 'quote_accept' }, 'other'],
    [{ ...session, mode: 'subscription', subscription: 'sub_1' }, 'first'],
  ])('%j is %s of its subscription', (object, billing) => {
    expect(normalize('invoice.payment_succeeded', object)).toMatchObject({ billing, subscriptionID: 'sub_1' });
  });

  it('reads the reference of a checkout and what contradicts another shop', () => {
    const metadata = { site_url: 'https://shop.example', order_key: 'wc_order_1' };
    expect(
      normalize('checkout.session.completed', { ...session, client_reference_id: '1042', metadata }).orderReference,
    ).toMatchObject({
      order_id: '1042',
      references: [{ value: '1042', from: 'client_reference_id' }],
      claims: { site_url: 'https://shop.example', order_key: 'wc_order_1' },
    });
  });
});
