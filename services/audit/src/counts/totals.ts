import type { AuditFilters } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { insertNew, type Store } from '@order-automation/store';
import type { Selection } from '../reading/selection';
import { count, type Position } from '../reading/walk';
import type { EntryIds } from '../records/entry-ids';
import type { ClosedRange, IdRange } from '../records/record-queries';
import { type CountedEntry, type RecordSummary, summaryOf } from '../records/record-summary';
import type { Records } from '../records/records';
import { countIn, type Span } from './cells';
import { openHourStats, type StatsAt } from './hour-stats';
import { countedOf, maxOrders, openRangeCounts, type RangeDocument, rangeSize, recentOrders } from './range-counts';
import { type StatsUnit, startOf, statsOf } from './stats';

const readAtOnce = 256;

export type Totals = Awaited<ReturnType<typeof openTotals>>;
export type TotalsDeps = { readonly records: Records; readonly ids: EntryIds; readonly clock: Clock };

/** Whether a range of ids answers these filters by its cells: all but the time. */
export const isCounted = ({ order_id, process_id, search }: AuditFilters): boolean =>
  order_id === undefined && process_id === undefined && search === undefined;

/** How the times of a span lie to the times asked for. */
function overlap({ first_at, last_at }: Span, { date_from = '', date_to }: AuditFilters) {
  if (first_at === '' || last_at < date_from || (date_to !== undefined && first_at > date_to)) return 'none';
  return first_at >= date_from && (date_to === undefined || last_at <= date_to) ? 'all' : 'some';
}

/** The spans of a range that have some of the time asked for, or lie in it as a whole. */
function timelySpans(range: RangeDocument, filters: AuditFilters) {
  const { spans = [] } = range;
  return (spans.length > 0 ? spans : [range])
    .map((span) => ({ span, shared: overlap(span, filters) }))
    .filter(({ shared }) => shared !== 'none');
}

/**
 * Exact totals that cost the same at any size. A range of ids into which nothing is inserted any more is counted once, in the background; a
 * deletion marks its range, which is counted from its records until it was counted again. A record is in the range of its id.
 */
