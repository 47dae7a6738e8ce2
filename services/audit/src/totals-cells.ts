import type { EntryFacts } from './entries';

/** How many entries are alike in everything that lists filter by, but for order and process. */
export type Cell = Pick<EntryFacts, 'status' | 'event_type' | 'source' | 'rule_id' | 'is_test' | 'is_debug'> & {
  count: number;
};

type Key = Omit<Cell, 'count'>;

function keyOf({ status, event_type, source, rule_id, is_test, is_debug }: Key): string {
  return `${status}|${event_type}|${source}|${rule_id}|${is_test}|${is_debug}`;
}

/** Adds to the cell of these values: one entry, or the count of another cell. */
export function addTo(cells: Map<string, Cell>, values: Key, count = 1): void {
  const key = keyOf(values);
  const cell = cells.get(key);
  if (cell) cell.count += count;
  else {
    const { status, event_type, source, rule_id, is_test, is_debug } = values;
    cells.set(key, { status, event_type, source, rule_id, is_test, is_debug, count });
  }
}

export function cellsOf(entries: readonly Key[], cells = new Map<string, Cell>()): Map<string, Cell> {
  for (const entry of entries) addTo(cells, entry);
  return cells;
}
