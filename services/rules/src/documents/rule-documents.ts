import type { RequestInput, RuleRecord } from '@order-automation/contracts';
import {
  type BulkOperation,
  type Documents,
  type Filter,
  type Index,
  insertNew,
  type Store,
  withBeginnings,
  wordsOf,
} from '@order-automation/store';
import { noStats, type RuleVersionDocument, recordOfVersion } from './rule-versions';

/** A rule for lists and searches, with its statistics. It follows the rule set and its version a moment later; evaluation never reads it. */
export type RuleDocument = Omit<RuleRecord, 'id'> & {
  _id: number;
  /** Stable name in files; of a deleted rule nothing that a file could hold. */
  key: string;
  /** What a search finds it by: words of its name with their beginnings, and its id. */
  words: string[];
  trigger: string;
  /** Kept for 90 days after the deletion, which `updated_at` is the time of. */
  deleted: boolean;
  /** Of a deleted rule: the key that it had. */
  former_key?: string;
};

export type RuleFields = Pick<RuleRecord, 'name' | 'enabled' | 'shadow' | 'position' | 'stop_processing' | 'rule'>;

type RuleFilter = Omit<RequestInput<'rules.rule.list.v1'>, 'page' | 'per_page'>;

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

const indexes: readonly Index[] = [
  /** Unique in data of commit b457727; since then the rule set decides about keys, and changes of two rules may arrive here in any order. */
  { key: { key: 1 }, name: 'key' },
  { words: 'words', name: 'words' },
  partial('kept_by_id', { deleted: 1, _id: 1 }, kept),
  partial('kept_in_order', { deleted: 1, position: 1, _id: 1 }, kept),
  partial('kept_by_trigger', { deleted: 1, trigger: 1, position: 1, _id: 1 }, kept),
  partial('disabled_in_order', { enabled: 1, deleted: 1, position: 1, _id: 1 }, { deleted: false, enabled: false }),
  partial('active_in_order', { deleted: 1, enabled: 1, position: 1, _id: 1 }, active),
  partial('active_by_id', { deleted: 1, enabled: 1, _id: 1 }, active),
  partial('deleted_by_time', { deleted: 1, updated_at: 1, _id: 1 }, { deleted: true }),
];

const runningOrder = { position: 1, _id: 1 } as const;
const lastDeletedFirst = { updated_at: -1, _id: -1 } as const;

/** What finds a rule whose name or id somebody types. */
const searchWords = (name: string, id: number): string[] => [
  ...new Set([...withBeginnings(wordsOf(name), 1), String(id)]),
];

/** Nothing for a search of nothing; a search without a letter or digit finds nothing. */
function searchedWords(search: string): readonly string[] {
  const words = wordsOf(search);
  return words.length === 0 && search.trim() !== '' ? [search.trim()] : words;
}

function listFilter({ enabled, trigger, search = '', deleted = false }: RuleFilter): Filter<RuleDocument> {
  const words = searchedWords(search);
  return {
    deleted,
    ...(words.length === 0 ? {} : { words: { $all: words } }),
    ...(enabled === undefined ? {} : { enabled }),
    ...(trigger === undefined ? {} : { trigger: { $eq: trigger } }),
  };
}

export type Rules = Awaited<ReturnType<typeof openRules>>;

export async function openRules(store: Store) {
  const documents: Documents<RuleDocument> = await store.collection<RuleDocument>('rules', indexes);
  return { documents, ...reads(documents), ...writes(documents) };
}

