import {
  type Actor,
  type Edition,
  invalidParameters,
  type RequestInput,
  type RequestOutput,
  type RuleChanges,
  type RuleData,
  ServiceError,
} from '@order-automation/contracts';
import { type Registry, ruleRefused, validateRule } from '@order-automation/engine';
import { createdEntry, deletedEntry, modifiedEntry } from './audit-entries';
import { type ConsequenceDeps, settle, versionOf } from './consequences';
import { type RuleDocument, type RuleFields, recordOf } from './rule-documents';
import type { RuleChange } from './telemetry';

/** Largest position of the contract. */
const lastPlace = 1_000_000;
/** Saves that are tried again, when nobody asked for a version, because another save was first. */
const attempts = 20;

export function ruleNotFound(id: number): ServiceError {
  return new ServiceError(404, 'svc_rule_not_found', `There is no rule ${id}.`, { rule_id: id });
}

function versionConflict(id: number, current: number): ServiceError {
  const text = `Rule ${id} was saved by somebody else in the meantime: its version is ${current} now.`;
  return new ServiceError(412, 'svc_version_conflict', text, { rule_id: id, version: current });
}

function checkedRule(rule: unknown, edition: Edition, registry: Registry): RuleData {
  const result = validateRule(rule, edition, registry);
  if (!result.ok) throw ruleRefused(result);
  return result.rule;
}

function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw invalidParameters([{ path: 'name', message: 'must not be empty' }]);
  return trimmed;
}

/** The rule after the changes. A rule that is switched on is checked again: what it is made of may be gone or need a licence. */
function changed(before: RuleDocument, changes: RuleChanges, edition: Edition, registry: Registry): RuleFields {
  const given = changes.rule !== undefined ? changes.rule : before.rule;
  const check = changes.rule !== undefined || changes.enabled === true;
  return {
    name: changes.name === undefined ? before.name : checkedName(changes.name),
    enabled: changes.enabled ?? before.enabled,
    position: changes.position ?? before.position,
    stop_processing: changes.stop_processing ?? before.stop_processing,
    rule: check ? checkedRule(given, edition, registry) : before.rule,
  };
}

/** Rules that are stored are stored: what follows is told now, or later by the relay. */
async function afterSave(document: RuleDocument, change: RuleChange, actor: Actor, deps: ConsequenceDeps) {
  const { _id: id, version } = document;
  deps.telemetry.saved(change, { id, version, user: actor.user, process_id: actor.process_id });
  const { audited } = await settle(document, deps).catch((error: unknown) => {
    deps.telemetry.deferred('settling', id, error);
    return { audited: false };
  });
  const what = change === 'deleted' ? 'was deleted' : `was saved as version ${version}`;
  const later = audited ? '' : ' The audit log is away at the moment, its entry will follow.';
  return { success: true, message: `Rule ${id} ${what}.${later}`, rule_id: id, audit_logged: audited };
}

export async function createRule(
  { changes, edition, actor }: RequestInput<'rules.rule.create.v1'>,
  deps: ConsequenceDeps,
): Promise<RequestOutput<'rules.rule.create.v1'>> {
  const { rules, counters, clock } = deps;
  const name = checkedName(changes.name);
  const rule = checkedRule(changes.rule, edition, deps.registry);
  const position = changes.position ?? Math.min(((await rules.lastPosition()) ?? -1) + 1, lastPlace);
  const { enabled = false, stop_processing = false } = changes;
  const fields: RuleFields = { name, enabled, position, stop_processing, rule };
  const id = await counters.next('rule_id');
  const now = clock.now();
  const at = new Date(now).toISOString();
  const document: RuleDocument = {
    _id: id,
    ...fields,
    version: 1,
    created_at: at,
    updated_at: at,
    updated_by: actor.user,
    stats: { run_count: 0, match_count: 0, last_fired_at: null },
    trigger: rule.trigger.id,
    deleted: false,
    entries: [createdEntry({ id, version: 1, at, actor }, fields)],
    announced: false,
    pending_since: now,
  };
  await rules.insert(document);
  return { ...(await afterSave(document, 'created', actor, deps)), record: recordOf(document) };
}

type Next = { readonly fields: RuleFields; readonly deleted: boolean };

/**
 * Replaces the rule by what `decide` makes of it, by compare and set on the version. The version that it leaves is kept first: until then the
 * document alone has it.
 */
async function replace(
  { id, ifMatch, actor }: { id: number; ifMatch: number | null; actor: Actor },
  deps: ConsequenceDeps,
  decide: (before: RuleDocument) => Next,
): Promise<RuleDocument> {
  const { rules, versions, clock } = deps;
  for (let attempt = 1; ; attempt += 1) {
    const before = await rules.byId(id);
    if (!before) throw ruleNotFound(id);
    if (ifMatch !== null && ifMatch !== before.version) throw versionConflict(id, before.version);
    const { fields, deleted } = decide(before);
    if (before.pending_since > 0) await versions.keep(versionOf(before));
    const now = clock.now();
    const saved = { id, version: before.version + 1, at: new Date(now).toISOString(), actor };
    const entry = deleted ? deletedEntry(saved, before) : modifiedEntry(saved, before, fields);
    const update = {
      ...fields,
      trigger: fields.rule.trigger.id,
      version: saved.version,
      updated_at: saved.at,
      updated_by: actor.user,
      deleted,
      entries: [...before.entries, entry],
      announced: false,
      pending_since: now,
    };
    if (await rules.save(id, before.version, update)) return { ...before, ...update };
    if (attempt === attempts) throw versionConflict(id, saved.version);
  }
}

export async function saveRule(
  { id, changes, if_match, edition, actor }: RequestInput<'rules.rule.save.v1'>,
  deps: ConsequenceDeps,
): Promise<RequestOutput<'rules.rule.save.v1'>> {
  const document = await replace({ id, ifMatch: if_match, actor }, deps, (before) => ({
    fields: changed(before, changes, edition, deps.registry),
    deleted: false,
  }));
  return { ...(await afterSave(document, 'updated', actor, deps)), record: recordOf(document) };
}

export async function deleteRule(
  { id, if_match, actor }: RequestInput<'rules.rule.delete.v1'>,
  deps: ConsequenceDeps,
): Promise<RequestOutput<'rules.rule.delete.v1'>> {
  const document = await replace({ id, ifMatch: if_match, actor }, deps, (before) => {
    const { name, position, stop_processing, rule } = before;
    return { fields: { name, enabled: false, position, stop_processing, rule }, deleted: true };
  });
  return afterSave(document, 'deleted', actor, deps);
}
