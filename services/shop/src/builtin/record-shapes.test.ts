import type { RecordType } from '@order-automation/contracts';
import { checkedRecord } from './record-service';
import type { AnyRecord } from './record-types';

/** The same shapes as of orders (order-shapes.test.ts); `yes` and `no` are WooCommerce's own (https://github.com/woocommerce/woocommerce, `wc_string_to_bool`). */
test.each<[string, RecordType, AnyRecord, AnyRecord]>([
  [
    'a product with nothing in many fields',
    'product',
    { id: '5', name: 'Cheese', slug: null, sku: null, price: 4.5, categories: {}, tags: null, stock_quantity: '' },
    { id: 5, slug: '', sku: '', price: '4.5', categories: [], tags: [], stock_quantity: null },
  ],
  [
    'a product with text for numbers and truth',
    'product',
    {
      id: 5,
      name: 'Cheese',
      virtual: 'no',
      downloadable: 1,
      manage_stock: 'yes',
      stock_quantity: '2.5',
      parent_id: '0',
      variations: { 0: '7', 3: '8' },
      categories: { 2: { id: '9', name: 'Food', slug: null } },
    },
    {
      virtual: false,
      downloadable: true,
      manage_stock: true,
      stock_quantity: 2.5,
      parent_id: 0,
      variations: [7, 8],
      categories: [{ id: 9, name: 'Food', slug: '' }],
    },
  ],
  [
    'a variation whose stock is its product’s',
    'product',
    { id: 6, name: 'X', manage_stock: 'parent' },
    { manage_stock: 'parent' },
  ],
  [
    'a customer',
    'customer',
    { id: '7', email: null, billing: [], shipping: null, role: null },
    { id: 7, email: '', billing: {}, shipping: {}, role: 'customer' },
  ],
  [
    'a category',
    'category',
    { id: '8', name: 'Food', parent: null, description: null },
    { id: 8, parent: 0, description: '' },
  ],
])('%s', (_what, type, fields, expected) => {
  const checked = checkedRecord(type, undefined, fields.id as string, fields);
  expect(checked).toMatchObject({ ok: true, record: expected });
});

test.each<[RecordType, AnyRecord]>([
  ['product', { id: 5, name: null }],
  ['product', { id: 'x', name: 'X' }],
  ['product', { id: 5, name: 'X', virtual: 'perhaps' }],
  ['customer', { id: 7, billing: 'Ada' }],
])('%s %j is refused', (type, fields) =>
  expect(checkedRecord(type, undefined, fields.id as string, fields).ok).toBe(false),
);
