import type { AuditEntry, AuditFilters, NewAuditEntry } from '@order-automation/contracts';
import { duplicateKeyIndexes, type Filter, type IndexDescription, type Store } from '@order-automation/store';

/** An entry as it is stored: its integer id, and the `uid` by which it is stored once. */
export type EntryDocument = NewAuditEntry & { readonly _id: number };

/** What grouping and counting need of an entry. */
export type EntryFacts = Pick<
  EntryDocument,
  '_id' | 'timestamp' | 'status' | 'event_type' | 'source' | 'rule_id' | 'is_test' | 'is_debug' | 'process_id'
>;

/** Ids grow in the order of recording, so that every list is a walk along `_id` behind the value it filters by. */
export const entryIndexes: readonly IndexDescription[] = [
  { name: 'uid', key: { uid: 1 }, unique: true },
  { name: 'process', key: { process_id: 1, _id: -1 } },
  { name: 'order', key: { order_id: 1, _id: -1 } },
  { name: 'rule', key: { rule_id: 1, _id: -1 } },
  { name: 'status', key: { status: 1, _id: -1 } },
  { name: 'event_type', key: { event_type: 1, _id: -1 } },
  { name: 'source', key: { source: 1, _id: -1 } },
];

const facts = {
  _id: 1,
  timestamp: 1,
  status: 1,
  event_type: 1,
  source: 1,
  rule_id: 1,
  is_test: 1,
  is_debug: 1,
  process_id: 1,
} as const;

/** A range of ids: from `from` on, up to but without `below`. */
export type IdRange = { readonly from?: number | undefined; readonly below?: number | undefined };

export const entryQueries = {
  byIds: (ids: readonly number[]): Filter<EntryDocument> => ({ _id: { $in: ids } }),
  ofProcesses: (processIds: readonly string[]): Filter<EntryDocument> => ({ process_id: { $in: processIds } }),
  matching: (filters: AuditFilters, { from, below }: IdRange = {}): Filter<EntryDocument> => {
    const { include_debug, include_test, source, status, event_type, order_id, rule_id, process_id } = filters;
    const ids = { ...(from === undefined ? {} : { $gte: from }), ...(below === undefined ? {} : { $lt: below }) };
    return {
      ...(from === undefined && below === undefined ? {} : { _id: ids }),
      ...(process_id === undefined ? {} : { process_id: { $eq: process_id } }),
      ...(order_id === undefined ? {} : { order_id: { $eq: order_id } }),
      ...(rule_id === undefined ? {} : { rule_id: { $eq: rule_id } }),
      ...(status === undefined ? {} : { status: { $eq: status } }),
      ...(event_type === undefined ? {} : { event_type: { $eq: event_type } }),
      ...(source === undefined ? {} : { source: { $eq: source } }),
      ...(include_debug ? {} : { is_debug: { $eq: false } }),
      ...(include_test ? {} : { is_test: { $eq: false } }),
    };
  },
};

export type Entries = Awaited<ReturnType<typeof openEntries>>;

/** Every query of the entries, by name. */
export async function openEntries(store: Store) {
  const documents = await store.collection<EntryDocument>('entries', entryIndexes);
  const find = documents.find.bind(documents);
  return {
    documents,
    /** Resolves with the positions of those whose uid is there already. */
    insertNew: async (entries: readonly EntryDocument[]): Promise<readonly number[]> => {
      try {
        await documents.insertMany(entries, { ordered: false });
        return [];
      } catch (error) {
        const duplicates = duplicateKeyIndexes(error);
        if (!duplicates) throw error;
        return duplicates;
      }
    },
    byIds: (ids: readonly number[]) => find(entryQueries.byIds(ids)).toArray(),
    ofProcess: (processId: string) => find(entryQueries.ofProcesses([processId])).toArray(),
    factsOfProcesses: (ids: readonly string[]): Promise<EntryFacts[]> =>
      find(entryQueries.ofProcesses(ids), { projection: facts }).toArray(),
    factsInRange: (range: Required<IdRange>, limit: number): Promise<EntryFacts[]> =>
      find({ _id: { $gte: range.from ?? 0, $lt: range.below ?? 0 } }, { projection: facts })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    /** Newest first. */
    page: (filters: AuditFilters, range: IdRange, skip: number, limit: number) =>
      find(entryQueries.matching(filters, range)).sort({ _id: -1 }).skip(skip).limit(limit).toArray(),
    /** Newest first: the process of each entry that matches. */
    processesOf: (filters: AuditFilters, range: IdRange, limit: number) =>
      find(entryQueries.matching(filters, range), { projection: { _id: 1, process_id: 1 } })
        .sort({ _id: -1 })
        .limit(limit)
        .toArray(),
    matchingOfProcesses: (filters: AuditFilters, ids: readonly string[]) =>
      find({ ...entryQueries.matching(filters), process_id: { $in: ids } }).toArray(),
    count: (filters: AuditFilters, range: IdRange) => documents.countDocuments(entryQueries.matching(filters, range)),
  };
}

/** Section 2.5 of the specification. */
export function asEntry({ _id, uid: _, ...entry }: EntryDocument, parentId: number | null): AuditEntry {
  return { id: _id, ...entry, parent_id: parentId };
}
