import type { EntryFacts } from './entries';

/** How many entries are alike in everything that lists filter by, but for order and process. */
export type Cell = { readonly facet: string; readonly rule_id: number | null; count: number };

type Key = Pick<EntryFacts, 'facet'> & { readonly rule_id?: number | null };

export type Cells = {
  /** Adds to the cell of these values: one entry, or the count of another cell. */
  add(key: Key, count?: number): void;
  all(): Cell[];
};

export function newCells(): Cells {
  // By facet, then by rule: a key made of both would be a new text to hash for every entry.
  const facets = new Map<string, Map<number | null, Cell>>();
  return {
    add: ({ facet, rule_id = null }, count = 1) => {
      let rules = facets.get(facet);
      if (!rules) {
        rules = new Map();
        facets.set(facet, rules);
      }
      const cell = rules.get(rule_id);
      if (cell) cell.count += count;
      else rules.set(rule_id, { facet, rule_id, count });
    },
    all: () => [...facets.values()].flatMap((rules) => [...rules.values()]),
  };
}

export function cellsOf(entries: readonly Key[]): Cell[] {
  const cells = newCells();
  for (const entry of entries) cells.add(entry);
  return cells.all();
}
