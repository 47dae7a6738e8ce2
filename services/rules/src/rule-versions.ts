import type { RuleData, RuleVersion } from '@order-automation/contracts';
import { type Documents, type IndexDescription, isDuplicateKey, type Store } from '@order-automation/store';

/** A rule as one save left it. Written once and never changed; `deleted` is the last one. `_id` is rule id and version. */
export type RuleVersionDocument = {
  _id: string;
  rule_id: number;
  version: number;
  name: string;
  enabled: boolean;
  position: number;
  stop_processing: boolean;
  rule: RuleData;
  deleted: boolean;
  saved_at: string;
  saved_by: string;
};

export const ruleVersionIndexes: IndexDescription[] = [
  { key: { rule_id: 1, version: -1 }, name: 'rule_and_version', unique: true },
];

export type RuleVersions = ReturnType<typeof ruleVersionQueries>;

export function ruleVersionQueries(documents: Documents<RuleVersionDocument>) {
  return {
    documents,
    /** Does nothing when that version is kept already. */
    keep: async (version: RuleVersionDocument): Promise<void> => {
      await documents.insertOne(version).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    },
    ofVersion: (ruleId: number, version: number) => documents.findOne({ _id: `${ruleId}:${version}` }),
    /** By rule id and version, as `_id` has them. */
    named: (names: readonly string[]) => documents.find({ _id: { $in: names } }).toArray(),
    /** Newest first. */
    page: (ruleId: number, skip: number, limit: number) =>
      documents.find({ rule_id: ruleId }).sort({ version: -1 }).skip(skip).limit(limit).toArray(),
    count: (ruleId: number) => documents.countDocuments({ rule_id: ruleId }),
    /** For good. */
    removeOf: (ruleId: number) => documents.deleteMany({ rule_id: ruleId }),
    /** Newest first. */
    ofRule: (ruleId: number) => documents.find({ rule_id: ruleId }).sort({ version: -1 }).toArray(),
  };
}

/** The version as everybody else sees it. */
export function versionRecord(document: RuleVersionDocument): RuleVersion {
  const { version, name, enabled, position, stop_processing, rule, saved_at, saved_by } = document;
  return { version, name, enabled, position, stop_processing, rule, saved_at, saved_by };
}

export async function openRuleVersions(store: Store): Promise<RuleVersions> {
  return ruleVersionQueries(await store.collection<RuleVersionDocument>('rule_versions', ruleVersionIndexes));
}
