import type { AuditFilters } from '@order-automation/contracts';
import type { EntryFacts } from './entry';
import { isShown } from './facets';

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

/** How many entries of these cells the filters let through. The filters name neither order, process nor time. */
export function countIn(cells: readonly Cell[], filters: AuditFilters): number {
  const { rule_id: wanted } = filters;
  let sum = 0;
  for (const { facet, rule_id, count } of cells) {
    const ofRule = !wanted || (rule_id !== null && wanted.includes(rule_id));
    if (ofRule && isShown(facet, filters)) sum += count;
  }
  return sum;
}
