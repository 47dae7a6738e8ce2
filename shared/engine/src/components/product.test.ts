import { check, conditionTable, refusesSettings } from '../../test/condition-table';
import { context, facts } from '../../test/fixtures';
import { product } from './product';

const lines = (...items: object[]) =>
  facts({ context: context({ line_items: items.map((item) => ({ product_id: 1, quantity: 1, ...item })) }) });

conditionTable(product, [
  ['any: one line', { products: ['1', '9'] }, lines({ product_id: 1 }, { product_id: 2 }), true],
  ['any: no line', { products: ['9'] }, lines({ product_id: 1 }, { product_id: 2 }), false],
  ['all: each line', { products: ['1', '2'], match: 'all' }, lines({ product_id: 1 }, { product_id: 2 }), true],
  ['all: one line is another product', { products: ['1'], match: 'all' }, lines({}, { product_id: 2 }), false],
  ['none: no line', { products: ['9'], match: 'none' }, lines({}), true],
  ['none: one line', { products: ['1'], match: 'none' }, lines({}, { product_id: 2 }), false],
  ['a variation by its own id', { products: ['77'] }, lines({ product_id: 1, variation_id: 77 }), true],
  ['a variation by its product', { products: ['1'] }, lines({ product_id: 1, variation_id: 77 }), true],
  ['another variation', { products: ['78'], match: 'all' }, lines({ product_id: 1, variation_id: 77 }), false],
  ['no items', { products: ['1'] }, lines(), false],
  ['a product that was deleted', { products: ['9'] }, lines({ product_id: 0 }), false],
  ['none: a product that was deleted', { products: ['9'], match: 'none' }, lines({ product_id: 0 }), true],
  ['none of no items', { products: ['1'], match: 'none' }, lines(), true],
]);

// WooCommerce shows the line of a product that is gone with the id 0 (WC_REST_Orders_V2_Controller::get_order_item_data; seen with WooCommerce 10.0.2).
test('the explanation says of a product that it was deleted', () => {
  const found = lines({ product_id: 0 }, { product_id: 2, variation_id: 77 });
  expect(check(product, { products: ['9'] }, found).reason).toContain('products in the order: deleted, 2, 77,');
});

refusesSettings(product, [{}, { products: [] }, { products: ['0'] }, { products: ['SKU-1'] }]);
