import type { Answer, SearchSource } from '@order-automation/contracts';
import { searchText } from '../orders/order-lookup';
import {
  type Candidate,
  keyedCandidate,
  methodCandidate,
  postCandidate,
  productCandidate,
  ranked,
  termCandidate,
} from '../orders/search-ranking';
import type { Query, WooCommerce } from './client';
import { isMissing, nullIf, ShopUnavailable } from './failures';
import { plainText } from './html';
import { asFields, isId, statusOf } from './order-mapping';
import { pageSize } from './paging';

type Find = (search: string, limit: number, shop: WooCommerce) => Promise<Candidate[]>;

/** The eight lists that settings of conditions are filled from, read from the shop as it is now (section 2.4 of the specification). */
export const searchContent: Answer<'shop.search.v1', WooCommerce> = async ({ source, search, limit }, shop) => ({
  results: ranked(await sources[source](search.trim(), limit, shop), search, limit),
});

const sources: Readonly<Record<SearchSource, Find>> = {
  products: async (search, limit, shop) =>
    [...(await byText('wc/v3/products', search, limit, shop, ['sku', partly])), ...(await variationOf(search, shop))]
      .map(ofProduct)
      .map(foundBy(search)),
  categories: async (search, limit, shop) =>
    (await byText('wc/v3/products/categories', search, limit, shop)).map(ofTerm).map(foundBy(search)),
  product_tags: async (search, limit, shop) =>
    (await byText('wc/v3/products/tags', search, limit, shop)).map(ofTerm).map(foundBy(search)),
  posts,
  users: async (_search, _limit, shop) =>
    [...(await roles(shop)), 'guest'].map((key) => keyedCandidate(key, roleName(key))),
  order_statuses: async (_search, _limit, shop) =>
    (await rowsOf('wc/v3/reports/orders/totals', shop)).map(({ slug, name }) =>
      keyedCandidate(statusOf(String(slug)) ?? String(slug), plainText(name), 'wc-'),
    ),
  payment_methods: async (_search, _limit, shop) =>
    (await rowsOf('wc/v3/payment_gateways', shop)).map(({ id, title, method_title, enabled }) => {
      const name = plainText(title || method_title || id);
      return methodCandidate({ id: String(id), title: name, enabled: enabled === true });
    }),
  shipping_methods: async (_search, _limit, shop) => {
    const kinds = await rowsOf('wc/v3/shipping_methods', shop);
    const named = kinds.map(({ id, title, description }) => methodOf(id, title, description));
    return [...named, ...(await zoneMethods(shop))];
  },
};

const rowsOf = async (path: string, shop: WooCommerce, query: Query = {}): Promise<Record<string, unknown>[]> =>
  (await shop.page(path, query)).items.map(asFields);

const methodOf = (id: unknown, title: unknown, description: unknown): Candidate =>
  methodCandidate({ id: String(id), title: plainText(title), description: plainText(description) });

/** The methods of zones, `flat_rate:2`, by the names that customers see. */
async function zoneMethods(shop: WooCommerce): Promise<Candidate[]> {
  const zones = await rowsOf('wc/v3/shipping/zones', shop);
  const methods = zones.map(async ({ id, name }) => {
    const rows = await rowsOf(`wc/v3/shipping/zones/${id}/methods`, shop);
    return rows.map(({ method_id, instance_id, title }) => methodOf(`${method_id}:${instance_id}`, title, name));
  });
  return (await Promise.all(methods)).flat();
}

/** What WooCommerce's own search finds, and what has exactly this id, slug or other field, which it does not look into. */
async function byText(
  path: string,
  search: string,
  limit: number,
  shop: WooCommerce,
  exactly: readonly string[] = [],
): Promise<Record<string, unknown>[]> {
  if (search === '') return rowsOf(path, shop, { per_page: limit });
  const queries: Record<string, string>[] = [{ search }, ...['slug', ...exactly].map((field) => ({ [field]: search }))];
  if (isId(search)) queries.unshift({ include: search });
  const pages = await Promise.all(queries.map((query) => rowsOf(path, shop, { ...query, per_page: pageSize })));
  const found = pages.flatMap((rows, at) =>
    partly in (queries[at] ?? {}) ? rows.filter((row) => isFound(row, search)) : rows,
  );
  return [...new Map(found.map((item) => [item.id, item])).values()];
}

/** No list has variations; by its id one is shown among the products. */
async function variationOf(search: string, shop: WooCommerce): Promise<Record<string, unknown>[]> {
  const product = isId(search) ? asFields(await shop.get(`wc/v3/products/${search}`)) : {};
  return product.type === 'variation' ? [product] : [];
}

/** A part of a name or a SKU, of variations too. Versions of WooCommerce that do not know it show every product. */
const partly = 'search_name_or_sku';

function isFound({ name, sku }: Record<string, unknown>, search: string): boolean {
  const text = searchText(`${plainText(name)} ${String(sku ?? '')}`);
  return searchText(search)
    .split(' ')
    .every((word) => text.includes(word));
}

/** What WooCommerce found by a part of a word stays. */
const foundBy =
  (search: string) =>
  ({ result, texts }: Candidate): Candidate => ({ result, texts: [...texts, `${texts[0]} ${search}`] });

const ofProduct = ({ id, name, sku, slug }: Record<string, unknown>): Candidate =>
  productCandidate({ id: Number(id), name: plainText(name), sku: String(sku ?? ''), slug: String(slug) });

const ofTerm = ({ id, name, slug, count }: Record<string, unknown>): Candidate =>
  termCandidate({ id: Number(id), name: plainText(name), slug: String(slug) }, { count });

/** Published posts of WordPress, which anybody may read; a shop that hides them has none for us. */
async function posts(search: string, limit: number, shop: WooCommerce): Promise<Candidate[]> {
  const query = { per_page: limit, _fields: 'id,title,type,status' };
  const queries = [...(isId(search) ? [{ include: search }] : []), search === '' ? {} : { search }];
  const asked = queries.map((one) => rowsOf('wp/v2/posts', shop, { ...query, ...one }));
  const pages = await Promise.all(asked).catch(nullIfHidden);
  const found = new Map((pages ?? []).flat().map((post) => [post.id, post]));
  return [...found.values()].map(({ id, title, type, status }) => {
    const text = plainText(asFields(title).rendered);
    return postCandidate({ id: Number(id), title: text, type: String(type), status: String(status) });
  });
}

const nullIfHidden = nullIf((error) => isMissing(error) || (error instanceof ShopUnavailable && error.isRefusal));

/** The roles that the shop has: the values that its list of customers takes for `role`. */
async function roles(shop: WooCommerce): Promise<string[]> {
  // Firewalls forbid OPTIONS.
  const { endpoints } = asFields(await shop.describe('wc/v3/customers').catch(nullIfHidden));
  const listing = (Array.isArray(endpoints) ? endpoints : [])
    .map(asFields)
    .find(({ methods }) => Array.isArray(methods) && methods.includes('GET'));
  const { enum: values } = asFields(asFields(listing?.args).role);
  return Array.isArray(values) ? values.map(String).filter((role) => role !== 'all') : [];
}

/** WooCommerce shows the keys of roles and not their names. */
function roleName(key: string): string {
  if (key === 'guest') return 'Guest, without an account';
  const words = key.replaceAll(/[_-]+/g, ' ').trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
