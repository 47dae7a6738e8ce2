import {
  addDecimals,
  type Occurrence,
  type Order,
  type OrderChange,
  type OrderContext,
  type OrderRefunded,
  payableStatuses,
  type UniversalEvent,
} from '@order-automation/contracts';
import type { CompiledRule, CompiledRules, Facts } from '@order-automation/engine';
import type { EvaluationDocument } from '../evaluation-document';
import { isOwn } from '../history/first-or-renewal';
import { withoutSummedUp } from '../history/invoice-parts';
import { endedSince, overtakenBy, standing } from '../history/object-states';
import { occurrenceOfChange, occurrenceOfEvent, occurrenceOfRefund, occurrenceOfSchedule } from '../history/occurrence';
import { type Known, type OrderHistory, ofOrder } from '../history/order-history';
import { amountOf, exceeds, isNothing, nothing, type Priced, totalOf } from '../history/order-money';
import { apart, readPaidMove } from '../history/paid-moves';
import { idsOf, type Payment, type PaymentMatch } from '../history/payments';
import { readEvent, readRefund } from '../history/read-event';
import { keptOf, shopRefundOf } from '../history/refunds';
import type { Found } from '../ports/shop';
import type { Task } from '../task';

/** Chains of rules that set each other off end here. */
export const deepestChain = 5;

/** What an event is opened with besides its order. `awaiting`: the statuses in which an order awaits its payment; `now` in milliseconds since the epoch. */
export type Opening = { readonly history: OrderHistory; readonly awaiting: ReadonlySet<string>; readonly now: number };

/** What the event means for the order that was found. Resolves with whether the history of the order says that nobody has evaluated it before. */
export async function openDocument(
  document: EvaluationDocument,
  task: Task,
  found: Found,
  opening: Opening,
): Promise<boolean> {
  const { order } = found.context;
  document.order_id = order.id;
  document.found_by = found.by;
  document.email = order.billing.email;
  let isNew = false;
  switch (task.subject.kind) {
    case 'scheduled': {
      const { rule, order_id, at } = task.subject;
      document.occurrence = occurrenceOfSchedule({ rule_id: rule.id, order_id, at });
      return false;
    }
    case 'change':
      document.occurrence = await movedOccurrence(task.subject.change, order, opening);
      document.overtaken_by = endedSince(task.subject.change, order);
      break;
    case 'refund':
      document.occurrence = await countedOccurrence(task.subject.refund, opening.history);
      break;
    case 'event': {
      const event = withFound(task.subject.event, found);
      document.own = isOwn(event, order);
      if (found.invoice === undefined) isNew = await readHistory(document, event, found.context, opening);
      else {
        // What its invoice is to the order, a renewal or an upgrade, is said by the events of that alone.
        document.occurrence = occurrenceOfEvent(event, order.id);
        document.held = 'payment_repeated';
        document.invoice = found.invoice;
      }
      const { connection = null } = task.subject.webhook ?? {};
      if (document.occurrence && connection !== null) document.occurrence.connection = connection;
      break;
    }
    default:
      return task.subject satisfies never;
  }
  if (document.cause.depth >= deepestChain) document.outcome = 'too_deep';
  return isNew;
}

/** The event with what is known by how its order was found. */
function withFound(sent: UniversalEvent, { subscription, part }: Found): UniversalEvent {
  const isTaught = subscription !== undefined && typeof sent.subscriptionID !== 'string';
  const event = isTaught ? { ...sent, subscriptionID: subscription } : sent;
  const isPart = part !== undefined && sent.amount === null && sent.genericType === 'payment_completed';
  return isPart ? { ...event, amount: part } : event;
}

/** The occurrence of the refund, which a gateway may have reported before. */
async function countedOccurrence(refund: OrderRefunded, history: OrderHistory): Promise<Occurrence> {
  const occurrence = occurrenceOfRefund(refund);
  const { result } = await history.note(refund.order_id, readRefund(shopRefundOf(refund, occurrence.key)), true);
  return { ...occurrence, key: result.counts_as };
}

/** Statuses that an order enters `processing` from without a payment. */
const left: ReadonlySet<string> = new Set(['completed', 'refunded', 'trash']);

