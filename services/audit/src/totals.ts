import type { AuditFilters } from '@order-automation/contracts';
import { isDuplicateKey, type Store } from '@order-automation/store';
import type { Bundles } from './bundles';
import type { EntryIds } from './entry-ids';
import { isShown } from './facets';
import type { Position } from './newest';
import type { Selection } from './selection';
import type { Tallies } from './tallies';
import { type Cell, countBundle, newCells } from './totals-cells';

/** The count of a range of ids that is closed: `_id` times the size of a range is its first id. */
export type TotalsDocument = { readonly _id: number; readonly cells: readonly Cell[] };

/** Ids in a range. What is not in a closed range is counted by walking an index: this many, and what came in the last 15 s. */
export const rangeSize = 8192;
const readAtOnce = 1024;

/** Whether the filters speak of nothing but what cells know. */
export function isCounted({ order_id, process_id }: AuditFilters): boolean {
  return order_id === undefined && process_id === undefined;
}

export function countIn(cells: Iterable<Cell>, filters: AuditFilters): number {
  let sum = 0;
  for (const { facet, rule_id, count } of cells) {
    if ((filters.rule_id === undefined || filters.rule_id === rule_id) && isShown(facet, filters)) sum += count;
  }
  return sum;
}

/** Finds the range that an offset falls into. `ranges` are newest first and begin where the tail ends. Past the end nothing is below. */
export function seek(
  offset: number,
  tail: number,
  ranges: readonly TotalsDocument[],
  filters: AuditFilters,
  size = rangeSize,
): Position {
  const closed = (ranges[0]?._id ?? -1) + 1;
  let rest = offset - tail;
  if (rest < 0) return { from: closed * size, below: undefined, skip: offset };
  for (const { _id, cells } of ranges) {
    const count = countIn(cells, filters);
    if (rest < count) return { from: _id * size, below: (_id + 1) * size, skip: rest };
    rest -= count;
  }
  return { from: 0, below: 0, skip: 0 };
}

export type Totals = Awaited<ReturnType<typeof openTotals>>;

/**
 * Exact totals that cost the same at any size: entries do not change, so a range of ids that is settled is counted once, in the
 * background, and its count is kept. A count is that of the entries alone, so it does not matter who makes it, or how often. Who has
 * recorded a whole range knows it; others read it.
 */
export async function openTotals(store: Store, bundles: Bundles, ids: EntryIds, tallies: Tallies) {
  const { size } = tallies;
  const documents = await store.collection<TotalsDocument>('totals');
  const ranges: TotalsDocument[] = [];
  const all = newCells();
  const closed = () => ranges.length;

  const load = async (): Promise<void> => {
    const from = closed();
    const found = await documents
      .find({ _id: { $gte: from } })
      .sort({ _id: 1 })
      .toArray();
    for (const range of found) {
      if (range._id !== closed()) continue;
      ranges.push(range);
      for (const cell of range.cells) all.add(cell, cell.count);
    }
    tallies.forgetBelow(closed());
  };

  const read = async (range: number): Promise<Cell[]> => {
    const cells = newCells();
    const below = (range + 1) * size;
    for (let from = range * size; ; ) {
      const found = await bundles.countableIn({ from, below }, readAtOnce);
      for (const bundle of found) countBundle(cells, bundle);
      if (found.length < readAtOnce) break;
      from = (found.at(-1)?.document._id ?? below) + 1;
    }
    return cells.all();
  };

  const close = async (range: number): Promise<void> => {
    const cells = tallies.complete(range) ?? (await read(range));
    await documents.insertOne({ _id: range, cells }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  };

  return {
    documents,
    /** Counts every range that is settled by now. */
    roll: async (): Promise<void> => {
      const settled = await ids.settledBelow();
      await load();
      while ((closed() + 1) * size <= settled) {
        await close(closed());
        await load();
      }
    },
    /** How many entries match, and where the page at this offset begins. The filters must be counted ones. */
    locate: async (selection: Selection, offset: number): Promise<Position & { readonly total: number }> => {
      await load();
      const { filters } = selection;
      const from = closed() * size;
      const known = ranges.slice().reverse();
      const kept = countIn(all.all(), filters);
      const tail = await bundles.count(selection, { from });
      return { total: kept + tail, ...seek(offset, tail, known, filters, size) };
    },
  };
}
