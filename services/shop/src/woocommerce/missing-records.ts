import type { Answer } from '@order-automation/contracts';
import type { WooCommerce } from './client';
import { asFields, isId } from './order-mapping';
import { batchesOf } from './paging';

/** Products looked up singly; further ones count as known. */
const maxSingly = 20;

export const missingRecords: Answer<'shop.record.known.v1', WooCommerce> = async (
  { products, categories, product_tags },
  shop,
) => {
  const unlisted = await notListed('wc/v3/products', products, shop);
  const looks = unlisted.filter(isId).slice(0, maxSingly);
  // No list of products has variations; one read by its id is there.
  const found = await Promise.all(looks.map((id) => shop.get(`wc/v3/products/${id}`, { _fields: 'id' })));
  const absent = looks.filter((_id, at) => found[at] === null);
  return {
    missing: {
      products: unlisted.filter((id) => !isId(id) || absent.includes(id)),
      categories: await notListed('wc/v3/products/categories', categories, shop),
      product_tags: await notListed('wc/v3/products/tags', product_tags, shop),
    },
  };
};

async function notListed(path: string, ids: readonly string[], shop: WooCommerce): Promise<string[]> {
  const known = new Set<string>();
  for (const batch of batchesOf(ids.filter(isId))) {
    const { items } = await shop.page(path, { include: batch.join(','), per_page: batch.length, _fields: 'id' });
    for (const item of items) known.add(String(asFields(item).id));
  }
  return ids.filter((id) => !known.has(id));
}
