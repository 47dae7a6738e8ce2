import {
  type AuditEntry,
  type Occurrence,
  type OrderContext,
  type RequestInput,
  ServiceError,
} from '@order-automation/contracts';
import { type CompiledRule, type Facts, needsOf } from '@order-automation/engine';
import type { DebugDeps } from '../deps';
import { type NamedEvent, namedOccurrence } from './named-occurrence';
import type { OrderReader } from './order-reader';

export type FactsDeps = Pick<DebugDeps, 'orders' | 'log' | 'clock' | 'timeZone'>;

export async function orderOf(id: number, orders: OrderReader): Promise<OrderContext> {
  const context = await orders.get(id);
  if (!context) throw new ServiceError(404, 'svc_order_not_found', `There is no order ${id}.`, { order_id: id });
  return context;
}

/** The order as it is, and what is to be imagined to happen to it; the customer where one of the rules asks. */
export async function factsOf(
  context: OrderContext,
  event: NamedEvent | null,
  rules: readonly CompiledRule[],
  { orders, clock, timeZone }: FactsDeps,
): Promise<Facts> {
  const now = clock.now();
  const occurrence = event && namedOccurrence(event, context.order, now);
  const customer = needsOf(rules).has('customer') ? await orders.customer(context.order) : null;
  return { context, occurrence, customer, now, timeZone };
}

export async function eventOf(
  { event_type, gateway, process_id }: EventInput,
  { log }: Pick<FactsDeps, 'log'>,
): Promise<NamedEvent | null> {
  if (event_type !== undefined) return { event_type, gateway: gateway ?? null };
  if (process_id !== undefined) return eventOfProcess(await log.process(process_id)).event;
  return gateway === undefined ? null : { event_type: 'custom_event', gateway };
}

type EventInput = Pick<RequestInput<'debug.rule.test.v1'>, 'event_type' | 'gateway' | 'process_id'>;

/** What a process was about, as its outcome says. 409 `svc_event_not_evaluated` when it has none (yet). */
export function eventOfProcess(entries: readonly AuditEntry[]): { event: NamedEvent; entry: AuditEntry } {
  // What rules changed is evaluated in the same process, after the event.
  const isOfChain = ({ details }: AuditEntry): boolean => details.chain !== undefined;
  const ofEvent = entries.filter((entry) => !isOfChain(entry));
  for (const entry of [...entries.filter(isOfChain), ...ofEvent].reverse()) {
    const { event } = entry.details as { event?: { type?: unknown; gateway?: unknown; connection?: unknown } };
    if (typeof event?.type !== 'string' || entry.event_type === 'dead_lettered') continue;
    const named = typeof event.gateway === 'string' ? event.gateway : null;
    const gateway = typeof event.connection === 'string' ? `${named}/${event.connection}` : named;
    return { event: { event_type: event.type, gateway }, entry };
  }
  const text = 'Nothing was evaluated in this process: it has no event, or the event has not been evaluated yet.';
  throw new ServiceError(409, 'svc_event_not_evaluated', text);
}

/** What the log says was explained. */
export function shownEvent(occurrence: Occurrence | null) {
  if (occurrence === null) return null;
  const { type, event_type, gateway, to_status } = occurrence;
  return { type, event_type, gateway, to_status };
}
