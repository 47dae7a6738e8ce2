import { cardEventId, cardEvents, type EventDescription, type GenericType } from '@order-automation/contracts';
import tables from './objects.json';

const byId = new Map<string, EventDescription>(Object.entries(cardEvents));

/** Objects of the gateway by the beginning of an id, longest first. */
const objects = Object.entries(tables.prefixes);

const objectOf = (eventId: string) => objects.find(([prefix]) => eventId.startsWith(`${prefix}_`));

export const kindOfEvent = (eventId: string): string => objectOf(eventId)?.[1] ?? 'unknown';

/** The gateway's own name of an id: `charge.dispute.funds_withdrawn` of `charge_dispute_funds_withdrawn`. */
export function dottedName(eventId: string): string {
  const [prefix] = objectOf(eventId) ?? [];
  if (prefix === undefined) return eventId;
  const nested = prefix === 'charge_dispute' || prefix.startsWith('customer_');
  return `${nested ? prefix.replace('_', '.') : prefix}.${eventId.slice(prefix.length + 1)}`;
}

export const cardGenericType = (type: string): GenericType | null => byId.get(cardEventId(type))?.generic ?? null;
