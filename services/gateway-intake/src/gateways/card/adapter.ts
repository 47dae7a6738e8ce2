import { cardEventId, cardEvents } from '@order-automation/contracts';
import type { AdapterInput, GatewayAdapter, NormalizedEvent } from '../adapter';
import { type LiveSecret, liveSecrets } from '../connection';
import { keyOfBody, keyOfId } from '../idempotency-keys';
import { own, type Payload, scalarAt, withoutEmpty } from '../payload';
import { formatRefusal, type Refusal } from '../refusal';
import { cardGenericType } from './events';
import { billingOf, meaningOf } from './meaning';
import {
  inMoney,
  isOfRefundsAlone,
  kindOf,
  moneyOf,
  orderReferenceOf,
  reasonOf,
  refundedBefore,
  releasedOf,
  secondaryOf,
  subjectOf,
  subscriptionOf,
  transactionOf,
  unexpandedInvoiceOf,
} from './object';
import { cardSample } from './samples';
import { noSecret, parseCardSignature, shortestSecret, verifyCardSignature } from './signature';

export const cardGateway = 'gateway_card';

export type CardOptions = {
  /** Signing secrets as they are now, newest first, each at least 16 characters. None: every webhook is refused. */
  readonly secrets: () => readonly LiveSecret[];
  /** `live`: events of the gateway's test mode are refused. */
  readonly mode: 'live' | 'any';
};

/** The card gateway (sections 5 and 6.1 of the specification, decisions.md section 6). Dotted names are accepted. Throws when a secret is too short. */
export function cardAdapter({ secrets, mode }: CardOptions): GatewayAdapter<NormalizedEvent> {
  if (secrets().some(({ value }) => value.length < shortestSecret))
    throw new Error(`A signing secret must have at least ${shortestSecret} characters`);
  const livemode = mode === 'live';
  return {
    gateway: cardGateway,
    displayName: 'Card gateway',
    description: 'Stripe, and gateways that sign as it does: payments, refunds, disputes, subscriptions and invoices',
    capabilities: ['signature', 'secret_rotation', 'subscriptions', 'refunds', 'disputes', 'test_events'],
    status: (now) =>
      liveSecrets(secrets(), now).length > 0 ? { active: true } : { active: false, reason: noSecret.text },
    getSupportedEventTypes: () => Object.keys(cardEvents),
    eventTypes: cardEvents,
    validateAuthenticity: (input, context) => verifyCardSignature(input, secrets(), context),
    canHandle: ({ payload }) =>
      eventIdOf(payload) !== undefined && (subjectOf(payload) !== undefined || isThin(payload)),
    objection: ({ payload }) => objectionOf(payload, mode),
    normalize: ({ payload }) => normalize(payload),
    computeIdempotencyKey: ({ connection, body, payload }) => {
      const id = scalarAt(payload, 'id');
      return id === undefined ? keyOfBody(cardGateway, connection, body) : keyOfId(cardGateway, id);
    },
    extractTransactionId: (payload) => {
      const subject = subjectOf(payload);
      return subject ? transactionOf(kindOf(eventIdOf(payload) ?? '', subject), subject) : null;
    },
    extractGatewaySpecificMetadata: metadataOf,
    mapEventType: cardGenericType,
    sample: (eventType, order, now) => {
      const [secret] = liveSecrets(secrets(), now);
      return secret && cardSample(eventType, order, now, { secret: secret.value, livemode });
    },
    draft: (eventType, order, now) => cardSample(eventType, order, now, { secret: 'no secret', livemode }),
  };
}

function eventIdOf(payload: Payload): string | undefined {
  const type = own(payload, 'type');
  return typeof type === 'string' && /^[A-Za-z0-9_.[\]]{1,150}$/.test(type) ? cardEventId(type) : undefined;
}

/** An event that only says that something happened, and to which object: its `data`, if there is any, is no object (docs.stripe.com/api/v2/core/events/object). */
function isThin(payload: Payload): boolean {
  const isBare = own(payload, 'data') === undefined || own(payload, 'object') === 'v2.core.event';
  return subjectOf(payload) === undefined && scalarAt(payload, 'id') !== undefined && isBare;
}

const thin = formatRefusal(
  'thin_event',
  'The event holds an id and a type without the object. Set the payload style of the gateway’s event destination to “snapshot”, so that it sends whole events.',
);
const testMode = formatRefusal(
  'test_mode',
  'The event is from the gateway’s test mode and this installation takes live events alone (GATEWAY_CARD_MODE).',
);

function objectionOf(payload: Payload, mode: CardOptions['mode']): Refusal | undefined {
  if (mode === 'live' && own(payload, 'livemode') === false) return testMode;
  return isThin(payload) ? thin : undefined;
}

function normalize(payload: Payload): NormalizedEvent[] {
  const eventId = eventIdOf(payload);
  const subject = subjectOf(payload) ?? (isThin(payload) ? {} : undefined);
  if (eventId === undefined || subject === undefined) return [];
  const kind = kindOf(eventId, subject);
  const subscriptionID = kind === 'subscription' ? scalarAt(subject, 'id') : subscriptionOf(subject);
  const billing = billingOf(subject);
  const invoiceID = billing === undefined ? unexpandedInvoiceOf(kind, subject) : undefined;
  const units = releasedOf(eventId, payload, subject);
  const before = refundedBefore(eventId, payload, subject, units);
  const released = isCapture(eventId) && units > 0 ? inMoney(units, subject) : undefined;
  return [
    {
      eventType: `payment.card.${eventId}`,
      genericType: meaningOf(eventId, subject, units),
      primaryObjectType: kind,
      primaryObjectID: scalarAt(subject, 'id') ?? null,
      ...secondaryOf(kind, subject),
      transactionID: transactionOf(kind, subject),
      ...moneyOf(eventId, kind, subject, units),
      status: scalarAt(subject, 'status') ?? null,
      reason: reasonOf(subject),
      occurredAt: unixTime(own(payload, 'created')),
      orderReference: orderReferenceOf(kind, subject),
      ...(subscriptionID !== undefined && { subscriptionID }),
      ...(billing && { billing }),
      ...(invoiceID !== undefined && { invoiceID }),
      ...(released !== undefined && { isFinalCapture: true, released }),
      ...(eventId === 'refund_created' && isOfRefundsAlone(payload) && { released: '0' }),
      ...(before !== undefined && { refundedBefore: before }),
    },
  ];
}

const isCapture = (eventId: string): boolean => /^(?:charge_captured|payment_intent_succeeded)$/.test(eventId);

const lastSecond = 253_402_300_799;

/** Seconds since the epoch as ISO 8601 UTC; null when it is no time up to the year 9999. */
function unixTime(value: unknown): string | null {
  const valid = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= lastSecond;
  return valid ? new Date(value * 1000).toISOString() : null;
}

function metadataOf({ payload, headers }: AdapterInput): Record<string, string | number | boolean> {
  const header = headers['card-signature']?.[0] ?? headers['stripe-signature']?.[0] ?? '';
  const livemode = own(payload, 'livemode');
  return withoutEmpty({
    gateway_event_id: scalarAt(payload, 'id'),
    gateway_event_type: scalarAt(payload, 'type'),
    api_version: scalarAt(payload, 'api_version'),
    livemode: typeof livemode === 'boolean' ? livemode : undefined,
    signed_at: parseCardSignature(header)?.timestamp,
  });
}
