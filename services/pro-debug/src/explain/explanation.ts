import type { FieldChange, Occurrence, TriggerResult } from '@order-automation/contracts';
import {
  type CompiledRule,
  type Facts,
  imagined,
  listeningText,
  type RuleVerdict,
  withChanges,
} from '@order-automation/engine';
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
export function look({ listensTo, match, wouldFire }: CompiledRule, given: Facts): Look {
  let seen: Look = { matched: false, error: null, fires: false };
  for (const occurrence of given.occurrence ? [given.occurrence] : imagined(listensTo, given)) {
    const facts = given.occurrence ? given : { ...given, occurrence };
    if (!wouldFire(facts).would_fire) continue;
    const { matched, error } = match(facts);
    if (matched) return { matched, error, fires: true };
    if (!seen.fires) seen = { matched, error, fires: true };
  }
  return seen;
}

/** Why the rule would run, or not, and what would have to change. Without an occurrence it is explained on one that the trigger listens to. */
export function explain(rule: CompiledRule, given: Facts): Explanation {
  const facts = given.occurrence ? given : imaginedFacts(rule, given);
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

/** The first of the occurrences that the trigger listens to on which the rule would run; else one that fires it, else any. */
function imaginedFacts({ listensTo, judge, wouldFire }: CompiledRule, facts: Facts): Facts {
  const tried = imagined(listensTo, facts).map((occurrence) => ({ ...facts, occurrence }));
  const firing = tried.filter((one) => wouldFire(one).would_fire);
  return firing.find((one) => judge(one).matched) ?? firing[0] ?? tried[0] ?? facts;
}

/** The trigger first, then each condition on what that leaves; null unless the rule runs after all of them. */
function allChanges(rule: CompiledRule, facts: Facts, firing: readonly FieldChange[]): FieldChange[] | null {
  const changes = changesFor(rule, withChanges(facts, firing));
  if (changes === null) return null;
  const all = [...firing, ...changes];
  if (all.length === 0) return [];
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
