import type { AuditEntry, AuditFilters, NewAuditEntry } from '@order-automation/contracts';
import { duplicateKeyIndexes, type Filter, type IndexDescription, type Store } from '@order-automation/store';
import { maskEntry } from './mask';

/** What an entry is for; lists show `normal` ones, and others where they are asked for. */
export type EntryKind = 'normal' | 'test' | 'debug' | 'both';

/** An entry as it is stored: its integer id, the `uid` by which it is stored once, and its flags in one word. */
export type EntryDocument = NewAuditEntry & { readonly _id: number; readonly kind: EntryKind };

export function kindOf({ is_test, is_debug }: Pick<NewAuditEntry, 'is_test' | 'is_debug'>): EntryKind {
  return is_test ? (is_debug ? 'both' : 'test') : is_debug ? 'debug' : 'normal';
}

/** The entry as it is stored, masked. */
export function documentOf(id: number, entry: NewAuditEntry): EntryDocument {
  const { summary, details } = maskEntry(entry);
  return {
    _id: id,
    uid: entry.uid,
    timestamp: entry.timestamp,
    status: entry.status,
    event_type: entry.event_type,
    source: entry.source,
    summary,
    order_id: entry.order_id,
    process_id: entry.process_id,
    rule_id: entry.rule_id,
    duration_ms: entry.duration_ms,
    is_test: entry.is_test,
    is_debug: entry.is_debug,
    kind: kindOf(entry),
    details,
  };
}

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
  { name: 'kind', key: { kind: 1, _id: -1 } },
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

/** From the filter that leaves the fewest entries to the one that leaves the most. */
const bySelectivity = ['process_id', 'order_id', 'rule_id', 'event_type', 'status', 'source'] as const;

/**
 * Only the most selective value is an equality, the others are ranges of one value: a planner without statistics then walks the right
 * index, and in the order of ids.
 */
function valuesOf(filters: AuditFilters): Filter<EntryDocument> {
  const given = bySelectivity.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]] as const]));
  const conditions = given.map(([name, value], index) => [
    name,
    index === 0 ? { $eq: value } : { $gte: value, $lte: value },
  ]);
  return Object.fromEntries(conditions) as Filter<EntryDocument>;
}

/** The kind alone walks its own index; beside a value it must not tempt the planner away from the index of the value. */
function kindsOf(filters: AuditFilters): Filter<EntryDocument> {
  const { include_debug, include_test } = filters;
  if (include_debug && include_test) return {};
  if (!include_debug && !include_test && !hasValues(filters)) return { kind: { $eq: 'normal' } };
  const hidden: EntryKind[] = [
    'both',
    ...(include_debug ? [] : ['debug' as const]),
    ...(include_test ? [] : ['test' as const]),
  ];
  return { kind: { $nin: hidden } };
}

/** Whether anything is filtered by but the flags. */
export function hasValues(filters: AuditFilters): boolean {
  return bySelectivity.some((name) => filters[name] !== undefined);
}

/** Whether the filters let this entry through. */
export function matches(entry: EntryFacts & Pick<EntryDocument, 'order_id'>, filters: AuditFilters): boolean {
  if ((entry.is_debug && !filters.include_debug) || (entry.is_test && !filters.include_test)) return false;
  return bySelectivity.every((name) => filters[name] === undefined || filters[name] === entry[name]);
}

/** A range of ids: from `from` on, up to but without `below`. */
export type IdRange = { readonly from?: number | undefined; readonly below?: number | undefined };

export const entryQueries = {
  byIds: (ids: readonly number[]): Filter<EntryDocument> => ({ _id: { $in: ids } }),
  ofProcesses: (processIds: readonly string[]): Filter<EntryDocument> => ({ process_id: { $in: processIds } }),
  matching: (filters: AuditFilters, { from, below }: IdRange = {}): Filter<EntryDocument> => {
    const ids = { ...(from === undefined ? {} : { $gte: from }), ...(below === undefined ? {} : { $lt: below }) };
    return {
      ...(from === undefined && below === undefined ? {} : { _id: ids }),
      ...valuesOf(filters),
      ...kindsOf(filters),
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
    ofProcesses: (ids: readonly string[]) => find(entryQueries.ofProcesses(ids)).toArray(),
    count: (filters: AuditFilters, range: IdRange) => documents.countDocuments(entryQueries.matching(filters, range)),
  };
}

/** Section 2.5 of the specification. */
export function asEntry({ _id, uid: _, kind: __, ...entry }: EntryDocument, parentId: number | null): AuditEntry {
  return { id: _id, ...entry, parent_id: parentId };
}
