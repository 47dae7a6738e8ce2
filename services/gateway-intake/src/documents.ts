import type { ReceivedWebhook } from '@order-automation/contracts';
import { firstPatience, type InboxDocument } from './inbox';
import type { Accepted } from './inspect';
import type { KeptEvent, KeptWebhook, PlacedWebhook } from './payloads';

/** Headers that are kept with an accepted webhook; what is not named here may be a secret. */
const keptHeaders = ['content-type', 'user-agent', 'x-request-id', 'traceparent', 'webhook-id', 'webhook-timestamp'];

/** An accepted webhook as it is kept. One literal, no spreads: this runs once for every webhook. */
export function keptWebhook(webhook: ReceivedWebhook, { events, metadata }: Accepted): KeptWebhook {
  return {
    process_id: webhook.process_id,
    gateway: webhook.gateway,
    connection: webhook.connection,
    received_at: webhook.received_at,
    headers: headersOf(webhook),
    body_bytes: webhook.body.length,
    metadata,
    events,
  };
}

/** The same with its body behind `from` characters of others. */
export function placedWebhook(kept: KeptWebhook, from: number, body: string): PlacedWebhook {
  return {
    process_id: kept.process_id,
    gateway: kept.gateway,
    connection: kept.connection,
    received_at: kept.received_at,
    headers: kept.headers,
    body_bytes: kept.body_bytes,
    body_from: from,
    body_to: from + body.length,
    metadata: kept.metadata,
    events: kept.events,
  };
}

/** The inbox documents of events that lie in one payload. `now` in milliseconds since the epoch. */
export function inboxDocuments(events: Iterable<KeptEvent>, payload: string, now: number): InboxDocument[] {
  const dueAt = new Date(now + firstPatience).toISOString();
  const documents: InboxDocument[] = [];
  for (const { event, webhook } of events) {
    documents.push({
      _id: event.id,
      key: event.idempotencyKey,
      state: 'accepted',
      process_id: webhook.process_id,
      payload,
      due_at: dueAt,
      attempts: 0,
    });
  }
  return documents;
}

function headersOf({ headers }: ReceivedWebhook): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = headers[name]?.[0];
    if (value !== undefined) kept[name] = value.slice(0, 500);
  }
  return kept;
}
