import { derivedId, type NewAuditEntry } from '@order-automation/contracts';
import type { InboxDocument } from './inbox';
import { forLog } from './redact';

/**
 * The one audit entry that a webhook's reception is owed (section 6.5 of the specification). It is derived from the document, so
 * that whoever hands it over hands over the same. What `event_normalized` would say stands in the details of `webhook_received`.
 */
export function receptionEntry(document: InboxDocument): NewAuditEntry {
  const told = tell(document);
  return {
    uid: derivedId(document._id, told.uid),
    timestamp: document.received_at,
    status: told.status,
    event_type: told.event_type,
    source: 'webhook',
    summary: told.summary,
    order_id: null,
    process_id: document.process_id,
    rule_id: null,
    duration_ms: null,
    is_test: document.event?.isTest ?? false,
    is_debug: false,
    details: told.details,
  };
}

type Told = Pick<NewAuditEntry, 'uid' | 'status' | 'event_type' | 'summary' | 'details'>;

function tell(document: InboxDocument): Told {
  switch (document.state) {
    case 'refused':
      return refused(document);
    case 'duplicate':
      return duplicate(document);
    case 'accepted':
    case 'done':
    case 'dead':
      return accepted(document);
  }
}

function accepted(document: InboxDocument): Told {
  const proof = document.event?.authenticated ? '' : ', sender not authenticated';
  return {
    uid: 'webhook_received',
    status: 'success',
    event_type: 'webhook_received',
    summary: `${nameOf(document)} from ${document.gateway} accepted (${document._id}${proof})`,
    details: eventDetails(document),
  };
}

function duplicate(document: InboxDocument): Told {
  return {
    uid: 'webhook_duplicate',
    status: 'skipped',
    event_type: 'webhook_duplicate',
    summary: `${nameOf(document)} from ${document.gateway} was received before and has no further effect`,
    details: { ...eventDetails(document), duplicate_process_id: document.own_process_id },
  };
}

function refused({ gateway, connection, refusal, body_bytes, body_sha256 }: InboxDocument): Told {
  const text = refusal?.text ?? 'unknown';
  const address = forLog(connection === null ? gateway : `${gateway}/${connection}`);
  return {
    uid: 'webhook_rejected',
    status: 'error',
    event_type: 'webhook_rejected',
    summary: `Webhook for ${address} refused: ${text}`,
    details: {
      gateway: forLog(gateway),
      connection: connection === null ? null : forLog(connection),
      reason: refusal?.code ?? 'unknown',
      reason_text: text,
      body_bytes,
      body_sha256,
    },
  };
}

/** The sender's own name of the event, where the adapter tells it. */
function nameOf({ metadata, event }: InboxDocument): string {
  return forLog(String(metadata.gateway_event_type ?? event?.eventType ?? 'event'));
}

/** What the log tells of the event; a field that is undefined has nothing to tell. */
function eventDetails(document: InboxDocument): Record<string, unknown> {
  const { event, metadata, gateway, connection, body_bytes } = document;
  if (!event) return { gateway, connection, body_bytes };
  return {
    event_id: event.id,
    gateway,
    connection,
    authenticated: event.authenticated,
    event_type: shown(event.eventType),
    generic_type: shown(event.genericType),
    amount: shown(event.amount),
    currency: shown(event.currency),
    transaction_id: shown(event.transactionID),
    order_reference: shown(event.orderReference.order_id),
    object_type: shown(event.primaryObjectType),
    object_id: shown(event.primaryObjectID),
    object_status: shown(event.status),
    reason: shown(event.reason),
    occurred_at: shown(event.occurredAt),
    idempotency_key: shown(event.idempotencyKey),
    gateway_ids: event.orderReference.gateway_ids.map(forLog),
    body_bytes,
    gateway_metadata: metadataOf(metadata),
  };
}

function shown(text: string | null): string | undefined {
  return text === null ? undefined : forLog(text);
}

function metadataOf(metadata: InboxDocument['metadata']): Record<string, string | number | boolean> {
  const told: Record<string, string | number | boolean> = {};
  for (const name of Object.keys(metadata)) {
    const value = metadata[name];
    if (value !== undefined) told[name] = typeof value === 'string' ? forLog(value) : value;
  }
  return told;
}
