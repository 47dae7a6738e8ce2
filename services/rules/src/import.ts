import {
  type Actor,
  derivedId,
  type ImportedRule,
  type ImportResult,
  message,
  type RequestInput,
  type RequestOutput,
  ServiceError,
} from '@order-automation/contracts';
import { type Armed, isArmed } from './arming';
import type { RulesDeps } from './deps';
import { allRules, fieldsOf, type Plan, planned, readFile } from './import-plan';
import type { RuleDocument, RuleFields } from './rule-documents';
import { exclusively, type Lease, type SwitchStep } from './rule-switch';
import { insertRule, removeRule, replaceRule } from './rule-writes';
import { deliverSave, versionOf } from './save-delivery';

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

/** Finishes what an import that died has left. Does nothing while one is running. */
export async function finishImports(deps: RulesDeps): Promise<void> {
  if (await deps.ruleSwitch.isHeld()) await deps.ruleSwitch.tryExclusively((lease) => finishLeft(lease, deps));
}

/** Steps are stored before rules are frozen: without frozen rules none of the steps was taken. */
async function finishLeft(lease: Lease, deps: RulesDeps): Promise<void> {
  const { stage } = await deps.counters.state();
  if (stage % 2 === 1) await switchOver(deps, await takeSteps(await deps.ruleSwitch.steps.all(), lease, deps));
  await deps.ruleSwitch.steps.clear();
}

async function apply(
  { result, wanted, existing }: Plan,
  actor: Actor,
  deps: RulesDeps,
  lease: Lease,
): Promise<ImportResult> {
  const create: ImportedRule[] = [];
  const steps: Omit<SwitchStep, '_id'>[] = [];
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
  const created = create.flatMap(({ id }) => id ?? []);
  const edited = await freeze(steps, deps);
  if (edited) {
    for (const id of created) await removeRule({ id, ifMatch: 1, actor }, deps).catch(ignoreRefusal);
    throw edited;
  }
  const numbered = steps.map((step, _id) => ({ ...step, _id }));
  const outcome = await takeSteps(numbered, lease, deps);
  await switchOver(deps, outcome);
  await deps.ruleSwitch.steps.clear();
  const conflicts = [...result.change, ...result.delete].filter(({ id }) => id !== null && outcome.kept.has(id));
  return { ...result, create, ...(conflicts.length > 0 ? { conflicts } : {}) };
}

/** Shows caches these rules as they are now. The refusal where one of them was saved since it was compared with the file: then nothing was changed. */
async function freeze(steps: readonly Omit<SwitchStep, '_id'>[], deps: RulesDeps): Promise<ServiceError | null> {
  const { rules, versions, counters, ruleSwitch } = deps;
  const ids = steps.map(({ rule_id }) => rule_id);
  const read = async (): Promise<Map<number, RuleDocument>> => {
    const found = new Map<number, RuleDocument>();
    for (let from = 0; from < ids.length; from += 500)
      for (const rule of await rules.byIds(ids.slice(from, from + 500))) found.set(rule._id, rule);
    return found;
  };
  const before = await read();
  for (const rule of before.values()) if (rule.pending_since > 0) await versions.keep(versionOf(rule));
  await ruleSwitch.steps.clear();
  await ruleSwitch.steps.add(steps.map((step, _id) => ({ ...step, _id })));
  await counters.freeze([...before.values()].map(({ _id, version, enabled }) => ({ id: _id, version, enabled })));
  const now = await read();
  const edited = steps.filter(({ rule_id, version }) => {
    const rule = now.get(rule_id);
    return !rule || rule.deleted || rule.version !== version || before.get(rule_id)?.version !== version;
  });
  if (edited.length === 0) return null;
  await counters.thaw();
  await ruleSwitch.steps.clear();
  const named = edited.map(({ rule_id }) => rule_id);
  const text = `Somebody saved rules while they were being imported: ${named.slice(0, 10).join(', ')}. Nothing was changed; look at the preview again.`;
  return new ServiceError(412, 'svc_version_conflict', text, { rule_ids: named });
}

function disabled({ name, position, stop_processing, rule }: RuleFields): RuleFields {
  return { name, enabled: false, position, stop_processing, rule };
}

type Outcome = { readonly written: RuleDocument[]; readonly kept: Set<number> };

const renewEvery = 20;

/** Writes each rule that still has the version it was compared in; of the others the save that was first stays. */
async function takeSteps(steps: readonly SwitchStep[], lease: Lease, deps: RulesDeps): Promise<Outcome> {
  const outcome: Outcome = { written: [], kept: new Set() };
  for (const [at, { rule_id: id, version, fields, actor }] of steps.entries()) {
    if (at % renewEvery === 0) await lease.renew();
    try {
      const replacing = { id, ifMatch: version, actor, announces: false };
      const written = await replaceRule(replacing, deps, (before) => ({
        fields: fields ?? disabled(before),
        deleted: fields === null,
      }));
      outcome.written.push(written);
    } catch (error) {
      ignoreRefusal(error);
      outcome.kept.add(id);
    }
  }
  return outcome;
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ServiceError) || error.status >= 500) throw error;
}

async function switchOver(deps: RulesDeps, { written }: Outcome): Promise<void> {
  const { bus, clock, counters, telemetry } = deps;
  const revision = await counters.switchOver();
  const data = { rule_id: written[0]?._id ?? 0, revision, change: 'updated' } as const;
  const id = derivedId('rules.switched', revision);
  await bus.publish(message('rules.changed.v1', data, { id, now: clock.now() })).catch((error: unknown) => {
    telemetry.deferred('announcement', data.rule_id, error);
  });
  for (const document of written) {
    await deliverSave(document, deps).catch((error: unknown) => telemetry.deferred('delivery', document._id, error));
  }
}
