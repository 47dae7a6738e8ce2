import { setTimeout as pause } from 'node:timers/promises';
import { type Actor, derivedId, type Edition, ServiceError } from '@order-automation/contracts';
import type { RulesDeps } from '../deps';
import type { RuleFields } from '../documents/rule-documents';
import type { Member, RuleSet } from '../documents/rule-set';
import { nameOf, type RuleVersionDocument, type SavedVersion } from '../documents/rule-versions';
import { isNewlyEnabled } from './enable-guard';

export const ruleNotFound = (id: number): ServiceError =>
  new ServiceError(404, 'svc_rule_not_found', `There is no rule ${id}.`, { rule_id: id });

export function versionConflict(id: number, current: number): ServiceError {
  const text = `Rule ${id} was saved by somebody else in the meantime: its version is ${current} now.`;
  return new ServiceError(412, 'svc_version_conflict', text, { rule_id: id, version: current });
}

export type Change = {
  readonly id: number;
  readonly key: string;
  /** The version that it has; null of a new rule. */
  readonly before: RuleVersionDocument | null;
  readonly fields: RuleFields;
  readonly deleted?: boolean;
};

/** Rules that changed together, with the set as it was before and as it is now. */
export type Saved = { readonly before: RuleSet; readonly after: RuleSet; readonly versions: readonly SavedVersion[] };

export type Saving = { readonly actor: Actor; readonly edition?: Edition };

/** Milliseconds: the longest pause before another attempt, and how long is tried. */
const longestPause = 60;
const giveUpAfter = 15_000;
/** Milliseconds after which a version that the set does not name counts as left by a process that died; its number is not used again. */
const abandonedAfter = 2_000;

/**
 * Changes the set as `decide` says of the set as it is, by compare-and-set: all of it or nothing, and what it decided on is what it replaces. It may decide
 * several times. The versions are written first; when another change of the set is first, they are taken back.
 */
export async function changeRules(
  { actor, edition = 'default' }: Saving,
  deps: RulesDeps,
  decide: (set: RuleSet) => Promise<readonly Change[]>,
): Promise<Saved> {
  const { ruleSet, versions, telemetry } = deps;
  let skipped = 0;
  for (const start = Date.now(); Date.now() - start < giveUpAfter; await pause(Math.random() * longestPause)) {
    const set = await ruleSet.read();
    const changes = await decide(set);
    if (changes.length === 0) return { before: set, after: set, versions: [] };
    const enabled = changes.flatMap(({ before, fields }) => (isNewlyEnabled(before, fields) ? fields : []));
    if (enabled.length > 0) await deps.enableGuard?.(enabled, edition);
    const saved = nextSet(set, changes, { skipped, actor, now: deps.clock.now() });
    const rows = saved.versions.map(({ after }) => after);
    if (!(await versions.reserve(rows))) {
      if (Date.now() - start > abandonedAfter) skipped += 1;
    } else if (await ruleSet.replace(set, saved.after)) {
      for (const { before, after } of saved.versions) {
        if (before && skipped > 0) await versions.removeBetween(before, after);
        telemetry.saved({ before, after });
      }
      return saved;
    } else await versions.remove(rows);
  }
  const text = 'Rules are being imported or reordered. Try again when that is done.';
  throw new ServiceError(409, 'svc_import_running', text);
}

type Stamp = { readonly skipped: number; readonly actor: Actor; readonly now: number };

function nextSet(set: RuleSet, changes: readonly Change[], { skipped, actor, now }: Stamp): Saved {
  const isOne = changes.length === 1;
  const revision = set.revision + (isOne ? 1 : 2);
  const versions = changes.map((change) => {
    const version = change.before ? change.before.version + 1 + skipped : 1;
    return { before: change.before, after: nextVersion(change, { version, revision, actor, now }) };
  });
  const members = new Map(set.rules.map((member) => [member.id, member]));
  for (const { after } of versions) {
    const { rule_id: id, version, position, enabled, shadow, key = '', deleted } = after;
    if (deleted) members.delete(id);
    else members.set(id, { id, version, position, enabled, ...(shadow ? { shadow } : {}), key });
  }
  const rules = [...members.values()].sort((a, b) => a.id - b.id);
  const generation = set.generation + (isOne ? 0 : 1);
  return { before: set, after: { ...set, revision, generation, changed_at: now, rules }, versions };
}

type Next = Omit<Stamp, 'skipped'> & { readonly version: number; readonly revision: number };

function nextVersion(
  { id, key, fields, deleted = false }: Change,
  { version, revision, actor, now }: Next,
): RuleVersionDocument {
  const { name, enabled, shadow, position, stop_processing, rule } = fields;
  return {
    _id: nameOf({ id, version }),
    rule_id: id,
    version,
    name,
    enabled: enabled && !deleted,
    ...(shadow && !deleted ? { shadow } : {}),
    position,
    stop_processing,
    rule,
    deleted,
    saved_at: new Date(now).toISOString(),
    saved_by: actor.user,
    key,
    actor,
    revision,
  };
}

/** What the version that the set names is made of. */
export async function memberVersion(
  { id, version }: Member,
  { versions }: Pick<RulesDeps, 'versions'>,
): Promise<RuleVersionDocument> {
  const found = await versions.ofVersion(id, version);
  if (!found) throw new Error(`Version ${version} of rule ${id} is missing.`);
  return found;
}

/** The rule of the set, which has the version that the caller saw: 404 and 412 else. */
export async function presentRule(
  id: number,
  ifMatch: number | null,
  set: RuleSet,
  deps: Pick<RulesDeps, 'versions'>,
): Promise<{ readonly id: number; readonly key: string; readonly before: RuleVersionDocument }> {
  const member = set.rules.find((one) => one.id === id);
  if (!member) throw ruleNotFound(id);
  if (ifMatch !== null && ifMatch !== member.version) throw versionConflict(id, member.version);
  return { id, key: member.key, before: await memberVersion(member, deps) };
}

/** `Big orders, 2nd` becomes `big-orders-2nd`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
  const slug = plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-+|-+$/g, '');
  return slug.slice(0, 80).replace(/-+$/, '') || 'rule';
}

/** A key that is taken gets the id of the rule behind it, which no other rule has. */
export function freeKey(key: string, id: number, { rules }: RuleSet): string {
  const taken = new Set(rules.map((member) => member.key));
  const ids = [key, `${key}-${id}`, derivedId(key, id).toLowerCase().replaceAll('_', '-')];
  return ids.find((one) => !taken.has(one)) ?? key;
}
