import type { CommandResult, OrderContext, OrderMail } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import { stepUnavailable } from '../attempts/failures';
import { type MailSettings, queueMail } from '../deliveries/email';
import type { DeliveryQueue } from '../deliveries/queue';
import type { ActionOutcome, ActionRecord, EvaluationDocument, RuleStep } from '../evaluation-document';
import type { Shop } from '../ports/shop';
import { contextOf, type EffectContext } from './kinds';

type OrderAction = ActionRecord & { effect: { kind: 'order' } };

/**
 * `stale`: nothing was done, because the order has left the revision that the step was decided on, or a later event has passed this one. `context`: the
 * order as it now is, where the shop was asked.
 */
export type OrderStepEnd = { readonly kind: 'done' | 'stale'; readonly context: OrderContext | null };

export type OrderStepDeps = {
  readonly shop: Shop;
  readonly mail: MailSettings | null;
  readonly queue: DeliveryQueue;
  readonly clock: Clock;
};

export const isOrderAction = (action: ActionRecord): action is OrderAction => action.effect.kind === 'order';

/**
 * Carries out the order commands of a step, all of them in one request, once by the key of the step. The results, what may fire rules and what the
 * log has to say of it go to the document.
 */
export async function carryOutOnOrder(
  step: RuleStep,
  document: EvaluationDocument,
  deps: OrderStepDeps,
): Promise<OrderStepEnd> {
  const actions = step.actions.filter(isOrderAction).filter(({ result }) => result === null);
  const { _id: event_id, order_id, process_id, cause } = document;
  if (actions.length === 0) return { kind: 'done', context: null };
  if (order_id === null) throw new Error('a command without an order');
  const began = deps.clock.now();
  const { depth, rules } = cause;
  const applied = await deps.shop.apply({
    key: step.key,
    order_id,
    revision: step.revision,
    commands: actions.map(({ key, effect: { command } }) => ({ key, command })),
    cause: { process_id, depth: depth + 1, author: 'automation', rules: [...rules, step.rule_id], event_id },
  });
  const took_ms = Math.max(0, deps.clock.now() - began);
  switch (applied.kind) {
    case 'stale':
      return applied;
    case 'unavailable':
      throw stepUnavailable(applied.reason, applied.about, applied.retry_after_ms);
    case 'missing':
      for (const action of actions)
        action.result = {
          status: 'failed',
          by: null,
          message: `Order ${order_id} does not exist.`,
          changes: [],
          took_ms,
        };
      return { kind: 'done', context: null };
    case 'applied':
    case 'repeated': {
      const byKey = new Map(applied.results.map((result) => [result.key, result]));
      for (const action of actions) {
        const result = byKey.get(action.key);
        if (!result) throw new Error(`the shop has no result for command ${action.key}`);
        action.result = { ...(await outcomeOf(result, contextOf(action, step, document), deps)), took_ms };
      }
      // What another event has carried out under this key is that event's to tell.
      if (applied.process_id === process_id) {
        document.changes.push(...applied.changes);
        document.shop_entries.push(...applied.entries);
      }
      return { kind: 'done', context: applied.context };
    }
    default:
      return applied satisfies never;
  }
}

async function outcomeOf(
  { status, process_id: by, message, changes, mail }: CommandResult,
  context: EffectContext,
  deps: OrderStepDeps,
): Promise<ActionOutcome> {
  const said = mail ? `${message} ${await statusMail(mail, context, deps)}` : message;
  return { status, by, message: said, changes };
}

/** The e-mail has a key of its own, which follows from that of the command: a repeated command sends no second one. */
async function statusMail(
  { to, address, subject, body }: OrderMail,
  context: EffectContext,
  { mail: settings, queue }: OrderStepDeps,
): Promise<string> {
  const mail = { to: to === 'shop' ? (settings?.from ?? '') : address, subject, body };
  const { message } = await queueMail(mail, { ...context, key: `${context.key}:mail` }, settings, queue);
  return message;
}
