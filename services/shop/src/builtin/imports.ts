import { type ImportProgress, isoTime, type NewAuditEntry } from '@order-automation/contracts';
import { type IndexDescription, isDuplicateKey, type Store } from '@order-automation/store';

/** How far an import is. `lines` guards every write: of two senders of one import one goes on. */
export type ImportDocument = Omit<ImportProgress, 'id'> & {
  readonly _id: string;
  /** About the import, with the time in milliseconds since which audit has not confirmed it. */
  readonly entry?: NewAuditEntry;
  readonly owed_since?: number;
};

export const importIndexes: readonly IndexDescription[] = [{ name: 'owed', key: { owed_since: 1 }, sparse: true }];

export const importQueries = { owed: { owed_since: { $gt: 0 } } } as const;

export type Imports = Awaited<ReturnType<typeof openImports>>;

export async function openImports(store: Store) {
  const documents = await store.collection<ImportDocument>('imports', importIndexes);
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
    /** False when another sender was faster. `entry` is owed to audit from now on. */
    advance: async (
      before: ImportProgress,
      { id, ...after }: ImportProgress,
      owed: Pick<ImportDocument, 'entry' | 'owed_since'> = {},
    ): Promise<boolean> => {
      const $set = { ...after, ...owed };
      const { matchedCount } = await documents.updateOne({ _id: id, lines: before.lines }, { $set });
      return matchedCount === 1;
    },
    /** Those whose entry audit has not confirmed, the oldest first. */
    owed: (limit: number) => documents.find(importQueries.owed).sort({ owed_since: 1 }).limit(limit).toArray(),
    confirmed: (id: string) => documents.updateOne({ _id: id }, { $unset: { entry: '', owed_since: '' } }),
  };
}
