import type { AuditFilters } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { isDuplicateKey, type Store } from '@order-automation/store';
import { countIn } from './cells';
import type { Entries } from './entries';
import { entryQueries } from './entries';
import type { EntryIds } from './entry-ids';
import { openHourStats } from './hour-stats';
import type { ClosedRange, IdRange, Position } from './newest';
import { countedOf, openRangeCounts, type RangeDocument, rangeSize, recentOrders } from './range-counts';
import { countsOf, type Selection } from './selection';
import { type HourStats, hourOf, type StatsFacts, statsOf } from './stats';

const readAtOnce = 1024;
const mostOrders = 100;

export type Totals = Awaited<ReturnType<typeof openTotals>>;
export type TotalsDeps = { readonly entries: Entries; readonly ids: EntryIds; readonly clock: Clock };

/** Whether a range of ids answers these filters by its cells: all but the time. */
const isCounted = ({ order_id, process_id, search }: AuditFilters): boolean =>
  order_id === undefined && process_id === undefined && search === undefined;

/** How the times of a range lie to the times asked for. */
function overlap({ first_at, last_at }: RangeDocument, { date_from = '', date_to }: AuditFilters) {
  if (first_at === '' || last_at < date_from || (date_to !== undefined && first_at > date_to)) return 'none';
  return first_at >= date_from && (date_to === undefined || last_at <= date_to) ? 'all' : 'some';
}

/**
 * Exact totals that cost the same at any size. A range of ids into which nothing is inserted any more is counted once, in the background; a
 * deletion marks its range, which is counted from the index until it was counted again.
 */
export async function openTotals(store: Store, { entries, ids, clock }: TotalsDeps, size = rangeSize) {
  const counts = await openRangeCounts(store);
  const hours = await openHourStats(store);

  const count = async (selection: Selection, range: IdRange): Promise<number> => {
    const found = countsOf(selection).map((walk) => entries.documents.countDocuments(entryQueries.within(range, walk)));
    return (await Promise.all(found)).reduce((sum, some) => sum + some, 0);
  };

  const read = async ({ from, below }: ClosedRange): Promise<StatsFacts[]> => {
    const found: StatsFacts[] = [];
    for (let next = from; ; ) {
      const some = await entries.factsIn({ from: next, below }, readAtOnce);
      found.push(...some);
      if (some.length < readAtOnce) return found;
      next = (some.at(-1)?._id ?? below) + 1;
    }
  };

  const idsOf = (range: number): ClosedRange => ({ from: range * size, below: (range + 1) * size });

  const countOf = (range: RangeDocument, selection: Selection): number | Promise<number> => {
    const shared = overlap(range, selection.filters);
    if (shared === 'none' && !range.stale) return 0;
    return shared === 'all' && !range.stale
      ? countIn(range.cells, selection.filters)
      : count(selection, idsOf(range._id));
  };

  const recount = async (range: RangeDocument, found: readonly StatsFacts[]): Promise<void> => {
    await hours.replace(range._id, found);
    await counts.recount(range, found, clock.now());
  };

  /** The entries above every range that is counted. */
  const tailOf = (ranges: readonly RangeDocument[]): Promise<StatsFacts[]> =>
    read({ from: ((ranges[0]?._id ?? -1) + 1) * size, below: Number.MAX_SAFE_INTEGER });

  return {
    counts,
    count,
    /** Counts every range that is settled by now, and again what deletions have marked. */
    roll: async (): Promise<void> => {
      const settled = await ids.settledBelow();
      const ranges = await counts.load();
      for (const range of ranges) if (range.stale) await recount(range, await read(idsOf(range._id)));
      const lowest = Math.floor((await entries.start()) / size);
      for (let next = (ranges[0]?._id ?? lowest - 1) + 1; (next + 1) * size <= settled; next += 1) {
        const found = await read(idsOf(next));
        await hours.put(next, found);
        const document = { _id: next, ...countedOf(found), stale: false, revision: 1, changed_at: clock.now() };
        await counts.documents.insertOne(document).catch((error: unknown) => {
          if (!isDuplicateKey(error)) throw error;
        });
      }
    },
    /** Says that entries of these ids were deleted, or are about to be. */
    mark: (deleted: readonly number[]): Promise<void> =>
      counts.markStale([...new Set(deleted.map((id) => Math.floor(id / size)))], clock.now()),
    /** How many entries match, and where the page at this offset begins. */
    locate: async (selection: Selection, offset: number): Promise<Position & { readonly total: number }> => {
      if (!isCounted(selection.filters)) return { total: await count(selection, {}), skip: offset };
      const ranges = await counts.load();
      const first = ((ranges[0]?._id ?? -1) + 1) * size;
      const tail = await count(selection, { from: first });
      let position: Position | undefined = offset < tail ? { from: first, skip: offset } : undefined;
      let total = tail;
      for (const range of ranges) {
        const here = await countOf(range, selection);
        if (!position && offset < total + here) position = { ...idsOf(range._id), skip: offset - total };
        total += here;
      }
      return { total, ...(position ?? { from: 0, below: 0, skip: 0 }) };
    },
    /** The facets that entries have now, and the most recent orders with entries, at most 100. */
    present: async (): Promise<{ facets: ReadonlySet<string>; orders: readonly number[] }> => {
      const ranges = await counts.load();
      const tail = await tailOf(ranges);
      const orders = new Set(recentOrders(tail));
      const facets = new Set(tail.map(({ facet }) => facet));
      for (const range of ranges) {
        const { cells, orders: older } = range.stale ? countedOf(await read(idsOf(range._id))) : range;
        for (const { facet } of cells) facets.add(facet);
        for (const order of older) if (orders.size < mostOrders) orders.add(order);
      }
      return { facets, orders: [...orders] };
    },
    /** The statistics of the hours from one time up to another. */
    statsBetween: async (from: string, to: string): Promise<(readonly [hour: string, stats: HourStats])[]> => {
      const tail = statsOf(await tailOf(await counts.load()));
      const stored = await hours.between(hourOf(from), to);
      return [...stored, ...[...tail].filter(([hour]) => hour >= hourOf(from) && hour <= to)];
    },
    /** Forgets what was counted of ids below this one, which retention has removed. */
    forgetBelow: async (id: number): Promise<void> => {
      const range = Math.floor(id / size);
      await counts.remove(range);
      await hours.removeBelow(range);
    },
    /** Compares every count with the entries it is of; resolves with the ranges that differed, which are counted again. */
    rebuild: async (): Promise<number[]> => {
      const wrong: number[] = [];
      for (const range of await counts.load()) {
        const found = await read(idsOf(range._id));
        if (range.stale || !sameCount(range, found)) {
          wrong.push(range._id);
          await recount(range, found);
        }
      }
      return wrong;
    },
  };
}

function sameCount({ cells, first_at, last_at, orders }: RangeDocument, found: readonly StatsFacts[]): boolean {
  const text = (counted: Pick<RangeDocument, 'cells' | 'first_at' | 'last_at' | 'orders'>) =>
    JSON.stringify([
      counted.cells.map(({ facet, rule_id, count }) => `${facet}/${rule_id}/${count}`).sort(),
      counted.first_at,
      counted.last_at,
      counted.orders,
    ]);
  return text({ cells, first_at, last_at, orders }) === text(countedOf(found));
}
