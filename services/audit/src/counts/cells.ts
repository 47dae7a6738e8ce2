import type { Selection } from '../reading/selection';
import type { EntryFacts } from '../records/entry';

/** How many entries are alike in everything that lists filter by, but for order, process and time. */
export type Cell = { readonly facet: string; readonly rule_id: number | null; readonly count: number };

export function cellsOf(entries: Iterable<Pick<EntryFacts, 'facet' | 'rule_id'>>): Cell[] {
  const byFacet = new Map<string, Map<number | null, number>>();
  for (const { facet, rule_id = null } of entries) {
    const rules = byFacet.get(facet) ?? new Map<number | null, number>();
    rules.set(rule_id, (rules.get(rule_id) ?? 0) + 1);
    byFacet.set(facet, rules);
  }
  return [...byFacet].flatMap(([facet, rules]) => [...rules].map(([rule_id, count]) => ({ facet, rule_id, count })));
}

/** How many entries of these cells are selected. The filters name neither order, process nor time. */
export function countIn(cells: readonly Cell[], { filters, facets }: Pick<Selection, 'filters' | 'facets'>): number {
  const { rule_id: wanted } = filters;
  let sum = 0;
  for (const { facet, rule_id, count } of cells)
    if (facets.has(facet) && (!wanted || (rule_id !== null && wanted.includes(rule_id)))) sum += count;
  return sum;
}

/** Entries of a range whose times lie together. `first_at` and `last_at` are the times of the earliest and the latest; empty text where there is none. */
export type Span = { readonly first_at: string; readonly last_at: string; readonly cells: readonly Cell[] };

const maxSpans = 4;
/** A gap that is a smaller part than this of the whole time does not divide it. */
const widestPart = 8;

type Counted = Pick<EntryFacts, 'timestamp' | 'facet' | 'rule_id'>;

/**
 * The times of entries that were recorded one after the other, divided at their widest gaps; none where they are one. After an outage a few entries of long ago
 * stand beside those of now: a list of any time between would have to read them all.
 */
export function spansOf(entries: readonly Counted[]): Span[] {
  const byTime = [...entries].sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
  const times = byTime.map(({ timestamp }) => Date.parse(timestamp));
  const least = ((times.at(-1) ?? 0) - (times[0] ?? 0)) / widestPart;
  const divisions = times
    .map((time, at) => ({ at, gap: at === 0 ? 0 : time - (times[at - 1] ?? time) }))
    .filter(({ gap }) => gap > 0 && gap >= least)
    .sort((a, b) => b.gap - a.gap)
    .slice(0, maxSpans - 1)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
  if (divisions.length === 0) return [];
  return [0, ...divisions].map((start, index) => spanOf(byTime.slice(start, divisions[index] ?? byTime.length)));
}

const spanOf = (entries: readonly Counted[]): Span => ({
  first_at: entries[0]?.timestamp ?? '',
  last_at: entries.at(-1)?.timestamp ?? '',
  cells: cellsOf(entries),
});
