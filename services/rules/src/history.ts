import {
  paginate,
  type RequestInput,
  type RequestOutput,
  requiredMessage,
  ServiceError,
} from '@order-automation/contracts';
import { armedVersion } from './arming';
import type { RulesDeps } from './deps';
import { differenceText, ruleDifference } from './rule-changes';
import type { RuleDocument, RuleFields } from './rule-documents';
import { type RuleVersionDocument, versionRecord } from './rule-versions';
import { insertRule, reviveRule, ruleNotFound, updateRule, versionConflict } from './rule-writes';
import { versionOf } from './save-delivery';
import { checkedRule } from './saves';

type Deps = RulesDeps;

/** The rule, with its newest version among those that are kept. */
async function withVersions(id: number, { rules, versions }: Deps): Promise<RuleDocument> {
  const rule = await rules.anyById(id);
  if (!rule) throw ruleNotFound(id);
  if (rule.pending_since > 0) await versions.keep(versionOf(rule));
  return rule;
}

async function versionNumbered(id: number, version: number, { versions }: Deps): Promise<RuleVersionDocument> {
  const found = await versions.ofVersion(id, version);
  if (found) return found;
  const text = `Rule ${id} has no version ${version}.`;
  throw new ServiceError(404, 'svc_rule_version_not_found', text, { rule_id: id, version });
}

export async function listVersions(
  { id, page, per_page }: RequestInput<'rules.rule.versions.v1'>,
  deps: Deps,
): Promise<RequestOutput<'rules.rule.versions.v1'>> {
  await withVersions(id, deps);
  const [total, found] = await Promise.all([
    deps.versions.count(id),
    deps.versions.page(id, (page - 1) * per_page, per_page),
  ]);
  return { versions: found.map(versionRecord), pagination: paginate(total, page, per_page) };
}

export async function compareVersions(
  { id, from, to }: RequestInput<'rules.rule.diff.v1'>,
  deps: Deps,
): Promise<RequestOutput<'rules.rule.diff.v1'>> {
  await withVersions(id, deps);
  const [before, after] = await Promise.all([versionNumbered(id, from, deps), versionNumbered(id, to, deps)]);
  const changes = ruleDifference(before, after);
  return { from: versionRecord(before), to: versionRecord(after), changes, summary: differenceText(changes) };
}

/** A version is checked like any other save: what it is made of may be gone or need a licence. A rule that was deleted comes back. */
export async function restoreVersion(
  input: RequestInput<'rules.rule.restore.v1'>,
  deps: Deps,
): Promise<RequestOutput<'rules.rule.restore.v1'>> {
  const { id, version, if_match, edition, actor } = input;
  const present = await deps.rules.anyById(id);
  if (present?.deleted) return restoreDeleted(present, input, deps);
  await withVersions(id, deps);
  if (version === undefined)
    throw new ServiceError(
      400,
      'rest_missing_callback_param',
      `Rule ${id} is not deleted: say which version is to be restored.`,
      { violations: [{ path: 'version', message: requiredMessage }] },
    );
  const { name, stop_processing, rule } = await versionNumbered(id, version, deps);
  const checked = checkedRule(rule, edition, deps.registry, 'rule');
  const decide = ({ enabled, position }: RuleDocument): RuleFields => ({
    name,
    enabled,
    position,
    stop_processing,
    rule: checked,
  });
  const armed = await armedVersion(id, edition, deps, decide);
  return updateRule({ id, ifMatch: if_match ?? armed, actor }, deps, decide);
}

async function restoreDeleted(
  deleted: RuleDocument,
  { id, version, if_match, edition, actor }: RequestInput<'rules.rule.restore.v1'>,
  deps: Deps,
): Promise<RequestOutput<'rules.rule.restore.v1'>> {
  if (if_match !== null && if_match !== deleted.version) throw versionConflict(id, deleted.version);
  if (deleted.pending_since > 0) await deps.versions.keep(versionOf(deleted));
  const { name, stop_processing, rule } = version === undefined ? deleted : await versionNumbered(id, version, deps);
  const checked = checkedRule(rule, edition, deps.registry, 'rule');
  const revived = await reviveRule(deleted, { name, stop_processing, rule: checked }, actor, deps);
  if (!revived) throw versionConflict(id, deleted.version + 1);
  return revived;
}

/** Days that a deleted rule can be restored. */
const keptDays = 90;

const removedAtOnce = 100;

/** Removes rules that were deleted long ago, with their versions. */
export async function removeLongDeleted({ rules, versions, clock }: Deps): Promise<void> {
  const before = new Date(clock.now() - keptDays * 86_400_000).toISOString();
  for (let old = await rules.deletedBefore(before, removedAtOnce); old.length > 0; ) {
    for (const { _id } of old) await versions.removeOf(_id);
    await rules.removeDeleted(old.map(({ _id }) => _id));
    old = old.length < removedAtOnce ? [] : await rules.deletedBefore(before, removedAtOnce);
  }
}

const longestName = 200;

export async function duplicateRule(
  { id, name, edition, actor }: RequestInput<'rules.rule.duplicate.v1'>,
  deps: Deps,
): Promise<RequestOutput<'rules.rule.duplicate.v1'>> {
  const original = await deps.rules.byId(id);
  if (!original) throw ruleNotFound(id);
  const rule = checkedRule(original.rule, edition, deps.registry, 'rule');
  const copied = name?.trim() || `Copy of ${original.name}`.slice(0, longestName);
  return insertRule({ name: copied, enabled: false, stop_processing: original.stop_processing, rule }, actor, deps);
}
