import type { EntryFacts } from './entry';
import type { Selection } from './selection';

/** How many entries are alike in everything that lists filter by, but for order, process and time. */
export type Cell = { readonly facet: string; readonly rule_id: number | null; readonly count: number };

/** Counts entries by facet and rule. */
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
