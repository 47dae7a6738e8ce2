import { auditEntry, type EventReceived, type NewAuditEntry, type WebhookFacts } from '@order-automation/contracts';
import { forLog } from './privacy/mask-text';

/**
 * The one audit entry about the reception of an event (section 6.5 of the specification). Evaluation writes it with its own entries, or intake
 * when that takes long: both the same. What `event_normalized` would say stands in the details.
 */
export function receivedEntry(received: EventReceived): NewAuditEntry {
  const { event, process_id, replayed_at } = received;
  const proof = event.authenticated ? '' : ', sender not authenticated';
  const isRecovered = event.channel === 'recovered';
  return auditEntry({
    uid: `${event.id}:received`,
    timestamp: replayed_at ?? event.receivedAt,
    event_type: 'webhook_received',
    source: 'webhook',
    summary: `${event.isTest ? 'Test: ' : ''}${eventName(received)} from ${event.sourceGateway} accepted (${event.id}${proof})${isRecovered ? '; its webhook had never arrived, and its gateway was asked' : ''}`,
    process_id,
    is_test: event.isTest,
    details: receivedDetails(received),
  });
}

/** The sender's own name of the event, where the adapter tells it. */
export const eventName = ({ event, webhook }: EventReceived): string =>
  forLog(String(webhook.metadata.gateway_event_type ?? event.eventType));

/** What the log tells of the event; a field that has nothing to tell is left out. */
function receivedDetails({ event, webhook }: EventReceived): Record<string, unknown> {
  return {
    event_id: event.id,
    gateway: event.sourceGateway,
    connection: webhook.connection,
    authenticated: event.authenticated,
    event_type: forLog(event.eventType),
    generic_type: loggable(event.genericType),
    amount: loggable(event.amount),
    currency: loggable(event.currency),
    amount_problem: loggable(event.amountProblem),
    transaction_id: loggable(event.transactionID),
    ...(event.channel === 'recovered' && { recovered: true }),
    order_reference: loggable(event.orderReference.order_id),
    object_type: loggable(event.primaryObjectType),
    object_id: loggable(event.primaryObjectID),
    object_status: loggable(event.status),
    reason: loggable(event.reason),
    occurred_at: loggable(event.occurredAt),
    idempotency_key: loggable(event.idempotencyKey),
    gateway_ids: event.orderReference.gateway_ids.map(forLog),
    body_bytes: webhook.body_bytes,
    body_sha256: webhook.body_sha256,
    gateway_metadata: metadataOf(webhook.metadata),
  };
}

/** Undefined, which JSON leaves out, for what the event does not say. */
const loggable = (text: string | null): string | undefined => (text === null ? undefined : forLog(text));

function metadataOf(metadata: WebhookFacts['metadata']): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const name of Object.keys(metadata)) {
    const value = metadata[name];
    if (typeof value === 'string') fields[name] = forLog(value);
    else if (typeof value === 'number' || typeof value === 'boolean') fields[name] = value;
  }
  return fields;
}
