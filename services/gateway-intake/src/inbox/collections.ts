import { deleteInPages, insertNew, type Store } from '@order-automation/store';
import { keyLifetime } from './documents';
import { openInbox } from './inbox';
import { openPayloads } from './payloads';
import { openQuota } from './quota';

/** What the receiving path stores. */
export type Collections = Awaited<ReturnType<typeof openCollections>>;

/** Opens them. `quotaBytes`: most bytes of webhooks that nothing proves which are kept at once. */
export async function openCollections(store: Store, quotaBytes: number) {
  const payloads = await openPayloads(store);
  const [inbox, transmissions, quota] = await Promise.all([
    openInbox(store, payloads),
    openTransmissions(store),
    openQuota(store, quotaBytes),
  ]);
  return { inbox, payloads, transmissions, quota };
}

/** An id that a sender uses once, with the SHA-256 of the body it came with. `_id` is gateway and id. */
export type TransmissionDocument = { readonly _id: string; readonly body_sha256: string; readonly at: string };

export async function openTransmissions(store: Store) {
  const documents = await store.collection<TransmissionDocument>('transmissions', [{ key: { at: 1 }, name: 'at' }]);
  const olderThan = (now: number) => ({ at: { $lt: new Date(now - keyLifetime).toISOString() } });
  return {
    documents,
    /** Whether the id belongs to this body, from now on or before. Resolves when that is flushed. */
    bind: async (id: string, bodySha256: string, now: number): Promise<boolean> => {
      const at = new Date(now).toISOString();
      const taken = await insertNew(documents, [{ _id: id, body_sha256: bodySha256, at }]);
      return taken.length === 0 || (await documents.findOne({ _id: id }))?.body_sha256 === bodySha256;
    },
    removeExpired: (now: number) => deleteInPages(documents, olderThan(now)),
  };
}
