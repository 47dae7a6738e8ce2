import { insertNew, type Store } from '@order-automation/store';
import type { Entry } from './entry';
import { entriesOf, type LogRecord } from './log-record';
import { reachedByIndexes } from './reached';
import { type ClosedRange, type IdRange, newestFirst, recordIndexes, type Wanted, within } from './record-queries';
import { type RecordSummary, recentRecords, summaryOf } from './record-summary';
import { personTerm } from './terms';

export type Records = Awaited<ReturnType<typeof openRecords>>;

export async function openRecords(store: Store) {
  const documents = await store.collection<LogRecord>('records', recordIndexes);
  const facets = await openFacets(store);
  const recent = recentRecords();
  const walk = (range: IdRange, wanted: Wanted, limit: number): Promise<LogRecord[]> =>
    documents.find(within(range, wanted)).sort(newestFirst).limit(limit).toArray();
  const byIds = (ids: readonly number[]): Promise<LogRecord[]> => documents.find({ _id: { $in: ids } }).toArray();
  const ofProcesses = async (ids: readonly string[]): Promise<Entry[]> =>
    ids.length === 0 ? [] : (await documents.find({ process_id: { $in: ids } }).toArray()).flatMap(entriesOf);
  return {
    documents,
    facets,
    /** The newest records of a walk in a range, the newest first. */
    walk,
    /** Resolves with what was inserted, by position; undefined for those whose cause and part their process has already. */
    insertNew: async (records: readonly LogRecord[]): Promise<readonly (RecordSummary | undefined)[]> => {
      const made = records.map(summaryOf);
      const present = new Set<string>();
      for (const { entries } of made) for (const { facet } of entries) present.add(facet);
      await facets.ensure(present);
      const known = new Set(await insertNew(documents, records));
      const inserted = made.map((record, index) => (known.has(index) ? undefined : record));
      recent.remember(inserted.filter((record) => record !== undefined));
      return inserted;
    },
    byIds,
    holding: async (ids: readonly number[]): Promise<LogRecord[]> => {
      const found = await Promise.all(ids.map((id) => walk({ below: id + 1 }, {}, 1)));
      const records = found.flat().map((record) => [record._id, record] as const);
      return [...new Map(records).values()];
    },
    ofProcesses,
    /** What was recorded of a cause, in parts. */
    ofCause: (process_id: string, uid: string): Promise<LogRecord[]> => documents.find({ process_id, uid }).toArray(),
    byProcess: async (ids: readonly string[]): Promise<Map<string, Entry[]>> => {
      const entries = new Map<string, Entry[]>(ids.map((id) => [id, []]));
      for (const entry of await ofProcesses(ids)) entries.get(entry.process_id)?.push(entry);
      return entries;
    },
    ofPerson: (hash: string, limit: number): Promise<LogRecord[]> =>
      documents
        .find({ terms: { $all: [personTerm(hash)] } })
        .limit(limit)
        .toArray(),
    /** Records with ids in a range, the lowest first; all of them where the limit is 0. */
    inRange: ({ from, below }: IdRange, limit: number): Promise<LogRecord[]> =>
      documents.find(within({ from, below })).sort({ _id: 1 }).limit(limit).toArray(),
    /** As `inRange`, what a seal needs of them: of those that this instance has recorded lately the ids alone are read. */
    settledIn: async ({ from, below }: ClosedRange, limit: number): Promise<RecordSummary[]> => {
      const found = documents.find(within({ from, below }), { projection: { _id: 1 } });
      const ids = (await found.sort({ _id: 1 }).limit(limit).toArray()).map(({ _id }) => _id);
      const unknown = ids.filter((id) => !recent.get(id));
      const read = unknown.length === 0 ? [] : (await byIds(unknown)).map(summaryOf);
      const byId = new Map(read.map((record) => [record._id, record]));
      return ids.flatMap((id) => recent.get(id) ?? byId.get(id) ?? []);
    },
    forgetRecent: recent.forgetBelow,
    /** The lowest id that is stored; 0 where there is none. */
    start: async (): Promise<number> => (await documents.find({}).sort({ _id: 1 }).limit(1).toArray())[0]?._id ?? 0,
    /** Of records that a walk along the ids has found, those that every other index leads to. */
    reachedByIndexes: async (found: readonly LogRecord[]) =>
      store.indexesApart ? reachedByIndexes(documents, found) : new Set(found.map(({ _id }) => _id)),
    /** Puts records in place of those that they were made from. False when somebody else has changed one of these meanwhile. */
    replace: async (...changed: readonly LogRecord[]): Promise<boolean> => {
      recent.forget(changed.map(({ _id }) => _id));
      const operations = changed.map(({ _id, ...replacement }) => ({
        replaceOne: { filter: { _id, revision: replacement.revision - 1 }, replacement },
      }));
      return (await documents.bulkWrite(operations, { ordered: false })).matchedCount === changed.length;
    },
    remove: async (ids: readonly number[]): Promise<void> => {
      recent.forget(ids);
      if (ids.length > 0) await documents.deleteMany({ _id: { $in: ids } });
    },
  };
}

/** Changes records one by one, however many others change them at the same time. */
export async function replaceAll(
  ids: readonly number[],
  change: (record: LogRecord) => LogRecord,
  { byIds, replace }: Pick<Records, 'byIds' | 'replace'>,
): Promise<void> {
  for (let open = ids; open.length > 0; ) {
    const found = await byIds(open);
    const done = await Promise.all(found.map((record) => replace(change(record))));
    open = found.filter((_, index) => !done[index]).map(({ _id }) => _id);
  }
}

type FacetDocument = { readonly _id: string };

/** The facets that entries have, each stored before the first entry that has it: filters by status, type and source walk these. */
async function openFacets(store: Store) {
  const documents = await store.collection<FacetDocument>('facets');
  const stored = new Set<string>();
  return {
    ensure: async (facets: Iterable<string>): Promise<void> => {
      const missing = new Set<string>();
      for (const facet of facets) if (!stored.has(facet)) missing.add(facet);
      if (missing.size === 0) return;
      await insertNew(
        documents,
        [...missing].map((_id) => ({ _id })),
      );
      for (const facet of missing) stored.add(facet);
    },
    all: async (): Promise<readonly string[]> => {
      for (const { _id } of await documents.find({}).toArray()) stored.add(_id);
      return [...stored];
    },
  };
}
