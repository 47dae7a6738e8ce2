import { isGenericType, type Occurrence, ofFamily, plainEventName } from '@order-automation/contracts';
import type { Listening } from './component';

/** Under what a rule is found. An occurrence of the same kind has these keys and perhaps others. */
export function keyOf(listening: Listening): string {
  if (listening.type === 'gateway_event') {
    const { event = '*' } = listening;
    return event === '*' || isGenericType(event) || ofFamily.test(event)
      ? `event ${event}`
      : `name ${plainEventName(event)}`;
  }
  return `${listening.type} ${listening.to_status ?? '*'}`;
}

export function keysOf({ type, to_status, event_type, sent_as, gateway }: Occurrence): string[] {
  const keys = type === null ? [] : [`${type} *`];
  if (type !== null && to_status !== null) keys.push(`${type} ${to_status}`);
  if (gateway === null) return keys;
  keys.push('event *');
  if (type !== null) keys.push(`event ${type}`);
  if (event_type === null) return keys;
  if (event_type !== type) keys.push(`event ${event_type}`);
  keys.push(`name ${plainEventName(event_type)}`);
  if (sent_as !== undefined) keys.push(`name ${plainEventName(sent_as)}`);
  return keys;
}

export function hears(listensTo: readonly Listening[], occurrence: Occurrence): boolean {
  const keys = new Set(keysOf(occurrence));
  return listensTo.some((listening) => keys.has(keyOf(listening)));
}

/** What a trigger listens to, in words: "order_status_changed to completed", "payment_completed". */
export function listeningText(listening: Listening): string {
  if (listening.type === 'gateway_event') return listening.event ?? 'any event of a gateway';
  return listening.to_status === undefined ? listening.type : `${listening.type} to ${listening.to_status}`;
}
