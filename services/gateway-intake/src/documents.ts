import type { ReceivedWebhook } from '@order-automation/contracts';
import { firstPatience, type InboxDocument } from './inbox';
import type { Accepted } from './inspect';
import type { KeptEvent, KeptWebhook } from './payloads';

/** Headers that are kept with an accepted webhook; what is not named here may be a secret. */
const keptHeaders = ['content-type', 'user-agent', 'x-request-id', 'traceparent', 'webhook-id', 'webhook-timestamp'];

/** An accepted webhook as it is stored. One literal, no spreads: this runs once for every webhook. */
export function keptWebhook(webhook: ReceivedWebhook, { events, metadata, text }: Accepted): KeptWebhook {
  return {
    process_id: webhook.process_id,
    gateway: webhook.gateway,
    connection: webhook.connection,
    received_at: webhook.received_at,
    headers: headersOf(webhook),
    body: text,
    body_bytes: webhook.body.length,
    metadata,
    events,
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
