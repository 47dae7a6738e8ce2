import { plural } from '../shell/format';
import { conditionsOf, ruleOf, type Step } from './story-details';

/** A piece of a story: an entry of its own, a rule that matched with what it did, or all rules that did not match. */
export type Part =
  | { readonly kind: 'step'; readonly step: Step }
  | { readonly kind: 'rule'; readonly step: Step; readonly actions: readonly Step[] }
  | { readonly kind: 'unmatched'; readonly steps: readonly Step[] };

const isUnmatched = ({ event_type, status }: Step) => event_type === 'rule_evaluation' && status === 'skipped';
const isAction = ({ event_type }: Step) => /^action_/.test(event_type);

/** The entries of a process, oldest first, in as few rows as tell them: one a rule, one for all that did not match. */
export function storyParts(steps: readonly Step[]): Part[] {
  const unmatched = steps.filter(isUnmatched);
  const actionsOf = new Map<string, Step[]>();
  return steps.flatMap((step): Part[] => {
    if (isUnmatched(step)) return step === unmatched[0] ? [{ kind: 'unmatched', steps: unmatched }] : [];
    if (step.event_type === 'rule_evaluation') {
      const actions: Step[] = [];
      actionsOf.set(keyOf(step), actions);
      return [{ kind: 'rule', step, actions }];
    }
    const told = isAction(step) ? actionsOf.get(keyOf(step)) : undefined;
    told?.push(step);
    return told ? [] : [{ kind: 'step', step }];
  });
}

/** One webhook can be about several orders, for each of which a rule is evaluated. */
const keyOf = ({ details, order_id }: Step): string => `${ruleOf(details)?.id} for ${order_id}`;

/** The first condition that a rule stopped at, in words. */
export function firstFailure({ details, summary }: Step): string {
  const failed = conditionsOf(details).find(({ result }) => result === 'fail');
  return failed ? `${failed.label}: needs ${failed.expected}, found ${failed.actual}` : summary;
}

/** Of a rule that is not among those that did not match; one in shadow may have matched or not, and did nothing. */
export const verdictOf = ({ status }: Step): string =>
  ({ success: 'Matched', info: 'In shadow' })[status as string] ?? 'Failed';

export function conditionsText({ status, details }: Step): string {
  const { length } = conditionsOf(details);
  return status === 'success'
    ? plural(length, 'condition was true', 'conditions were true')
    : plural(length, 'condition');
}
