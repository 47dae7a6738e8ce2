import type { Order } from '@order-automation/contracts';
import { plainStatus } from '@order-automation/engine';
import { stepKey } from './decide';
import type { ActionRecord, EvaluationDocument, RuleStep } from './evaluations';

/** A step as versions until November 2026 stored it: decided on a status of the order, each of its commands carried out by itself. */
type EarlierStep = Omit<RuleStep, 'key' | 'revision' | 'actions'> & {
  readonly actions: readonly (ActionRecord & { readonly expected?: { readonly status: string } })[];
};

const isEarlier = (step: RuleStep | EarlierStep): step is EarlierStep => !('key' in step);

/** A revision that no order has: the shop answers a step with what it did before, or not at all. */
export const noRevision = 'passed';

/**
 * The steps of a document with the keys that their commands had already. One that was decided by an earlier version is carried out on any revision,
 * since the shop knows the commands that were carried out; on none, where the order has left the status it was decided on otherwise than by this step.
 */
export function currentSteps({ steps, occurrence }: EvaluationDocument, order: Pick<Order, 'status'>): RuleStep[] {
  if (!steps.some(isEarlier)) return steps;
  return steps.map((step: RuleStep | EarlierStep) => {
    if (!isEarlier(step)) return step;
    const { actions, ...decided } = step;
    const isOurs = actions.some(({ result }) => result !== null) || fits(actions, order.status);
    return {
      ...decided,
      actions: actions.map(({ expected: _, ...action }) => action),
      key: stepKey(occurrence?.key ?? '', step.rule_id),
      revision: isOurs ? null : noRevision,
    };
  });
}

/** The order is as it was, or as the step makes it. */
function fits(actions: EarlierStep['actions'], status: string): boolean {
  return actions.some(({ effect, expected }) => {
    if (effect.kind !== 'order') return false;
    const { command } = effect;
    return expected?.status === status || (command.kind === 'set_status' && plainStatus(command.status) === status);
  });
}
