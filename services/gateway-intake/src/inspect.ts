import {
  newId,
  parserOf,
  type ReceivedWebhook,
  type UniversalEvent,
  universalEventSchema,
} from '@order-automation/contracts';
import type { AdapterInput, GatewayAdapter, NormalizedEvent, RawInput } from './adapters/adapter';
import { sha256 } from './adapters/keys';
import type { AdapterRouter } from './adapters/router';
import { limits, longestText, parsePayload } from './payload';
import { type Refusal, unreadable, untrusted } from './refusal';

/** What a webhook turned out to be: events to store, or a reason not to. */
export type Inspection = Accepted | { readonly kind: 'refused'; readonly refusal: Refusal };
export type Accepted = {
  readonly kind: 'accepted';
  readonly events: readonly UniversalEvent[];
  readonly metadata: Metadata;
  /** The body, every byte of it. */
  readonly text: string;
};
export type Metadata = Readonly<Record<string, string | number | boolean>>;

const unknownGateway = untrusted('unknown_gateway', 'There is no gateway of this name.');
const unknownConnection = untrusted('unknown_connection', 'There is no connection of this name.');
const notAuthentic = untrusted('not_authentic', 'The adapter did not believe the webhook.');
const adapterFailed = untrusted('adapter_failed', 'The adapter could not read the webhook.');
const emptyBody = unreadable('empty_body', 'The body is empty.');
const tooLarge = unreadable('too_large', `The body is larger than ${limits.bodyBytes} bytes.`);
const encoded = unreadable('content_encoding', 'A Content-Encoding is not accepted.');
const otherShape = unreadable('not_an_event', 'The payload is not an event of this gateway.');
const noEvent = unreadable('no_event', 'The payload holds no event.');
const badEvent = unreadable(
  'invalid_event',
  `A field of the event is not usable, for example longer than ${longestText} characters.`,
);

/** `now` in milliseconds since the epoch; `onFailure` is told what an adapter threw. */
export type InspectContext = { readonly now: number; readonly onFailure: (error: unknown) => void };

/**
 * Section 4.3 of the specification, steps 1 and 2: authenticity of the received bytes first, then the payload. Only the addressed adapter
 * is asked. Never throws.
 */
export function inspect(router: AdapterRouter, webhook: ReceivedWebhook, context: InspectContext): Inspection {
  const adapter = router.adapterFor(webhook.gateway);
  if (!adapter) return refused(unknownGateway);
  if (webhook.connection !== null) return refused(unknownConnection);
  const outOfLimits = refuseByLimits(webhook);
  if (outOfLimits) return refused(outOfLimits);
  try {
    return judge(adapter, webhook, context);
  } catch (error) {
    context.onFailure(error);
    return refused(adapterFailed);
  }
}

function refused(refusal: Refusal): Inspection {
  return { kind: 'refused', refusal };
}

/** decisions.md section 6, "Limits": what the edge found, and the same again for whoever did not come through it. */
function refuseByLimits({ refused: reason, headers, body }: ReceivedWebhook): Refusal | undefined {
  const encoding = headers['content-encoding'];
  if (reason === 'too_large' || body.length > limits.bodyBytes) return tooLarge;
  if (reason === 'content_encoding' || encoding?.some((value) => value.toLowerCase() !== 'identity')) return encoded;
  if (reason !== null)
    return untrusted('refused_by_edge', `Refused before it was read: ${reason.slice(0, longestText)}`);
  return body.length === 0 ? emptyBody : undefined;
}

function judge(adapter: GatewayAdapter, webhook: ReceivedWebhook, { now }: InspectContext): Inspection {
  const { connection, headers } = webhook;
  const raw: RawInput = { connection, headers, body: bufferOf(webhook.body), now };
  const authenticity = adapter.validateAuthenticity(raw);
  if (authenticity === false) return refused(notAuthentic);
  if (typeof authenticity === 'object') return refused(authenticity);
  const parsed = parsePayload(raw.body);
  if (parsed.refusal) return refused(parsed.refusal);
  const input: AdapterInput = { connection, headers, body: raw.body, now, payload: parsed.payload };
  if (!adapter.canHandle(input)) return refused(otherShape);
  const normalized = adapter.normalize(input);
  if (normalized.length === 0) return refused(noEvent);
  const origin = { gateway: adapter.gateway, webhook, authenticated: authenticity === true, now };
  const events = completed(normalized, boundedKey(adapter.computeIdempotencyKey(input)), origin);
  if (!events) return refused(badEvent);
  return { kind: 'accepted', events, metadata: adapter.extractGatewaySpecificMetadata(input), text: parsed.text };
}

type EventOrigin = {
  readonly gateway: string;
  readonly webhook: ReceivedWebhook;
  readonly authenticated: boolean;
  readonly now: number;
};

const eventParser = parserOf(universalEventSchema);

/** The events with what the intake knows about them; undefined when one breaks the contract. Further events of a webhook number their key. */
function completed(
  normalized: readonly NormalizedEvent[],
  key: string,
  origin: EventOrigin,
): UniversalEvent[] | undefined {
  const events: UniversalEvent[] = [];
  for (const [index, fields] of normalized.entries()) {
    const event = eventOf(fields, index === 0 ? key : `${key} ${index}`, origin);
    if (!eventParser.fits(event)) return undefined;
    events.push(event);
  }
  return events;
}

/** One literal: an object that is spread and then grows costs ten times as much, and this runs once for every webhook. */
function eventOf(fields: NormalizedEvent, idempotencyKey: string, origin: EventOrigin): UniversalEvent {
  return {
    id: newId('evt', origin.now),
    eventType: fields.eventType,
    genericType: fields.genericType,
    sourceGateway: origin.gateway,
    channel: 'webhook',
    primaryObjectType: fields.primaryObjectType,
    primaryObjectID: fields.primaryObjectID,
    secondaryObjectType: fields.secondaryObjectType,
    secondaryObjectID: fields.secondaryObjectID,
    transactionID: fields.transactionID,
    amount: fields.amount,
    currency: fields.currency,
    amountProblem: fields.amountProblem,
    status: fields.status,
    reason: fields.reason,
    occurredAt: fields.occurredAt,
    receivedAt: origin.webhook.received_at,
    idempotencyKey,
    authenticated: origin.authenticated,
    isTest: false,
    orderReference: fields.orderReference,
  };
}

function boundedKey(key: string): string {
  if (key === '') throw new Error('the adapter gave an empty idempotency key');
  return key.length <= 250 ? key : `#${sha256(key)}`;
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
