import type { Bus } from '@order-automation/bus';
import type { EventReceived, OrderContext, UniversalEvent } from '@order-automation/contracts';
import { amountMismatch, type CompiledRule, type CompiledRules, occurrenceOfEvent } from '@order-automation/engine';
import type { Freshness } from './freshness';
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
      if (match && context)
        fillIn(work, (received[index] as EventReceived).event, { context, asOf, by: match.by }, rules);
      else work.document.outcome = 'no_order';
    } catch (error) {
      broken.set(work, error);
    }
  }
  return broken;
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

/** The rules whose trigger fires, without those that may not run because the amounts disagree. */
export function candidatesFor(document: Work['document'], rules: CompiledRules): readonly CompiledRule[] {
  if (document.occurrence === null || document.outcome === 'too_deep') return [];
  const firing = rules.forOccurrence(document.occurrence);
  if (document.mismatch === null) return firing;
  return firing.filter((rule) => !rule.changesOrder);
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
