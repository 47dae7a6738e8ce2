import type { Bus } from '@order-automation/bus';
import type { EventReceived, OrderContext, UniversalEvent } from '@order-automation/contracts';
import {
  amountMismatch,
  awaitingPayment,
  type CompiledRule,
  type CompiledRules,
  occurrenceOfEvent,
} from '@order-automation/engine';
import type { Freshness } from './freshness';
import { type Payments, paymentOf } from './payments';
import type { Work } from './work';

/**
 * Finds the orders of a batch of gateway events (decisions.md section 6, "Order lookup") and the rules that listen. The works are
 * filled in; one that needs no rules has its outcome set. Gives back those on which this broke.
 */
export async function prepareEvents(
  received: readonly EventReceived[],
  works: readonly Work[],
  bus: Bus,
  rules: CompiledRules,
  fresh: Freshness,
  payments: Payments,
): Promise<Map<Work, unknown>> {
  const asOf = fresh.asOf();
  const references = received.map(({ event }) => event.orderReference);
  const { matches, orders } = await bus.request('shop.order.resolve.v1', { references });
  const contexts = new Map(orders.map((context) => [context.order.id, context]));
  const broken = new Map<Work, unknown>();
  for (const [index, work] of works.entries()) {
    const match = matches[index] ?? null;
    const context = match ? contexts.get(match.order_id) : undefined;
    try {
      const { event } = received[index] as EventReceived;
      if (match && context) {
        fillIn(work, event, { context, asOf, by: match.by }, rules);
        await noticePayment(work, event, context.order.status, payments);
      } else work.document.outcome = 'no_order';
    } catch (error) {
      broken.set(work, error);
    }
  }
  return broken;
}

/** A completed payment that is known already is no new occurrence; one that comes too late asks for a look (decisions.md section 4). */
async function noticePayment(
  { document }: Work,
  event: UniversalEvent,
  status: string,
  payments: Payments,
): Promise<void> {
  const { occurrence, order_id, mismatch } = document;
  if (occurrence?.type !== 'payment_completed' || order_id === null || mismatch !== null) return;
  const sighting = await payments.sight(order_id, paymentOf(event), !event.isTest);
  if (sighting.kind === 'repeated') {
    document.outcome = 'payment_repeated';
    document.repeats = sighting.of;
  } else if (!awaitingPayment.has(status)) document.late = { status };
}

type Found = { context: OrderContext; asOf: number; by: string };

function fillIn(work: Work, event: UniversalEvent, { context, asOf, by }: Found, rules: CompiledRules): void {
  const { document } = work;
  work.asOf = asOf;
  work.context = context;
  document.order_id = context.order.id;
  document.found_by = by;
  document.occurrence = occurrenceOfEvent(event, context.order.id);
  document.mismatch = amountMismatch(event, context.order);
  work.candidates = candidatesFor(document, rules);
}

/** The rules whose trigger listens, or fired when the event came, without those that may not run because the amounts disagree. */
export function candidatesFor(document: Work['document'], rules: CompiledRules): readonly CompiledRule[] {
  if (document.occurrence === null || document.outcome === 'too_deep') return [];
  const { firing, mismatch } = document;
  return rules
    .forOccurrence(document.occurrence)
    .filter((rule) => firing?.includes(rule.record.id) ?? true)
    .filter((rule) => mismatch === null || !rule.changesOrder);
}

/** Reads the orders again that are missing or may have been changed since they were read. A work whose order is gone has its outcome set. */
export async function refreshContexts(works: readonly Work[], bus: Bus, fresh: Freshness): Promise<void> {
  const stale = works.filter(
    ({ document, context, candidates, asOf }) =>
      candidates.length > 0 &&
      document.order_id !== null &&
      (context === undefined || fresh.isStale(document.order_id, asOf)),
  );
  if (stale.length === 0) return;
  const asOf = fresh.asOf();
  const ids = [...new Set(stale.map(({ document }) => document.order_id as number))];
  const { orders } = await bus.request('shop.order.get.v1', { ids });
  const contexts = new Map<number, OrderContext>(orders.map((context) => [context.order.id, context]));
  for (const work of stale) {
    work.context = contexts.get(work.document.order_id as number);
    work.asOf = asOf;
    if (work.context === undefined && work.document.steps.length === 0) work.document.outcome = 'no_order';
  }
}
