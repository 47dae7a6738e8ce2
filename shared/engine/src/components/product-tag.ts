import { productTerms } from '../product-terms';

export const productTag = productTerms({
  id: 'product_tag',
  label: 'Product tag',
  description: 'Checks the tags of the products in the order.',
  setting: 'tags',
  title: 'Tags',
  source: 'product_tags',
  thing: 'tag',
  termsOf: ({ tag_ids }) => tag_ids,
  withTerms: (product, terms) => ({ ...product, tag_ids: [...terms] }),
});
