import type { Answer, SearchResult, SearchSource } from '@order-automation/contracts';
import { wordsOf } from '@order-automation/store';
import { searchText } from '../orders/order-lookup';
import {
  keyedCandidate,
  methodCandidate,
  postCandidate,
  productCandidate,
  ranked,
  termCandidate,
} from '../orders/search-ranking';
import type { Product, Products } from './products';
import { type AnyRecord, type RecordOf, recordId } from './record-types';
import type { NumberedType, Records } from './records';
import type { SiteRecords } from './site-records';

export type SearchDeps = { readonly products: Products; readonly records: Records; readonly site: SiteRecords };

/** What can be looked up by id, by the beginning of a whole text, and by words: three walks of an index, however many there are. */
type Lookup<R> = {
  byIds(ids: readonly number[]): Promise<readonly R[]>;
  beginning(text: string, limit: number): Promise<readonly R[]>;
  withWords(words: readonly string[], limit: number): Promise<readonly R[]>;
};

/** What has this id, what begins with the text, and what has its words: each once, by id. `ranked` puts the best first. */
export async function found<R extends { id: number }>(lookup: Lookup<R>, search: string, limit: number): Promise<R[]> {
  const words = wordsOf(search);
  if (search.trim() === '') return [...(await lookup.withWords([], limit))];
  if (words.length === 0) return [];
  const id = recordId('product', search.trim().replace(/^#/, ''));
  const each = await Promise.all([
    typeof id === 'number' ? lookup.byIds([id]) : [],
    lookup.beginning(searchText(search), limit),
    lookup.withWords(words, limit),
  ]);
  return [...new Map(each.flat().map((one) => [one.id, one])).values()].sort((a, b) => a.id - b.id);
}

export const productLookup = ({ products }: SearchDeps): Lookup<Product> => ({
  byIds: async (ids) => (await products.byIds(ids)).map(({ product }) => product),
  beginning: async (text, limit) => (await products.beginning(text, limit)).map(({ product }) => product),
  withWords: async (words, limit) => (await products.search(words, 0, limit)).map(({ product }) => product),
});

export const recordLookup = <T extends NumberedType>(type: T, { records }: SearchDeps): Lookup<RecordOf<T>> => ({
  byIds: (ids) => records.byIds(type, ids),
  beginning: (text, limit) => records.beginning(type, text, limit),
  withWords: (words, limit) => records.withWords(type, words, 0, limit),
});

type Search = (search: string, limit: number, deps: SearchDeps) => Promise<SearchResult[]>;

/** How many products carry it is counted for those alone that are shown. */
const terms =
  (type: 'category' | 'tag'): Search =>
  async (search, limit, deps) => {
    const terms = await found<RecordOf<'tag'>>(recordLookup(type, deps), search, limit);
    const candidates = terms.map((term) => termCandidate(term));
    const counted = ranked(candidates, search, limit).map(async (result) => {
      const count = await deps.products.countOfTerm(Number(result.value));
      return { ...result, meta: { ...result.meta, count } };
    });
    return Promise.all(counted);
  };

const keyed =
  (type: 'role' | 'order_status', prefix: string): Search =>
  async (search, limit, { site }) => {
    const candidates = (await site.all(type)).map(({ key, name }) => keyedCandidate(key, name, prefix));
    return ranked(candidates, search, limit);
  };

const methods =
  (type: 'payment_method' | 'shipping_method', shown: readonly string[]): Search =>
  async (search, limit, { site }) => {
    const candidates = (await site.all(type)).map(
      ({ id, title, ...method }: AnyRecord & { id: string; title: string }) =>
        methodCandidate({ id, title, ...Object.fromEntries(shown.map((field) => [field, method[field]])) }),
    );
    return ranked(candidates, search, limit);
  };

const postOf = (post: RecordOf<'post'>) => postCandidate(post, post.slug);

const sources: Readonly<Record<SearchSource, Search>> = {
  products: async (search, limit, deps) =>
    ranked((await found(productLookup(deps), search, limit)).map(productCandidate), search, limit),
  categories: terms('category'),
  product_tags: terms('tag'),
  posts: async (search, limit, deps) =>
    ranked((await found(recordLookup('post', deps), search, limit)).map(postOf), search, limit),
  users: keyed('role', ''),
  order_statuses: keyed('order_status', 'wc-'),
  payment_methods: methods('payment_method', ['enabled']),
  shipping_methods: methods('shipping_method', ['description']),
};

/** Section 2.4 of the specification and decisions.md section 5. */
export const searchContent: Answer<'shop.search.v1', SearchDeps> = async ({ source, search, limit }, deps) => ({
  results: await sources[source](search, limit, deps),
});
