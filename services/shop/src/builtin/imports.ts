import { type ImportProgress, isoTime, type NewAuditEntry } from '@order-automation/contracts';
import { type Outbox, recordsOf } from '@order-automation/service';
import { isDuplicateKey, type Store } from '@order-automation/store';

/** How far an import is. `lines` guards every write: of two senders of one import one goes on. */
export type ImportDocument = Omit<ImportProgress, 'id'> & {
  readonly _id: string;
  /** Of an earlier version: the entry that audit has not confirmed. */
  readonly entry?: NewAuditEntry;
  readonly owed_since?: number;
};

export type Imports = Awaited<ReturnType<typeof openImports>>;

export async function openImports(store: Store, outbox: Outbox) {
  const documents = await store.collection<ImportDocument>('imports');
  for (const { _id, entry } of await documents.find({ owed_since: { $gt: 0 } }).toArray()) {
    if (entry) await outbox.add(recordsOf([entry]));
    await documents.updateOne({ _id }, { $unset: { entry: '', owed_since: '' } });
  }
  const get = async (id: string): Promise<ImportProgress | null> => {
    const found = await documents.findOne({ _id: id });
    if (!found) return null;
    const { _id, entry, owed_since, ...progress } = found;
    return { id, ...progress };
  };
  return {
    documents,
    get,
    /** The import of that id, begun when there is none. */
    begin: async (id: string, now: number): Promise<ImportProgress> => {
      const known = await get(id);
      if (known) return known;
      const at = isoTime(now);
      const counts = { lines: 0, digest: '', imported: 0, refused: 0, imported_by_type: [], refusals: [] };
      const begun = { state: 'running' as const, ...counts, started_at: at, updated_at: at };
      await documents.insertOne({ _id: id, ...begun }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
      return { id, ...begun };
    },
    /** False when another sender was faster. */
    advance: async (before: ImportProgress, { id, ...$set }: ImportProgress): Promise<boolean> => {
      const { matchedCount } = await documents.updateOne({ _id: id, lines: before.lines }, { $set });
      return matchedCount === 1;
    },
  };
}
