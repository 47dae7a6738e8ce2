import type { GenericType } from '@order-automation/contracts';
import { own, type Payload, scalarAt, withoutEmpty } from '../payload';
import { untrusted } from '../refusal';
import type { AdapterInput, GatewayAdapter, NormalizedEvent } from './adapter';
import { cardEventId, cardEvents, cardGenericType } from './card-events';
import { kindOf, moneyOf, orderReferenceOf, reasonOf, secondaryOf, subjectOf, transactionOf } from './card-object';
import { parseCardSignature, refuseCardSignature, signingKeys } from './card-signature';
import { keyOfBody, keyOfId } from './keys';

const gateway = 'gateway_card';
const inactive = 'No signing secret is configured (GATEWAY_CARD_SECRETS): every card webhook is refused.';
const noSecrets = untrusted('no_secret_configured', inactive);

export type CardOptions = {
  /** Signing secrets, newest first, each at least 16 characters. None: every webhook is refused. */
  readonly secrets: readonly string[];
};

/**
 * The card gateway (sections 5 and 6.1 of the specification, decisions.md section 6). Dotted original names are accepted.
 * Throws when a secret is too short.
 */
export function cardAdapter({ secrets }: CardOptions): GatewayAdapter {
  const keys = signingKeys(secrets);
  return {
    gateway,
    displayName: 'Card gateway',
    status: () => (keys.length > 0 ? { active: true } : { active: false, reason: inactive }),
    getSupportedEventTypes: () => Object.keys(cardEvents),
    canHandle: ({ payload }) => subjectOf(payload) !== undefined && eventIdOf(payload) !== undefined,
    validateAuthenticity: (input) => (keys.length === 0 ? noSecrets : (refuseCardSignature(input, keys) ?? true)),
    normalize: ({ payload }) => normalize(payload),
    computeIdempotencyKey: ({ connection, body, payload }) => {
      const id = scalarAt(payload, 'id');
      return id === undefined ? keyOfBody(gateway, connection, body) : keyOfId(gateway, id);
    },
    extractTransactionId: (payload) => {
      const subject = subjectOf(payload);
      return subject ? transactionOf(kindOf(eventIdOf(payload) ?? '', subject), subject) : null;
    },
    extractGatewaySpecificMetadata: metadataOf,
    mapEventType: cardGenericType,
  };
}

function eventIdOf(payload: Payload): string | undefined {
  const type = own(payload, 'type');
  return typeof type === 'string' && /^[A-Za-z0-9_.]{1,150}$/.test(type) ? cardEventId(type) : undefined;
}

function normalize(payload: Payload): NormalizedEvent[] {
  const eventId = eventIdOf(payload);
  const subject = subjectOf(payload);
  if (eventId === undefined || subject === undefined) return [];
  const kind = kindOf(eventId, subject);
  const secondary = secondaryOf(kind, subject);
  const money = moneyOf(eventId, kind, subject);
  return [
    {
      eventType: `payment.card.${eventId}`,
      genericType: meaningOf(eventId, subject),
      primaryObjectType: kind,
      primaryObjectID: scalarAt(subject, 'id') ?? null,
      secondaryObjectType: secondary.secondaryObjectType,
      secondaryObjectID: secondary.secondaryObjectID,
      transactionID: transactionOf(kind, subject),
      amount: money.amount,
      currency: money.currency,
      amountProblem: money.amountProblem,
      status: scalarAt(subject, 'status') ?? null,
      reason: reasonOf(subject),
      occurredAt: unixTime(own(payload, 'created')),
      orderReference: orderReferenceOf(kind, subject),
    },
  ];
}

/** The table's answer, made more exact by what the object says: a lost dispute, an uncaptured charge, an invoice that renews nothing. */
function meaningOf(eventId: string, subject: Payload): GenericType | null {
  const generic = cardGenericType(eventId);
  const status = scalarAt(subject, 'status');
  if (eventId === 'charge_dispute_closed') {
    return status === 'won' ? 'dispute_won' : status === 'lost' ? 'dispute_lost' : generic;
  }
  if (eventId === 'charge_succeeded' && own(subject, 'captured') === false) return 'payment_pending';
  const billing = scalarAt(subject, 'billing_reason');
  return billing !== undefined && notRenewals.has(billing) ? withoutRenewal(generic) : generic;
}

/** Billing reasons of invoices that are the first of their kind. */
const notRenewals = new Set(['subscription_create', 'manual', 'quote_accept']);

function withoutRenewal(generic: GenericType | null): GenericType | null {
  switch (generic) {
    case 'renewal_payment_completed':
      return 'payment_completed';
    case 'renewal_payment_failed':
      return 'payment_failed';
    case 'renewal_payment_pending':
      return 'payment_pending';
    default:
      return generic;
  }
}

const lastSecond = 253_402_300_799;

/** Seconds since the epoch as ISO 8601 UTC; null when it is no time up to the year 9999. */
function unixTime(value: unknown): string | null {
  const valid = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= lastSecond;
  return valid ? new Date(value * 1000).toISOString() : null;
}

function metadataOf({ payload, headers }: AdapterInput): Record<string, string | number | boolean> {
  const header = headers['card-signature']?.[0] ?? headers['stripe-signature']?.[0] ?? '';
  const livemode = own(payload, 'livemode');
  const metadata = {
    gateway_event_id: scalarAt(payload, 'id'),
    gateway_event_type: scalarAt(payload, 'type'),
    api_version: scalarAt(payload, 'api_version'),
    livemode: typeof livemode === 'boolean' ? livemode : undefined,
    signed_at: parseCardSignature(header)?.timestamp,
  };
  return withoutEmpty(metadata);
}
