import type { GenericType } from '@order-automation/contracts';
import type { AdapterInput, GatewayAdapter, RawInput } from './adapter';
import { cardAdapter } from './card/adapter';
import { genericAdapter } from './generic/adapter';
import { parsePayload } from './payload';
import { shopAdapter } from './shop/adapter';
import { walletAdapter } from './wallet/adapter';

/*
 * Every id of section 6 of the specification: from a payload as the gateway sends it, through the adapter's own proof, to the universal
 * event. The payloads are those of the test route.
 */

const now = Date.parse('2026-03-01T12:00:00.000Z');
const order = { id: '1010', total: '49.90', currency: 'EUR', transaction: 'T1' };
const secrets = [{ value: 'whsec_0123456789abcdef', expiresAt: null }];
const card = cardAdapter({ secrets: () => secrets, mode: 'live' });
const wallet = walletAdapter({
  webhookId: 'WH-CONFIGURED',
  certificateById: () => undefined,
  certificates: () => 0,
  trust: () => ({ roots: [], subject: '*.example.com' }),
  postBack: undefined,
  receivers: new Set(),
});
const generic = genericAdapter({ requireConnection: false, hasConnections: () => false });
const shop = shopAdapter({ secrets: () => secrets });

function received(adapter: GatewayAdapter, id: string, about = order) {
  const context = { connection: null, otherConnections: () => [], withinRate: true, testProof: null };
  const sample = adapter.sample?.(id, about, now, context);
  if (!sample) throw new Error('no sample');
  const raw: RawInput = { connection: null, headers: sample.headers, body: sample.body, now };
  const proven = adapter.validateAuthenticity(raw, { ...context, testProof: sample.testProof });
  const { payload, refusal } = adapter.parse?.(raw) ?? parsePayload(raw.body);
  if (!payload) throw new Error(refusal.text);
  const input: AdapterInput = { ...raw, context, payload };
  expect(adapter.canHandle(input)).toBe(true);
  expect(adapter.objection?.(input)).toBeUndefined();
  const [event, ...more] = adapter.normalize(input);
  if (!event || more.length > 0) throw new Error(`${more.length} events`);
  return {
    event,
    proven,
    key: adapter.computeIdempotencyKey(input),
    transaction: adapter.extractTransactionId(payload),
  };
}

/** Id, generic type, and of what has them order, transaction and amount. */
type Row = readonly [
  id: string,
  generic: GenericType | null,
  order: boolean,
  transaction: string | null,
  amount: boolean,
];

const cardRows: readonly Row[] = [
  ['payment_intent_created', 'payment_created', true, 'pi_T1', true],
  ['payment_intent_succeeded', 'payment_completed', true, 'pi_T1', true],
  ['payment_intent_payment_failed', 'payment_failed', true, 'pi_T1', true],
  ['payment_intent_canceled', 'payment_cancelled', true, 'pi_T1', true],
  ['payment_intent_requires_action', 'payment_pending', true, 'pi_T1', true],
  ['payment_intent_processing', 'payment_processing', true, 'pi_T1', true],
  ['charge_succeeded', 'payment_completed', true, 'pi_T1', true],
  ['charge_failed', 'payment_failed', true, 'pi_T1', true],
  ['charge_pending', 'payment_pending', true, 'pi_T1', true],
  ['charge_captured', 'payment_completed', true, 'pi_T1', true],
  ['charge_updated', null, true, 'pi_T1', true],
  ['charge_refunded', 'payment_refunded', true, 'pi_T1', true],
  ['charge_dispute_created', 'dispute_opened', true, 'pi_T1', true],
  ['charge_dispute_updated', null, true, 'pi_T1', true],
  ['charge_dispute_closed', 'dispute_won', true, 'pi_T1', true],
  ['charge_dispute_funds_withdrawn', 'payment_reversed', true, 'pi_T1', true],
  ['charge_dispute_funds_reinstated', null, true, 'pi_T1', true],
  ['refund_created', 'payment_refunded', true, 'pi_T1', true],
  ['refund_updated', null, true, 'pi_T1', true],
  ['refund_failed', null, true, 'pi_T1', true],
  ['customer_subscription_created', 'subscription_created', true, null, false],
  ['customer_subscription_updated', null, true, null, false],
  ['customer_subscription_deleted', 'subscription_cancelled', true, null, false],
  ['customer_subscription_trial_will_end', null, true, null, false],
  ['customer_subscription_paused', 'subscription_suspended', true, null, false],
  ['customer_subscription_resumed', 'subscription_reactivated', true, null, false],
  ['invoice_created', null, true, 'pi_T1', true],
  ['invoice_finalized', null, true, 'pi_T1', true],
  ['invoice_payment_succeeded', 'renewal_payment_completed', true, 'pi_T1', true],
  ['invoice_payment_failed', 'renewal_payment_failed', true, 'pi_T1', true],
  ['invoice_payment_action_required', 'renewal_payment_pending', true, 'pi_T1', true],
  ['invoice_upcoming', null, true, 'pi_T1', true],
  ['invoice_voided', null, true, 'pi_T1', true],
  ['customer_created', null, false, null, false],
  ['customer_updated', null, false, null, false],
  ['customer_deleted', null, false, null, false],
  ['customer_source_created', null, false, null, false],
  ['customer_source_updated', null, false, null, false],
  ['customer_source_deleted', null, false, null, false],
  ['payout_created', null, false, null, true],
  ['payout_updated', null, false, null, true],
  ['payout_paid', null, false, null, true],
  ['payout_failed', null, false, null, true],
  ['payout_canceled', null, false, null, true],
  ['setup_intent_created', null, false, null, false],
  ['setup_intent_succeeded', null, false, null, false],
  ['setup_intent_setup_failed', null, false, null, false],
  ['setup_intent_canceled', null, false, null, false],
  ['price_created', null, false, null, true],
  ['price_updated', null, false, null, true],
  ['product_created', null, false, null, false],
  ['product_updated', null, false, null, false],
];

