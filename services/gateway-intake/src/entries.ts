import type { NewAuditEntry, ReceivedWebhook } from '@order-automation/contracts';
import { sha256 } from './adapters/keys';
import type { Metadata } from './inspect';
import type { KeptEvent } from './payloads';
import { forLog } from './redact';
import type { Refusal } from './refusal';

/*
 * The one audit entry that a webhook's reception is owed (section 6.5 of the specification). It is derived from what is stored, so that
 * whoever hands it over hands over the same. What `event_normalized` would say stands in the details of `webhook_received`.
 */

/** The entry about an accepted event. */
export function receivedEntry(kept: KeptEvent): NewAuditEntry {
  const { event, webhook } = kept;
  const proof = event.authenticated ? '' : ', sender not authenticated';
  return {
    uid: `${event.id}:received`,
    timestamp: webhook.received_at,
    status: 'success',
    event_type: 'webhook_received',
    source: 'webhook',
    summary: `${nameOf(kept)} from ${webhook.gateway} accepted (${event.id}${proof})`,
    order_id: null,
    process_id: webhook.process_id,
    rule_id: null,
    duration_ms: null,
    is_test: event.isTest,
    is_debug: false,
    details: eventDetails(kept),
  };
}

/** The entry about a copy of an event that is there already: it belongs to the process of the first. */
export function duplicateEntry(kept: KeptEvent, firstProcessId: string): NewAuditEntry {
  const { event, webhook } = kept;
  return {
    ...receivedEntry(kept),
    uid: `${event.id}:duplicate`,
    status: 'skipped',
    event_type: 'webhook_duplicate',
    summary: `${nameOf(kept)} from ${webhook.gateway} was received before and has no further effect`,
    process_id: firstProcessId,
    details: defined({ ...eventDetails(kept), duplicate_process_id: webhook.process_id }),
  };
}

/** The entry about a webhook that was refused. Of its body it tells hash and length; a body that the edge threw away has none. */
export function rejectedEntry(id: string, webhook: ReceivedWebhook, refusal: Refusal): NewAuditEntry {
  const gateway = webhook.gateway.slice(0, 100);
  const connection = webhook.connection?.slice(0, 100) ?? null;
  const address = forLog(connection === null ? gateway : `${gateway}/${connection}`);
  const seen = webhook.refused === null;
  return {
    uid: `${id}:rejected`,
    timestamp: webhook.received_at,
    status: 'error',
    event_type: 'webhook_rejected',
    source: 'webhook',
    summary: `Webhook for ${address} refused: ${refusal.text}`,
    order_id: null,
    process_id: webhook.process_id,
    rule_id: null,
    duration_ms: null,
    is_test: false,
    is_debug: false,
    details: {
      gateway: forLog(gateway),
      connection: connection === null ? null : forLog(connection),
      reason: refusal.code,
      reason_text: refusal.text,
      body_bytes: seen ? webhook.body.length : null,
      body_sha256: seen ? sha256(webhook.body) : null,
    },
  };
}

/** The sender's own name of the event, where the adapter tells it. */
function nameOf({ event, webhook }: KeptEvent): string {
  return forLog(String(webhook.metadata.gateway_event_type ?? event.eventType));
}

/** What the log tells of the event; a field that is undefined has nothing to tell. */
function eventDetails({ event, webhook }: KeptEvent): Record<string, unknown> {
  const { metadata, gateway, connection, body_bytes } = webhook;
  return {
    event_id: event.id,
    gateway,
    connection,
    authenticated: event.authenticated,
    event_type: shown(event.eventType),
    generic_type: event.genericType ?? undefined,
    amount: shown(event.amount),
    currency: shown(event.currency),
    transaction_id: shown(event.transactionID),
    order_reference: shown(event.orderReference.order_id),
    object_type: shown(event.primaryObjectType),
    object_id: shown(event.primaryObjectID),
    object_status: shown(event.status),
    reason: shown(event.reason),
    occurred_at: event.occurredAt ?? undefined,
    idempotency_key: shown(event.idempotencyKey),
    gateway_ids: event.orderReference.gateway_ids.map(forLog),
    body_bytes,
    gateway_metadata: metadataOf(metadata),
  };
}

function shown(text: string | null): string | undefined {
  return text === null ? undefined : forLog(text);
}

function metadataOf(metadata: Metadata): Record<string, string | number | boolean> {
  const told: Record<string, string | number | boolean> = {};
  for (const name of Object.keys(metadata)) {
    const value = metadata[name];
    if (value !== undefined) told[name] = typeof value === 'string' ? forLog(value) : value;
  }
  return told;
}

/** Without the fields that have nothing to tell, as it reads when it was stored in between. */
function defined(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
