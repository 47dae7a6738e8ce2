import type { Order, OrderContext, ProductFacts } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { factsOf, type Products } from './products';

/** Milliseconds until a product that another instance wrote is noticed. What this instance writes is fresh at once. */
const patience = 1_000;

export type ProductFactsCache = ReturnType<typeof productFactsCache>;

/** Facts about products, kept in memory as long as the revision of the products stays: there are few, and every event asks for some. */
export function productFactsCache(products: Products, revision: () => Promise<number>, clock: Clock) {
  let kept = new Map<number, ProductFacts | null>();
  let keptRevision = -1;
  let checkedAt = Number.NEGATIVE_INFINITY;

  const refresh = async (): Promise<void> => {
    if (clock.now() - checkedAt < patience) return;
    const current = await revision();
    if (current !== keptRevision) kept = new Map();
    keptRevision = current;
    checkedAt = clock.now();
  };

  const factsFor = async (ids: readonly number[]): Promise<ReadonlyMap<number, ProductFacts | null>> => {
    await refresh();
    const facts = kept;
    const missing = ids.filter((id) => !facts.has(id));
    if (missing.length === 0) return facts;
    const found = new Map((await products.byIds(missing)).map(({ _id, product }) => [_id, factsOf(product)]));
    for (const id of missing) facts.set(id, found.get(id) ?? null);
    return facts;
  };

  return {
    /** Each order with the facts about the products in it; a product that does not exist is left out. */
    contexts: async (orders: readonly Order[]): Promise<OrderContext[]> => {
      const facts = await factsFor([...new Set(orders.flatMap(productIds))]);
      return orders.map((order) => ({
        order,
        products: productIds(order).flatMap((id) => facts.get(id) ?? []),
      }));
    },
    /** To be called after every write to a product. */
    forget: () => {
      kept = new Map();
      checkedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

function productIds({ line_items }: Order): number[] {
  return [...new Set(line_items.map(({ product_id }) => product_id))];
}
