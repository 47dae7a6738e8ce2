import { insertNew, type Store } from '@order-automation/store';

/** `_id` is `adopted`. `at` in milliseconds since the epoch. */
type MarkDocument = { readonly _id: string; readonly at: number };

const _id = 'adopted';

/** How far events were looked for that a process has left without inbox documents: what came before the mark has its document. */
export type Marks = { get(): Promise<number | undefined>; set(at: number): Promise<void> };

export async function openMarks(store: Store): Promise<Marks> {
  const documents = await store.collection<MarkDocument>('marks');
  return {
    get: async () => (await documents.findOne({ _id }))?.at,
    set: async (at) => {
      const { matchedCount } = await documents.updateOne({ _id }, { $set: { at } });
      if (matchedCount === 0) await insertNew(documents, [{ _id, at }]);
    },
  };
}
