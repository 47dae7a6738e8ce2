import { type Filter, type IndexDescription, insertNew, type Store } from '@order-automation/store';
import type { ProcessDocument, Visibility } from './process-summary';

export const processIndexes: readonly IndexDescription[] = [
  { name: 'timeline', key: { visibility: 1, started_at: -1, _id: -1 } },
];

export const processQueries = {
  byIds: (ids: readonly string[]): Filter<ProcessDocument> => ({ _id: { $in: ids } }),
  timeline: (visibility: Visibility): Filter<ProcessDocument> => ({ visibility: { $eq: visibility } }),
};
export const timelineSort = { started_at: -1, _id: -1 } as const;

export type ProcessStart = Pick<ProcessDocument, '_id' | 'started_at'>;
export type Processes = Awaited<ReturnType<typeof openProcesses>>;

/** Every query of the processes, by name. */
export async function openProcesses(store: Store) {
  const documents = await store.collection<ProcessDocument>('processes', processIndexes);
  return {
    documents,
    byIds: (ids: readonly string[]) => documents.find(processQueries.byIds(ids)).toArray(),
    /** Newest first. */
    timeline: (visibility: Visibility, limit: number): Promise<ProcessStart[]> =>
      documents
        .find(processQueries.timeline(visibility), { projection: { _id: 1, started_at: 1 } })
        .sort(timelineSort)
        .limit(limit)
        .toArray(),
    starts: (ids: readonly string[]): Promise<ProcessStart[]> =>
      documents.find(processQueries.byIds(ids), { projection: { _id: 1, started_at: 1 } }).toArray(),
    /** Resolves with the positions of those that exist already. */
    insertNew: (rows: readonly ProcessDocument[]) => insertNew(documents, rows),
    /** Writes each row over the one it was made from; false when one of them had changed meanwhile. */
    replace: async (
      pairs: readonly (readonly [before: ProcessDocument, after: ProcessDocument])[],
    ): Promise<boolean> => {
      if (pairs.length === 0) return true;
      const { matchedCount } = await documents.bulkWrite(
        pairs.map(([{ _id, entry_count, last_id }, { _id: _, ...after }]) => ({
          updateOne: { filter: { _id, entry_count, last_id }, update: { $set: after } },
        })),
        { ordered: false },
      );
      return matchedCount === pairs.length;
    },
  };
}
