import type { Actor, ImportedRule, ImportResult, RequestInput, RequestOutput } from '@order-automation/contracts';
import { type Armed, isArmed } from './arming';
import type { RulesDeps } from './deps';
import { allRules, fieldsOf, type Plan, planned, readFile } from './import-plan';
import type { RuleFields } from './rule-documents';
import { exclusively, type Lease } from './rule-switch';
import { insertRule, removeRule } from './rule-writes';
import { finishLeft, ignoreRefusal, type NewStep, savedMeanwhile, switchRules } from './switching';

/**
 * Makes the rules what the file says. Everything is checked before anything is written. New rules are made disabled; then caches see the rules as they
 * were, until all of them are written, and all at once as they are. A rule that somebody saves meanwhile is left as that save made it.
 */
export async function importRules(
  { file, mode, edition, actor }: RequestInput<'rules.import.v1'>,
  deps: RulesDeps,
): Promise<RequestOutput<'rules.import.v1'>> {
  const wanted = readFile(file, edition, deps);
  if (mode === 'preview') return planned(wanted, await allRules(deps)).result;
  return exclusively(deps.ruleSwitch, async (lease) => {
    await finishLeft(lease, deps);
    const plan = planned(wanted, await allRules(deps));
    await deps.arming?.(armedBy(plan), edition);
    return apply(plan, actor, deps, lease);
  });
}

/** The rules that the file enables as they are not enabled now. */
function armedBy({ result, wanted, existing }: Plan): Armed[] {
  return [...result.create, ...result.change].flatMap(({ key, id }) => {
    const entry = wanted.get(key);
    const before = existing.get(id ?? 0) ?? null;
    if (!entry) return [];
    const after = before ? fieldsOf(entry, before) : { ...entry, position: 0 };
    return isArmed(before, after) ? [after] : [];
  });
}

async function apply(
  { result, wanted, existing }: Plan,
  actor: Actor,
  deps: RulesDeps,
  lease: Lease,
): Promise<ImportResult> {
  const create: ImportedRule[] = [];
  const steps: NewStep[] = [];
  for (const { key, name } of result.create) {
    const entry = wanted.get(key);
    if (!entry) continue;
    const { record } = await insertRule({ ...entry, enabled: false }, actor, deps);
    create.push({ key, name, id: record.id });
    const { position, stop_processing, rule } = record;
    const fields: RuleFields = { name: record.name, enabled: true, position, stop_processing, rule };
    if (entry.enabled) steps.push({ rule_id: record.id, version: record.version, fields, actor });
    await lease.renew();
  }
  for (const { key, id } of [...result.change, ...result.delete]) {
    const before = existing.get(id ?? 0);
    const entry = wanted.get(key);
    if (before)
      steps.push({
        rule_id: before._id,
        version: before.version,
        fields: entry ? fieldsOf(entry, before) : null,
        actor,
      });
  }
  if (steps.length === 0) return { ...result, create };
  const outcome = await switchRules(steps, lease, deps);
  if ('edited' in outcome) {
    for (const { id } of create)
      if (id !== null) await removeRule({ id, ifMatch: 1, actor }, deps).catch(ignoreRefusal);
    throw savedMeanwhile(outcome.edited, 'imported', 'look at the preview again');
  }
  const conflicts = [...result.change, ...result.delete].filter(({ id }) => id !== null && outcome.kept.has(id));
  return { ...result, create, ...(conflicts.length > 0 ? { conflicts } : {}) };
}
