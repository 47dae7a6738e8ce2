import type { RequestInput, RequestOutput, SearchResult, SearchSource } from '@order-automation/contracts';
import { wordsOf } from '@order-automation/store';
import type { Posts } from './posts';
import type { Product, Products } from './products';
import { paymentMethods, roles, shippingMethods, statuses } from './site';
import type { TermDocument, Terms } from './terms';

type Deps = { readonly products: Products; readonly terms: Terms; readonly posts: Posts };

/** Something that can be found: its result, and the texts that it is known by besides its value. */
type Candidate = { readonly result: SearchResult; readonly texts: readonly string[] };

/** Times as many are read as are wanted, so that the better ones are among them. */
const readAhead = 4;

const plain = (text: string): string => wordsOf(text).join(' ');

/** 0 is the best: the very value, another text as a whole, a text that begins with it, all its words; null is no match. */
function rankOf({ result, texts }: Candidate, search: string): number | null {
  const wanted = search.trim().toLowerCase();
  if (wanted === '' || result.value.toLowerCase() === wanted) return 0;
  const known = texts.map((text) => text.toLowerCase());
  if (known.includes(wanted)) return 1;
  if ([result.value.toLowerCase(), ...known].some((text) => text.startsWith(wanted))) return 2;
  const words = plain([result.value, ...texts].join(' ')).split(' ');
  const searched = wordsOf(search);
  return searched.length > 0 && searched.every((one) => words.some((word) => word.startsWith(one))) ? 3 : null;
}

/** The best first, those of one rank as they come. */
export function ranked(candidates: readonly Candidate[], search: string, limit: number): SearchResult[] {
  return candidates
    .map((candidate, at) => ({ result: candidate.result, rank: rankOf(candidate, search), at }))
    .filter(({ rank }) => rank !== null)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0) || a.at - b.at)
    .slice(0, limit)
    .map(({ result }) => result);
}

function ofProduct({ id, name, sku, slug }: Product): Candidate {
  const label = `${name} (${sku === '' ? '' : `${sku}, `}#${id})`;
  return { result: { value: String(id), label, meta: { id, title: name, sku } }, texts: [name, sku, slug] };
}

async function productCandidates(search: string, limit: number, { products }: Deps): Promise<Candidate[]> {
  const id = /^[1-9]\d{0,14}$/.test(search.trim()) ? [Number(search)] : [];
  const words = wordsOf(search);
  if (words.length === 0 && search.trim() !== '') return [];
  const [exact, found] = await Promise.all([
    id.length === 0 ? [] : products.byIds(id),
    products.search(words, words.length === 0 ? limit : limit * readAhead),
  ]);
  return [...exact, ...found.filter(({ _id }) => !id.includes(_id))].map(({ product }) => ofProduct(product));
}

const ofTerm = ({ _id: id, name, slug }: TermDocument): Candidate => ({
  result: { value: String(id), label: `${name} (${slug}, #${id})`, meta: { id, name, slug } },
  texts: [name, slug],
});

/** How many products carry it is counted for those alone that are shown. */
async function terms(
  taxonomy: TermDocument['taxonomy'],
  search: string,
  limit: number,
  deps: Deps,
): Promise<SearchResult[]> {
  const results = ranked((await deps.terms.ofTaxonomy(taxonomy)).map(ofTerm), search, limit);
  const counted = results.map(async (result) => {
    const count = await deps.products.countOfTerm(Number(result.value));
    return { ...result, meta: { ...result.meta, count } };
  });
  return Promise.all(counted);
}

const keyed = ({ key, name }: { key: string; name: string }): Candidate => ({
  result: { value: key, label: name, meta: { key, name } },
  texts: [name, key.replace(/^wc-/, '')],
});

const method = <M extends { id: string; title: string }>(meta: M): Candidate => ({
  result: { value: meta.id, label: `${meta.title} (${meta.id})`, meta },
  texts: [meta.title],
});

type Search = (search: string, limit: number, deps: Deps) => Promise<SearchResult[]>;

const fixed =
  (candidates: readonly Candidate[]): Search =>
  async (search, limit) =>
    ranked(candidates, search, limit);

const sources: Readonly<Record<SearchSource, Search>> = {
  products: async (search, limit, deps) => ranked(await productCandidates(search, limit, deps), search, limit),
  categories: (search, limit, deps) => terms('product_cat', search, limit, deps),
  product_tags: (search, limit, deps) => terms('product_tag', search, limit, deps),
  posts: async (search, limit, { posts }) => {
    const candidates = (await posts.all()).map(({ _id: id, title, type, status }) => ({
      result: { value: String(id), label: `${title} (${type}, #${id})`, meta: { id, title, type, status } },
      texts: [title],
    }));
    return ranked(candidates, search, limit);
  },
  users: fixed(roles.map(keyed)),
  order_statuses: fixed(statuses.map(keyed)),
  payment_methods: fixed(paymentMethods.map(method)),
  shipping_methods: fixed(shippingMethods.map(method)),
};

/** Section 2.4 of the specification and decisions.md section 5. */
export async function searchContent(
  { source, search, limit }: RequestInput<'shop.search.v1'>,
  deps: Deps,
): Promise<RequestOutput<'shop.search.v1'>> {
  return { results: await sources[source](search, limit, deps) };
}
