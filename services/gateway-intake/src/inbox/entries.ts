import {
  auditEntry,
  type EventReceived,
  type NewAuditEntry,
  newProcessId,
  type ReceivedWebhook,
} from '@order-automation/contracts';
import { eventName, forLog, receivedEntry } from '@order-automation/service';
import { sha256 } from '../gateways/idempotency-keys';
import type { Refusal } from '../gateways/refusal';
import type { InboxEvent } from './documents';

/* The entries about receptions (section 6.5 of the specification). Each is derived from what is stored: recording it again records the same. */

/** The event with what the log says of its webhook. */
export function receivedOf({ event, webhook, process_id, rules, replayed_at }: InboxEvent): EventReceived {
  const { connection, body_bytes, body_sha256, metadata } = webhook;
  const received: EventReceived = { process_id, event, webhook: { connection, body_bytes, metadata } };
  if (body_sha256 !== undefined) received.webhook.body_sha256 = body_sha256;
  if (rules !== undefined) received.rules = [...rules];
  if (replayed_at !== undefined) received.replayed_at = replayed_at;
  return received;
}

export function receptionEntry(document: InboxEvent): NewAuditEntry {
  const entry = receivedEntry(receivedOf(document));
  const waits = waiting[document.state];
  return waits === undefined ? entry : { ...entry, status: 'pending', summary: `${entry.summary}; ${waits}` };
}

const waiting: Partial<Record<InboxEvent['state'], string>> = {
  verifying: 'it waits until the wallet confirms it',
  held: 'it is held because its sender is paused',
};

/** The entry about a copy of an event that is there already: it belongs to the process of the first, and is about its order where that is known. */
export function duplicateEntry(copy: InboxEvent, firstProcessId: string, orderId: number | null): NewAuditEntry {
  const received = receivedOf(copy);
  const entry = receivedEntry(received);
  return {
    ...entry,
    uid: `${copy._id}:duplicate`,
    status: 'skipped',
    event_type: 'webhook_duplicate',
    summary: `${eventName(received)} from ${copy.event.sourceGateway} was received before and has no further effect`,
    process_id: firstProcessId,
    order_id: orderId,
    details: { ...entry.details, duplicate_process_id: copy.process_id },
  };
}

/** The entry about a stored event that was refused in the end. */
export function keptRejection(document: InboxEvent, refusal: Refusal): NewAuditEntry {
  const entry = receptionEntry(document);
  const name = eventName(receivedOf(document));
  return {
    ...entry,
    uid: `${document._id}:rejected`,
    status: 'error',
    event_type: 'webhook_rejected',
    summary: `${name} from ${document.event.sourceGateway} refused: ${refusal.text}`,
    details: { ...entry.details, reason: refusal.code, reason_text: refusal.text },
  };
}

/** The entry about an event that was given up. `now` in milliseconds since the epoch. */
export function deadLetterEntry(document: InboxEvent, reason: string, now: number): NewAuditEntry {
  const { _id, attempts, event } = document;
  return {
    ...receptionEntry(document),
    uid: `${_id}:dead:intake`,
    timestamp: new Date(now).toISOString(),
    status: 'error',
    event_type: 'dead_lettered',
    summary: `${eventName(receivedOf(document))} from ${event.sourceGateway}: given up after ${attempts} tries (${reason.replace(/\.$/, '')}). Events lists it as given up: replay it there when the cause is removed.`,
    details: { reason, attempts, event: { id: _id, type: forLog(event.eventType) } },
  };
}

/** The entry about webhooks that were refused without one of their own. `now` in milliseconds since the epoch. */
export function floodEntry(id: string, refused: { webhooks: number; addresses: number }, now: number): NewAuditEntry {
  const { webhooks, addresses } = refused;
  const from = addresses === 1 ? 'one address' : `${addresses} addresses`;
  return auditEntry({
    uid: `${id}:flood`,
    timestamp: new Date(now).toISOString(),
    status: 'warning',
    event_type: 'webhook_rejected',
    source: 'webhook',
    summary: `${webhooks} webhooks from ${from} were refused unread: they proved nothing and were too many.`,
    process_id: newProcessId(now),
    details: { reason: 'too_many', webhooks, addresses },
  });
}

/** The entry about a webhook that was refused. Of its body it has hash and length; a body that the edge threw away has none. */
export function rejectedEntry(id: string, webhook: ReceivedWebhook, refusal: Refusal, isTest = false): NewAuditEntry {
  const gateway = webhook.gateway.slice(0, 100);
  const connection = webhook.connection?.slice(0, 100) ?? null;
  const address = forLog(connection === null ? gateway : `${gateway}/${connection}`);
  const seen = webhook.refused === null;
  return auditEntry({
    uid: `${id}:rejected`,
    timestamp: webhook.received_at,
    status: 'error',
    event_type: 'webhook_rejected',
    source: 'webhook',
    summary: `${isTest ? 'Test: w' : 'W'}ebhook for ${address} refused: ${refusal.text}`,
    process_id: webhook.process_id,
    is_test: isTest,
    details: {
      gateway: forLog(gateway),
      connection: connection === null ? null : forLog(connection),
      reason: refusal.code,
      reason_text: refusal.text,
      body_bytes: seen ? webhook.body.length : null,
      body_sha256: seen ? sha256(webhook.body) : null,
      ...(refusal.isKnownSender && { known_sender: true }),
    },
  });
}
