import { isUtf8 } from 'node:buffer';
import { isoTime, type ReceivedWebhook, type UniversalEvent } from '@order-automation/contracts';
import { firstDelay, type InboxEvent, type InboxState, type Metadata, type PayloadDocument } from './documents';

/** Headers that are kept with an accepted webhook; what is not named here may be a secret. */
const keptHeaders: ReadonlySet<string> = new Set([
  'content-type',
  'user-agent',
  'x-request-id',
  'traceparent',
  'webhook-id',
  'webhook-timestamp',
  'wallet-transmission-id',
  'wallet-transmission-time',
  'wallet-cert-id',
  'x-wc-webhook-topic',
  'x-wc-webhook-delivery-id',
]);

export type Accepted = {
  readonly events: readonly UniversalEvent[];
  readonly metadata: Metadata;
  /** Nothing proves it, for now or ever: the total that its bytes count for. */
  readonly quotaTotal?: string | null;
};

/**
 * A webhook's events as they are stored; of a refused one the body is not. `now` in milliseconds since the epoch. No spreads: this runs once for
 * every webhook.
 */
export function inboxEvents(
  webhook: ReceivedWebhook,
  { events, metadata, quotaTotal = null }: Accepted,
  state: InboxState,
  now: number,
): InboxEvent[] {
  const received = {
    connection: webhook.connection,
    headers: headersOf(webhook),
    body_bytes: webhook.body.length,
    metadata,
  };
  const { traceparent } = webhook;
  const stored = traceparent === undefined ? received : { ...received, traceparent };
  return events.map((event, index) => {
    const document: InboxEvent = {
      _id: event.id,
      key: event.idempotencyKey,
      state,
      endpoint: endpointOf(webhook),
      gateway: webhook.gateway,
      event_type: event.eventType,
      process_id: webhook.process_id,
      event,
      webhook: stored,
      ...(index === 0 && state !== 'refused' ? storedBody(webhook.body) : {}),
      ...(index === 0 && quotaTotal !== null ? { quota_bytes: webhook.body.length, quota_total: quotaTotal } : {}),
      ...(state === 'accepted' || state === 'verifying' ? { due_at: isoTime(now + firstDelay) } : {}),
      attempts: 0,
    };
    return document;
  });
}

/** `gateway_card`, `generic`, `generic/erp`. */
export function endpointOf({ gateway, connection }: Pick<ReceivedWebhook, 'gateway' | 'connection'>): string {
  return connection === null ? gateway : `${gateway}/${connection}`;
}

function storedBody(body: Uint8Array): Pick<PayloadDocument, 'body' | 'body_encoding'> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return isUtf8(bytes) ? { body: bytes.toString('utf8') } : { body: bytes.toString('base64'), body_encoding: 'base64' };
}

/** The received bytes. */
export function bodyBytes({
  body = '',
  body_encoding = undefined,
}: Pick<PayloadDocument, 'body' | 'body_encoding'>): Buffer {
  return Buffer.from(body, body_encoding ?? 'utf8');
}

function headersOf({ headers }: ReceivedWebhook): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = keptHeaders.has(name) ? headers[name]?.[0] : undefined;
    if (value !== undefined) kept[name] = value.slice(0, 500);
  }
  return kept;
}
