import { forLog } from '@order-automation/service';
import type { Change } from '../administration/change-log/change-entries';

/* What the log says of a gateway that is asked for events that never arrived. */

export function sourceConnected(by: string, gateway: string, last4: string): Change {
  const summary = `${by} gave a key (…${forLog(last4)}) with which ${gateway} is asked for events that never arrived.`;
  return { event_type: 'webhook_settings_changed', summary, details: { gateway, last4: forLog(last4) } };
}

export function sourceDisconnected(by: string, gateway: string): Change {
  const summary = `${by} removed the key with which ${gateway} was asked for events that never arrived; it is asked no more.`;
  return { event_type: 'webhook_settings_changed', summary, details: { gateway } };
}

/** To the minute, in UTC. */
const shown = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

/** `since` null: for what has not been asked for yet. */
export function sourceAsked(by: string, gateway: string, since: string | null): Change {
  const from = since === null ? '' : ` since ${shown(since)}`;
  const summary = `${by} had ${gateway} asked for events that never arrived${from}.`;
  return { event_type: 'webhook_recovered', summary, details: { gateway, since } };
}

/** `from` and `to`: when they were sent, in ISO 8601 UTC. */
export function eventsRecovered(gateway: string, events: number, from: string, to: string): Change {
  const what = events === 1 ? '1 event that had never arrived' : `${events} events that had never arrived`;
  const summary = `${gateway} was asked what it had sent up to ${shown(to)}: ${what} here ${events === 1 ? 'was' : 'were'} fetched and processed.`;
  return { event_type: 'webhook_recovered', status: 'warning', summary, details: { gateway, events, from, to } };
}

export function sourceFailed(gateway: string, problem: string): Change {
  const summary = `${gateway} could not be asked for events that never arrived, and is asked again: ${forLog(problem)}`;
  const details = { gateway, reason_text: forLog(problem) };
  return { event_type: 'webhook_recovered', status: 'error', summary, details };
}
