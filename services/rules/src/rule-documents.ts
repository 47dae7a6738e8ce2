import type { NewAuditEntry, RuleData, RuleRecord } from '@order-automation/contracts';
import {
  type BulkOperation,
  type Documents,
  type Filter,
  type Index,
  type Store,
  withBeginnings,
  wordsOf,
} from '@order-automation/store';

/** A rule as it is now, and what still has to be delivered of its last saves. */
export type RuleDocument = Omit<RuleRecord, 'id'> & {
  _id: number;
  /** Stable name in files, unique among rules that are there; of a deleted one nothing that a file could hold. */
  key: string;
  /** What a search finds it by: words of its name with their beginnings, and its id. */
  words: string[];
  /** Id of the trigger, for the list. */
  trigger: string;
  /** Kept for 90 days after the deletion, which `updated_at` is the time of. */
  deleted: boolean;
  /** Of a deleted rule: the key that it had. */
  former_key?: string;
  /** About saves that audit has not confirmed, oldest first. */
  entries: NewAuditEntry[];
  /** Whether `rules.changed.v1` was published for this version. */
  announced: boolean;
  /** Milliseconds since the epoch of the save that is not yet recorded and announced; 0 when all are. */
  pending_since: number;
};

/** What a save may change. */
export type RuleFields = { name: string; enabled: boolean; position: number; stop_processing: boolean; rule: RuleData };

export type RuleFilter = {
  readonly enabled?: boolean | undefined;
  readonly trigger?: string | undefined;
  readonly search?: string | undefined;
  /** Rules that were deleted instead of those that are there. */
  readonly deleted?: boolean | undefined;
};
export type RuleTally = {
  rule_id: number;
  runs: number;
  matches: number;
  last_fired_at: string | null;
  /** By component id of the condition. */
  failed: Map<string, number>;
};

/** Partial ones, so that SQLite counts and skips rules in the index alone: it tells `false` from 0 by the document else. */
const kept = { deleted: false };
const active = { deleted: false, enabled: true };
const partial = (name: string, key: Record<string, 1>, partialFilterExpression: Record<string, boolean>): Index => ({
  key,
  name,
  partialFilterExpression,
});

export const ruleIndexes: Index[] = [
  { key: { key: 1 }, name: 'key', unique: true },
  { words: 'words', name: 'words' },
  partial('kept_by_id', { deleted: 1, _id: 1 }, kept),
  partial('kept_in_order', { deleted: 1, position: 1, _id: 1 }, kept),
  partial('kept_by_trigger', { deleted: 1, trigger: 1, position: 1, _id: 1 }, kept),
  partial('disabled_in_order', { enabled: 1, deleted: 1, position: 1, _id: 1 }, { deleted: false, enabled: false }),
  partial('active_in_order', { deleted: 1, enabled: 1, position: 1, _id: 1 }, active),
  partial('active_by_id', { deleted: 1, enabled: 1, _id: 1 }, active),
  partial('active_by_action', { deleted: 1, enabled: 1, 'rule.primaryAction.id': 1, _id: 1 }, active),
  partial(
    'active_that_stop',
    { deleted: 1, enabled: 1, stop_processing: 1, position: 1, _id: 1 },
    { ...active, stop_processing: true },
  ),
  partial('deleted_by_time', { deleted: 1, updated_at: 1, _id: 1 }, { deleted: true }),
  { key: { pending_since: 1 }, name: 'pending' },
];

export const runningOrder = { position: 1, _id: 1 } as const;
const lastDeletedFirst = { updated_at: -1, _id: -1 } as const;

/** What finds a rule whose name or id somebody types. */
export function searchWords(name: string, id: number): string[] {
  return [...new Set([...withBeginnings(wordsOf(name), 1), String(id)])];
}

/** Nothing for a search of nothing; a search without a letter or digit finds nothing. */
export function searchedWords(search: string): readonly string[] {
  const words = wordsOf(search);
  return words.length === 0 && search.trim() !== '' ? [search.trim()] : words;
}

