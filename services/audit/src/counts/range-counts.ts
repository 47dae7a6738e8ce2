import type { Clock } from '@order-automation/service';
import { type IndexDescription, insertNew, type Store } from '@order-automation/store';
import type { EntryFacts } from '../records/entry';
import type { CountedEntry } from '../records/record-summary';
import { cellsOf, type Span, spansOf } from './cells';

export const rangeSize = 2048;
export const maxOrders = 100;

/** The count of a settled range of ids: `_id` times the size of a range is its first id. Derived from the entries; can be rebuilt. */
export type RangeDocument = Span & {
  readonly _id: number;
  /** Where the times lie apart; absent on documents of an earlier version. */
  readonly spans?: readonly Span[];
  /** The most recent orders that have entries here, the latest first. */
  readonly orders: readonly number[];
  readonly stale: boolean;
  /** Entries were deleted before it was counted: it is counted from what is stored then. */
  readonly uncounted?: boolean;
  readonly revision: number;
  /** Milliseconds since the epoch. */
  readonly changed_at: number;
};

type Counted = Pick<RangeDocument, 'cells' | 'first_at' | 'last_at' | 'spans' | 'orders'>;

/** What a range says of these entries, which are in the order of their ids. */
export function countedOf(entries: readonly EntryFacts[]): Counted {
  let [first, last] = ['', ''];
  for (const { timestamp } of entries) {
    if (first === '' || timestamp < first) first = timestamp;
    if (timestamp > last) last = timestamp;
  }
  const times = { first_at: first, last_at: last, spans: spansOf(entries) };
  return { cells: cellsOf(entries), ...times, orders: recentOrders(entries) };
}

/** Distinct orders, the one with the highest entry id first. */
export function recentOrders(entries: readonly Pick<EntryFacts, '_id' | 'order_id'>[]): number[] {
  const orders = new Set<number>();
  for (let at = entries.length - 1; at >= 0 && orders.size < maxOrders; at -= 1) {
    const order = entries[at]?.order_id;
    if (order !== undefined) orders.add(order);
  }
  return [...orders];
}

const indexes: readonly IndexDescription[] = [{ name: 'changed', key: { changed_at: 1 } }];
/** Milliseconds by which clocks of two instances may differ. */
const clockSkew = 5_000;

/** The counts of settled ranges, and a copy in memory that learns what other instances have written. */
export async function openRangeCounts(store: Store, clock: Clock) {
  const documents = await store.collection<RangeDocument>('totals', indexes);
  const known = new Map<number, RangeDocument>();
  const uncounted = new Map<number, RangeDocument>();
  let loadedAt = Number.NEGATIVE_INFINITY;
  return {
    documents,
    /** Every range that is counted, the highest ids first; there are no gaps. */
    load: async (): Promise<readonly RangeDocument[]> => {
      const since = Number.isFinite(loadedAt) ? { changed_at: { $gte: loadedAt - clockSkew } } : {};
      const now = clock.now();
      for (const range of await documents.find(since).sort({ changed_at: 1 }).toArray()) {
        uncounted.delete(range._id);
        (range.uncounted ? uncounted : known).set(range._id, range);
      }
      loadedAt = now;
      return [...known.values()].sort((a, b) => b._id - a._id);
    },
    /** The mark that a deletion has left on a range that is not counted yet, as of the last `load`. */
    markOf: (range: number): RangeDocument | undefined => uncounted.get(range),
    /** Says that ranges must be counted again, or from what is stored when their time comes. */
    markStale: async (ranges: readonly number[], now: number): Promise<void> => {
      if (ranges.length === 0) return;
      const update = { $set: { stale: true, changed_at: now }, $inc: { revision: 1 } };
      await documents.updateMany({ _id: { $in: ranges } }, update);
      const mark = { ...countedOf([]), stale: true, uncounted: true, revision: 0, changed_at: now };
      await insertNew(
        documents,
        ranges.map((_id) => ({ _id, ...mark })),
      );
    },
    /** Replaces a count; false when the range was marked again after it was read. */
    recount: async (
      { _id, revision }: RangeDocument,
      entries: readonly CountedEntry[],
      now: number,
    ): Promise<boolean> => {
      const state = { stale: false, uncounted: false, changed_at: now, revision: revision + 1 };
      const $set = { ...countedOf(entries), ...state };
      return (await documents.updateOne({ _id, revision }, { $set })).matchedCount === 1;
    },
    remove: async (below: number): Promise<void> => {
      await documents.deleteMany({ _id: { $lt: below } });
      for (const ranges of [known, uncounted])
        for (const range of ranges.keys()) if (range < below) ranges.delete(range);
    },
  };
}
