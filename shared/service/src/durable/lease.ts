import { type Documents, type FindOptions, type Update, updateInPages } from '@order-automation/store';

/** Work that is kept in a document. `due`: when a process may take it, in milliseconds since the epoch; absent when nothing is left to do. */
export type Due = { readonly _id: string; readonly due?: number | undefined };

/**
 * Work that one process at a time does: the one that raised the fence last, until `due`. Each of its writes names its fence, so that a process whose
 * lease was taken over writes nothing any more.
 */
export type Leased = Due & { readonly fence: number };

/** Whether another process may take a lease. A future time that is further away than any lease means another instance's clock was ahead. */
export const isFree = (until: number, now: number, longest: number): boolean => until <= now || until > now + longest;

type Dated = { readonly _id: string | number; readonly due?: number | undefined };

/** Milliseconds between two looks for times that are too far away. */
const guardEvery = 2_000;

/**
 * Finds what is due, the longest due first. What is due later than anything is put off was written while another instance's clock was ahead: it is
 * made due now, so that nothing lies until that time.
 */
export function dueFinder<T extends Dated>(documents: Documents<T>, longest: number) {
  const common = withCommonFields<Dated, T>(documents);
  let guardedAt = Number.NEGATIVE_INFINITY;
  return async (now: number, limit: number, options: FindOptions<T> = {}): Promise<T[]> => {
    if (performance.now() - guardedAt >= guardEvery) {
      guardedAt = performance.now();
      await updateInPages(common, { due: { $gt: now + longest } }, { $set: { due: now } });
    }
    const found = common.find({ due: { $lte: now } }, { ...(options as FindOptions<Dated>), sort: { due: 1 }, limit });
    return (await found.toArray()) as readonly Dated[] as T[];
  };
}

/** The document while this fence holds it. */
export const heldBy = ({ _id, fence }: Leased) => ({ _id, fence });

/** The leases of a collection, each of `duration` milliseconds. */
export function leasesOf<T extends Leased>(documents: Documents<T>, duration: number, longest = 10 * duration) {
  const common = withCommonFields<Leased, T>(documents);
  /** `due: undefined` says that nothing is left to do. Null when the fence has changed: another process has it, or it was ended. */
  const change = async <Held extends Leased>(held: Held, changed: Partial<T>, asFound = {}): Promise<Held | null> => {
    const { _id: _, due, ...rest } = changed;
    const $set = { fence: held.fence, ...rest, ...(due === undefined ? {} : { due }) };
    const isOver = 'due' in changed && due === undefined;
    const update = (isOver ? { $set, $unset: { due: '' } } : { $set }) as Update<Leased>;
    const { matchedCount } = await common.updateOne({ ...heldBy(held), ...asFound }, update);
    return matchedCount === 1 ? { ...held, ...changed } : null;
  };
  return {
    due: dueFinder(documents, longest),
    change,
    /** Takes what was found due; null when another process was first, or when the one that had it has renewed its lease or ended the work since. */
    take: <Held extends Leased>(found: Held, now: number, changed: Partial<T> = {}): Promise<Held | null> => {
      const asFound = found.due === undefined ? {} : { due: found.due };
      return change(found, { ...changed, fence: found.fence + 1, due: now + duration }, asFound);
    },
    /** Renews those that are still held and have something left to do, all in one write. */
    renew: async (held: readonly Leased[], now: number): Promise<void> => {
      const operations = held.map((one) => ({
        updateOne: { filter: { ...heldBy(one), due: { $exists: true } }, update: { $set: { due: now + duration } } },
      }));
      if (operations.length > 0) await common.bulkWrite(operations, { ordered: false });
    },
  };
}

/**
 * Renews what this process holds while it works on it, three times within a lease of `duration` milliseconds. A renewal that fails is tried again at the
 * next turn; a lease that is lost shows at the next write. When the work has ended, so has every renewal of it.
 */
export function leaseRenewal<Item>(duration: number, renew: (held: readonly Item[]) => Promise<unknown>) {
  const held = new Set<Item>();
  let timer: NodeJS.Timeout | undefined;
  let inFlight: Promise<unknown> | undefined;
  const turn = (): void => {
    inFlight ??= renew([...held])
      .catch(() => undefined)
      .finally(() => {
        inFlight = undefined;
      });
  };
  return async <Result>(item: Item, work: () => Promise<Result>): Promise<Result> => {
    held.add(item);
    timer ??= setInterval(turn, duration / 3).unref();
    try {
      return await work();
    } finally {
      held.delete(item);
      if (held.size === 0) {
        clearInterval(timer);
        timer = undefined;
      }
      await inFlight;
    }
  };
}

/** A filter on the fields that every document has cannot be typed for a T that is not known here. */
const withCommonFields = <Common extends Dated, T extends Common>(documents: Documents<T>): Documents<Common> =>
  documents as unknown as Documents<Common>;
