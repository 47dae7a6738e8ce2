import { idBound, type NewAuditEntry } from '@order-automation/contracts';
import type { Filter, Sort, Store } from '@order-automation/store';
import { firstPatience } from './inbox';

/** The entry about a refused webhook or a copy, which lives until audit has it. `_id` sorts by arrival. */
export type OwedDocument = { readonly _id: string; readonly entry: NewAuditEntry };

type Query = { readonly filter: Filter<OwedDocument>; readonly sort?: Sort<OwedDocument> };

/** Every query of the collection. `now` in milliseconds since the epoch. */
export const owedQueries = {
  byIds: (ids: readonly string[]): Query => ({ filter: { _id: { $in: ids } } }),
  /** Those that the fast path should have handed over. */
  due: (now: number): Query => ({ filter: { _id: { $lt: idBound('evt', now - firstPatience) } }, sort: { _id: 1 } }),
} as const;

export type Owed = Awaited<ReturnType<typeof openOwed>>;

/** Opens the collection. Everything resolves when it is flushed, and rejects when the database is away. */
export async function openOwed(store: Store) {
  const documents = await store.collection<OwedDocument>('owed');
  return {
    documents,
    add: async (owed: readonly OwedDocument[]): Promise<void> => {
      if (owed.length > 0) await documents.insertMany(owed, { ordered: false });
    },
    due: (now: number, limit: number) => {
      const { filter, sort = {} } = owedQueries.due(now);
      return documents.find(filter).sort(sort).limit(limit).toArray();
    },
    remove: (ids: readonly string[]) => documents.deleteMany(owedQueries.byIds(ids).filter),
  };
}
