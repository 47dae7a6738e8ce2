import { dataIn } from './free-text';
import { saidAt, saidInData, saidInFreeText } from './references';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/**
 * `[order id, order key]` as JSON and as PHP's `serialize` wrote it: get_paypal_order of WooCommerce, https://github.com/woocommerce/woocommerce-paypal-payments/issues/2066;
 * the key alone finds an order there, too (`woocommerce_get_order_id_by_order_key`, https://github.com/woocommerce/woocommerce/pull/1442).
 */
test.each<[string, readonly string[], string | undefined]>([
  ['{"order_id":12,"order_key":"wc_order_x"}', ['12'], 'wc_order_x'],
  ['{"ORDER_ID":12}', ['12'], undefined],
  ['{"order":{"id":12,"key":"wc_order_x"}}', ['12'], 'wc_order_x'],
  ['{"data":{"order_id":12}}', ['12'], undefined],
  ['{"data":"{\\"order_id\\":12}"}', ['12'], undefined],
  ['{"id":12,"key":"wc_order_x"}', ['12'], 'wc_order_x'],
  ['{"id":12}', [], undefined],
  ['[12,"wc_order_x"]', ['12'], 'wc_order_x'],
  ['[12,13]', [], undefined],
  ['a:2:{s:8:"order_id";i:12;s:9:"order_key";s:10:"wc_order_x";}', ['12'], 'wc_order_x'],
  ['a:2:{i:0;i:12;i:1;i:13;}', [], undefined],
  ['order_id=12&order_key=wc_order_x', ['12'], 'wc_order_x'],
  ['user=7&item=3', [], undefined],
  ['12|wc_order_x', ['12'], 'wc_order_x'],
  ['wc_order_x,12', ['12'], 'wc_order_x'],
  ['wc_order_x', [], 'wc_order_x'],
  // `get_order_key() . '-' . get_id()`: WooCommerce's plugin of OpenPix (generate_correlation_id); Worldpay's puts a time behind it (cartId).
  ['wc_order_x-12', ['12'], 'wc_order_x'],
  ['wc_order_x_12', ['12'], 'wc_order_x'],
  ['wc_order_x-12-1698765432', ['12'], 'wc_order_x'],
  ['wc_order_x_1698765432', [], 'wc_order_x_1698765432'],
  ['%7B%22order_id%22%3A12%7D', ['12'], undefined],
  ['%E0%A4%A', ['%E0%A4%A'], undefined],
  ['{&quot;order_id&quot;:12}', ['12'], undefined],
  ['{\\"order_id\\":12}', ['12'], undefined],
  [base64('{"order_id":12,"order_key":"wc_order_x"}'), ['12'], 'wc_order_x'],
  [base64('order_id=12'), ['12'], undefined],
  ['PAYID-MABCDEF123456789', ['PAYID-MABCDEF123456789'], undefined],
  ['CX_12345-90df7d7cd29f46bd8ff510b65f123579', ['CX_12345-90df7d7cd29f46bd8ff510b65f123579'], undefined],
  ['MTI=', ['MTI='], undefined],
  ['ada@shop.example', [], undefined],
  ['{"order_id":12', [], undefined],
])('%s', (text, values, key) => {
  const { references, claims } = saidInFreeText(text, 'custom');
  expect([references.map(({ value }) => value), claims.order_key]).toEqual([values, key]);
});

test('a field that holds nothing but a reference may have the key of the order in it', () => {
  const said = saidAt('wc_order_x-12', 'reference');
  expect(said).toEqual({
    references: [{ value: '12', from: 'reference.order_id' }],
    claims: { order_key: 'wc_order_x' },
  });
  expect(saidAt('12', 'reference')).toEqual({ references: [{ value: '12', from: 'reference' }], claims: {} });
});

test('a text that is longer than any reference may hold data', () => {
  const text = JSON.stringify({ note: 'x'.repeat(1_000), order_id: 12 });
  expect(saidInFreeText(text, 'custom').references).toEqual([{ value: '12', from: 'custom.order_id' }]);
  expect(saidInFreeText('x'.repeat(5_000), 'custom').references).toEqual([]);
});

test.each<[Record<string, unknown>, readonly string[]]>([
  [{ orderId: '12' }, ['12']],
  [{ 'Order ID': 12, 'Order #': 'N12' }, ['12', 'N12']],
  // What is counted is one of several: a cart of two vendors, an order and the one that it was split from.
  [{ order_id_2: 13, order_id: 12 }, ['12']],
  [{ '1_order_id': 12 }, ['12']],
  [{ woocommerce_order_id: '12', wc_order_number: 'N12' }, ['12', 'N12']],
  // github.com/solidusio/solidus_stripe, github.com/spree/spree_stripe; Easy Digital Downloads with its Stripe gateway
  [{ solidus_order_number: 'R123456789' }, ['R123456789']],
  [{ spree_order_id: 12 }, ['12']],
  [{ edd_payment_id: '12', edd_payment_total: '49.00' }, ['12']],
  [{ original_order_id: '3', paypal_order_id: '4' }, []],
  [{ order_id: null, orderId: '12' }, ['12']],
  [{ order: '3' }, []],
  [{ invoice_number: '3', transaction_id: '4' }, []],
  [{ signature: 'abc', order_id: 1 }, ['1']],
])('metadata %j', (metadata, values) =>
  expect(saidInData(metadata, 'metadata').references.map(({ value }) => value)).toEqual(values),
);

test('what is no data', () => {
  for (const text of ['', '12', 'WC-12', '{', 'a:1:{', '=', '&', '|', '[]', '""']) expect(dataIn(text)).toBeUndefined();
});
