import { isDuplicateKey, type Store } from '@order-automation/store';

/** `_id` is `unauthenticated`. */
type TotalDocument = { readonly _id: string; readonly bytes: number };

const id = 'unauthenticated';

/** Bytes of stored webhooks that nothing proves; all processes share the limit. */
export type Quota = {
  /** Whether this many more may be kept; if so, they count until they are released. */
  reserve(bytes: number): boolean;
  /** They are stored, and counted by `add`, or refused. */
  release(bytes: number): void;
  /** They are kept from now on, or no longer when it is less than zero. */
  add(bytes: number): Promise<void>;
  refresh(): Promise<void>;
};

export async function openQuota(store: Store, limit: number): Promise<Quota> {
  const documents = await store.collection<TotalDocument>('totals');
  let known = 0;
  let reserved = 0;
  // Added here, but perhaps not part of what the store answers yet: since the last refresh began, and now.
  let addedSince = 0;
  let adding = 0;
  const refresh = async (): Promise<void> => {
    addedSince = adding;
    const stored = (await documents.findOne({ _id: id }))?.bytes ?? 0;
    known = stored + addedSince;
  };
  await documents.insertOne({ _id: id, bytes: 0 }).catch((error: unknown) => {
    if (!isDuplicateKey(error)) throw error;
  });
  await refresh();
  return {
    reserve: (bytes) => {
      if (known + reserved + bytes > limit) return false;
      reserved += bytes;
      return true;
    },
    release: (bytes) => {
      reserved -= bytes;
    },
    add: async (bytes) => {
      if (bytes === 0) return;
      known += bytes;
      addedSince += bytes;
      adding += bytes;
      try {
        await documents.updateOne({ _id: id }, { $inc: { bytes } });
      } finally {
        adding -= bytes;
      }
    },
    refresh,
  };
}
