import { insertNew, type Store } from '@order-automation/store';
import type { ChainKeys } from './keys';

/** What is left of a deleted entry, or of one whose personal data was erased: the digest that its seal covers. */
export type TombstoneDocument = {
  readonly _id: number;
  /** The digest of the entry as it was sealed. */
  readonly entry_mac: string;
  readonly reason: 'deleted' | 'erased';
  /** The process that did it, which has an entry about it. */
  readonly process_id: string;
  readonly mac: string;
};

export type Tombstones = Awaited<ReturnType<typeof openTombstones>>;

export async function openTombstones(store: Store, keys: ChainKeys) {
  const documents = await store.collection<TombstoneDocument>('tombstones');
  return {
    documents,
    /** Keeps what the seals need of these entries. An entry that has one keeps the digest that was sealed. */
    add: async (
      entries: readonly { readonly _id: number; readonly mac: string }[],
      reason: TombstoneDocument['reason'],
      processId: string,
    ): Promise<void> => {
      const made = (_id: number, entry_mac: string): TombstoneDocument => ({
        _id,
        entry_mac,
        reason,
        process_id: processId,
        mac: keys.mac('tombstone', _id, entry_mac, reason),
      });
      const known = await insertNew(
        documents,
        entries.map(({ _id, mac }) => made(_id, mac)),
      );
      if (known.length === 0) return;
      const ids = known.flatMap((index) => entries[index]?._id ?? []);
      for (const { _id, entry_mac } of await documents.find({ _id: { $in: ids } }).toArray()) {
        const { _id: _, ...fields } = made(_id, entry_mac);
        await documents.updateOne({ _id }, { $set: fields });
      }
    },
    /** Tombstones with ids in a range, by id. */
    in: async (from: number, below: number): Promise<Map<number, TombstoneDocument>> => {
      const found = await documents.find({ _id: { $gte: from, $lt: below } }).toArray();
      return new Map(found.map((one) => [one._id, one]));
    },
    isGenuine: ({ _id, entry_mac, reason, mac }: TombstoneDocument): boolean =>
      keys.holds(mac, 'tombstone', _id, entry_mac, reason),
    removeBelow: (id: number) => documents.deleteMany({ _id: { $lt: id } }),
  };
}