export function listFilter({ enabled, trigger, search = '', deleted = false }: RuleFilter): Filter<RuleDocument> {
  const words = searchedWords(search);
  return {
    deleted,
    ...(words.length === 0 ? {} : { words: { $all: words } }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(trigger === undefined ? {} : { trigger: { $eq: trigger } }),
  };
}

export const afterFilter = (id: number): Filter<RuleDocument> => ({ deleted: false, _id: { $gt: id } });

export const activeAfter = (id: number): Filter<RuleDocument> => ({ deleted: false, enabled: true, _id: { $gt: id } });

export const deletedFilter = (before: string): Filter<RuleDocument> => ({ deleted: true, updated_at: { $lt: before } });

export function pendingFilter(olderThan: number): Filter<RuleDocument> {
  return { pending_since: { $gt: 0, $lte: olderThan } };
}

/** What a comparison of rules needs. */
const slim = { projection: { words: 0, entries: 0 } } as const;

export function comparableFilters(
  { rule, position, stop_processing }: Pick<RuleDocument, 'rule' | 'position' | 'stop_processing'>,
  primaryActions: readonly string[],
): Filter<RuleDocument>[] {
  const own = rule.primaryAction?.id;
  const others = primaryActions.filter((id) => id !== own);
  return [
    ...(own === undefined ? [] : [{ ...active, 'rule.primaryAction.id': { $in: others } }]),
    { ...active, stop_processing: true, position: { $lte: position } },
    ...(stop_processing ? [{ ...active, position: { $gte: position } }] : []),
  ];
}

export type Rules = ReturnType<typeof ruleQueries>;

/** The named queries on the collection. */
export function ruleQueries(documents: Documents<RuleDocument>) {
  return { documents, ...reads(documents), ...writes(documents) };
}

function reads(documents: Documents<RuleDocument>) {
  return {
    byId: (id: number) => documents.findOne({ _id: id, deleted: false }),
    page: (filter: RuleFilter, skip: number, limit: number) =>
      documents
        .find(listFilter(filter))
        .sort(filter.deleted === true ? lastDeletedFirst : runningOrder)
        .skip(skip)
        .limit(limit)
        .toArray(),
    count: (filter: RuleFilter) => documents.countDocuments(listFilter(filter)),
    /** By id, which is the order of the index of words. */
    found: (filter: RuleFilter, skip: number, limit: number) =>
      documents.find(listFilter(filter)).sort({ _id: 1 }).skip(skip).limit(limit).toArray(),
    /** Also a deleted one. */
    anyById: (id: number) => documents.findOne({ _id: id }),
    deletedBefore: (time: string, limit: number) => documents.find(deletedFilter(time)).limit(limit).toArray(),
    /** A page of all rules by id. */
    after: (id: number, limit: number) => documents.find(afterFilter(id)).sort({ _id: 1 }).limit(limit).toArray(),
    byKey: (key: string) => documents.findOne({ key }),
    /** Places in order of running. */
    places: () =>
      documents
        .find(listFilter({}), { projection: { position: 1 } })
        .sort(runningOrder)
        .toArray(),
    /**
     * Enabled rules that can stand in the way of the rule or it in theirs: that have another of the primary actions, that end an occurrence before
     * it, or, where it ends them, that come after it.
     */
    comparable: async (document: RuleDocument, primaryActions: readonly string[], limit: number) => {
      const found = await Promise.all(
        comparableFilters(document, primaryActions).map((filter) =>
          documents.find(filter, slim).limit(limit).toArray(),
        ),
      );
      const others = new Map(found.flat().map((other) => [other._id, other]));
      others.delete(document._id);
      return [...others.values()];
    },
    /** Enabled rules, a page by id, without what searches and the log need. */
    activeAfter: (id: number, limit: number) =>
      documents.find(activeAfter(id), slim).sort({ _id: 1 }).limit(limit).toArray(),
    /** Versions of enabled rules, a page by id. */
    versionsAfter: (id: number, limit: number) =>
      documents
        .find(activeAfter(id), { projection: { version: 1 } })
        .sort({ _id: 1 })
        .limit(limit)
        .toArray(),
    byIds: (ids: readonly number[]) =>
      documents
        .find({ _id: { $in: ids } })
        .sort(runningOrder)
        .toArray(),
    lastPosition: async (): Promise<number | null> => {
      const [last] = await documents.find({ deleted: false }).sort({ position: -1 }).limit(1).toArray();
      return last?.position ?? null;
    },
    /** Saves of which something is not yet delivered, oldest first. */
    pending: (olderThan: number, limit: number) =>
      documents.find(pendingFilter(olderThan)).sort({ pending_since: 1 }).limit(limit).toArray(),
  };
}

function writes(documents: Documents<RuleDocument>) {
  return {
    insert: (rule: RuleDocument) => documents.insertOne(rule),
    /** Compare and set on the version: false when another save was first. */
    save: async (id: number, version: number, fields: Partial<RuleDocument>): Promise<boolean> => {
      const { matchedCount } = await documents.updateOne({ _id: id, version, deleted: false }, { $set: fields });
      return matchedCount === 1;
    },
    /** Remembers what of this version was delivered; a later version keeps its own account. */
    markDelivered: (
      id: number,
      version: number,
      fields: Pick<RuleDocument, 'entries' | 'announced' | 'pending_since'>,
    ) => documents.updateOne({ _id: id, version }, { $set: fields }),
    /** As `save`, of a rule that was deleted. */
    revive: async (id: number, version: number, fields: Partial<RuleDocument>): Promise<boolean> => {
      const { matchedCount } = await documents.updateOne({ _id: id, version, deleted: true }, { $set: fields });
      return matchedCount === 1;
    },
    /** For good. */
    removeDeleted: (ids: readonly number[]) => documents.deleteMany({ _id: { $in: ids }, deleted: true }),
    addStats: (tallies: readonly RuleTally[]) => documents.bulkWrite(tallies.map(statsOperation), { ordered: false }),
  };
}

function statsOperation({ rule_id, runs, matches, last_fired_at, failed }: RuleTally): BulkOperation<RuleDocument> {
  const failures = [...failed].map(([condition, count]) => [`stats.failed.${condition}`, count] as const);
  const counted = {
    $inc: { 'stats.run_count': runs, 'stats.match_count': matches, ...Object.fromEntries(failures) },
  };
  const update = last_fired_at === null ? counted : { ...counted, $max: { 'stats.last_fired_at': last_fired_at } };
  return { updateOne: { filter: { _id: rule_id }, update } };
}

export async function openRules(store: Store): Promise<Rules> {
  return ruleQueries(await store.collection<RuleDocument>('rules', ruleIndexes));
}

/** The record as everybody else sees it. */
export function recordOf(document: RuleDocument): RuleRecord {
  const { _id, key, former_key, words, trigger, deleted, entries, announced, pending_since, ...record } = document;
  return { id: _id, ...record, ...(deleted ? { deleted_at: record.updated_at } : {}) };
}
