import type { Occurrence, Order } from '@order-automation/contracts';
import { gatewayEvent, senderNamed, testOccurrence } from '@order-automation/engine';

/**
 * An event as people and the log name it: a generic type, an id of an adapter in any spelling; without a gateway `order_created`, `order_status_changed`,
 * `order_status_completed` and `refund_created` are the shop's own, and `schedule` is a schedule that is due.
 */
export type NamedEvent = { readonly event_type: string; readonly gateway: string | null };

/** What an event of this name would be for the order. `now` is in milliseconds since the epoch. */
export function namedOccurrence(
  { event_type, gateway }: NamedEvent,
  order: Pick<Order, 'id' | 'status' | 'transaction_id'>,
  now: number,
): Occurrence {
  const base = testOccurrence(order, now);
  const written = event_type.trim();
  const ofShop = gateway === null && (written === 'order_status_changed' || written === 'order_created');
  if (ofShop) return { ...base, type: written, to_status: order.status };
  const [, entered] = gateway === null ? (/^order_status_(?!changed$)(.+)$/.exec(written) ?? []) : [];
  if (entered !== undefined) return { ...base, type: 'order_status_changed', to_status: entered };
  if (gateway === null && written === 'refund_created') return { ...base, type: 'payment_refunded' };
  if (gateway === null && written === 'schedule') return { ...base, type: written };
  const known = gatewayEvent(written);
  return { ...base, type: known.type, event_type: known.form, ...senderNamed(gateway ?? known.gateway) };
}
