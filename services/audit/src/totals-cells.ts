import type { EntryFacts } from './entries';

/** How many entries are alike in everything that lists filter by, but for order and process. */
export type Cell = Pick<EntryFacts, 'status' | 'event_type' | 'source' | 'rule_id' | 'is_test' | 'is_debug'> & {
  count: number;
};

type Key = Omit<Cell, 'count'>;

function keyOf({ status, event_type, source, rule_id, is_test, is_debug }: Key): string {
  return `${status}|${event_type}|${source}|${rule_id}|${is_test}|${is_debug}`;
}

/** Adds to the cell of these values. */
export function addTo(cells: Map<string, Cell>, values: Key, count: number): void {
  const key = keyOf(values);
  const cell = cells.get(key);
  if (cell) cell.count += count;
  else {
    const { status, event_type, source, rule_id, is_test, is_debug } = values;
    cells.set(key, { status, event_type, source, rule_id, is_test, is_debug, count });
  }
}

export function addEntry(cells: Map<string, Cell>, entry: Key): void {
  addTo(cells, entry, 1);
}

export function cellsOf(entries: readonly Key[], cells = new Map<string, Cell>()): Map<string, Cell> {
  for (const entry of entries) addEntry(cells, entry);
  return cells;
}