/** The occurrence of the change: that of the payment, where one has brought an order that awaited it into `processing`. */
async function movedOccurrence(change: OrderChange, order: Order, opening: Opening): Promise<Occurrence> {
  const { history, awaiting, now } = opening;
  const occurrence = occurrenceOfChange(change);
  const { kind, from, to, order_id } = change;
  if (kind !== 'status_changed' || to !== 'processing' || (from !== null && left.has(from))) return occurrence;
  const longest = from === null || awaiting.has(from) ? apart.paid : apart.other;
  const completed = Date.parse(order.date_completed ?? '');
  const since = completed < Date.parse(change.at) ? completed : undefined;
  const move = readPaidMove('move', occurrence.key, now, longest, since);
  const { result: key } = await history.note(order_id, ofOrder(order, move), true);
  return { ...occurrence, key };
}

/** The adapter of the shop's own webhooks: what it reports may be a change of ours. */
const shopGateway = 'gateway_shop';

/** What the history of the order makes of the event: the first payment, a renewal, a part, a copy, a state that was passed, our own change. */
async function readHistory(
  document: EvaluationDocument,
  event: UniversalEvent,
  { order, revision }: OrderContext,
  { history, awaiting, now }: Opening,
): Promise<boolean> {
  const read = ofOrder(order, readEvent(event, order, awaiting, now));
  const { result, isNew } = await history.note(order.id, read, !event.isTest);
  const { classification, stale, counts_as, failedRefund, before } = result;
  const { occurrence, mismatch, match, paid, partial, because } = classification;
  document.occurrence = occurrence && counts_as ? { ...occurrence, key: counts_as } : occurrence;
  document.mismatch = mismatch;
  document.partial = stale ? null : partial;
  if (failedRefund) document.refund_failed = true;
  if (paid === 'renewal') document.renewal = because;
  const isNewPayment = paid === 'whole' && match?.kind === 'new';
  document.repeats = match && 'of' in match ? match.of : null;
  if (isNewPayment && before.payments.some((one) => (one.paid ?? 'whole') === 'whole')) document.paid_again = true;
  if (event.sourceGateway === shopGateway && before.changed !== undefined && before.changed.revision === revision) {
    const { depth, rules } = before.changed;
    document.cause = { ...document.cause, depth, rules };
  }
  // A shop that collects deposits by itself may have completed the order before it reports the first.
  const isPayment = paid === 'whole' || (paid === 'part' && order.status !== 'completed');
  if (stale) {
    document.held = 'stale';
    document.outcome = 'stale';
  } else if (match?.kind === 'repeated') {
    document.held = 'payment_repeated';
  } else if (isPayment && !payableStatuses(awaiting).includes(order.status)) {
    // The shop's payment plugin had moved the order before, and a rule has completed it since.
    if (order.status === 'completed' && document.occurrence?.key !== occurrence?.key) document.moved_before = true;
    else if (isFirstReport(match, order.status)) document.late = order.status;
  } else if (paid === 'whole') document.overtaken_by = overtakenBy(before.states, event, order);
  else if (
    isRefundOfSecondPayment(event, order, before) ||
    isOtherPayment({ ...event, genericType: occurrence?.type ?? null }, order, before, awaiting)
  )
    document.held = 'other_payment';
  return isNew;
}

/** A payment is late once: a second event about it finds the order as the first has left it, and so does a replay. */
const isFirstReport = (match: PaymentMatch | null, status: string): boolean =>
  match?.kind === 'new' || (match?.kind === 'known' && match.first && status !== 'completed');

const backwards: ReadonlySet<Occurrence['type']> = new Set(['payment_failed', 'payment_denied', 'payment_cancelled']);

/**
 * Whether a failure or cancellation is that of a payment which is not the order's own (decisions.md section 6). An order that no payment is known of waits for
 * any, unless it is paid already, in a plugin's status, too, keeps the intent or the session of a newer attempt (github.com/Sylius/PayumStripePlugin/pull/31), or
 * is to be paid without a gateway, whatever it keeps. One that awaits more than it has got, or got back, waits for any too. What it keeps is no payment of it once
 * another has paid all of it: two captures may belong to one order of the wallet, and an intent has failed charges before the one that pays.
 */
