import { type Actor, derivedId, type RuleRecord, type SaveResult, ServiceError } from '@order-automation/contracts';
import { isDuplicateKey } from '@order-automation/store';
import { createdEntry, deletedEntry, modifiedEntry, restoredEntry } from './audit-entries';
import type { RulesDeps } from './deps';
import { type RuleDocument, type RuleFields, type Rules, recordOf, searchWords } from './rule-documents';
import { deliverSave, versionOf } from './save-delivery';
import type { RuleChange } from './telemetry';
import { savedWarnings } from './warnings';

/** Largest position of the contract. */
const lastPlace = 1_000_000;
/** Saves that are tried again, when nobody asked for a version, because another save was first. */
const attempts = 20;

export type SavedRule = SaveResult & { readonly record: RuleRecord };

export function ruleNotFound(id: number): ServiceError {
  return new ServiceError(404, 'svc_rule_not_found', `There is no rule ${id}.`, { rule_id: id });
}

export function versionConflict(id: number, current: number): ServiceError {
  const text = `Rule ${id} was saved by somebody else in the meantime: its version is ${current} now.`;
  return new ServiceError(412, 'svc_version_conflict', text, { rule_id: id, version: current });
}

/** `Big orders, 2nd` becomes `big-orders-2nd`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return slug.slice(0, 80).replace(/-+$/, '') || 'rule';
}

/** No file can hold it: keys of rules begin with a letter or a digit. */
const keyOfDeleted = (id: number): string => `~${id}`;

/** A rule that is stored is saved: what follows is delivered now, or later by the relay. */
export async function afterSave(
  document: RuleDocument,
  change: RuleChange,
  actor: Actor,
  deps: RulesDeps,
): Promise<SaveResult> {
  const { _id: id, version } = document;
  deps.telemetry.saved(change, { id, version, user: actor.user, process_id: actor.process_id });
  const delivering = deliverSave(document, deps).catch((error: unknown) => {
    deps.telemetry.deferred('delivery', id, error);
    return { audited: false };
  });
  const warning = change === 'deleted' ? [] : savedWarnings(document, deps);
  const [{ audited }, warnings] = await Promise.all([delivering, warning]);
  const what = change === 'deleted' ? 'was deleted' : `was saved as version ${version}`;
  const later = audited ? '' : ' The audit log is not available at the moment; its entry will follow.';
  const message = `Rule ${id} ${what}.${later}`;
  return { success: true, message, rule_id: id, audit_logged: audited, ...(warnings.length > 0 ? { warnings } : {}) };
}

type NewRule = Omit<RuleFields, 'position'> & {
  readonly position?: number | undefined;
  readonly key?: string | undefined;
};

/** A new rule, behind the last one unless it has a position. Its key is made from its name when it brings none. */
export async function insertRule(fields: NewRule, actor: Actor, deps: RulesDeps): Promise<SavedRule> {
  const { rules, counters, clock } = deps;
  const { name, enabled, stop_processing, rule } = fields;
  const position = fields.position ?? Math.min(((await rules.lastPosition()) ?? -1) + 1, lastPlace);
  const id = await counters.ruleId();
  const now = clock.now();
  const at = new Date(now).toISOString();
  const document: RuleDocument = {
    _id: id,
    key: fields.key ?? slugOf(name),
    words: searchWords(name, id),
    name,
    enabled,
    position,
    stop_processing,
    rule,
    version: 1,
    created_at: at,
    updated_at: at,
    updated_by: actor.user,
    stats: { run_count: 0, match_count: 0, last_fired_at: null },
    trigger: rule.trigger.id,
    deleted: false,
    entries: [createdEntry({ id, version: 1, at, actor }, { name, enabled, position, stop_processing, rule })],
    announced: false,
    pending_since: now,
  };
  const stored = await insertUnderFreeKey(document, deps);
  return { ...(await afterSave(stored, 'created', actor, deps)), record: recordOf(stored) };
}

