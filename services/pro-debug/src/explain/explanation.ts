import { type FieldChange, isGenericType, type Occurrence, type TriggerResult } from '@order-automation/contracts';
import type { CompiledRule, Facts, RuleVerdict } from '@order-automation/engine';
import { imagined, listeningText, senderNamed, withChanges } from '@order-automation/engine';
import { firingChanges } from './nearest-firing';

/**
 * A verdict with every condition, whether the trigger fires, and what would make the rule run. `changes` are fields of the facts (`withChanges`): after all of
 * them the trigger fires and every condition passes; null when no such changes are known. `suggestions` are the same as sentences, one for the trigger and
 * one for each condition that did not pass.
 */
export type Explanation = RuleVerdict & {
  readonly trigger: TriggerResult;
  readonly listens_to: readonly string[];
  /** On what it was explained: what happened, or what the trigger listens to. */
  readonly occurrence: Occurrence | null;
  readonly changes: FieldChange[] | null;
  readonly suggestions: string[];
};

/** The verdict alone. */
type Look = Pick<RuleVerdict, 'matched' | 'error'> & { readonly fires: boolean };

/** What `explain` would say of the rule, without the reasons: for all rules at once. */
export function look(rule: CompiledRule, given: Facts): Look {
  const tried = given.occurrence ? [given] : imaginedFacts(rule, given);
  const seen = tried.filter((one) => rule.wouldFire(one).would_fire).map((one) => rule.match(one));
  const { matched = false, error = null } = seen.find((one) => one.matched) ?? seen[0] ?? {};
  return { matched, error, fires: seen.length > 0 };
}

/** Why the rule would run, or not, and what would have to change. Without an occurrence it is explained on one that the trigger listens to. */
export function explain(rule: CompiledRule, given: Facts): Explanation {
  const facts = given.occurrence ? given : likeliest(rule, given);
  const verdict = rule.judge(facts);
  const trigger = rule.wouldFire(facts);
  const firing = trigger.would_fire ? [] : firingChanges(rule, facts);
  const ofConditions = verdict.conditions
    .filter(({ result }) => result === 'fail' || result === 'error')
    .map(({ result, label, reason }) => (result === 'fail' ? reason : `${label}: ${reason}`));
  return {
    ...verdict,
    trigger,
    listens_to: rule.listensTo.map(listeningText),
    occurrence: facts.occurrence,
    changes: verdict.error === null && firing !== null ? allChanges(rule, facts, firing) : null,
    suggestions: [...(trigger.would_fire ? [] : [triggerSuggestion(trigger, firing)]), ...ofConditions],
  };
}

/** What the trigger listens to. A payment comes from some gateway: where conditions name gateways, from each of these and of ours. */
function imaginedFacts({ record, listensTo }: CompiledRule, facts: Facts): Facts[] {
  const asked = record.rule.conditions.filter(({ id }) => id === 'source_gateway');
  const named = asked.flatMap(({ settings }) => settings.gateways).map(String);
  const senders = named.length === 0 ? [] : [...named, 'gateway_card', 'gateway_wallet', 'generic'];
  const bySender = (one: Occurrence): Occurrence[] =>
    one.gateway === null && isGenericType(one.type ?? '') && !one.type?.startsWith('order_')
      ? [one, ...senders.map((name) => ({ ...one, ...senderNamed(name) }))]
      : [one];
  return imagined(listensTo, facts).flatMap((one) => bySender(one).map((occurrence) => ({ ...facts, occurrence })));
}

/** Of what the trigger listens to and fires it, that on which most conditions pass; else any. */
function likeliest(rule: CompiledRule, facts: Facts): Facts {
  const failing = (one: Facts) => rule.judge(one).conditions.filter(({ result }) => result !== 'pass').length;
  const tried = imaginedFacts(rule, facts).sort((a, b) => failing(a) - failing(b));
  return tried.find((one) => rule.wouldFire(one).would_fire) ?? tried[0] ?? facts;
}

/** The trigger first, then each condition on what that leaves; null unless the rule runs after all of them. */
function allChanges(rule: CompiledRule, facts: Facts, firing: readonly FieldChange[]): FieldChange[] | null {
  const changes = changesFor(rule, withChanges(facts, firing));
  if (changes === null) return null;
  const all = [...firing, ...changes];
  const after = withChanges(facts, all);
  return rule.wouldFire(after).would_fire && rule.judge(after).matched ? all : null;
}

function changesFor({ judge, conditions }: CompiledRule, facts: Facts): FieldChange[] | null {
  const changes: FieldChange[] = [];
  for (const [at, { result }] of judge(facts).conditions.entries()) {
    if (result === 'pass') continue;
    const nearest = result === 'fail' ? nearestOf(conditions[at], facts) : null;
    if (nearest === null) return null;
    changes.push(...nearest);
  }
  return changes;
}

function nearestOf(condition: CompiledRule['conditions'][number] | undefined, facts: Facts): FieldChange[] | null {
  try {
    return condition?.nearest(facts) ?? null;
  } catch {
    return null;
  }
}

function triggerSuggestion({ reason }: TriggerResult, firing: readonly FieldChange[] | null): string {
  const [change] = firing ?? [];
  if (change?.field === 'order.status') return `${reason}: it would fire if the order were in status ${change.to}`;
  if (change?.field === 'now') return `${reason}: it would fire at ${new Date(Number(change.to)).toISOString()}`;
  return reason;
}
