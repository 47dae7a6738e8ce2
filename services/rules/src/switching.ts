import { derivedId, message, ServiceError } from '@order-automation/contracts';
import type { RulesDeps } from './deps';
import type { RuleDocument, RuleFields } from './rule-documents';
import type { Lease, SwitchStep } from './rule-switch';
import { replaceRule } from './rule-writes';
import { deliverSave, versionOf } from './save-delivery';

export type NewStep = Omit<SwitchStep, '_id'>;

/** `kept`: rules that somebody saved while the others were written. */
type Outcome = { readonly written: RuleDocument[]; readonly kept: Set<number> };

/** Finishes what an import or a reordering that died has left. Does nothing while one is running. */
export async function finishImports(deps: RulesDeps): Promise<void> {
  if (await deps.ruleSwitch.isHeld()) await deps.ruleSwitch.tryExclusively((lease) => finishLeft(lease, deps));
}

/** Steps are stored before rules are frozen: without frozen rules none of the steps was taken. */
export async function finishLeft(lease: Lease, deps: RulesDeps): Promise<void> {
  const { stage } = await deps.counters.state();
  if (stage % 2 === 1) await switchOver(deps, await takeSteps(await deps.ruleSwitch.steps.all(), lease, deps));
  await deps.ruleSwitch.steps.clear();
}

/**
 * Writes all of these steps. Caches see the rules as they were until all are written, and then all at once as they are; a process that dies here leaves the
 * steps to the next one. `edited`: these rules were saved since the steps were made, and nothing was written.
 */
export async function switchRules(
  steps: readonly NewStep[],
  lease: Lease,
  deps: RulesDeps,
): Promise<Pick<Outcome, 'kept'> | { readonly edited: readonly number[] }> {
  const edited = await freeze(steps, deps);
  if (edited.length > 0) return { edited };
  const outcome = await takeSteps(numbered(steps), lease, deps);
  await switchOver(deps, outcome);
  await deps.ruleSwitch.steps.clear();
  return outcome;
}

export function savedMeanwhile(ids: readonly number[], what: string, advice: string): ServiceError {
  const text = `Somebody saved rules while they were being ${what}: ${ids.slice(0, 10).join(', ')}. Nothing was changed; ${advice}.`;
  return new ServiceError(412, 'svc_version_conflict', text, { rule_ids: ids });
}

const numbered = (steps: readonly NewStep[]): SwitchStep[] => steps.map((step, _id) => ({ ...step, _id }));

/** Shows caches these rules as they are now. Resolves with those that were saved since the steps were made: then nothing has changed. */
async function freeze(steps: readonly NewStep[], deps: RulesDeps): Promise<number[]> {
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
  await ruleSwitch.steps.add(numbered(steps));
  await counters.freeze([...before.values()].map(({ _id, version, enabled }) => ({ id: _id, version, enabled })));
  const now = await read();
  const edited = steps.filter(({ rule_id, version }) => {
    const rule = now.get(rule_id);
    return !rule || rule.deleted || rule.version !== version || before.get(rule_id)?.version !== version;
  });
  if (edited.length === 0) return [];
  await counters.thaw();
  await ruleSwitch.steps.clear();
  return edited.map(({ rule_id }) => rule_id);
}

function disabled({ name, position, stop_processing, rule }: RuleFields): RuleFields {
  return { name, enabled: false, position, stop_processing, rule };
}

const movedTo = (position: number, { name, enabled, stop_processing, rule }: RuleFields): RuleFields => ({
  name,
  enabled,
  position,
  stop_processing,
  rule,
});

const renewEvery = 20;

/** Writes each rule that still has the version it was compared in; of the others the save that was first stays. A move keeps what else was saved. */
async function takeSteps(steps: readonly SwitchStep[], lease: Lease, deps: RulesDeps): Promise<Outcome> {
  const outcome: Outcome = { written: [], kept: new Set() };
  for (const [at, { rule_id: id, version, fields, actor, is_move: isMove = false }] of steps.entries()) {
    if (at % renewEvery === 0) await lease.renew();
    try {
      const replacing = { id, ifMatch: isMove ? null : version, actor, announces: false };
      const written = await replaceRule(replacing, deps, (before) => ({
        fields: fields === null ? disabled(before) : isMove ? movedTo(fields.position, before) : fields,
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

export function ignoreRefusal(error: unknown): void {
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
