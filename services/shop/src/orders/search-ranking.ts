import type { SearchResult } from '@order-automation/contracts';
import { wordsOf } from '@order-automation/store';
import { searchText } from './order-lookup';

/** Something that can be found: its result, and the texts that it is known by besides its value. */
export type Candidate = { readonly result: SearchResult; readonly texts: readonly string[] };

type Named = { readonly id: number; readonly name: string; readonly slug: string };

export function productCandidate({ id, name, slug, sku }: Named & { readonly sku: string }): Candidate {
  const label = `${name} (${sku === '' ? '' : `${sku}, `}#${id})`;
  return { result: { value: String(id), label, meta: { id, title: name, sku } }, texts: [name, sku, slug] };
}

export const termCandidate = ({ id, name, slug }: Named, more: object = {}): Candidate => ({
  result: { value: String(id), label: `${name} (${slug}, #${id})`, meta: { id, name, slug, ...more } },
  texts: [name, slug],
});

type Post = { readonly id: number; readonly title: string; readonly type: string; readonly status: string };
export const postCandidate = ({ id, title, type, status }: Post, slug = ''): Candidate => ({
  result: { value: String(id), label: `${title} (${type}, #${id})`, meta: { id, title, type, status } },
  texts: [title, slug],
});

export const keyedCandidate = (key: string, name: string, prefix = ''): Candidate => ({
  result: { value: `${prefix}${key}`, label: name, meta: { key: `${prefix}${key}`, name } },
  texts: [name, key],
});

export const methodCandidate = <M extends { readonly id: string; readonly title: string }>(meta: M): Candidate => ({
  result: { value: meta.id, label: `${meta.title} (${meta.id})`, meta },
  texts: [meta.title],
});

/** 0 is the best: the very value, another text as a whole, a text that begins with it, all its words; null is no match. */
function rankOf({ result, texts }: Candidate, search: string): number | null {
  const wanted = searchText(search);
  if (wanted === '' || result.value.toLowerCase() === wanted) return 0;
  const known = texts.map(searchText);
  if (known.includes(wanted)) return 1;
  if ([result.value.toLowerCase(), ...known].some((text) => text.startsWith(wanted))) return 2;
  const words = wordsOf([result.value, ...texts].join(' '));
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
