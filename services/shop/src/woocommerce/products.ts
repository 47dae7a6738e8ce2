import { joined } from '@order-automation/bus';
import {
  type Order,
  type OrderContext,
  type ProductFacts,
  productFactsSchema,
  ServiceError,
} from '@order-automation/contracts';
import { batcher, type Clock } from '@order-automation/service';
import { categoriesAbove } from '../categories-above';
import type { WooCommerce } from './client';
import { asFields } from './order-mapping';
import { allPages, batchesOf, pageSize } from './paging';

/** Milliseconds that facts about products, variations and the tree of categories are believed. */
const productsTtl = 60_000;
const maxKept = 20_000;

export type ProductFactsOf = (orders: readonly Order[]) => Promise<Pick<OrderContext, 'order' | 'products'>[]>;

/** Orders with the facts about their products and variations, which are read a hundred at a time and kept for a minute. */
export function productFacts(shop: WooCommerce, clock: Clock): ProductFactsOf {
  let kept = new Map<number, ProductFacts | null>();
  let parents: ReadonlyMap<number, number> = new Map();
  let readAt = Number.NEGATIVE_INFINITY;

  /** Those that the tree does not have, as it has none of another language, are asked for once. */
  const readCategories = async (more: readonly number[] = []) => {
    const categories = await allPages(shop, 'wc/v3/products/categories', { _fields: 'id,parent' });
    const above = categories.map(asFields).map(({ id, parent }) => [Number(id), Number(parent)] as const);
    parents = new Map([...[...parents.keys(), ...more].map((id) => [id, 0] as const), ...above]);
  };
  /** Orders that come together ask once. */
  const readAnew = joined(async () => {
    await readCategories();
    kept = new Map();
    readAt = clock.now();
  });
  const isStale = (): boolean => Math.abs(clock.now() - readAt) >= productsTtl || kept.size >= maxKept;
  /** No list has a product in the trash, nor perhaps one in another language; an order of it is what it was. */
  const readAlone = async (id: number): Promise<void> => {
    const read = shop
      .get(`wc/v3/products/${id}`, { _fields: fields })
      .then((item) => (item === null ? null : factsOf(item, parents)));
    kept.set(id, await read.catch(ifItFails((why) => unread(id, why))));
  };
  const known = batcher<number, undefined>({
    maxItems: pageSize,
    concurrency: 1,
    run: async (asked) => {
      const ids = [...new Set(asked)].filter((id) => !isKnown(kept, id));
      const query = { include: ids.join(','), per_page: ids.length, _fields: fields };
      const page = ids.length === 0 ? null : await shop.page('wc/v3/products', query).catch(ifItFails(() => null));
      const items = page?.items ?? [];
      const newer = items.flatMap((item) => idsOf(asFields(item).categories)).filter((id) => !parents.has(id));
      if (newer.length > 0) await readCategories(newer);
      for (const product of items.map((item) => factsOf(item, parents))) kept.set(product.id, product);
      await Promise.all(ids.filter((id) => !isKnown(kept, id)).map(readAlone));
      return asked.map(() => undefined);
    },
  });
  return async (orders) => {
    const wanted = [...new Set(orders.flatMap(productIds))];
    if (wanted.length > 0 && isStale()) await readAnew();
    let open = wanted.filter((id) => !isKnown(kept, id));
    while (open.length > 0) {
      await Promise.all(open.map(known.add));
      // Meanwhile all that was kept may have become stale for another order.
      open = wanted.filter((id) => !kept.has(id));
    }
    const facts = kept;
    await addVariations(orders, facts, shop);
    return orders.map((order) => ({
      order,
      products: [...productIds(order), ...variationsOf(order).keys()].flatMap((id) => facts.get(id) ?? []),
    }));
  };
}

type Facts = ReadonlyMap<number, ProductFacts | null>;
/** One that could not be read is asked for again. */
const isKnown = (facts: Facts, id: number): boolean => facts.has(id) && !facts.get(id)?.unreadable;
/** A product on which a plugin fails holds back the rules that ask for it, and no order. */
const unread = (id: number, unreadable: string): ProductFacts => {
  const nothing = { name: '', type: '', category_ids: [], tag_ids: [] };
  return { ...nothing, id, unreadable };
};
const ifItFails =
  <T>(otherwise: (reason: string) => T) =>
  (error: unknown): T => {
    if (error instanceof ServiceError && /^svc_shop_(?:failed|refused)$/.test(error.code))
      return otherwise(error.message);
    throw error;
  };

const fields = 'id,name,type,categories,tags,virtual,downloadable';

/** 0 is a product that was deleted. */
const productIds = ({ line_items }: Order): number[] => [
  ...new Set(line_items.map(({ product_id }) => product_id).filter((id) => id > 0)),
];

/** The variations in the lines of an order, each with its product. */
function variationsOf({ line_items }: Order): Map<number, number> {
  const found = line_items.filter(({ product_id, variation_id = 0 }) => product_id > 0 && variation_id > 0);
  return new Map(found.map(({ product_id, variation_id = 0 }) => [variation_id, product_id]));
}

/** No list of products has variations. Their flags are their own, all else that of their product (decisions.md section 4). */
async function addVariations(
  orders: readonly Order[],
  facts: Map<number, ProductFacts | null>,
  shop: WooCommerce,
): Promise<void> {
  const wanted = new Map<number, number[]>();
  for (const [id, parent] of orders.flatMap((order) => [...variationsOf(order)]))
    if (!isKnown(facts, id) && isKnown(facts, parent) && facts.get(parent))
      wanted.set(parent, [...(wanted.get(parent) ?? []), id]);
  for (const [parent, all] of wanted) {
    for (const ids of batchesOf([...new Set(all)])) {
      const query = { include: ids.join(','), per_page: ids.length, _fields: 'id,virtual,downloadable' };
      const page = shop.page(`wc/v3/products/${parent}/variations`, query);
      const read = await page.catch(ifItFails((why) => ({ items: [], why })));
      for (const id of ids) facts.set(id, 'why' in read ? unread(id, read.why) : null);
      for (const { id, virtual, downloadable } of read.items.map(asFields)) {
        const own = { ...facts.get(parent), id, ...flags({ virtual, downloadable }) };
        facts.set(Number(id), productFactsSchema.parse(own));
      }
    }
  }
}

function factsOf(json: unknown, parents: ReadonlyMap<number, number>): ProductFacts {
  const { id, name, type, categories, tags, virtual, downloadable } = asFields(json);
  const category_ids = idsOf(categories);
  return productFactsSchema.parse({
    id,
    name: String(name ?? ''),
    type: String(type ?? 'simple'),
    category_ids,
    tag_ids: idsOf(tags),
    parent_category_ids: categoriesAbove(category_ids, parents),
    ...flags({ virtual, downloadable }),
  });
}

/** Plugins leave out what WooCommerce always says, or write it in words: an odd product keeps no order from being read. */
const flags = (said: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(said).map(([name, value]) => [name, /^(?:true|yes|1)$/i.test(String(value))]));

const idsOf = (terms: unknown): number[] =>
  Array.isArray(terms) ? terms.map((term) => Number(asFields(term).id)).filter(Number.isSafeInteger) : [];
