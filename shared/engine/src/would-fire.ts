import type { Occurrence, Order } from '@order-automation/contracts';
import type { Listening, TriggerTest } from './component';
import { gatewayEvent } from './event-types';
import { hears } from './listening';
import { senderNamed } from './sender';
import type { Facts } from './situation';

type WouldFire = { readonly would_fire: boolean; readonly reason: string };

/**
 * Without an occurrence: whether an occurrence that the trigger listens to would fire it, for the order as it is. The test is the one that
 * real occurrences go through. An order enters no other status than the one it is in.
 */
export function wouldFire(listensTo: readonly Listening[], test: TriggerTest, fires: string, facts: Facts): WouldFire {
  const { occurrence } = facts;
  if (occurrence && !hears(listensTo, occurrence))
    return { would_fire: false, reason: `${named(occurrence)} does not set it off; the trigger ${fires}` };
  const tried = occurrence ? [occurrence] : imagined(listensTo, facts);
  const results = tried.map((occurrence) => test(occurrence, { ...facts, occurrence }));
  const result = results.find((one) => one.fires) ?? results[0];
  if (result) return { would_fire: result.fires, reason: result.reason };
  return { would_fire: false, reason: `the order is in status ${facts.context.order.status}; the trigger ${fires}` };
}

function named({ type, event_type, to_status }: Occurrence): string {
  if (type === 'order_status_changed') return `that the order enters ${to_status}`;
  return `the event ${event_type ?? type}`;
}

/** Occurrences that a trigger listens to, for the order as it is. An order enters no other status than the one it is in. */
export const imagined = (listensTo: readonly Listening[], facts: Facts): Occurrence[] =>
  listensTo.flatMap((listening) => imaginedOne(listening, facts));

/** An occurrence of a test, before it is of any type. `now` is in milliseconds since the epoch. */
export function testOccurrence(order: Pick<Order, 'id' | 'transaction_id'>, now: number): Occurrence {
  return {
    key: 'test',
    type: null,
    order_id: order.id,
    transaction_id: order.transaction_id === '' ? null : order.transaction_id,
    from_status: null,
    to_status: null,
    event_type: null,
    gateway: null,
    authenticated: true,
    at: new Date(now).toISOString(),
  };
}

function imaginedOne(listening: Listening, { context: { order }, now }: Facts): Occurrence[] {
  const base = testOccurrence(order, now);
  if (listening.type === 'gateway_event') {
    const { event = 'custom_event', gateway } = listening;
    const known = gatewayEvent(event);
    return [{ ...base, type: known.type, event_type: event, ...senderNamed(gateway ?? known.gateway) }];
  }
  const { type, to_status } = listening;
  if (type !== 'order_status_changed') return [{ ...base, type }];
  return to_status === undefined || to_status === order.status ? [{ ...base, type, to_status: order.status }] : [];
}
