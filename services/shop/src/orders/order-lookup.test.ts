import type { Order, OrderReference } from '@order-automation/contracts';
import { buildOrder } from '@order-automation/testing';
import { chooseOrder, gatewayIdsOf, gatewayKeysOf, keysOf, searchText } from './order-lookup';

const reference = (overrides: Partial<OrderReference>): OrderReference => ({
  gateway_ids: [],
  order_id: null,
  transaction_id: null,
  ...overrides,
});

const orders: Order[] = [
  buildOrder({
    id: 1,
    number: 'A-1',
    transaction_id: 'ch_1',
    meta_data: [{ key: '_payment_intent_id', value: 'pi_1' }],
  }),
  buildOrder({ id: 2, number: '1', transaction_id: 'ch_2' }),
  buildOrder({ id: 3, number: 'A-3', transaction_id: 'ch_2' }),
];

function choose(wanted: OrderReference, among = orders) {
  const candidates = new Map<string, number[]>();
  for (const order of among)
    for (const key of keysOf(order)) candidates.set(key, [...(candidates.get(key) ?? []), order.id]);
  return chooseOrder(wanted, candidates, new Map(among.map((order) => [order.id, order])));
}

test.each<[string, Partial<OrderReference>, ReturnType<typeof choose>]>([
  ['a payment intent kept as meta', { gateway_ids: ['pi_1'] }, { order_id: 1, by: 'gateway_id' }],
  ['a charge kept as transaction id', { gateway_ids: ['pi_x', 'ch_1'] }, { order_id: 1, by: 'gateway_id' }],
  ['of two orders with one id the newest', { gateway_ids: ['ch_2'] }, { order_id: 3, by: 'gateway_id' }],
  ['a gateway id before the order id', { gateway_ids: ['pi_1'], order_id: '3' }, { order_id: 1, by: 'gateway_id' }],
  ['an id before a number', { order_id: '1' }, { order_id: 1, by: 'order_id' }],
  ['a number', { order_id: '#A-3' }, { order_id: 3, by: 'order_id' }],
  ['the order id before the transaction', { order_id: '2', transaction_id: 'ch_1' }, { order_id: 2, by: 'order_id' }],
  ['a transaction', { order_id: '99', transaction_id: 'ch_1' }, { order_id: 1, by: 'transaction_id' }],
  ['nothing that exists', { gateway_ids: ['pi_9'], order_id: '99', transaction_id: 'x' }, null],
  ['nothing at all', {}, null],
  ['empty texts', { gateway_ids: ['', ' '], order_id: '', transaction_id: ' ' }, null],
  ['a number too large to be an id', { order_id: '99999999999999999999' }, null],
])('%s', (_, wanted, match) => {
  expect(choose(reference(wanted))).toEqual(match);
});

test('a key that the order does not carry any more finds nothing', () => {
  const stale = new Map([['gateway:pi_old', [1]]]);
  const byId = new Map(orders.map((order) => [order.id, order]));
  expect(chooseOrder(reference({ gateway_ids: ['pi_old'] }), stale, byId)).toBeNull();
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

test('an endless id is no key', () => {
  expect(gatewayKeysOf(reference({ gateway_ids: ['x'.repeat(5000)] }))).toEqual([]);
});

test('search text loses case and accents', () => {
  expect(searchText('  Müller   ÖZTÜRK ')).toBe('muller ozturk');
});
