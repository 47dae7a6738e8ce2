import type { Bundle } from './bundles';

/** How many entries are alike in everything that lists filter by, but for order and process. */
export type Cell = { readonly facet: string; readonly rule_id: number | null; count: number };

export type Cells = {
  /** Adds to the cell of these values. */
  add(key: Pick<Cell, 'facet' | 'rule_id'>, count: number): void;
  all(): Cell[];
};

export function newCells(): Cells {
  // By facet, then by rule: a key made of both would be a new text to hash for every entry.
  const facets = new Map<string, Map<number | null, Cell>>();
  return {
    add: ({ facet, rule_id }, count) => {
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

/** What `countBundle` asks of a bundle. */
export type Countable = {
  readonly outline: Bundle['outline'];
  readonly document: Pick<Bundle['document'], '_id' | 'rule_id'>;
};

/** Counts each entry of a bundle. */
export function countBundle(cells: Cells, { document, outline }: Countable): void {
  const { rule_id = null } = document;
  for (const { facet, rule } of outline.parts) cells.add({ facet, rule_id: rule ? rule_id : null }, 1);
}
