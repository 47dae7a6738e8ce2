import type { FieldChange, TriggerResult } from '@order-automation/contracts';
import type { Facts } from './situation';
import type { RuleVerdict } from './verdict';

/**
 * A verdict with every condition, whether the trigger fires, and what would make the rule match. `changes` are fields of the facts (`withChanges`);
 * null when a condition that does not pass cannot be helped by a change. `suggestions` are the same as sentences, one a condition that did not pass.
 */
export type Explanation = RuleVerdict & {
  readonly trigger: TriggerResult;
  readonly changes: FieldChange[] | null;
  readonly suggestions: string[];
};

type Nearest = { readonly nearest: (facts: Facts) => FieldChange[] | null };

export function explain(
  verdict: RuleVerdict,
  trigger: TriggerResult,
  conditions: readonly Nearest[],
  facts: Facts,
): Explanation {
  const suggestions = verdict.conditions
    .filter(({ result }) => result === 'fail' || result === 'error')
    .map(({ result, label, reason }) => (result === 'fail' ? reason : `${label}: ${reason}`));
  return { ...verdict, trigger, changes: changesFor(verdict, conditions, facts), suggestions };
}

function changesFor(verdict: RuleVerdict, conditions: readonly Nearest[], facts: Facts): FieldChange[] | null {
  const changes: FieldChange[] = [];
  for (const [at, { result }] of verdict.conditions.entries()) {
    if (result === 'pass') continue;
    const nearest = result === 'fail' ? nearestOf(conditions[at], facts) : null;
    if (nearest === null) return null;
    changes.push(...nearest);
  }
  return changes;
}

function nearestOf(condition: Nearest | undefined, facts: Facts): FieldChange[] | null {
  try {
    return condition?.nearest(facts) ?? null;
  } catch {
    return null;
  }
}
