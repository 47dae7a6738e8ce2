import { derivedId, message } from '@order-automation/contracts';
import { recordsOf } from '@order-automation/service';
import type { RulesDeps } from '../deps';
import type { RuleSet } from '../documents/rule-set';
import type { RuleVersionDocument, SavedVersion } from '../documents/rule-versions';
import { changeOf, entryOf } from './audit-entries';
import type { Saved } from './save-rules';

const announced = { created: 'created', updated: 'updated', restored: 'updated', deleted: 'deleted' } as const;

/** Milliseconds that a save waits for audit to confirm. */
const auditTimeout = 1_500;
/** Milliseconds in which a change does by itself what follows from it. */
const settledDirectlyFor = 3_000;

/**
 * What follows from a change of the set: entries in the outbox of the log, the documents of the rules, `rules.changed.v1`. All of it can be repeated.
 * Resolves with whether the log confirmed the entries.
 */
async function follow(saved: readonly SavedVersion[], { revision }: RuleSet, deps: RulesDeps): Promise<boolean> {
  const { bus, clock, rules, outbox } = deps;
  const last = saved.at(-1);
  const change = saved.length === 1 && last ? announced[changeOf(last)] : 'updated';
  const data = { rule_id: last?.after.rule_id ?? 0, revision, change } as const;
  const id = derivedId('rules.changed', revision);
  const [audited] = await Promise.all([
    outbox.addAndConfirm(recordsOf(saved.map(entryOf)), auditTimeout),
    rules.follow(saved.map(({ after }) => after)),
    bus.publish(message('rules.changed.v1', data, { id, now: clock.now() })),
  ]);
  return audited;
}

/** Does what follows from this change, or leaves it to `settleLeft`. Resolves with whether the log confirmed the entries. */
export async function settle({ before, after, versions }: Saved, deps: RulesDeps): Promise<boolean> {
  try {
    const audited = await follow(versions, after, deps);
    await deps.ruleSet.settle(before.revision, after.revision);
    return audited;
  } catch (error) {
    deps.telemetry.deferred('delivery', versions[0]?.after.rule_id ?? 0, error);
    return false;
  }
}

/** Does what follows from changes that nobody has finished: their process died, or the bus was unavailable. */
export async function settleLeft(deps: RulesDeps): Promise<void> {
  const { revision, settled, changed_at } = await deps.ruleSet.head();
  if (settled >= revision || changed_at > deps.clock.now() - settledDirectlyFor) return;
  const set = await deps.ruleSet.read();
  const saved: SavedVersion[] = [];
  for (const after of savedSince(await deps.versions.since(settled), set))
    saved.push({ before: await deps.versions.before(after), after });
  await follow(saved, set, deps);
  await deps.ruleSet.settle(settled, set.revision);
}

/** Those that the set named, without what processes that died wrote and did not save. */
function savedSince(versions: readonly RuleVersionDocument[], { rules }: RuleSet): RuleVersionDocument[] {
  const newest = new Map(versions.flatMap(({ rule_id, version, deleted }) => (deleted ? [[rule_id, version]] : [])));
  for (const { id, version } of rules) newest.set(id, version);
  return versions.filter(({ rule_id, version }) => version <= (newest.get(rule_id) ?? 0));
}
