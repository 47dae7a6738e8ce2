import { type Answer, paginate, type RequestInput, requiredMessage, ServiceError } from '@order-automation/contracts';
import type { RulesDeps } from '../deps';
import { differenceText, ruleDifference } from '../documents/rule-changes';
import type { RuleSet } from '../documents/rule-set';
import { type RuleVersionDocument, versionRecord } from '../documents/rule-versions';
import { changeRule, newRule } from './rule-writes';
import { type Change, freeKey, presentRule, ruleNotFound, slugOf, versionConflict } from './save-rules';
import { checkedRule } from './saves';

/** The newest version of a rule that is there, or was deleted in the last 90 days. */
async function newestVersion(id: number, { rules, ruleSet }: RulesDeps): Promise<number> {
  const member = (await ruleSet.read()).rules.find((one) => one.id === id);
  const newest = member?.version ?? (await rules.anyById(id))?.version;
  if (newest === undefined) throw ruleNotFound(id);
  return newest;
}

async function versionNumbered(id: number, version: number, newest: number, { versions }: RulesDeps) {
  const found = version > newest ? null : await versions.ofVersion(id, version);
  if (found) return found;
  const text = `Rule ${id} has no version ${version}.`;
  throw new ServiceError(404, 'svc_rule_version_not_found', text, { rule_id: id, version });
}

export const listVersions: Answer<'rules.rule.versions.v1', RulesDeps> = async ({ id, page, per_page }, deps) => {
  const newest = await newestVersion(id, deps);
  const [total, found] = await Promise.all([
    deps.versions.count(id, newest),
    deps.versions.page(id, newest, (page - 1) * per_page, per_page),
  ]);
  return { versions: found.map(versionRecord), pagination: paginate(total, page, per_page) };
};

export const compareVersions: Answer<'rules.rule.diff.v1', RulesDeps> = async ({ id, from, to }, deps) => {
  const newest = await newestVersion(id, deps);
  const numbered = (version: number) => versionNumbered(id, version, newest, deps);
  const [before, after] = await Promise.all([numbered(from), numbered(to)]);
  const changes = ruleDifference(before, after);
  return { from: versionRecord(before), to: versionRecord(after), changes, summary: differenceText(changes) };
};

/** A version is checked like any other save: what it is made of may be gone or need a licence. A rule that was deleted comes back, disabled. */
export const restoreVersion: Answer<'rules.rule.restore.v1', RulesDeps> = async (input, deps) => {
  const { id, version, if_match, edition } = input;
  return changeRule(input, deps, async (set) => {
    const isDeleted = set.rules.every((member) => member.id !== id);
    const present = isDeleted ? await deletedRule(input, set, deps) : await presentRule(id, if_match, set, deps);
    if (!isDeleted && version === undefined) {
      const text = `Rule ${id} is not deleted: say which version is to be restored.`;
      const violations = [{ path: 'version', message: requiredMessage }];
      throw new ServiceError(400, 'rest_missing_callback_param', text, { violations });
    }
    const wanted =
      version === undefined ? present.before : await versionNumbered(id, version, present.before.version, deps);
    const rule = checkedRule(wanted.rule, edition, deps.registry, 'rule');
    const { name, stop_processing } = wanted;
    return { ...present, fields: { ...present.before, name, stop_processing, rule } };
  });
};

async function deletedRule(
  { id, if_match }: RequestInput<'rules.rule.restore.v1'>,
  set: RuleSet,
  { rules, versions }: RulesDeps,
): Promise<Omit<Change, 'fields'> & { readonly before: RuleVersionDocument }> {
  const rule = await rules.anyById(id);
  const before = rule?.deleted ? await versions.ofVersion(id, rule.version) : null;
  if (!rule || !before) throw ruleNotFound(id);
  if (if_match !== null && if_match !== rule.version) throw versionConflict(id, rule.version);
  return { id, key: freeKey(rule.former_key ?? slugOf(rule.name), id, set), before };
}

const keptDays = 90;

const removedAtOnce = 100;

/** Removes rules that were deleted long ago, with their versions. */
export async function removeLongDeleted({ rules, versions, clock }: RulesDeps): Promise<void> {
  const before = new Date(clock.now() - keptDays * 86_400_000).toISOString();
  for (let old = await rules.deletedBefore(before, removedAtOnce); old.length > 0; ) {
    for (const { _id } of old) await versions.removeOf(_id);
    await rules.removeDeleted(old.map(({ _id }) => _id));
    old = old.length < removedAtOnce ? [] : await rules.deletedBefore(before, removedAtOnce);
  }
}

const longestName = 200;

export const duplicateRule: Answer<'rules.rule.duplicate.v1', RulesDeps> = async (
  { id, name, edition, actor },
  deps,
) => {
  const copy = await deps.takeIds(1);
  return changeRule({ actor, edition }, deps, async (set) => {
    const original = (await presentRule(id, null, set, deps)).before;
    const rule = checkedRule(original.rule, edition, deps.registry, 'rule');
    const copied = name?.trim() || `Copy of ${original.name}`.slice(0, longestName);
    const { stop_processing } = original;
    return newRule(copy, { name: copied, enabled: false, stop_processing, rule }, set);
  });
};
