/** A range of ids: from `from` on, up to but without `below`. */
export type IdRange = { readonly from?: number | undefined; readonly below?: number | undefined };

export type ClosedRange = { readonly from: number; readonly below: number };

/** `skip` entries below the id `below`, and not below `from`. */
export type Position = IdRange & { readonly skip: number };

/** So few entries are read and thrown away rather than counted. */
export const fewToSkip = 64;
const smallestShare = 4;

/**
 * Moves a position down until few entries are left to skip, by counting ever smaller halves of the range. There must be more than
 * `skip` entries between `from` and `below`.
 */
export async function approach(
  { from, below, skip }: ClosedRange & { readonly skip: number },
  count: (range: ClosedRange) => Promise<number>,
): Promise<{ readonly below: number; readonly skip: number }> {
  let [low, high, rest] = [from, below, skip];
  while (rest > fewToSkip && high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    const above = await count({ from: middle, below: high });
    if (above > rest) low = middle;
    else {
      high = middle;
      rest -= above;
    }
  }
  return { below: high, skip: rest };
}

/** Reads up to `limit` entries below an id, newest first. */
export type Walk<Entry> = (below: number | undefined, limit: number) => Promise<readonly Entry[]>;

/**
 * The newest `limit` entries of several walks together, newest first. Each walk is read in growing steps, and no further than it may
 * still matter.
 */
export async function newestOf<Entry extends { readonly _id: number }>(
  walks: readonly Walk<Entry>[],
  below: number | undefined,
  limit: number,
): Promise<Entry[]> {
  let open = walks.map((walk) => ({ walk, last: below, ended: false }));
  let found: Entry[] = [];
  for (let share = Math.max(smallestShare, Math.ceil(limit / walks.length)); open.length > 0; share *= 2) {
    const step = Math.min(share, limit);
    const read = await Promise.all(
      open.map(async (one) => {
        const entries = await one.walk(one.last, step);
        one.last = entries.at(-1)?._id;
        one.ended = entries.length < step;
        return entries;
      }),
    );
    found = [...found, ...read.flat()].sort((a, b) => b._id - a._id).slice(0, limit);
    const floor = found.length < limit ? Number.NEGATIVE_INFINITY : (found.at(-1)?._id ?? 0);
    open = open.filter(({ last, ended }) => !ended && last !== undefined && last > floor);
  }
  return found;
}
