import { derivedId, type NewAuditEntry } from '@order-automation/contracts';
import type { InboxDocument } from './inbox';
import { withoutEmpty } from './payload';
import { forLog } from './redact';

/**
 * The one audit entry that a webhook's reception is owed (section 6.5 of the specification). It is derived from the document, so
 * that whoever hands it over hands over the same. What `event_normalized` would say stands in the details of `webhook_received`.
 */
export function receptionEntry(document: InboxDocument): NewAuditEntry {
  const { uid, ...told } = tell(document);
  return {
    uid: derivedId(document._id, uid),
    timestamp: document.received_at,
    source: 'webhook',
    order_id: null,
    process_id: document.process_id,
    rule_id: null,
    duration_ms: null,
    is_test: document.event?.isTest ?? false,
    is_debug: false,
    ...told,
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

function eventDetails(document: InboxDocument): Record<string, unknown> {
  const { event, metadata, gateway, connection, body_bytes } = document;
  if (!event) return { gateway, connection, body_bytes };
  const texts = withoutEmpty({
    event_type: event.eventType,
    generic_type: event.genericType,
    amount: event.amount,
    currency: event.currency,
    transaction_id: event.transactionID,
    order_reference: event.orderReference.order_id,
    object_type: event.primaryObjectType,
    object_id: event.primaryObjectID,
    object_status: event.status,
    reason: event.reason,
    occurred_at: event.occurredAt,
    idempotency_key: event.idempotencyKey,
  });
  const details: Record<string, unknown> = {
    event_id: event.id,
    gateway,
    connection,
    authenticated: event.authenticated,
  };
  for (const [name, text] of Object.entries(texts)) details[name] = forLog(text);
  details.gateway_ids = event.orderReference.gateway_ids.map(forLog);
  const own = Object.entries(metadata).map(([name, value]) => [
    name,
    typeof value === 'string' ? forLog(value) : value,
  ]);
  return { ...details, body_bytes, gateway_metadata: Object.fromEntries(own) };
}
