import type { GenericType, Occurrence, OrderContext, OrderRefunded, UniversalEvent } from '@order-automation/contracts';
import { awaitingPayment, type CompiledRule, type CompiledRules, type Facts } from '@order-automation/engine';
import type { EvaluationDocument } from './evaluations';
import { overtakenBy, stateOf } from './object-states';
import {
  amountMismatch,
  occurrenceOfChange,
  occurrenceOfEvent,
  occurrenceOfRefund,
  occurrenceOfSchedule,
} from './occurrence';
import type { OrderHistory } from './order-history';
import { type PaymentMatch, paymentOf } from './payments';
import type { Found } from './ports/shop';
import { refundOf, shopRefundOf } from './refunds';
import type { Task } from './task';

/** Chains of rules that set each other off end here. */
const deepestChain = 5;

/**
 * What the event means for the order that was found, before any rule is evaluated. Resolves with whether the history of the order had nothing of it,
 * so that nobody has evaluated it before.
 */
export async function openDocument(
  document: EvaluationDocument,
  task: Task,
  found: Found,
  history: OrderHistory,
  now: number,
): Promise<boolean> {
  const { order } = found.context;
  document.order_id = order.id;
  document.found_by = found.by;
  if (task.subject.kind === 'scheduled') {
    const { rule, order_id, at } = task.subject;
    document.occurrence = occurrenceOfSchedule({ rule_id: rule.id, order_id, at });
    return false;
  }
  if (task.subject.kind === 'change') {
    document.occurrence = occurrenceOfChange(task.subject.change);
    if (task.cause.depth >= deepestChain) document.outcome = 'too_deep';
    return false;
  }
  if (task.subject.kind === 'refund') {
    document.occurrence = await countedOccurrence(task.subject.refund, history);
    if (task.cause.depth >= deepestChain) document.outcome = 'too_deep';
    return false;
  }
  const { event } = task.subject;
  document.occurrence = occurrenceOfEvent(event, order.id);
  document.mismatch = amountMismatch(event, order);
  document.own = event.transactionID !== null && order.transaction_id === event.transactionID;
  return readHistory(document, event, found.context, history, now);
}

/** The occurrence of the refund, which a gateway may have reported before. */
async function countedOccurrence(refund: OrderRefunded, history: OrderHistory): Promise<Occurrence> {
  const occurrence = occurrenceOfRefund(refund);
  const report = { payment: null, refund: shopRefundOf(refund, occurrence.key), state: null };
  const { refund: counted } = await history.note(refund.order_id, report, true);
  return counted ? { ...occurrence, key: counted.counts_as } : occurrence;
}

/** What the history of the order makes of the event: a repeated payment, a state that was passed, a payment that is not the order's own. */
async function readHistory(
  document: EvaluationDocument,
  event: UniversalEvent,
  { order }: OrderContext,
  history: OrderHistory,
  now: number,
): Promise<boolean> {
  const completed = event.genericType === 'payment_completed' && document.mismatch === null;
  const { occurrence, mismatch } = document;
  const refund = occurrence && mismatch === null ? refundOf(event, occurrence.key) : null;
  const report = { payment: completed ? paymentOf(event) : null, refund, state: stateOf(event, now) };
  if (report.payment === null && report.refund === null && report.state === null) return false;
  const {
    isNew,
    match,
    stale,
    payments,
    states,
    refund: counted,
  } = await history.note(order.id, report, !event.isTest);
  if (occurrence && counted) document.occurrence = { ...occurrence, key: counted.counts_as };
  if (stale) {
    document.held = 'stale';
    document.outcome = 'stale';
  } else if (match?.kind === 'repeated') {
    document.outcome = 'payment_repeated';
    document.repeats = match.of;
  } else if (completed && !awaitingPayment.has(order.status)) {
    if (isFirstReport(match, order.status)) document.late = order.status;
  } else if (completed) document.overtaken_by = overtakenBy(states, event.transactionID, order);
  else if (
    isOtherPayment(
      event,
      order,
      payments.map(({ transaction }) => transaction),
    )
  )
    document.held = 'other_payment';
  return isNew;
}

/** A payment is late once: a second event about it finds the order as the first has left it, and so does a replay. */
function isFirstReport(match: PaymentMatch | null, status: string): boolean {
  return match?.kind === 'new' || (match?.kind === 'known' && match.first && status !== 'completed');
}

const backwards: ReadonlySet<GenericType | null> = new Set(['payment_failed', 'payment_denied', 'payment_cancelled']);

/**
 * Whether a failure or cancellation is that of a payment which is not the order's own (decisions.md section 6). An order that no payment is
 * known of waits for any.
 */
export function isOtherPayment(
  { genericType, transactionID, orderReference }: UniversalEvent,
  order: Pick<OrderContext['order'], 'transaction_id' | 'meta_data'>,
  paid: readonly (string | null)[],
): boolean {
  if (!backwards.has(genericType)) return false;
  const own = new Set([order.transaction_id, ...paid].flatMap((id) => (id === null || id === '' ? [] : [id])));
  if (own.size === 0) return false;
  for (const { value } of order.meta_data) if (typeof value === 'string') own.add(value);
  return ![transactionID, ...orderReference.gateway_ids].some((id) => id !== null && own.has(id));
}

/** The rules to evaluate: those the event fires, without those that it must not reach. */
export function fired(document: EvaluationDocument, rules: CompiledRules, facts: Facts): readonly CompiledRule[] {
  const { occurrence, outcome } = document;
  if (occurrence === null || outcome !== null) return [];
  const firing = rules
    .firing(occurrence, facts)
    .filter(({ record }) => occurrence.rule_id === undefined || record.id === occurrence.rule_id);
  return reachable(document, firing);
}

/**
 * Without those that the event must not reach: rules that would move an order by a payment that is not its own, whose amount disagrees, or that
 * something which came after it has overtaken.
 */
export function reachable(
  { mismatch, held, overtaken_by }: Pick<EvaluationDocument, 'mismatch' | 'held' | 'overtaken_by'>,
  rules: readonly CompiledRule[],
): readonly CompiledRule[] {
  return rules
    .filter((rule) => mismatch === null || !rule.changesOrder)
    .filter(({ record }) => overtaken_by === null || record.rule.primaryAction === null)
    .filter((rule) => held !== 'other_payment' || rule.listensTo.every(({ type }) => type === 'gateway_event'));
}