export function isOtherPayment(
  event: Pick<UniversalEvent, 'transactionID' | 'orderReference'> & { readonly genericType: Occurrence['type'] },
  order: Pick<Order, 'transaction_id' | 'meta_data' | 'payment_method' | 'status' | 'total' | 'currency' | 'date_paid'>,
  known: MoneyKnown,
  awaiting: ReadonlySet<string>,
): boolean {
  if (!backwards.has(event.genericType)) return false;
  const { transactionID, orderReference } = event;
  const isPaid = coversTotal(known, order);
  const seen = known.payments.map(({ transaction }) => transaction);
  const earlier = awaiting.has(order.status) && !isPaid ? seen : [];
  const own = new Set([order.transaction_id, ...seen].filter((id) => id && !earlier.includes(id)));
  const isOffline = offline.has(order.payment_method);
  const isDated = order.date_paid !== null && !awaiting.has(order.status) && (isPaid || seen.length === 0);
  const isSettled = settled.has(order.status) || isDated;
  const ids = [transactionID ?? '', ...orderReference.gateway_ids, ...(orderReference.transactions ?? [])];
  const kept = order.meta_data.flatMap(({ value }) => (typeof value === 'string' ? value : []));
  const isAttempt = (id: string) => attempt.test(id) && ids.some((one) => one.startsWith(id.slice(0, 3)));
  if (own.size === 0 && !isSettled && !isOffline && !kept.some(isAttempt)) return false;
  const isPaidBy = isSettled && own.size > 0;
  if (!isPaid && !isOffline) for (const id of kept) if (!isPaidBy || !attempt.test(id)) own.add(id);
  return !ids.some((id) => own.has(id));
}

type MoneyKnown = Pick<Known, 'payments' | 'refunds'> & Partial<Pick<Known, 'states'>>;

/** Whether the payments that were seen, without those that were given back in whole, pay for all of the order. */
function coversTotal({ payments, refunds = [], states }: MoneyKnown, order: Priced): boolean {
  const own = standing(payments, states).filter(({ paid = 'whole' }) => paid === 'whole' || paid === 'part');
  const kept = withoutSummedUp(own, order).filter((one) => !isNothing(keptOf(one, order, refunds)));
  const received = kept.map((one) => amountOf(one, order) ?? totalOf(order)).reduce(addDecimals, nothing);
  return kept.length > 0 && !exceeds(totalOf(order), received);
}

/** Statuses of an order that waits for no payment. */
const settled: ReadonlySet<string> = new Set(['processing', 'completed', 'refunded', 'cancelled']);
/** WooCommerce's own methods, which no gateway reports: a transfer, a cheque, cash. */
export const offline: ReadonlySet<string> = new Set(['bacs', 'cheque', 'cod']);
/** An order has one payment intent and one session at a time; each may have several charges. */
const attempt = /^(?:pi|cs)_/;

/**
 * Whether what is given back was paid beside the payment of the order: a customer paid twice (https://github.com/woocommerce/woocommerce/issues/9297, where
 * refunding the second payment refunded the order).
 */
export function isRefundOfSecondPayment(
  event: Pick<UniversalEvent, 'genericType' | 'transactionID' | 'orderReference'>,
  order: Pick<OrderContext['order'], 'transaction_id' | 'total' | 'currency'>,
  { payments: seen, refunds = [], states }: MoneyKnown,
): boolean {
  const { genericType, transactionID } = event;
  if (genericType !== 'payment_refunded' || transactionID === null || isOwn(event, order)) return false;
  const payments = standing(seen, states);
  const whole = payments.filter(({ paid = 'whole', transaction }) => paid === 'whole' && transaction !== null);
  const isOf = (id: string) => (one: Payment) => idsOf(one).includes(id);
  const own = whole.find(isOf(order.transaction_id)) ?? whole[0];
  if (own === undefined || isOf(transactionID)(own)) return false;
  return !isNothing(keptOf(own, order, refunds)) && whole.some(isOf(transactionID));
}

/** The rules to evaluate: those the event fires, without those that it must not reach. */
export function fired(document: EvaluationDocument, rules: CompiledRules, facts: Facts): readonly CompiledRule[] {
  const { occurrence, outcome } = document;
  if (occurrence === null || outcome !== null) return [];
  return reachable(document, rules.firing(occurrence, facts));
}

/** Rules on the webhook itself act on each one, whatever it repeats (decisions.md section 12). */
export const hearsEveryWebhook = ({ listensTo }: Pick<CompiledRule, 'listensTo'>): boolean =>
  listensTo.every(({ type }) => type === 'gateway_event');

/** Without rules that would move an order by a payment that is not its own, whose amount disagrees, or that a later event has overtaken. */
export function reachable(
  { mismatch, held, overtaken_by }: Pick<EvaluationDocument, 'mismatch' | 'held' | 'overtaken_by'>,
  rules: readonly CompiledRule[],
): readonly CompiledRule[] {
  return rules
    .filter((rule) => mismatch === null || !rule.changesOrder)
    .filter(({ record }) => overtaken_by === null || record.rule.primaryAction === null)
    .filter((rule) => held === null || hearsEveryWebhook(rule));
}
