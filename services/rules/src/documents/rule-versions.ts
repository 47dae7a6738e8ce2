import type { Actor, RuleRecord, RuleVersion, RuleVersionName } from '@order-automation/contracts';
import { type IndexDescription, insertNew, type Store } from '@order-automation/store';

/**
 * A rule as one save left it. Written once, before the rule set names it, and never changed; `deleted` is the last one. `_id` is rule id and version.
 * A version above the one that the set names was never saved: its process works on it, or died.
 */
export type RuleVersionDocument = RuleVersion & {
  _id: string;
  rule_id: number;
  deleted: boolean;
  /** What follows from the save is made of these; versions that commit b457727 wrote have none of them. */
  key?: string;
  actor?: Actor;
  /** Revision of the set that names this version first. */
  revision?: number;
};

/** A version that was saved, and the one that it followed; null of a new rule. */
export type SavedVersion = { readonly before: RuleVersionDocument | null; readonly after: RuleVersionDocument };

export const nameOf = ({ id, version }: RuleVersionName): string => `${id}:${version}`;

const indexes: readonly IndexDescription[] = [
  { key: { rule_id: 1, version: -1 }, name: 'rule_and_version', unique: true },
  { key: { revision: 1 }, name: 'revision', sparse: true },
];

export type RuleVersions = Awaited<ReturnType<typeof openRuleVersions>>;

const writtenAtOnce = 100;

export async function openRuleVersions(store: Store) {
  const documents = await store.collection<RuleVersionDocument>('rule_versions', indexes);
  const remove = (rows: readonly RuleVersionDocument[]) =>
    documents.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
  return {
    documents,
    /** Does nothing when that version is kept already. */
    keep: (version: RuleVersionDocument) => insertNew(documents, [version]),
    /** All of these, or none when one of them is taken. */
    reserve: async (rows: readonly RuleVersionDocument[]): Promise<boolean> => {
      for (let from = 0; from < rows.length; from += writtenAtOnce) {
        const taken = new Set(await insertNew(documents, rows.slice(from, from + writtenAtOnce)));
        if (taken.size === 0) continue;
        const own = rows.slice(0, from + writtenAtOnce).filter((_, at) => !taken.has(at - from));
        await remove(own);
        return false;
      }
      return true;
    },
    remove,
    /** Versions that a process which died left between two that were saved. */
    removeBetween: ({ rule_id, version }: RuleVersionDocument, next: RuleVersionDocument) =>
      documents.deleteMany({ rule_id, version: { $gt: version, $lt: next.version } }),
    ofVersion: (ruleId: number, version: number) => documents.findOne({ _id: nameOf({ id: ruleId, version }) }),
    before: ({ rule_id, version }: RuleVersionDocument) =>
      documents.findOne({ rule_id, version: { $lt: version } }, { sort: { version: -1 } }),
    named: async (names: readonly RuleVersionName[]): Promise<Map<string, RuleVersionDocument>> => {
      const found = await documents.find({ _id: { $in: names.map(nameOf) } }).toArray();
      return new Map(found.map((version) => [version._id, version]));
    },
    /** Newest first, from `newest` on. */
    page: (ruleId: number, newest: number, skip: number, limit: number) =>
      documents.find({ rule_id: ruleId, version: { $lte: newest } }, { sort: { version: -1 }, skip, limit }).toArray(),
    count: (ruleId: number, newest: number) => documents.countDocuments({ rule_id: ruleId, version: { $lte: newest } }),
    since: (revision: number) =>
      documents
        .find({ revision: { $gt: revision } })
        .sort({ revision: 1 })
        .toArray(),
    /** For good. */
    removeOf: (ruleId: number) => documents.deleteMany({ rule_id: ruleId }),
  };
}

type Saved = Omit<RuleVersionDocument, '_id' | 'deleted'>;

export function versionRecord(document: Saved): RuleVersion {
  const { version, name, enabled, shadow, position, stop_processing, rule, saved_at, saved_by } = document;
  const state = shadow ? { enabled, shadow } : { enabled };
  return { version, name, ...state, position, stop_processing, rule, saved_at, saved_by };
}

export const noStats = { run_count: 0, match_count: 0, last_fired_at: null };

/** The rule in this version; what no version has is that of the rule as it is now. */
export function recordOfVersion(
  document: Saved,
  rule: Partial<Pick<RuleRecord, 'created_at' | 'stats'>> = {},
): RuleRecord {
  const { saved_at, saved_by, ...version } = versionRecord(document);
  const { created_at = saved_at, stats = noStats } = rule;
  const mode = version.shadow ? 'shadow' : 'live';
  return { id: document.rule_id, ...version, mode, created_at, updated_at: saved_at, updated_by: saved_by, stats };
}
