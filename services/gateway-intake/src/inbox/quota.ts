import { type Documents, type IndexDescription, insertNew, type Store } from '@order-automation/store';

/** Bytes of the pool `_id`, or of one sender in it: `<pool> <sender>`. */
type TotalDocument = { readonly _id: string; readonly bytes: number };

const totalIndexes: readonly IndexDescription[] = [{ key: { bytes: -1 }, name: 'bytes' }];

/** `asked`: the gateway has still to be asked who sent it. `unauthenticated`: nothing will ever prove it. */
export type Pool = 'unauthenticated' | 'asked';
const pools: readonly Pool[] = ['unauthenticated', 'asked'];

/** What counts: `_id` of the total of the sender, or of the pool alone where nobody knows the sender. */
export type Use = { readonly total: string; readonly bytes: number };

export type Quota = Awaited<ReturnType<typeof openQuota>>;

/** What one sender may use of a pool, and what may be kept of finished events before their bodies go. */
const senderShare = 1 / 4;
const keptShare = 1 / 8;
/** The largest totals are read: no more than a few senders can have used up their share. */
const maxRead = 100;

/** `sender`: an address on a connection; null: nobody knows. Longer names are digests, so that no address is stored. */
export const totalOf = (pool: Pool, sender: string | null): string => (sender === null ? pool : `${pool} ${sender}`);

const poolOf = (total: string): string => total.split(' ', 1)[0] as string;

/** Added here, but perhaps not part of what the store answers yet: since the last refresh began, and now. */
type Counter = { known: number; reserved: number; addedSince: number; adding: number };

/** Counts bodies of stored webhooks that nothing proves; all processes share the limits. */
export async function openQuota(store: Store, limit: number) {
  const documents = await store.collection<TotalDocument>('totals', totalIndexes);
  const counters = new Map<string, Counter>();
  const counter = (total: string): Counter => {
    const found = counters.get(total) ?? { known: 0, reserved: 0, addedSince: 0, adding: 0 };
    counters.set(total, found);
    return found;
  };
  const counted = (total: string): readonly string[] => [...new Set([total, poolOf(total)])];
  const limitOf = (total: string): number => (total === poolOf(total) ? limit : limit * senderShare);

  const refresh = async (): Promise<void> => {
    for (const one of counters.values()) one.addedSince = one.adding;
    const [largest, whole] = await Promise.all([
      documents.find({}).sort({ bytes: -1 }).limit(maxRead).toArray(),
      documents.find({ _id: { $in: pools } }).toArray(),
    ]);
    const stored = new Map([...largest, ...whole].map(({ _id, bytes }) => [_id, bytes]));
    for (const total of stored.keys()) counter(total);
    for (const [total, one] of counters) {
      one.known = (stored.get(total) ?? 0) + one.addedSince;
      if (one.known === 0 && one.reserved === 0 && one.adding === 0) counters.delete(total);
    }
  };
  const write = async (total: string, bytes: number): Promise<void> => {
    const one = counter(total);
    one.known += bytes;
    one.addedSince += bytes;
    one.adding += bytes;
    try {
      await increase(documents, total, bytes);
    } finally {
      one.adding -= bytes;
    }
  };
  await insertNew(
    documents,
    pools.map((_id) => ({ _id, bytes: 0 })),
  );
  await refresh();
  return {
    /** Whether this many more may be kept; if so, they count until they are released. */
    reserve: ({ total, bytes }: Use): boolean => {
      const all = counted(total);
      const fits = all.every((each) => {
        const { known, reserved } = counter(each);
        return known + reserved + bytes <= limitOf(each);
      });
      if (fits) for (const each of all) counter(each).reserved += bytes;
      return fits;
    },
    /** They are stored, and counted by `add`, or refused. */
    release: ({ total, bytes }: Use): void => {
      for (const each of counted(total)) counter(each).reserved -= bytes;
    },
    /** They are kept from now on, or no longer where it is less than zero. */
    add: async (uses: readonly Use[]): Promise<void> => {
      const sums = new Map<string, number>();
      for (const { total, bytes } of uses)
        for (const each of counted(total)) sums.set(each, (sums.get(each) ?? 0) + bytes);
      await Promise.all([...sums].map(([total, bytes]) => (bytes === 0 ? undefined : write(total, bytes))));
    },
    /** Whether so much is kept that bodies of finished events have to go. */
    isUnderPressure: () => pools.some((pool) => counter(pool).known > limit * keptShare),
    refresh,
  };
}

/** A sender whose bytes are gone has no total. */
async function increase(documents: Documents<TotalDocument>, _id: string, bytes: number): Promise<void> {
  const add = async (): Promise<boolean> =>
    (await documents.updateOne({ _id }, { $inc: { bytes } })).matchedCount === 1;
  if (!(await add()) && (await insertNew(documents, [{ _id, bytes }])).length > 0) await add();
  if (bytes < 0 && _id !== poolOf(_id)) await documents.deleteMany({ _id, bytes: { $lte: 0 } });
}