function reads(documents: Documents<RuleDocument>) {
  const pageById = (filter: Filter<RuleDocument>, limit: number) =>
    documents.find(filter).sort({ _id: 1 }).limit(limit).toArray();
  return {
    byId: (id: number) => documents.findOne({ _id: id, deleted: false }),
    /** What a search finds comes by id, which is the order of the index of words. */
    page: (filter: RuleFilter, skip: number, limit: number) => {
      const inOrder = filter.deleted === true ? lastDeletedFirst : runningOrder;
      const sort = searchedWords(filter.search ?? '').length > 0 ? { _id: 1 as const } : inOrder;
      return documents.find(listFilter(filter)).sort(sort).skip(skip).limit(limit).toArray();
    },
    count: (filter: RuleFilter) => documents.countDocuments(listFilter(filter)),
    anyById: (id: number) => documents.findOne({ _id: id }),
    deletedBefore: (time: string, limit: number) =>
      documents.find({ deleted: true, updated_at: { $lt: time } }, { limit }).toArray(),
    anyAfter: (id: number, limit: number) => pageById({ _id: { $gt: id } }, limit),
    after: (id: number, limit: number) => pageById({ deleted: false, _id: { $gt: id } }, limit),
    /** Enabled rules by id, without what searches need. */
    active: (limit: number) => documents.find(active, { projection: { words: 0 }, sort: { _id: 1 }, limit }).toArray(),
    /** What no version has, by rule. */
    standing: async (ids: readonly number[]) => {
      const projection = { created_at: 1, stats: 1 } as const;
      const found = await documents.find({ _id: { $in: ids } }, { projection }).toArray();
      return new Map(found.map((rule) => [rule._id, rule]));
    },
  };
}

function writes(documents: Documents<RuleDocument>) {
  return {
    /** Brings the documents of these rules to these versions, or leaves them where a later one was first. */
    follow: async (versions: readonly RuleVersionDocument[]): Promise<void> => {
      await insertNew(documents, versions.filter(({ version }) => version === 1).map(newDocument));
      const later = versions.filter(({ version }) => version > 1);
      const operations = later.map((version) => ({
        updateOne: {
          filter: { _id: version.rule_id, version: { $lt: version.version } },
          update: { $set: fieldsOf(version) },
        },
      }));
      if (operations.length > 0) await documents.bulkWrite(operations, { ordered: false });
    },
    /** For good. */
    removeDeleted: (ids: readonly number[]) => documents.deleteMany({ _id: { $in: ids }, deleted: true }),
    addStats: (tallies: readonly RuleTally[]) => documents.bulkWrite(tallies.map(statsOperation), { ordered: false }),
  };
}

/** No file can hold it: keys of rules begin with a letter or a digit. */
const keyOfDeleted = (id: number): string => `~${id}`;

function fieldsOf(document: RuleVersionDocument) {
  const { rule_id, version, name, enabled, position, stop_processing, rule, deleted, saved_at, saved_by } = document;
  const { key = keyOfDeleted(rule_id), shadow = false } = document;
  return {
    ...(deleted ? { key: keyOfDeleted(rule_id), former_key: key } : { key }),
    words: searchWords(name, rule_id),
    name,
    enabled,
    shadow,
    position,
    stop_processing,
    rule,
    version,
    updated_at: saved_at,
    updated_by: saved_by,
    trigger: rule.trigger.id,
    deleted,
  };
}

function newDocument(version: RuleVersionDocument): RuleDocument {
  return { _id: version.rule_id, ...fieldsOf(version), created_at: version.saved_at, stats: noStats };
}

function statsOperation({ rule_id, runs, matches, last_fired_at, failed }: RuleTally): BulkOperation<RuleDocument> {
  const failures = [...failed].map(([condition, count]) => [`stats.failed.${condition}`, count] as const);
  const counted = { $inc: { 'stats.run_count': runs, 'stats.match_count': matches, ...Object.fromEntries(failures) } };
  const update = last_fired_at === null ? counted : { ...counted, $max: { 'stats.last_fired_at': last_fired_at } };
  return { updateOne: { filter: { _id: rule_id }, update } };
}

export function recordOf(document: RuleDocument): RuleRecord {
  const { _id: rule_id, updated_at: saved_at, updated_by: saved_by, deleted } = document;
  const record = recordOfVersion({ ...document, rule_id, saved_at, saved_by }, document);
  return deleted ? { ...record, deleted_at: saved_at } : record;
}
