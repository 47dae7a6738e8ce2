import type { Answer } from '@order-automation/contracts';
import { recordId } from './record-types';
import type { SearchDeps } from './search';

type Found = (ids: readonly number[]) => Promise<readonly { readonly id: number }[]>;

async function missingOf(ids: readonly string[], found: Found): Promise<string[]> {
  const numbers = ids.map((id) => recordId('product', id)).filter((id) => typeof id === 'number');
  const known = new Set(numbers.length === 0 ? [] : (await found(numbers)).map(({ id }) => String(id)));
  return ids.filter((id) => !known.has(id));
}

export const missingRecords: Answer<'shop.record.known.v1', Pick<SearchDeps, 'products' | 'records'>> = async (
  { products, categories, product_tags },
  deps,
) => {
  const { records } = deps;
  const productsById: Found = async (ids) => (await deps.products.byIds(ids)).map(({ product }) => product);
  return {
    missing: {
      products: await missingOf(products, productsById),
      categories: await missingOf(categories, (ids) => records.byIds('category', ids)),
      product_tags: await missingOf(product_tags, (ids) => records.byIds('tag', ids)),
    },
  };
};
