import { paginate, type RequestInput, type RequestOutput, ServiceError } from '@order-automation/contracts';
import { type ConsequenceDeps, versionOf } from './consequences';
import { differenceText, ruleDifference } from './rule-changes';
import type { RuleDocument } from './rule-documents';
import { type RuleVersionDocument, versionRecord } from './rule-versions';
import { insertRule, ruleNotFound, updateRule } from './rule-writes';
import { checkedRule } from './saves';

type Deps = ConsequenceDeps;

/** The rule, with its newest version among those that are kept. */
async function withVersions(id: number, { rules, versions }: Deps): Promise<RuleDocument> {
  const rule = await rules.byId(id);
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

/** A version is checked like any other save: what it is made of may be gone or need a licence. */
export async function restoreVersion(
  { id, version, if_match, edition, actor }: RequestInput<'rules.rule.restore.v1'>,
  deps: Deps,
): Promise<RequestOutput<'rules.rule.restore.v1'>> {
  await withVersions(id, deps);
  const { name, stop_processing, rule } = await versionNumbered(id, version, deps);
  const checked = checkedRule(rule, edition, deps.registry, 'rule');
  return updateRule({ id, ifMatch: if_match, actor }, deps, ({ enabled, position }) => ({
    name,
    enabled,
    position,
    stop_processing,
    rule: checked,
  }));
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
