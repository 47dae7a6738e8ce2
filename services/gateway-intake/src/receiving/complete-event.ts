import { newId, type ReceivedWebhook, type UniversalEvent, universalEventSchema } from '@order-automation/contracts';
import { z } from 'zod';
import { type AdapterEvent, type GatewayAdapter, genericTypeOf, type NormalizedEvent } from '../gateways/adapter';
import type { Reading } from '../gateways/connection';
import { decimalMoney } from '../gateways/money';
import { longestText, type Payload } from '../gateways/payload';
import { formatRefusal, type Refusal } from '../gateways/refusal';

/** What intake knows about the events of a webhook. */
export type EventOrigin = {
  readonly adapter: Pick<GatewayAdapter, 'mapEventType' | 'extractTransactionId'>;
  readonly payload: Payload;
  readonly gateway: string;
  readonly channel: string;
  readonly webhook: ReceivedWebhook;
  readonly authenticated: boolean;
  readonly isTest: boolean;
  /** How the sender's references to orders are read; undefined: as by default. */
  readonly reading?: Reading | undefined;
  readonly now: number;
};

const eventSchema = z.compile(universalEventSchema);

/** The events with what the intake knows about them; a refusal when one breaks the contract. Further events of a webhook number their key. */
export function completeEvents(
  normalized: readonly AdapterEvent[],
  key: string,
  origin: EventOrigin,
): UniversalEvent[] | Refusal {
  const events: UniversalEvent[] = [];
  for (const [index, fields] of normalized.entries()) {
    const whole = isWhole(fields) ? fields : withDefaults(fields, origin);
    const read = eventSchema.safeParse(eventOf(whole, index === 0 ? key : `${key} ${index}`, origin));
    if (!read.success) return refusalOf(read.error);
    events.push(read.data);
  }
  return events;
}

function refusalOf({ issues }: z.ZodError): Refusal {
  const field = issues[0]?.path.join('.') || 'one of its fields';
  return formatRefusal(
    'invalid_event',
    `A field of the event is not usable, for example longer than ${longestText} characters: ${field}.`,
  );
}

/** Every field is there, as the adapters that are built in have it; an amount is text. */
function isWhole(fields: AdapterEvent): fields is NormalizedEvent {
  const { orderReference, amount, amountProblem, genericType } = fields;
  if (typeof amount === 'number') return false;
  return orderReference?.gateway_ids !== undefined && amountProblem !== undefined && genericType !== undefined;
}

/** An adapter of somebody else needs the fields of specification 2.6 alone. */
function withDefaults(fields: AdapterEvent, { adapter, payload }: EventOrigin): NormalizedEvent {
  const { amount: _amount, sourceGateway: _gateway, rawData: _raw, orderReference, ...others } = fields;
  const money =
    (fields.amountProblem ?? null) === null
      ? decimalMoney(fields.amount, fields.currency)
      : { amount: null, currency: fields.currency ?? null, amountProblem: fields.amountProblem ?? null };
  const type = fields.primaryObjectType ?? 'event';
  const id = textOf(fields.primaryObjectID);
  const transaction = textOf(
    fields.transactionID === undefined ? adapter.extractTransactionId(payload) : fields.transactionID,
  );
  return {
    genericType: genericTypeOf(adapter, fields.eventType),
    secondaryObjectType: null,
    secondaryObjectID: null,
    status: null,
    reason: null,
    occurredAt: null,
    ...others,
    orderReference: {
      gateway_ids: transaction === null ? [] : [transaction],
      order_id: type === 'order' ? id : null,
      transaction_id: transaction,
      ...orderReference,
    },
    primaryObjectType: type,
    primaryObjectID: id,
    transactionID: transaction,
    ...money,
  };
}

/** Ids that are numbers are as good as their text; anything else is left for the contract to refuse. */
const textOf = (id: unknown): string | null =>
  typeof id === 'number' ? String(id) : ((id as string | undefined) ?? null);

/** A time of more than a day ahead is that of a wrong clock, or of something planned: every later event would be stale. */
const notAhead = (time: string | null, now: number) => (Date.parse(time ?? '') > now + 86_400_000 ? null : time);

function eventOf(fields: NormalizedEvent, idempotencyKey: string, origin: EventOrigin): UniversalEvent {
  const { gateway: sourceGateway, channel, webhook, authenticated, isTest, reading, now } = origin;
  return {
    ...fields,
    id: newId('evt', now),
    sourceGateway,
    channel,
    occurredAt: notAhead(fields.occurredAt, now),
    receivedAt: webhook.received_at,
    idempotencyKey,
    authenticated,
    isTest,
    orderReference: reading ? { ...fields.orderReference, reading } : fields.orderReference,
  };
}
