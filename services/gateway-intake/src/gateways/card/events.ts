import { cardEventId, cardEvents, type EventDescription, type GenericType } from '@order-automation/contracts';

const byId = new Map<string, EventDescription>(Object.entries(cardEvents));

/** Objects of the gateway by the beginning of an id, longest first. */
const objects = [
  ['payment_intent', 'payment_intent'],
  ['setup_intent', 'setup_intent'],
  ['charge_dispute', 'dispute'],
  ['charge_refund', 'refund'],
  ['charge', 'charge'],
  ['refund', 'refund'],
  ['customer_subscription', 'subscription'],
  ['customer_source', 'source'],
  ['customer', 'customer'],
  ['invoice', 'invoice'],
  ['checkout_session', 'checkout.session'],
  ['payout', 'payout'],
  ['price', 'price'],
  ['product', 'product'],
] as const;

/** The kind of object that events of this id are about. */
export function kindOfEvent(eventId: string): string {
  return objects.find(([prefix]) => eventId.startsWith(`${prefix}_`))?.[1] ?? 'unknown';
}

/** The gateway's own name of an id: `charge.dispute.funds_withdrawn` of `charge_dispute_funds_withdrawn`. */
export function dottedName(eventId: string): string {
  const prefix = objects.find(([one]) => eventId.startsWith(`${one}_`))?.[0];
  if (prefix === undefined) return eventId;
  const nested = prefix === 'charge_dispute' || prefix.startsWith('customer_');
  return `${nested ? prefix.replace('_', '.') : prefix}.${eventId.slice(prefix.length + 1)}`;
}

export function cardGenericType(type: string): GenericType | null {
  return byId.get(cardEventId(type))?.generic ?? null;
}
