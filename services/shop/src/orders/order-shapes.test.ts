import { orderSchema } from '@order-automation/contracts';
import { buildOrder } from '@order-automation/testing';
import { inOrderShapes } from './order-shapes';

/**
 * "The `meta_data` attribute in an order object … is full of empty arrays" (https://github.com/woocommerce/woocommerce/issues/17003), "when such an array was
 * converted to JSON, it was interpreted as an object" (https://github.com/woocommerce/woocommerce/pull/34966), "the meta … contains an object instead of a
 * list of objects" (https://github.com/woocommerce/woocommerce/issues/14184), "passing null for the billing email to clear it"
 * (https://github.com/woocommerce/woocommerce/pull/30850), `total: 10` of a shipping line (https://github.com/woocommerce/woocommerce/issues/11620), numbers
 * and texts mixed up in lines (https://github.com/woocommerce/woocommerce/issues/17766), `wc-` before a status
 * (https://github.com/woocommerce/woocommerce/issues/45266).
 */
test.each<[string, Record<string, unknown>, Record<string, unknown>]>([
  ['empty lists for objects', { billing: [], shipping: [] }, { billing: {}, shipping: {} }],
  ['nothing for objects', { billing: null, shipping: false }, { billing: {}, shipping: {} }],
  [
    'empty objects for lists',
    { line_items: {}, meta_data: {}, refunds: {} },
    { line_items: [], meta_data: [], refunds: [] },
  ],
  [
    'nothing for lists',
    { line_items: null, coupon_lines: '', refunds: null },
    { line_items: [], coupon_lines: [], refunds: [] },
  ],
  [
    'a list with gaps',
    { meta_data: { 0: { id: 4, key: '_a', value: 'x' }, 7: { id: 5, key: '_b', value: null } } },
    {
      meta_data: [
        { id: 4, key: '_a', value: 'x' },
        { id: 5, key: '_b', value: null },
      ],
    },
  ],
  [
    'a map',
    { meta_data: { _gift: 'yes', _n: 3 } },
    {
      meta_data: [
        { key: '_gift', value: 'yes' },
        { key: '_n', value: 3 },
      ],
    },
  ],
  ['empty rows', { meta_data: [[], {}, { key: '_a', value: 1 }] }, { meta_data: [{ key: '_a', value: 1 }] }],
  [
    'rows with text and null for ids',
    {
      meta_data: [
        { id: '9', key: 12, value: [] },
        { id: null, key: 'k', value: {} },
      ],
    },
    {
      meta_data: [
        { id: 9, key: '12', value: [] },
        { key: 'k', value: {} },
      ],
    },
  ],
  [
    'nothing for texts',
    { transaction_id: null, customer_note: null, payment_method: false },
    { transaction_id: '', customer_note: '', payment_method: '' },
  ],
  ['nothing for what an order keeps', { number: null, status: null, currency: '', total: null }, {}],
  [
    'numbers for texts',
    { transaction_id: 4711, number: 12, billing: { phone: 49301234, email: null } },
    { transaction_id: '4711', number: '12', billing: { phone: '49301234', email: '' } },
  ],
  [
    'text for numbers',
    { customer_id: '7', line_items: [{ id: '3', product_id: '12', quantity: '0.5', total: 49 }] },
    { customer_id: 7, line_items: [{ id: 3, product_id: 12, quantity: 0.5, total: '49' }] },
  ],
  [
    'no product',
    { line_items: [{ product_id: null, variation_id: '', quantity: 2, name: null, total: '' }] },
    { line_items: [{ product_id: 0, quantity: 2, name: '' }] },
  ],
  [
    'other lines',
    {
      shipping_lines: [{ method_id: null, total: 10 }],
      coupon_lines: [{ code: 10 }],
      refunds: [{ id: '5', reason: null, total: -4.5 }],
    },
    {
      shipping_lines: [{ method_id: '', total: '10' }],
      coupon_lines: [{ code: '10' }],
      refunds: [{ id: 5, reason: null, total: '-4.5' }],
    },
  ],
  ['a prefixed status', { status: ' wc-Ready-to-ship' }, { status: 'ready-to-ship' }],
  [
    'SKUs and reasons that are no text',
    {
      line_items: [
        { product_id: 1, quantity: 1, sku: 4711 },
        { product_id: 1, quantity: 1, sku: false },
        { product_id: 1, quantity: 1, sku: null },
      ],
      refunds: [{ reason: 5 }, { reason: false }, { reason: null }],
    },
    {
      line_items: [
        { product_id: 1, quantity: 1, sku: '4711' },
        { product_id: 1, quantity: 1, sku: '' },
        { product_id: 1, quantity: 1, sku: null },
      ],
      refunds: [{ reason: '5' }, { reason: '' }, { reason: null }],
    },
  ],
  [
    'fields of others',
    { parent_id: null, plugin: [], constructor: null },
    { parent_id: null, plugin: [], constructor: null },
  ],
])('%s', (_what, written, expected) => {
  expect(inOrderShapes(written)).toEqual(expected);
  expect(orderSchema.safeParse({ ...buildOrder({ id: 5 }), ...inOrderShapes(written) }).error).toBeUndefined();
});

test.each([
  { line_items: 'all' },
  { total: 'free' },
  { billing: 'Ada' },
  { line_items: [{ product_id: 'x', quantity: '1,5' }] },
])('%j has no plain meaning and stays', (written) => expect(inOrderShapes(written)).toEqual(written));

test('an order that has these shapes is not changed', () => {
  const order = buildOrder({ id: 5, meta_data: [{ id: 1, key: '_a', value: { '1.3': [] } }] });
  expect(inOrderShapes(order)).toEqual(order);
});
