import { queueMail } from '../deliveries/email';
import { webhookEffect } from '../deliveries/webhook';
import type { EvaluationDocument, RuleStep } from '../evaluation-document';
import { contextOf, type EffectKind, type EffectKinds, notRun, type OutboundKind } from './kinds';
import { carryOutOnOrder, isOrderAction, type OrderStepDeps, type OrderStepEnd } from './order';

/** Carries out one step; each action has its result then, unless the step is stale. A step of a passed event is carried out only where it was begun. */
export type RunStep = (step: RuleStep, document: EvaluationDocument, isPassed?: boolean) => Promise<OrderStepEnd>;

/**
 * The one port through which anything outside our own records changes: the commands of a step to the order as one, then what leaves, in order. A
 * test event passes it and changes nothing.
 */
export function stepPort(deps: OrderStepDeps): RunStep {
  const { shop, mail, queue, clock } = deps;
  const kinds: EffectKinds = {
    email: (effect, context) => queueMail(effect, context, mail, queue),
    webhook: webhookEffect(shop, queue, clock),
  };
  return async (step, document, isPassed = false) => {
    if (document.cause.is_test) {
      for (const action of step.actions) action.result ??= notRun(`Not run, this is a test: ${action.message}`);
      return { kind: 'done', context: null };
    }
    // The shop itself knows whether it has begun a step with commands to the order.
    if (isPassed && !step.actions.some(isOrderAction) && !(await queue.knows(step.actions.map(({ key }) => key))))
      return { kind: 'stale', context: null };
    const ended = await carryOutOnOrder(step, document, deps);
    if (ended.kind === 'stale') return ended;
    for (const action of step.actions) {
      if (action.result !== null || isOrderAction(action)) continue;
      const carryOut = kinds[action.effect.kind as OutboundKind] as EffectKind<OutboundKind>;
      action.result = await carryOut(action.effect as never, contextOf(action, step, document));
    }
    return ended;
  };
}
