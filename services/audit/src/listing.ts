import type { Documents, Filter, FindOptions } from '@order-automation/store';
import type { Bundle } from './bundles';
import type { BundleDocument } from './bundling';
import { hasValues, type LoggedEntry, matches } from './logged-entry';
import { approach, fewToSkip, type IdRange, newestOf, type Position, type Walk } from './newest';
import { bundleQueries, fewest, type Selection } from './selection';

const newestFirst = { _id: -1 } as const;

export type Readers = {
  readonly withOutlines: (found: readonly BundleDocument[]) => Promise<Bundle[]>;
  readonly entriesIn: (bundles: readonly Bundle[]) => Promise<LoggedEntry[]>;
};

/** The lists of entries, by walks through the bundles: a bundle in a walk has at least one entry that the filters let through. */
export function listing(documents: Documents<BundleDocument>, { withOutlines, entriesIn }: Readers) {
  type Options = FindOptions<BundleDocument>;
  const find = (filter: Filter<BundleDocument>, options?: Options) => documents.find(filter, options).sort(newestFirst);

  const count = async (selection: Selection, range: IdRange): Promise<number> => {
    const counts = bundleQueries
      .counted(selection, range)
      .map(async ([times, filter]) => times * (await documents.countDocuments(filter)));
    return (await Promise.all(counts)).reduce((sum, some) => sum + some, 0);
  };

  /** Past nearly all that is to be skipped, however many walks lead there. */
  const near = async (selection: Selection, { from = 0, below, skip }: Position): Promise<Position> => {
    if (skip <= fewToSkip) return { below, skip };
    const end = below ?? ((await find({}).limit(1).toArray())[0]?._id ?? 0) + 1;
    return approach({ from, below: end, skip }, (range) => count(selection, range));
  };

  /** The newest bundles of the selection. */
  const newest = async (selection: Selection, below: number | undefined, limit: number, options?: Options) => {
    const walk = (last: number | undefined, filter: Filter<BundleDocument>, most: number) =>
      find(bundleQueries.within({ below: last }, filter), options)
        .limit(most)
        .toArray();
    const walks = bundleQueries.walks(selection);
    const [first] = walks;
    if (first === undefined) return [];
    if (walks.length === 1) return walk(below, first, limit);
    const alongEach = walks.map(
      (filter): Walk<BundleDocument> =>
        (last, most) =>
          walk(last, filter, most),
    );
    return newestOf(alongEach, below, limit);
  };

  /** Entries of these bundles that are let through, newest first. */
  const shownIn = async (found: readonly BundleDocument[], { filters }: Selection): Promise<LoggedEntry[]> => {
    const entries = await entriesIn(await withOutlines(found));
    return entries.filter((entry) => matches(entry, filters)).sort((a, b) => b.id - a.id);
  };

  return {
    count,
    /** Newest first. More than `skip` entries must match in the range of the position. */
    page: async (selection: Selection, position: Position, limit: number): Promise<LoggedEntry[]> => {
      if (selection.outlines.size === 0) return [];
      const { below, skip } = await near(selection, position);
      const end = skip + limit;
      if (!hasValues(selection.filters) && !selection.every) {
        // Nearly every entry is shown: among the newest there are enough.
        const along = await find(bundleQueries.within({ below }, {})).limit(end).toArray();
        const shown = await shownIn(along, selection);
        if (shown.length >= end) return shown.slice(skip, end);
      }
      const bundles = await newest(selection, below, Math.ceil(end / fewest(selection)));
      return (await shownIn(bundles, selection)).slice(skip, end);
    },
    /** Newest first: bundles with an entry that matches, without their entries. */
    briefly: (selection: Selection, { below }: IdRange, limit: number) =>
      newest(selection, below, limit, { projection: { _id: 1, process_id: 1, n: 1, started_at: 1 } }),
  };
}
