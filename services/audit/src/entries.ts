import { type Filter, type Index, insertNew, type Store } from '@order-automation/store';
import type { ChainKeys } from './chain/keys';
import type { EntryDocument, EntryFacts } from './entry';
import { openFacets } from './known-facets';
import type { ClosedRange, IdRange } from './newest';
import { type Selection, selectionOf } from './selection';
import type { StatsFacts } from './stats';

/** Ids grow in the order of recording: every list is a walk along `_id`, behind the value it filters by. */
export const entryIndexes: readonly Index[] = [
  { name: 'process', key: { process_id: 1, uid: 1 }, unique: true },
  { name: 'order', key: { order_id: 1, _id: -1 }, partialFilterExpression: { order_id: { $exists: true } } },
  { name: 'rule', key: { rule_id: 1, _id: -1 }, partialFilterExpression: { rule_id: { $exists: true } } },
  { name: 'facet', key: { facet: 1, _id: -1 } },
  { name: 'words', words: 'words' },
  { name: 'email', key: { email_hash: 1, _id: -1 }, partialFilterExpression: { email_hash: { $exists: true } } },
  {
    name: 'customer',
    key: { customer_hash: 1, _id: -1 },
    partialFilterExpression: { customer_hash: { $exists: true } },
  },
];

export type Wanted = Filter<EntryDocument>;

const facts = { _id: 1, process_id: 1, timestamp: 1, facet: 1, order_id: 1, rule_id: 1 } as const;
const statsFacts = { ...facts, duration_ms: 1, 'details.gateway': 1, 'details.total_ms': 1 } as const;

const idsIn = ({ from, below }: IdRange): Wanted =>
  from === undefined && below === undefined
    ? {}
    : { _id: { ...(from === undefined ? {} : { $gte: from }), ...(below === undefined ? {} : { $lt: below }) } };

export const entryQueries = {
  byIds: (ids: readonly number[]): Wanted => ({ _id: { $in: ids } }),
  ofProcesses: (ids: readonly string[]): Wanted => ({ process_id: { $in: ids } }),
  /** Entries of a walk in a range of ids. */
  within: (range: IdRange, walk: Wanted): Wanted => ({ ...idsIn(range), ...walk }),
};

export const newestFirst = { _id: -1 } as const;

export type Entries = Awaited<ReturnType<typeof openEntries>>;

/** Every query of the entries, by name. */
export async function openEntries(store: Store, keys: ChainKeys) {
  const documents = await store.collection<EntryDocument>('entries', entryIndexes);
  const facets = await openFacets(store);
  return {
    documents,
    facets,
    /** Resolves with the positions of those whose uid their process has already. */
    insertNew: async (entries: readonly EntryDocument[]): Promise<readonly number[]> => {
      await facets.ensure(entries.map(({ facet }) => facet));
      return insertNew(documents, entries);
    },
    byIds: (ids: readonly number[]): Promise<EntryDocument[]> => documents.find(entryQueries.byIds(ids)).toArray(),
    ofProcesses: (ids: readonly string[]): Promise<EntryDocument[]> =>
      documents.find(entryQueries.ofProcesses(ids)).toArray(),
    /** The facts of every entry of these processes, by process. */
    factsOf: async (ids: readonly string[]): Promise<Map<string, EntryFacts[]>> => {
      const byProcess = new Map<string, EntryFacts[]>();
      const found = await documents.find(entryQueries.ofProcesses(ids), { projection: facts }).toArray();
      for (const entry of found) {
        const known = byProcess.get(entry.process_id);
        if (known) known.push(entry);
        else byProcess.set(entry.process_id, [entry]);
      }
      return byProcess;
    },
    /** What is counted of entries with ids in a range, the lowest first. */
    factsIn: (range: ClosedRange, limit: number): Promise<StatsFacts[]> =>
      documents
        .find(entryQueries.within(range, {}), { projection: statsFacts })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    /** The digests of entries with ids in a range, the lowest first. */
    macsIn: (range: ClosedRange, limit: number) =>
      documents
        .find(entryQueries.within(range, {}), { projection: { _id: 1, mac: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    /** Entries with ids in a range, the lowest first. */
    inRange: ({ from, below }: ClosedRange): Promise<EntryDocument[]> =>
      documents.find(entryQueries.within({ from, below }, {})).sort({ _id: 1 }).toArray(),
    /** Entries above an id, the lowest first. */
    after: (id: number, limit: number): Promise<EntryDocument[]> =>
      documents
        .find({ _id: { $gt: id } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    /** The lowest id that is stored; 0 where there is none. */
    start: async (): Promise<number> =>
      (
        await documents
          .find({}, { projection: { _id: 1 } })
          .sort({ _id: 1 })
          .limit(1)
          .toArray()
      )[0]?._id ?? 0,
    /** The id above every entry that is stored. */
    end: async (): Promise<number> =>
      ((
        await documents
          .find({}, { projection: { _id: 1 } })
          .sort(newestFirst)
          .limit(1)
          .toArray()
      )[0]?._id ?? 0) + 1,
    /** What filters mean now: entries of a facet that nobody had before are not in it. */
    select: async (filters: Selection['filters']): Promise<Selection> => selectionOf(filters, await facets.all(), keys),
    remove: async (ids: readonly number[]): Promise<number> =>
      ids.length === 0 ? 0 : (await documents.deleteMany(entryQueries.byIds(ids))).deletedCount,
  };
}