const walletRows: readonly Row[] = [
  ['payment_created', 'payment_created', true, 'T1', true],
  ['payment_completed', 'payment_completed', true, 'T1', true],
  ['payment_denied', 'payment_denied', true, 'T1', true],
  ['payment_pending', 'payment_pending', true, 'T1', true],
  ['payment_failed', 'payment_failed', true, 'T1', true],
  ['payment_refunded', 'payment_refunded', true, 'T1', true],
  ['payment_reversed', 'payment_reversed', true, 'T1', true],
  ['payment_voided', 'payment_cancelled', true, 'T1', true],
  ['subscription_created', 'subscription_created', true, null, false],
  ['subscription_approved', 'subscription_approved', true, null, false],
  ['subscription_cancelled', 'subscription_cancelled', true, null, false],
  ['subscription_suspended', 'subscription_suspended', true, null, false],
  ['subscription_reactivated', 'subscription_reactivated', true, null, false],
  ['subscription_completed', 'subscription_completed', true, null, false],
  ['subscription_expired', 'subscription_expired', true, null, false],
  ['recurring_payment', 'renewal_payment_completed', true, 'T1', true],
  ['recurring_payment_profile_created', 'subscription_created', true, null, false],
  ['recurring_payment_failed', 'renewal_payment_failed', true, 'T1', true],
  ['recurring_payment_skipped', 'renewal_payment_pending', true, 'T1', true],
  ['recurring_payment_suspended', 'subscription_suspended', true, null, false],
  ['recurring_payment_cancelled', 'subscription_cancelled', true, null, false],
  ['renewal_payment_processing', 'renewal_payment_processing', true, 'T1', true],
  ['renewal_payment_completed', 'renewal_payment_completed', true, 'T1', true],
  ['renewal_payment_failed', 'renewal_payment_failed', true, 'T1', true],
  ['renewal_payment_pending', 'renewal_payment_pending', true, 'T1', true],
  ['trial_started', 'trial_started', true, null, false],
  ['trial_ended', 'trial_ended', true, null, false],
  ['dispute_opened', 'dispute_opened', true, 'T1', true],
  ['dispute_resolved', 'dispute_resolved', true, 'T1', true],
  ['dispute_won', 'dispute_won', true, 'T1', true],
  ['dispute_lost', 'dispute_lost', true, 'T1', true],
  ['express_checkout_created', 'payment_created', true, 'O-T1', true],
  ['express_checkout_completed', 'payment_completed', true, 'T1', true],
  ['mass_payment_completed', null, false, null, false],
  ['mass_payment_failed', null, false, null, false],
  ['authorization_created', 'payment_pending', true, 'T1', true],
  ['authorization_voided', 'payment_cancelled', true, 'T1', true],
  ['authorization_expired', 'payment_cancelled', true, 'T1', true],
];

const genericIds = [
  'payment_completed',
  'payment_failed',
  'payment_pending',
  'payment_refunded',
  'payment_cancelled',
  'order_updated',
  'order_completed',
  'order_cancelled',
  'subscription_created',
  'subscription_cancelled',
  'subscription_renewed',
  'custom_event',
] as const;
const genericRows: readonly Row[] = genericIds.map((id) => [id, id, true, 'T1', true]);

