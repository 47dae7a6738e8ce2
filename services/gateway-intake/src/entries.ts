import type { EventReceived, NewAuditEntry, ReceivedWebhook } from '@order-automation/contracts';
import { eventName, forLog, receivedEntry } from '@order-automation/service';
import { sha256 } from './adapters/keys';
import type { KeptEvent } from './payloads';
import type { Refusal } from './refusal';

/*
 * The one audit entry that a webhook's reception is owed (section 6.5 of the specification). It is derived from what is stored, so that
 * whoever hands it over hands over the same.
 */

/** The event with what the log tells of its webhook. */
export function receivedOf({ event, webhook }: KeptEvent): EventReceived {
  const { process_id, connection, body_bytes, metadata } = webhook;
  return { process_id, event, webhook: { connection, body_bytes, metadata } };
}

/** The entry about a copy of an event that is there already: it belongs to the process of the first. */
export function duplicateEntry(kept: KeptEvent, firstProcessId: string): NewAuditEntry {
  const { event, webhook } = kept;
  const received = receivedOf(kept);
  const entry = receivedEntry(received);
  return {
    ...entry,
    uid: `${event.id}:duplicate`,
    status: 'skipped',
    event_type: 'webhook_duplicate',
    summary: `${eventName(received)} from ${webhook.gateway} was received before and has no further effect`,
    process_id: firstProcessId,
    details: { ...entry.details, duplicate_process_id: webhook.process_id },
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
