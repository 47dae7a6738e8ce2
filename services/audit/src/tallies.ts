import { type Cell, type Cells, type Countable, countBundle, newCells } from './totals-cells';

type Tally = { ids: number; readonly cells: Cells };

export type Tallies = ReturnType<typeof newTallies>;

/**
 * Counts entries while they are recorded, by ranges of ids, so that most ranges need not be read again to be closed. A range whose ids
 * this process knows the fate of, each and every one, is counted here; any other is for the entries themselves to say.
 */
export function newTallies(size: number) {
  const ranges = new Map<number, Tally>();
  const of = (id: number): Tally => {
    const range = Math.floor(id / size);
    const known = ranges.get(range);
    if (known) return known;
    // No entry has the id 0.
    const tally: Tally = { ids: range === 0 ? 1 : 0, cells: newCells() };
    ranges.set(range, tally);
    return tally;
  };
  return {
    /** Ids in a range. */
    size,
    /** This bundle was stored. Its entries count in the range of its own id, which is that of the first of them. */
    recorded: (bundle: Countable): void => {
      const { _id } = bundle.document;
      for (let id = _id; id < _id + bundle.outline.parts.length; id += 1) of(id).ids += 1;
      countBundle(of(_id).cells, bundle);
    },
    /** `count` ids in a row from `from` will never be used. */
    unused: (from: number, count: number): void => {
      for (let id = from; id < from + count; id += 1) of(id).ids += 1;
    },
    /** The count of a range; undefined where other ids than those this process has seen may be in it. */
    complete: (range: number): Cell[] | undefined => {
      const tally = ranges.get(range);
      return tally?.ids === size ? tally.cells.all() : undefined;
    },
    /** Ranges below this one are closed. */
    forgetBelow: (range: number): void => {
      for (const known of ranges.keys()) if (known < range) ranges.delete(known);
    },
  };
}