const noOrderAmounts: Record<string, string> = { payout: '1000.00', price: '49.00' };

describe.each([
  ['gateway_card', card, 'payment.card.', cardRows, 52],
  ['gateway_wallet', wallet, 'payment.wallet.', walletRows, 38],
  ['generic', generic, '', genericRows, 12],
] as const)('%s', (_gateway, adapter, prefix, rows, count) => {
  test('has every id of the specification, each with a label', () => {
    expect(rows).toHaveLength(count);
    expect([...adapter.getSupportedEventTypes()].sort()).toEqual(rows.map(([id]) => id).sort());
    for (const [id] of rows) expect(adapter.eventTypes?.[id]?.label).toMatch(/^[A-Z]/);
  });

  test.each(rows)('%s', (id, genericType, named, transaction, amount) => {
    const { event, proven, transaction: extracted } = received(adapter, id);
    expect(proven).toMatchObject({ kind: adapter === generic ? 'unauthenticated' : 'authentic' });
    const other = Object.entries(noOrderAmounts).find(([kind]) => id.startsWith(`${kind}_`))?.[1];
    expect(event).toMatchObject({
      eventType: `${prefix}${id}`,
      genericType,
      transactionID: transaction,
      amount: amount ? (other ?? '49.90') : null,
      amountProblem: null,
      orderReference: { order_id: named ? '1010' : null, transaction_id: transaction },
    });
    if (amount) expect(event.currency).toBe('EUR');
    if (transaction !== null) expect(extracted).toBe(transaction);
  });

  test.each([
    ['JPY', '4990'],
    ['ISK', '4990'],
    ['UGX', '4990'],
    ['MGA', '4990.00'],
    ['KWD', '49.900'],
    ['USD', '49.90'],
  ])('amounts have the decimals of %s', (currency, total) => {
    const id = adapter === card ? 'payment_intent_succeeded' : 'payment_completed';
    expect(received(adapter, id, { ...order, total, currency }).event).toMatchObject({ amount: total, currency });
  });

  test('every event has a key of its own', () => {
    expect(new Set(rows.map(([id]) => received(adapter, id).key)).size).toBe(rows.length);
  });
});

describe('gateway_shop, the example of a custom adapter', () => {
  test.each([
    ['order_created', 'order_created', 'order_created'],
    ['order_updated', 'order_updated', 'order_updated'],
    ['order_completed', 'order_completed', 'order_completed'],
    ['order_cancelled', 'order_cancelled', 'order_cancelled'],
    ['order_restored', 'order_restored', 'order_updated'],
  ])('%s', (sample, id, genericType) => {
    const { event, proven } = received(shop, sample);
    expect(proven).toEqual({ kind: 'authentic' });
    expect(event).toMatchObject({
      eventType: `payment.shop.${id}`,
      genericType,
      transactionID: 'T1',
      amount: '49.90',
      currency: 'EUR',
      orderReference: { order_id: '1010', transaction_id: 'T1' },
    });
  });

  test('what is not about an order names none', () => {
    const body = Buffer.from('{"id":7,"total":"1.00","status":"publish"}');
    const context = { connection: null, otherConnections: () => [], withinRate: true, testProof: null };
    const headers = { 'x-wc-webhook-topic': ['product.updated'] };
    const [event] = shop.normalize({
      connection: null,
      headers,
      body,
      now,
      context,
      payload: { id: 7, total: '1.00' },
    });
    expect(event).toMatchObject({ genericType: null, amount: null, orderReference: { order_id: null } });
  });
});

describe('original names', () => {
  test.each([
    ['card', 'payment_intent.payment_failed', 'payment_failed'],
    ['card', 'charge.dispute.funds_withdrawn', 'payment_reversed'],
    ['card', 'customer.subscription.deleted', 'subscription_cancelled'],
    ['wallet', 'PAYMENT.CAPTURE.COMPLETED', 'payment_completed'],
    ['wallet', 'PAYMENT.CAPTURE.REVERSED', 'payment_reversed'],
    ['wallet', 'BILLING.SUBSCRIPTION.RE-ACTIVATED', 'subscription_reactivated'],
    ['wallet', 'CUSTOMER.DISPUTE.CREATED', 'dispute_opened'],
    ['wallet', 'SOMETHING.ELSE', null],
    ['shop', 'order.updated', 'order_updated'],
    ['generic', 'order.canceled', 'order_cancelled'],
  ] as const)('%s: %s', (gateway, name, genericType) => {
    expect({ card, wallet, shop, generic }[gateway].mapEventType(name)).toBe(genericType);
  });
});
