import { type Entries, entryQueries, newestFirst } from './entries';
import type { EntryDocument } from './entry';
import { approach, fewToSkip, newestOf, type Position, type Walk } from './newest';
import { hasValues, matches, type Selection, walksOf } from './selection';
import type { Totals } from './totals';

export type Pages = ReturnType<typeof pagesOf>;

/** Pages of the entries that filters let through, the latest first. */
export function pagesOf({ documents, end }: Pick<Entries, 'documents' | 'end'>, totals: Pick<Totals, 'count'>) {
  const read = (below: number | undefined, walk: ReturnType<typeof walksOf>[number], limit: number) =>
    documents.find(entryQueries.within({ below }, walk)).sort(newestFirst).limit(limit).toArray();

  /** The newest entries of the selection below an id. */
  const newest = async (selection: Selection, below: number | undefined, limit: number): Promise<EntryDocument[]> => {
    const walks = walksOf(selection);
    const [first] = walks;
    if (first === undefined) return [];
    if (walks.length === 1) return read(below, first, limit);
    if (!hasValues(selection.filters)) {
      // Only tests or debug entries are hidden: among the newest entries there are enough, as a rule.
      const shown = (await read(below, {}, limit)).filter((entry) => matches(entry, selection));
      if (shown.length >= limit) return shown.slice(0, limit);
    }
    return newestOf(
      walks.map(
        (walk): Walk<EntryDocument> =>
          (last, most) =>
            read(last, walk, most),
      ),
      below,
      limit,
    );
  };

  return {
    newest,
    /** More than `skip` entries must match in the range of the position. */
    at: async (selection: Selection, { from = 0, below, skip }: Position, limit: number): Promise<EntryDocument[]> => {
      const near =
        skip <= fewToSkip
          ? { below, skip }
          : await approach({ from, below: below ?? (await end()), skip }, (range) => totals.count(selection, range));
      return (await newest(selection, near.below, near.skip + limit)).slice(near.skip);
    },
  };
}
