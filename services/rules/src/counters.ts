import type { Documents, Store } from '@order-automation/store';
import { isDuplicateKey, takeNumbers } from '@order-automation/store';

export type CounterDocument = { _id: 'rule_id' | 'revision'; value: number };

export type Counters = Awaited<ReturnType<typeof openCounters>>;

/** Makes the counters where they are missing, so that no two writers ever upsert one in a race. */
export async function openCounters(store: Store) {
  const documents: Documents<CounterDocument> = await store.collection<CounterDocument>('counters');
  for (const _id of ['rule_id', 'revision'] as const) {
    await documents.insertOne({ _id, value: 0 }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  }
  return {
    /** The next value, never given twice. */
    next: (_id: CounterDocument['_id']): Promise<number> => takeNumbers(documents, _id),
    current: async (_id: CounterDocument['_id']): Promise<number> => (await documents.findOne({ _id }))?.value ?? 0,
  };
}
