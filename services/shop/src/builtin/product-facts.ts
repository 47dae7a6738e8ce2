import type { Order, OrderContext, ProductFacts } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { type OrderDocument, revisionOf } from './order-document';
import { factsOf, type Product, type Products } from './products';
import type { Records } from './records';

/** Milliseconds until a product that another instance wrote is noticed. What this instance writes is fresh at once. */
const revisionTtl = 1_000;

/** Facts about products, kept in memory as long as the revision of the products stays: there are few, and every event asks for some. */
export function productFactsCache(products: Products, records: Records, revision: () => Promise<number>, clock: Clock) {
  let kept = new Map<number, ProductFacts | null>();
  let keptRevision = -1;
  let checkedAt = Number.NEGATIVE_INFINITY;

  const refresh = async (): Promise<void> => {
    if (Math.abs(clock.now() - checkedAt) < revisionTtl) return;
    const current = await revision();
    if (current !== keptRevision) kept = new Map();
    keptRevision = current;
    checkedAt = clock.now();
  };

  const factsFor = async (ids: readonly number[]): Promise<ReadonlyMap<number, ProductFacts | null>> => {
    if (ids.length === 0) return kept;
    await refresh();
    const facts = kept;
    const missing = ids.filter((id) => !facts.has(id));
    if (missing.length === 0) return facts;
    const found = await read(missing);
    const parents = await read([...found.values()].map(({ parent_id }) => parent_id).filter((id) => id > 0));
    const above = await categoryParents([...found.values(), ...parents.values()]);
    for (const id of missing) {
      const product = found.get(id);
      facts.set(id, product ? factsOf(product, parents.get(product.parent_id), above) : null);
    }
    return facts;
  };

  const read = async (ids: readonly number[]): Promise<Map<number, Product>> =>
    new Map(ids.length === 0 ? [] : (await products.byIds(ids)).map(({ _id, product }) => [_id, product]));

  /** The category above each category that these products are in, at every level: one query a level. */
  const categoryParents = async (read: readonly Product[]): Promise<Map<number, number>> => {
    const parents = new Map<number, number>();
    let ids = read.flatMap(({ categories }) => categories.map(({ id }) => id));
    while (ids.length > 0) {
      const categories = await records.byIds('category', [...new Set(ids)]);
      for (const { id, parent } of categories) parents.set(id, parent);
      ids = categories.flatMap(({ parent }) => (parent > 0 && !parents.has(parent) ? [parent] : []));
    }
    return parents;
  };

  return {
    /** Each order with the facts about the products in it; a product that does not exist is left out. */
    contexts: async (documents: readonly OrderDocument[]): Promise<OrderContext[]> => {
      const facts = await factsFor([...new Set(documents.flatMap(({ order }) => productIds(order)))]);
      return documents.map((document) => ({
        order: document.order,
        products: productIds(document.order).flatMap((id) => facts.get(id) ?? []),
        revision: revisionOf(document),
      }));
    },
    /** To be called after every write to a product. */
    forget: () => {
      kept = new Map();
      checkedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

/** Products and variations: a line names its product, and its variation where it has one. */
function productIds({ line_items }: Order): number[] {
  const ids = line_items.flatMap(({ product_id, variation_id = 0 }) => [product_id, variation_id]);
  return [...new Set(ids)].filter((id) => id > 0);
}
