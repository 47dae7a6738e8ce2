import { type ImportProgress, isoTime } from '@order-automation/contracts';
import { withId } from '@order-automation/service';
import { insertNew, type Store } from '@order-automation/store';

/** How far an import is. `lines` guards every write: of two senders of one import one goes on. */
export type ImportDocument = Omit<ImportProgress, 'id'> & { readonly _id: string };

export async function openImports(store: Store) {
  const documents = await store.collection<ImportDocument>('imports');
  const get = async (id: string): Promise<ImportProgress | null> => {
    const found = await documents.findOne({ _id: id });
    return found && withId(found);
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
      await insertNew(documents, [{ _id: id, ...begun }]);
      return { id, ...begun };
    },
    /** False when another sender was faster. */
    advance: async (before: ImportProgress, { id, ...$set }: ImportProgress): Promise<boolean> => {
      const { matchedCount } = await documents.updateOne({ _id: id, lines: before.lines }, { $set });
      return matchedCount === 1;
    },
  };
}
