import { buildOrder } from '@order-automation/testing';
import { gatewayIdsOf, searchText, wantedKeys } from './order-lookup';

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
  expect(wantedKeys({ gateway_ids: ['x'.repeat(5000)], order_id: null, transaction_id: null })).toEqual([]);
});

test('search text loses case and accents', () => {
  expect(searchText('  Müller   ÖZTÜRK ')).toBe('muller ozturk');
});
