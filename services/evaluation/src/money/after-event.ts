import type { Order } from '@order-automation/contracts';
import { offline } from '../deciding/open';
import { liveSteps } from '../deciding/shadow';
import type { EvaluationDocument } from '../evaluation-document';
import { laws } from './laws';

/** An order to be looked at in `after` milliseconds; `unproven` is what moved it without a payment that was proven. */
export type Look = { readonly after: number; readonly unproven?: string };

/** Milliseconds in which what belongs together arrives. */
export const soon = 20_000;

/** Whether an event may have led its order to break a law; null where it cannot have, as a payment that moves its order. */
export function lookAfter(
  document: EvaluationDocument,
  order: Pick<Order, 'status' | 'total' | 'payment_method'>,
  awaiting: ReadonlySet<string>,
): Look | null {
  const { occurrence, cause, mismatch, paid_again = false } = document;
  const type = occurrence?.type ?? null;
  if (type === null || cause.is_test) return null;
  const isPayment = type === 'payment_completed';
  if ((!isPayment || !occurrence?.authenticated) && Number(order.total) > 0 && !offline.has(order.payment_method)) {
    const rule = moverOf(document, awaiting);
    const what = isPayment ? 'to a payment that nobody signed' : 'to something that is no payment';
    if (rule !== undefined) return { after: soon, unproven: `the rule "${rule}", which listened ${what}` };
  }
  const isLeft = awaiting.has(order.status) || order.status === 'cancelled';
  const follows = isLeft ? /^(?:dispute_|payment_re)/ : /^(?:dispute_|payment_(?:re|failed|denied|cancelled))/;
  if (paid_again || follows.test(type)) return { after: soon };
  return isPayment && (isLeft || mismatch !== null) ? { after: laws.paid_not_moved.grace + soon } : null;
}

/** The rule that took the order out of waiting for its payment, as if it were paid. */
function moverOf({ steps }: EvaluationDocument, awaiting: ReadonlySet<string>): string | undefined {
  return liveSteps(steps).find(({ actions }) =>
    actions.some(({ result }) =>
      result?.changes.some(
        ({ field, from, to }) =>
          field === 'status' && awaiting.has(String(from)) && (to === 'processing' || to === 'completed'),
      ),
    ),
  )?.rule_name;
}
