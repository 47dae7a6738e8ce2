import { auditEntry, type EventReceived, type NewAuditEntry, type WebhookFacts } from '@order-automation/contracts';
import { forLog } from './for-log';

/**
 * The one audit entry that the reception of an event is owed (section 6.5 of the specification). Whoever tells it tells the same: evaluation
 * with its own entries, or intake when that takes long. What `event_normalized` would say stands in the details.
 */
export function receivedEntry(received: EventReceived): NewAuditEntry {
  const { event, process_id } = received;
  const proof = event.authenticated ? '' : ', sender not authenticated';
  return auditEntry({
    uid: `${event.id}:received`,
    timestamp: event.receivedAt,
    event_type: 'webhook_received',
    source: 'webhook',
    summary: `${eventName(received)} from ${event.sourceGateway} accepted (${event.id}${proof})`,
    process_id,
    is_test: event.isTest,
    details: receivedDetails(received),
  });
}

/** The sender's own name of the event, where the adapter tells it. */
export function eventName({ event, webhook }: EventReceived): string {
  return forLog(String(webhook.metadata.gateway_event_type ?? event.eventType));
}

/** What the log tells of the event; a field that has nothing to tell is left out. */
function receivedDetails({ event, webhook }: EventReceived): Record<string, unknown> {
  const details: Record<string, unknown> = {
    event_id: event.id,
    gateway: event.sourceGateway,
    connection: webhook.connection,
    authenticated: event.authenticated,
    event_type: forLog(event.eventType),
  };
  const tell = (name: string, text: string | null): void => {
    if (text !== null) details[name] = forLog(text);
  };
  tell('generic_type', event.genericType);
  tell('amount', event.amount);
  tell('currency', event.currency);
  tell('amount_problem', event.amountProblem);
  tell('transaction_id', event.transactionID);
  tell('order_reference', event.orderReference.order_id);
  tell('object_type', event.primaryObjectType);
  tell('object_id', event.primaryObjectID);
  tell('object_status', event.status);
  tell('reason', event.reason);
  tell('occurred_at', event.occurredAt);
  tell('idempotency_key', event.idempotencyKey);
  details.gateway_ids = event.orderReference.gateway_ids.map(forLog);
  details.body_bytes = webhook.body_bytes;
  details.gateway_metadata = metadataOf(webhook.metadata);
  return details;
}

function metadataOf(metadata: WebhookFacts['metadata']): Record<string, unknown> {
  const told: Record<string, unknown> = {};
  for (const name of Object.keys(metadata)) {
    const value = metadata[name];
    if (typeof value === 'string') told[name] = forLog(value);
    else if (typeof value === 'number' || typeof value === 'boolean') told[name] = value;
  }
  return told;
}
