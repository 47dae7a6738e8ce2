import { isUtf8 } from 'node:buffer';
import { newId, type ReceivedWebhook } from '@order-automation/contracts';
import { sha256 } from './adapters/keys';
import type { Holder, InboxDocument } from './inbox';
import type { Inspection } from './inspect';
import type { Refusal } from './refusal';

/**
 * Milliseconds after which the relay looks at what the fast path should have finished: more than a burst takes to be worked off, because
 * what is published again only makes a queue longer.
 */
export const firstPatience = 15_000;

/** Headers that are kept with an accepted webhook; what is not named here may be a secret. */
const keptHeaders = ['content-type', 'user-agent', 'x-request-id', 'traceparent', 'webhook-id', 'webhook-timestamp'];

/** The documents of one webhook: one for each event, or one that says why it was refused. `now` in milliseconds since the epoch. */
export function documentsOf(webhook: ReceivedWebhook, inspection: Inspection, now: number): InboxDocument[] {
  const dueAt = new Date(now + firstPatience).toISOString();
  if (inspection.kind === 'refused') return [refusedDocument(webhook, inspection.refusal, newId('evt', now), dueAt)];
  const headers = headersOf(webhook);
  const body = textOf(webhook.body);
  // One literal, no spreads: this runs once for every webhook.
  return inspection.events.map((event) => ({
    _id: event.id,
    key: event.idempotencyKey,
    state: 'accepted',
    process_id: webhook.process_id,
    own_process_id: webhook.process_id,
    gateway: webhook.gateway,
    connection: webhook.connection,
    received_at: webhook.received_at,
    due_at: dueAt,
    attempts: 0,
    entries_handed: false,
    headers,
    body,
    body_bytes: webhook.body.length,
    body_sha256: null,
    event,
    metadata: inspection.metadata,
    refusal: null,
  }));
}

/** Nothing of a refused body is kept but its hash; a body that the edge threw away has none. */
function refusedDocument(webhook: ReceivedWebhook, refusal: Refusal, id: string, owedAt: string): InboxDocument {
  const seen = webhook.refused === null;
  return {
    _id: id,
    key: `refused:${id}`,
    state: 'refused',
    process_id: webhook.process_id,
    own_process_id: webhook.process_id,
    gateway: webhook.gateway.slice(0, 100),
    connection: webhook.connection?.slice(0, 100) ?? null,
    received_at: webhook.received_at,
    owed_at: owedAt,
    attempts: 0,
    entries_handed: false,
    headers: {},
    body: null,
    body_bytes: seen ? webhook.body.length : null,
    body_sha256: seen ? sha256(webhook.body) : null,
    event: null,
    metadata: {},
    refusal: { code: refusal.code, text: refusal.text },
  };
}

/** A copy of an event that is there already: it belongs to the process of the first. */
export function duplicateOf(document: InboxDocument, first: Pick<Holder, 'process_id'>): InboxDocument {
  const { due_at: dueAt, ...event } = document;
  return {
    ...event,
    key: `duplicate:${document._id}`,
    state: 'duplicate',
    process_id: first.process_id,
    owed_at: dueAt ?? document.received_at,
    headers: {},
    body: null,
  };
}

function headersOf({ headers }: ReceivedWebhook): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of keptHeaders) {
    const value = headers[name]?.[0];
    if (value !== undefined) kept[name] = value.slice(0, 500);
  }
  return kept;
}

/** The received bytes: as text where that keeps every byte, else in base64. */
export function textOf(bytes: Uint8Array): NonNullable<InboxDocument['body']> {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return isUtf8(body)
    ? { encoding: 'utf8', data: body.toString('utf8') }
    : { encoding: 'base64', data: body.toString('base64') };
}

/** The received bytes again. */
export function bytesOf({ encoding, data }: NonNullable<InboxDocument['body']>): Buffer {
  return Buffer.from(data, encoding);
}
