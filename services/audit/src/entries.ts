import type { AuditEntry, AuditFilters, NewAuditEntry } from '@order-automation/contracts';
import {
  type Documents,
  type Filter,
  type FindOptions,
  type IndexDescription,
  insertNew,
  type Store,
} from '@order-automation/store';
import { aspectsOf, facetOf, isShown, openFacets } from './facets';
import { maskEntry } from './mask';
import { approach, type ClosedRange, fewToSkip, type IdRange, newestOf, type Position, type Walk } from './newest';
import { openRuleLists, type RuleLists } from './rule-lists';

/**
 * An entry as it is stored: its integer id, the `uid` by which it is stored once in its process, and its facet for all that takes few values. A field
 * that is null or empty is left out.
 */
export type EntryDocument = {
  readonly _id: number;
  readonly uid: string;
  readonly timestamp: string;
  readonly facet: string;
  readonly process_id: string;
  readonly order_id?: number;
  readonly rule_id?: number;
  readonly duration_ms?: number;
  readonly summary: string;
  readonly details?: NewAuditEntry['details'];
};

type Writable<T> = { -readonly [P in keyof T]: T[P] };

/** The entry as it is stored, with these details, masked. */
export function documentOf(id: number, entry: NewAuditEntry, given = entry.details): EntryDocument {
  const { summary, details } = maskEntry({ summary: entry.summary, details: given });
  const { uid, timestamp, process_id, order_id, rule_id, duration_ms } = entry;
  const document: Writable<EntryDocument> = { _id: id, uid, timestamp, facet: facetOf(entry), process_id, summary };
  if (order_id !== null) document.order_id = order_id;
  if (rule_id !== null) document.rule_id = rule_id;
  if (duration_ms !== null) document.duration_ms = duration_ms;
  if (Object.keys(details).length > 0) document.details = details;
  return document;
}

/** Section 2.5 of the specification. */
export function asEntry(document: EntryDocument, parentId: number | null): AuditEntry {
  const { status, event_type, source, is_test, is_debug } = aspectsOf(document.facet);
  return {
    id: document._id,
    timestamp: document.timestamp,
    status,
    event_type,
    source,
    summary: document.summary,
    order_id: document.order_id ?? null,
    process_id: document.process_id,
    rule_id: document.rule_id ?? null,
    duration_ms: document.duration_ms ?? null,
    is_test,
    is_debug,
    details: document.details ?? {},
    parent_id: parentId,
  };
}

/** What grouping and counting need of an entry. */
export type EntryFacts = Pick<EntryDocument, '_id' | 'timestamp' | 'facet' | 'rule_id' | 'process_id'>;
const facts = { _id: 1, timestamp: 1, facet: 1, rule_id: 1, process_id: 1 } as const;

/** Ids grow in the order of recording, so that every list is a walk along `_id` behind the value it filters by; but for those of a process. */
export const entryIndexes: readonly IndexDescription[] = [
  // Of a process there are few entries: they are sorted when they are found, which spares an index.
  { name: 'process', key: { process_id: 1, uid: 1 }, unique: true },
  // Nearly every entry is about an order, most are about no rule.
  { name: 'order', key: { order_id: 1, _id: -1 } },
  { name: 'rule', key: { rule_id: 1, _id: -1 }, partialFilterExpression: { rule_id: { $exists: true } } },
  { name: 'facet', key: { facet: 1, _id: -1 } },
];

/** Filters by what has many values, from the one that leaves the fewest entries to the one that leaves the most. */
const references = ['process_id', 'order_id', 'rule_id'] as const;
const facetFilters = ['status', 'event_type', 'source'] as const;

const hasReference = (filters: AuditFilters): boolean => references.some((name) => filters[name] !== undefined);

/** Whether anything is filtered by but the flags. */
export function hasValues(filters: AuditFilters): boolean {
  return hasReference(filters) || facetFilters.some((name) => filters[name] !== undefined);
}

/** Whether the filters let this entry through. */
export function matches(entry: EntryDocument, filters: AuditFilters): boolean {
  if (!isShown(entry.facet, filters)) return false;
  return references.every((name) => filters[name] === undefined || filters[name] === entry[name]);
}

/** Filters, and of the facets that exist those which they let through; `every` when they are all. */
export type Selection = { readonly filters: AuditFilters; readonly facets: readonly string[]; readonly every: boolean };

export function selectionOf(filters: AuditFilters, existing: readonly string[]): Selection {
  const facets = existing.filter((facet) => isShown(facet, filters));
  return { filters, facets, every: facets.length === existing.length };
}

/**
 * Only the most selective value is an equality, the others are ranges of one value: a planner without statistics then walks the right
 * index, and in the order of ids.
 */
function referencesOf(filters: AuditFilters): Filter<EntryDocument> {
  const given = references.flatMap((name) => (filters[name] === undefined ? [] : [[name, filters[name]] as const]));
  const conditions = given.map(([name, value], index) => [
    name,
    index === 0 ? { $eq: value } : { $gte: value, $lte: value },
  ]);
  return Object.fromEntries(conditions) as Filter<EntryDocument>;
}

function idsIn({ from, below }: IdRange): Filter<EntryDocument> {
  if (from === undefined && below === undefined) return {};
  return { _id: { ...(from === undefined ? {} : { $gte: from }), ...(below === undefined ? {} : { $lt: below }) } };
}

const isIn = (facets: readonly string[]): Filter<EntryDocument> => ({ facet: { $in: facets } });

