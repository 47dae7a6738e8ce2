import type { EntryFacts } from './entries';

/** How many entries are alike in everything that lists filter by, but for order and process. */
export type Cell = { readonly facet: string; readonly rule_id: number | null; count: number };

type Key = Pick<EntryFacts, 'facet'> & { readonly rule_id?: number | null };

/** Adds to the cell of these values: one entry, or the count of another cell. */
export function addTo(cells: Map<string, Cell>, { facet, rule_id = null }: Key, count = 1): void {
  const key = rule_id === null ? facet : `${facet} ${rule_id}`;
  const cell = cells.get(key);
  if (cell) cell.count += count;
  else cells.set(key, { facet, rule_id, count });
}

export function cellsOf(entries: readonly Key[], cells = new Map<string, Cell>()): Map<string, Cell> {
  for (const entry of entries) addTo(cells, entry);
  return cells;
}
