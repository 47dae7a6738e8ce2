import { conditionTable, refusesSettings } from '../../test/condition-table';
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
  ['none of no items', { products: ['1'], match: 'none' }, lines(), true],
]);
refusesSettings(product, [{}, { products: [] }, { products: ['0'] }, { products: ['SKU-1'] }]);