/** A key that is taken gets the id of the rule behind it, which no other rule has. */
async function insertUnderFreeKey(document: RuleDocument, { rules }: RulesDeps): Promise<RuleDocument> {
  try {
    await rules.insert(document);
    return document;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const renamed = { ...document, key: await freeKey(document.key, document._id, rules) };
  await rules.insert(renamed);
  return renamed;
}

async function freeKey(key: string, id: number, rules: Pick<Rules, 'byKey'>): Promise<string> {
  const suffixed = `${key}-${id}`;
  const taken = (await rules.byKey(suffixed)) !== null;
  return taken ? derivedId(key, id).toLowerCase().replaceAll('_', '-') : suffixed;
}

export type Next = { readonly fields: RuleFields; readonly deleted: boolean };
export type Replacing = {
  readonly id: number;
  readonly ifMatch: number | null;
  readonly actor: Actor;
  /** False: whoever asks announces the change together with others. */
  readonly announces?: boolean;
};

/**
 * Replaces the rule by what `decide` makes of it, by compare and set on the version. The version that it leaves is kept first: until then the
 * document alone has it.
 */
export async function replaceRule(
  { id, ifMatch, actor, announces = true }: Replacing,
  deps: RulesDeps,
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
      ...(deleted ? { key: keyOfDeleted(id), former_key: before.key } : {}),
      words: searchWords(fields.name, id),
      trigger: fields.rule.trigger.id,
      version: saved.version,
      updated_at: saved.at,
      updated_by: actor.user,
      deleted,
      entries: [...before.entries, entry],
      announced: !announces,
      pending_since: now,
    };
    if (await rules.save(id, before.version, update)) return { ...before, ...update };
    if (attempt === attempts) throw versionConflict(id, saved.version);
  }
}

/** As `replaceRule`, with what follows from a save. */
export async function updateRule(
  replacing: Replacing,
  deps: RulesDeps,
  decide: (before: RuleDocument) => RuleFields,
): Promise<SavedRule> {
  const document = await replaceRule(replacing, deps, (before) => ({ fields: decide(before), deleted: false }));
  return { ...(await afterSave(document, 'updated', replacing.actor, deps)), record: recordOf(document) };
}

export async function removeRule(replacing: Replacing, deps: RulesDeps): Promise<SaveResult> {
  const document = await replaceRule(replacing, deps, (before) => {
    const { name, position, stop_processing, rule } = before;
    return { fields: { name, enabled: false, position, stop_processing, rule }, deleted: true };
  });
  return afterSave(document, 'deleted', replacing.actor, deps);
}

/** Brings a deleted rule back, disabled, with `fields` or as it was. Undefined when it was brought back meanwhile. */
export async function reviveRule(
  before: RuleDocument,
  fields: Omit<RuleFields, 'enabled' | 'position'>,
  actor: Actor,
  deps: RulesDeps,
): Promise<SavedRule | undefined> {
  const { rules, versions, clock } = deps;
  const { _id: id, position, former_key: key = slugOf(fields.name) } = before;
  if (before.pending_since > 0) await versions.keep(versionOf(before));
  const now = clock.now();
  const saved = { id, version: before.version + 1, at: new Date(now).toISOString(), actor };
  const after = { ...fields, enabled: false, position };
  const update = {
    ...after,
    words: searchWords(after.name, id),
    trigger: after.rule.trigger.id,
    version: saved.version,
    updated_at: saved.at,
    updated_by: actor.user,
    deleted: false,
    entries: [...before.entries, restoredEntry(saved, after)],
    announced: false,
    pending_since: now,
  };
  const free = (await rules.byKey(key)) === null ? key : await freeKey(key, id, rules);
  if (!(await rules.revive(id, before.version, { ...update, key: free }))) return undefined;
  const document = { ...before, ...update, key: free };
  return { ...(await afterSave(document, 'restored', actor, deps)), record: recordOf(document) };
}
