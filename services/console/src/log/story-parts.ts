import type { Step } from './story-details';
import { conditionsOf, ruleOf } from './story-details';

/** A piece of a story: an entry of its own, a rule that matched with what it did, or all rules that did not match. */
export type Part =
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'rule'; readonly step: Step; readonly actions: readonly Step[] }
  | { readonly kind: 'unmatched'; readonly steps: readonly Step[] };

const isUnmatched = ({ event_type, status }: Step) => event_type === 'rule_evaluation' && status === 'skipped';
const isAction = ({ event_type }: Step) => /^action_/.test(event_type);

/** The entries of a process, oldest first, as few rows as tell them: one a rule, one for all that did not match. */
export function storyParts(steps: readonly Step[]): Part[] {
  const unmatched = steps.filter(isUnmatched);
  const evaluated = new Set(steps.filter((step) => step.event_type === 'rule_evaluation').map(ruleIdOf));
  return steps.flatMap((step): Part[] => {
    if (isUnmatched(step)) return step === unmatched[0] ? [{ kind: 'unmatched', steps: unmatched }] : [];
    if (step.event_type === 'rule_evaluation') {
      const actions = steps.filter((one) => isAction(one) && ruleIdOf(one) === ruleIdOf(step));
      return [{ kind: 'rule', step, actions }];
    }
    return isAction(step) && evaluated.has(ruleIdOf(step)) ? [] : [{ kind: 'step', step }];
  });
}

/** An entry about no rule has an id that no rule has. */
const ruleIdOf = ({ details }: Step): unknown => ruleOf(details)?.id ?? -1;

/** The first condition that a rule stopped at, in words. */
export function firstFailure({ details, summary }: Step): string {
  const failed = conditionsOf(details).find(({ result }) => result === 'fail');
  return failed ? `${failed.label}: needs ${failed.expected}, found ${failed.actual}` : summary;
}
