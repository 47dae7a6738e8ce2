import { deleteInPages, insertNew, type Store } from '@order-automation/store';
import { keyLifetime } from './inbox';

/** An id that a sender uses once, with the SHA-256 of the body it came with. `_id` is gateway and id. */
export type TransmissionDocument = { readonly _id: string; readonly body_sha256: string; readonly at: string };

const indexes = [{ key: { at: 1 }, name: 'at' }] as const;

export type Transmissions = Awaited<ReturnType<typeof openTransmissions>>;

/** Opens the collection. */
export async function openTransmissions(store: Store) {
  const documents = await store.collection<TransmissionDocument>('transmissions', indexes);
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
