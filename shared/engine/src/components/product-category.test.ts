import { conditionTable, refusesSettings } from '../../test/condition-table';
import { context, facts } from '../../test/fixtures';
import { productCategory } from './product-category';

/** A product a line, in these categories. */
const inCategories = (...categories: (readonly number[])[]) => {
  const { order, products } = context(
    {},
    categories.map(() => 'simple'),
  );
  return facts({
    context: {
      order,
      products: products.map((product, at) => ({ ...product, category_ids: [...(categories[at] ?? [])] })),
    },
  });
};
const below = () => {
  const { order, products } = context();
  return facts({
    context: { order, products: products.map((one) => ({ ...one, category_ids: [9], parent_category_ids: [3] })) },
  });
};
const gone = facts({ context: { order: context().order, products: [] } });

conditionTable(productCategory, [
  ['any: one product is in one', { categories: ['3', '4'] }, inCategories([1], [4]), true],
  ['any: no product is', { categories: ['3'] }, inCategories([1], [4]), false],
  ['all: each product is in one of them', { categories: ['1', '4'], match: 'all' }, inCategories([1], [4]), true],
  ['all: one product is not', { categories: ['1'], match: 'all' }, inCategories([1], [4]), false],
  ['none: no product is', { categories: ['7'], match: 'none' }, inCategories([1], [4]), true],
  ['none: one product is', { categories: ['4'], match: 'none' }, inCategories([1], [4]), false],
  ['a category above that of the product', { categories: ['3'] }, below(), true],
  ['a product without categories', { categories: ['3'] }, inCategories([]), false],
  ['a product that the shop no longer has', { categories: ['3'] }, gone, false],
  ['none of a product that is gone', { categories: ['3'], match: 'none' }, gone, true],
  ['no items', { categories: ['3'] }, inCategories(), false],
  ['all of no items', { categories: ['3'], match: 'all' }, inCategories(), false],
  ['none of no items', { categories: ['3'], match: 'none' }, inCategories(), true],
]);
refusesSettings(productCategory, [
  {},
  { categories: [] },
  { categories: ['books'] },
  { categories: ['3'], match: 'some' },
]);
