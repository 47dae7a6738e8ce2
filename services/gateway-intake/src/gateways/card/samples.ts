import type { SampleOrder, SampleWebhook } from '../adapter';
import { wholeUnits } from '../money';
import { filled, type Samples } from '../samples';
import { dottedName, kindOfEvent } from './events';
import { cardDecimals } from './object';
import samples from './samples.json';
import { cardSignatureHeader } from './signature';

const { objects, events }: Samples = samples;

/** A webhook as the card gateway sends it, about this order. `now` in milliseconds since the epoch. */
export function cardSample(
  eventType: string,
  order: SampleOrder,
  now: number,
  { secret, livemode }: { readonly secret: string; readonly livemode: boolean },
): SampleWebhook {
  const body = Buffer.from(JSON.stringify(cardEvent(eventType, order, now, livemode)));
  return { headers: { 'card-signature': [cardSignatureHeader(secret, body, now)] }, body, testProof: null };
}

/** The payload of an event: the gateway's envelope around an object with the fields that it has today. */
function cardEvent(eventType: string, order: SampleOrder, now: number, livemode: boolean) {
  const created = Math.floor(now / 1000);
  const object = kindOfEvent(eventType);
  // Objects that name no order have metadata, too.
  const fields = { ...(objects[object] ?? { id: `${object.slice(0, 4)}_sample`, metadata: {} }), ...events[eventType] };
  return {
    id: `evt_${order.transaction}_${eventType}`.slice(0, 100),
    object: 'event',
    api_version: '2025-09-30.clover',
    created,
    data: { object: { object, created, ...(filled(fields, valuesOf(order)) as object), livemode } },
    livemode,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: dottedName(eventType),
  };
}

/** What stands for the names in samples: the amount in minor units; ids of objects have one tail. */
function valuesOf(order: SampleOrder) {
  return {
    '{amount}': wholeUnits(order.total, cardDecimals(order.currency)),
    '{currency}': order.currency.toLowerCase(),
    '{order}': order.id,
    '{tail}': order.transaction.replace(/^[a-z]+_/, ''),
  };
}
