import { deleteInPages, insertNew, type Store } from '@order-automation/store';

/** What was last known of an order of the shop: what differs from it has happened since. */
export type SeenDocument = {
  readonly _id: number;
  /** Grows with every write. */
  readonly rev: number;
  readonly status: string;
  /** Of one in the trash: the status that it had; null where it was never seen outside. Absent on documents of an earlier version. */
  readonly trashed_from?: string | null;
  /** A digest of its order key. Absent on documents of an earlier version. */
  readonly secret?: string;
  readonly refunds: readonly number[];
  /** Keys of the commands that the order remembered: what they changed is known. */
  readonly marks: readonly string[];
  /** The ids by which an event may name it. */
  readonly names: readonly string[];
  /** ISO 8601 UTC. Absent on documents of an earlier version. */
  readonly modified?: string;
  /** Steps that were carried out from here. Absent while there is none. */
  readonly steps?: number;
  /** The address of its shop, where an administrator connected it. Absent on documents of an earlier version. */
  readonly shop?: string;
};

export type ProgressDocument = {
  readonly _id: string;
  /** ISO 8601 UTC: orders created before it are not new. */
  readonly since: string;
  /** ISO 8601 UTC, by the clock of the shop: everything that changed before it was seen. */
  readonly modified: string;
};

export type Seen = Awaited<ReturnType<typeof openSeen>>;

/** `of`: the address of the shop, where another one may have been connected before: what was noted of that one's orders counts for nothing. */
export async function openSeen(store: Store, of?: string) {
  const documents = await store.collection<SeenDocument>('woocommerce_seen');
  const progress = await store.collection<ProgressDocument>('woocommerce_progress');
  // Work of a connector that is about to close, here or in another instance, still notes what its own shop has.
  const isOurs = ({ shop }: SeenDocument) => of === undefined || shop === undefined || shop === of;
  const ofShop = of === undefined ? {} : { shop: of };
  return {
    documents,
    byIds: async (ids: readonly number[]) => (await documents.find({ _id: { $in: ids } }).toArray()).filter(isOurs),
    /** The caller holds the lease of the order. */
    put: async (before: SeenDocument | null, after: SeenDocument): Promise<void> => {
      const { _id, ...fields } = after;
      const $set = { ...fields, ...ofShop };
      if (before) await documents.updateOne({ _id, rev: before.rev }, { $set });
      // A look at what was modified may have added it meanwhile: what the holder of the lease has read is newer.
      else if ((await insertNew(documents, [{ _id, ...$set }])).length > 0)
        await documents.updateOne({ _id }, { $set });
    },
    /** Those of orders that were seen meanwhile are left as they are. */
    addNew: (added: readonly SeenDocument[]) => {
      const own = added.map((document) => ({ ...document, ...ofShop }));
      return insertNew(documents, own);
    },
    progress: async (): Promise<ProgressDocument | null> => progress.findOne({ _id: 'orders' }),
    begin: (since: string, modified: string) => insertNew(progress, [{ _id: 'orders', since, modified }]),
    /** All of it is about another shop. */
    forget: async (): Promise<void> => {
      await progress.deleteMany({ _id: 'orders' });
      await deleteInPages(documents, {});
    },
    /** `since`: that of the progress it goes on from; another shop begins with another one. */
    advance: (since: string, modified: string) => progress.updateOne({ _id: 'orders', since }, { $set: { modified } }),
  };
}
