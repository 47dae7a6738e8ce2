import type { Bus } from '@order-automation/bus';
import { type Answer, newId, newProcessId, type RequestInput, type UniversalEvent } from '@order-automation/contracts';
import type { DebugDeps } from '../deps';
import { orderOf } from '../readers/facts';

/** Milliseconds: a shop behind a connector is asked for each step of each rule. */
const timeout = 20_000;

/** All that debugging can do with events: ask what one would be, and would lead to. */
export function eventReader(bus: Pick<Bus, 'request'>) {
  return {
    draft: (input: RequestInput<'intake.event.draft.v1'>) => bus.request('intake.event.draft.v1', input),
    simulate: async (input: RequestInput<'evaluation.event.simulate.v1'>) =>
      (await bus.request('evaluation.event.simulate.v1', input, { timeout })).simulated,
  };
}

/**
 * What would happen if a gateway reported the event now. The webhook names the transaction that the order has, else one that nobody knows.
 * 404 `svc_order_not_found` and `svc_gateway_not_found`, 400 for an event that the gateway does not have.
 */
export const simulateEvent: Answer<'debug.order.simulate.v1', Pick<DebugDeps, 'orders' | 'clock' | 'events'>> = async (
  { order_id, event_type, gateway },
  deps,
) => {
  const { order } = await orderOf(order_id, deps.orders);
  const now = deps.clock.now();
  const process_id = newProcessId(now);
  const transaction = order.transaction_id || newId('evt', now).replace('evt_', 'simulated');
  const { total, currency } = order;
  const drafted = { gateway, event_type, process_id, order: { id: String(order_id), total, currency, transaction } };
  const { events, webhook } = await deps.events.draft(drafted);
  const simulated = await deps.events.simulate({ process_id, events, webhook });
  return { data: { order_id, events: events.map(shown), ...simulated } };
};

function shown(event: UniversalEvent) {
  const { eventType, genericType, sourceGateway, transactionID, amount, currency, authenticated } = event;
  return { eventType, genericType, sourceGateway, transactionID, amount, currency, authenticated };
}
