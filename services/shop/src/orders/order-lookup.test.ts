import type { OrderReference } from '@order-automation/contracts';
import { buildOrder } from '@order-automation/testing';
import { gatewayIdsOf, namesOf, searchText, wantedIds, wantedKeys } from './order-lookup';

const reference = (overrides: Partial<OrderReference>): OrderReference => ({
  gateway_ids: [],
  order_id: null,
  transaction_id: null,
  ...overrides,
});

test('an id of a gateway is taken from known meta only, when it is text or a number', () => {
  const order = buildOrder({
    transaction_id: '',
    meta_data: [
      { key: '_charge_id', value: 77 },
      { key: '_invoice_id', value: { $ne: '' } },
      { key: '_other', value: 'pi_9' },
    ],
  });
  expect(gatewayIdsOf(order)).toEqual(['77']);
});

test('an order is named by what an event waits for: prefix, attempt and # make no difference', () => {
  const names = namesOf(buildOrder({ id: 7, number: '#1042', transaction_id: 'ch_1', meta_data: [] }));
  expect(names).toEqual(['gateway:ch_1', 'number:7', 'number:1042']);
  expect(wantedKeys(reference({ order_id: 'WC-1042_1698765432', transaction_id: 'ch_1' }))).toEqual(
    expect.arrayContaining(['gateway:ch_1', 'number:1042']),
  );
  expect(wantedIds(reference({ order_id: '1042-1698765432' }))).toEqual([1042]);
});

/**
 * Keys as plugins write them: WooPayments, Mollie, Square, Klarna, Paystack, GoCardless, Checkout.com (card and flow), Airwallex, BTCPay (their repositories
 * woocommerce-payments, mollie/WooCommerce, gocardless/woocommerce-gateway-gocardless, checkout/checkout-woocommerce-plugin, ...).
 */
test.each([
  '_intent_id',
  '_mollie_payment_id',
  '_wc_square_credit_card_trans_id',
  '_wc_klarna_order_id',
  '_paystack_txn_ref',
  '_gocardless_payment_id',
  '_cko_payment_id',
  '_cko_flow_payment_id',
  '_tmp_airwallex_payment_intent',
  'BTCPay_id',
])('an order can be found by its field %s', (key) => {
  expect(gatewayIdsOf(buildOrder({ transaction_id: '', meta_data: [{ key, value: 'id_1' }] }))).toEqual(['id_1']);
});

test('an endless id is no key, and a number too large is no id', () => {
  expect(wantedKeys(reference({ gateway_ids: ['x'.repeat(5000), ' '], order_id: '' }))).toEqual([]);
  expect(wantedIds(reference({ order_id: '99999999999999999999' }))).toEqual([]);
});

test('search text loses case and accents', () => {
  expect(searchText('  Müller   ÖZTÜRK ')).toBe('muller ozturk');
});