export async function openTotals(store: Store, { records, ids, clock }: TotalsDeps, size = rangeSize) {
  const counts = await openRangeCounts(store, clock);
  const hours = await openHourStats(store);

  const read = async ({ from, below }: ClosedRange): Promise<CountedEntry[]> => {
    const found: CountedEntry[] = [];
    for (let next = from; ; ) {
      const some = await records.inRange({ from: next, below }, readAtOnce);
      found.push(...some.flatMap((record) => summaryOf(record).entries));
      if (some.length < readAtOnce) return found;
      next = (some.at(-1)?._id ?? below) + 1;
    }
  };

  const idsOf = (range: number): ClosedRange => ({ from: range * size, below: (range + 1) * size });
  const tailStart = (ranges: readonly RangeDocument[]): number => ((ranges[0]?._id ?? -1) + 1) * size;

  const countOf = (range: RangeDocument, selection: Selection): number | Promise<number> => {
    const timely = timelySpans(range, selection.filters);
    if (range.stale || timely.some(({ shared }) => shared === 'some'))
      return count(selection, idsOf(range._id), records);
    return timely.reduce((sum, { span }) => sum + countIn(span.cells, selection), 0);
  };

  const recount = async (range: RangeDocument): Promise<boolean> => {
    const found = await read(idsOf(range._id));
    await hours.replace(range._id, found);
    return counts.recount(range, found, clock.now());
  };

  /** What was read for seals and is not counted yet: all that was stored from one id up to another when it was read. */
  let collected: ClosedRange & { readonly entries: readonly CountedEntry[] } = { from: 0, below: 0, entries: [] };
  const take = async ({ from, below }: ClosedRange): Promise<readonly CountedEntry[]> => {
    const { entries, ...range } = collected;
    if (range.from > from || range.below < below) return read({ from, below });
    const rest = entries.filter(({ record_id }) => record_id >= below);
    collected = { from: below, below: range.below, entries: rest };
    return entries.filter(({ record_id }) => record_id >= from && record_id < below);
  };

  /** False when another instance has counted the range, or a deletion has marked it meanwhile. */
  const countRange = async (range: number): Promise<boolean> => {
    const mark = counts.markOf(range);
    if (mark) return recount(mark);
    const found = await take(idsOf(range));
    await hours.put(range, found);
    const document = { _id: range, ...countedOf(found), stale: false, revision: 1, changed_at: clock.now() };
    return (await insertNew(counts.documents, [document])).length === 0;
  };

  const tailOf = (ranges: readonly RangeDocument[]): Promise<CountedEntry[]> =>
    read({ from: tailStart(ranges), below: Number.MAX_SAFE_INTEGER });

  return {
    counts,
    /** Counts every range that is settled by now, and again what deletions have marked. */
    roll: async (): Promise<void> => {
      const settled = await ids.settledBelow();
      const ranges = await counts.load();
      for (const range of ranges) if (range.stale) await recount(range);
      const lowest = Math.floor((await records.start()) / size);
      for (let next = (ranges[0]?._id ?? lowest - 1) + 1; (next + 1) * size <= settled; next += 1)
        if (!(await countRange(next))) return;
    },
    /** Takes what was read of a settled range of ids for its seal, so that it is counted without being read again. */
    collect: ({ from, below }: ClosedRange, found: readonly RecordSummary[]): void => {
      const isNext = from === collected.below;
      const entries = found.flatMap((record) => record.entries);
      collected = isNext
        ? { from: collected.from, below, entries: [...collected.entries, ...entries] }
        : { from, below, entries };
    },
    /** Says that entries of these ids were deleted, or are about to be. */
    mark: (deleted: readonly number[]): Promise<void> =>
      counts.markStale([...new Set(deleted.map((id) => Math.floor(id / size)))], clock.now()),
    /** How many entries match filters that ranges are counted by, and where the page at this offset begins. */
    locate: async (selection: Selection, offset: number): Promise<Position & { readonly total: number }> => {
      const ranges = await counts.load();
      const first = tailStart(ranges);
      const tail = await count(selection, { from: first }, records);
      let position: Position | undefined = offset < tail ? { skip: offset } : undefined;
      let total = tail;
      for (const range of ranges) {
        const here = await countOf(range, selection);
        if (!position && offset < total + here) position = { below: idsOf(range._id).below, skip: offset - total };
        total += here;
      }
      return { total, ...(position ?? { below: 0, skip: 0 }) };
    },
    /** The ranges of ids, the newest first, outside which no entry has a time that the filters let through. */
    rangesOf: async (filters: AuditFilters): Promise<IdRange[]> => {
      if (filters.date_from === undefined && filters.date_to === undefined) return [{}];
      const ranges = await counts.load();
      const timely = ranges.filter((range) => timelySpans(range, filters).length > 0);
      return [{ from: tailStart(ranges) }, ...timely.map(({ _id }) => idsOf(_id))];
    },
    /** How many entries there are in records below an id. */
    countBelow: async (below: number): Promise<number> => {
      const ranges = await counts.load();
      const whole = ranges.filter((range) => !range.stale && idsOf(range._id).below <= below);
      let sum = whole.flatMap(({ cells }) => cells).reduce((all, { count }) => all + count, 0);
      const rest = ranges.filter((range) => !whole.includes(range)).map(({ _id }) => idsOf(_id));
      for (const range of [...rest, { from: tailStart(ranges), below }])
        sum += (await read({ from: range.from, below: Math.min(range.below, below) })).length;
      return sum;
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
        for (const order of older) if (orders.size < maxOrders) orders.add(order);
      }
      return { facets, orders: [...orders] };
    },
    /** The statistics of the minutes, or of the hours, from one time up to another. */
    statsBetween: async (from: string, to: string, by: StatsUnit): Promise<StatsAt[]> => {
      const unit = by === 'minute' ? 'minute' : 'hour';
      const tail = statsOf(await tailOf(await counts.load()), unit);
      const stats = await hours.between(startOf.hour(from), to, unit);
      const start = startOf[unit](from);
      return [...stats, ...tail].filter(([at]) => at >= start && at <= to);
    },
    /** Forgets what was counted of ids below this one, which retention has removed. */
    forgetBelow: async (id: number): Promise<void> => {
      const range = Math.floor(id / size);
      await counts.remove(range);
      await hours.removeBelow(range);
    },
  };
}