export const entryQueries = {
  byIds: (ids: readonly number[]): Filter<EntryDocument> => ({ _id: { $in: ids } }),
  ofProcesses: (processIds: readonly string[]): Filter<EntryDocument> => ({ process_id: { $in: processIds } }),
  /** Counted in an index alone, unless there is a reference. */
  counted: ({ filters, facets, every }: Selection, range: IdRange): Filter<EntryDocument> => ({
    ...idsIn(range),
    ...referencesOf(filters),
    ...(every && hasReference(filters) ? {} : isIn(facets)),
  }),
  /** The walks that together find what is selected, each in the order of ids. */
  walks: ({ filters, facets, every }: Selection): Filter<EntryDocument>[] => {
    if (facets.length === 0) return [];
    if (hasReference(filters)) return [{ ...referencesOf(filters), ...(every ? {} : isIn(facets)) }];
    return every ? [{}] : facets.map((facet) => ({ facet: { $eq: facet } }));
  },
  within: (range: IdRange, filter: Filter<EntryDocument>): Filter<EntryDocument> => ({ ...idsIn(range), ...filter }),
};

export type Entries = Awaited<ReturnType<typeof openEntries>>;

/** Every query of the entries, by name. */
export async function openEntries(store: Store) {
  const documents = await store.collection<EntryDocument>('entries', entryIndexes);
  const facets = await openFacets(store);
  const lists = await openRuleLists(store);
  const find = documents.find.bind(documents);
  const whole = (filter: Filter<EntryDocument>) => find(filter).toArray().then(lists.expand);
  return {
    documents,
    /** The entry as it is stored, masked; known lists of rules are named. */
    documentOf: (id: number, entry: NewAuditEntry): EntryDocument =>
      documentOf(id, entry, lists.shorten(entry.details)),
    /** To be awaited before `insertNew`: stores the facets and the lists of rules that no entry had before. */
    prepare: async (entries: readonly EntryDocument[]): Promise<void> => {
      await facets.ensure(entries.map(({ facet }) => facet));
      await lists.ensure();
    },
    /** Resolves with the positions of those whose uid is there already. */
    insertNew: (entries: readonly EntryDocument[]) => insertNew(documents, entries),
    byIds: (ids: readonly number[]) => whole(entryQueries.byIds(ids)),
    ofProcesses: (ids: readonly string[]) => whole(entryQueries.ofProcesses(ids)),
    factsOfProcesses: (ids: readonly string[]): Promise<EntryFacts[]> =>
      find(entryQueries.ofProcesses(ids), { projection: facts }).toArray(),
    factsInRange: ({ from, below }: ClosedRange, limit: number): Promise<EntryFacts[]> =>
      find({ _id: { $gte: from, $lt: below } }, { projection: facts })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    /** What filters mean now: entries with a facet that nobody had before are not in it. */
    select: async (filters: AuditFilters): Promise<Selection> => selectionOf(filters, await facets.all()),
    ...listing(documents, lists),
  };
}

const newestFirst = { _id: -1 } as const;

function listing(documents: Documents<EntryDocument>, lists: RuleLists) {
  type Options = FindOptions<EntryDocument>;
  const find = (filter: Filter<EntryDocument>, options?: Options) => documents.find(filter, options).sort(newestFirst);

  const count = async (selection: Selection, range: IdRange): Promise<number> =>
    selection.facets.length === 0 ? 0 : documents.countDocuments(entryQueries.counted(selection, range));

  /** Past nearly all that is to be skipped, however many walks lead there. */
  const near = async (selection: Selection, { from = 0, below, skip }: Position): Promise<Position> => {
    if (skip <= fewToSkip) return { below, skip };
    const end = below ?? ((await find({}).limit(1).toArray())[0]?._id ?? 0) + 1;
    return approach({ from, below: end, skip }, (range) => count(selection, range));
  };

  const newest = async (selection: Selection, position: Position, limit: number, options?: Options) => {
    const walk = (below: number | undefined, filter: Filter<EntryDocument>) =>
      find(entryQueries.within({ below }, filter), options);
    const [first, ...others] = entryQueries.walks(selection);
    if (first === undefined) return [];
    if (others.length === 0) return walk(position.below, first).skip(position.skip).limit(limit).toArray();
    const { below, skip } = await near(selection, position);
    const end = skip + limit;
    if (!hasValues(selection.filters)) {
      // Nearly every entry is shown: of twice as many as are wanted there are enough.
      const along = await walk(below, {})
        .limit(2 * end)
        .toArray();
      const shown = along.filter(({ facet }) => isShown(facet, selection.filters));
      if (shown.length >= end) return shown.slice(skip, end);
    }
    const walks = [first, ...others].map(
      (filter): Walk<EntryDocument> =>
        (from, most) =>
          walk(from, filter).limit(most).toArray(),
    );
    return (await newestOf(walks, below, end)).slice(skip);
  };

  return {
    count,
    /** Newest first. Where there are several walks, more than `skip` entries must match in the range of the position. */
    page: async (selection: Selection, position: Position, limit: number) =>
      lists.expand(await newest(selection, position, limit)),
    /** Newest first: the process of each entry that matches. */
    processesOf: (selection: Selection, { below }: IdRange, limit: number) =>
      newest(selection, { below, skip: 0 }, limit, { projection: { _id: 1, process_id: 1, facet: 1 } }),
  };
}
