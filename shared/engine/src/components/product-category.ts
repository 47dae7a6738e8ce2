import { productTerms } from '../product-terms';

/** A category above that of a product is one of its categories. */
export const productCategory = productTerms({
  id: 'product_category',
  label: 'Product category',
  description: 'Checks the categories of the products in the order, including parent categories.',
  setting: 'categories',
  title: 'Categories',
  source: 'categories',
  thing: 'category',
  termsOf: ({ category_ids, parent_category_ids = [] }) => [...category_ids, ...parent_category_ids],
  withTerms: (product, terms) => ({ ...product, category_ids: [...terms], parent_category_ids: [] }),
});
