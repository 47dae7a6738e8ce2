import { parseDecimal } from '@order-automation/contracts';
import type { SampleOrder, SampleWebhook } from '../adapter';
import { dottedName, kindOfEvent } from './events';
import { cardDecimals } from './minor-units';
import { cardSignatureHeader } from './signature';

type Fields = Record<string, unknown>;

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
export function cardEvent(eventType: string, order: SampleOrder, now: number, livemode = false): Fields {
  const created = Math.floor(now / 1000);
  return {
    id: `evt_${order.transaction}_${eventType}`.slice(0, 100),
    object: 'event',
    api_version: '2025-09-30.clover',
    created,
    data: { object: { ...objectOf(eventType, order, created), livemode } },
    livemode,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: dottedName(eventType),
  };
}

function objectOf(eventType: string, order: SampleOrder, created: number): Fields {
  const kind = kindOfEvent(eventType);
  const facts = { created, currency: order.currency.toLowerCase(), metadata: { order_id: order.id } };
  const amount = Number(minorUnits(order));
  const ids = idsOf(order);
  switch (kind) {
    case 'payment_intent':
      return paymentIntent(eventType, facts, amount, ids);
    case 'charge':
      return charge(eventType, facts, amount, ids);
    case 'dispute':
      return dispute(eventType, facts, amount, ids);
    case 'refund':
      return refund(eventType, facts, amount, ids);
    case 'subscription':
      return subscription(eventType, facts, ids);
    case 'invoice':
      return invoice(eventType, facts, amount, ids);
    default:
      return withoutOrder(kind, eventType, facts);
  }
}

function minorUnits({ total, currency }: SampleOrder): bigint {
  const { units, scale } = parseDecimal(total) ?? { units: 0n, scale: 0 };
  const decimals = cardDecimals(currency);
  return scale <= decimals ? units * 10n ** BigInt(decimals - scale) : units / 10n ** BigInt(scale - decimals);
}

type Ids = { readonly intent: string; readonly charge: string; readonly tail: string };

function idsOf({ transaction }: SampleOrder): Ids {
  const tail = transaction.replace(/^[a-z]+_/, '');
  return { intent: `pi_${tail}`, charge: `ch_${tail}`, tail };
}

const intentStatus: Record<string, string> = {
  payment_intent_created: 'requires_payment_method',
  payment_intent_succeeded: 'succeeded',
  payment_intent_payment_failed: 'requires_payment_method',
  payment_intent_canceled: 'canceled',
  payment_intent_requires_action: 'requires_action',
  payment_intent_processing: 'processing',
};

function paymentIntent(eventType: string, facts: Fields, amount: number, ids: Ids): Fields {
  const succeeded = eventType === 'payment_intent_succeeded';
  return {
    ...facts,
    id: ids.intent,
    object: 'payment_intent',
    amount,
    amount_received: succeeded ? amount : 0,
    latest_charge: succeeded ? ids.charge : null,
    payment_method_types: ['card'],
    cancellation_reason: eventType === 'payment_intent_canceled' ? 'abandoned' : null,
    last_payment_error:
      eventType === 'payment_intent_payment_failed'
        ? { code: 'card_declined', decline_code: 'insufficient_funds', type: 'card_error' }
        : null,
    status: intentStatus[eventType] ?? 'processing',
  };
}

function charge(eventType: string, facts: Fields, amount: number, ids: Ids): Fields {
  const failed = eventType === 'charge_failed';
  return {
    ...facts,
    id: ids.charge,
    object: 'charge',
    amount,
    amount_captured: failed || eventType === 'charge_pending' ? 0 : amount,
    amount_refunded: eventType === 'charge_refunded' ? amount : 0,
    captured: !failed && eventType !== 'charge_pending',
    failure_code: failed ? 'card_declined' : null,
    paid: !failed,
    payment_intent: ids.intent,
    refunded: eventType === 'charge_refunded',
    status: failed ? 'failed' : eventType === 'charge_pending' ? 'pending' : 'succeeded',
  };
}

function dispute(eventType: string, facts: Fields, amount: number, ids: Ids): Fields {
  return {
    ...facts,
    id: `dp_${ids.tail}`,
    object: 'dispute',
    amount,
    charge: ids.charge,
    payment_intent: ids.intent,
    reason: 'fraudulent',
    status: eventType === 'charge_dispute_closed' ? 'won' : 'needs_response',
  };
}

function refund(eventType: string, facts: Fields, amount: number, ids: Ids): Fields {
  const failed = eventType === 'refund_failed';
  return {
    ...facts,
    id: `re_${ids.tail}`,
    object: 'refund',
    amount,
    charge: ids.charge,
    payment_intent: ids.intent,
    reason: 'requested_by_customer',
    failure_reason: failed ? 'expired_or_canceled_card' : null,
    status: failed ? 'failed' : 'succeeded',
  };
}

const subscriptionStatus: Record<string, string> = {
  customer_subscription_deleted: 'canceled',
  customer_subscription_paused: 'paused',
  customer_subscription_trial_will_end: 'trialing',
};

function subscription(eventType: string, facts: Fields, ids: Ids): Fields {
  return {
    ...facts,
    id: `sub_${ids.tail}`,
    object: 'subscription',
    customer: `cus_${ids.tail}`,
    latest_invoice: `in_${ids.tail}`,
    status: subscriptionStatus[eventType] ?? 'active',
  };
}

function invoice(eventType: string, { metadata, ...facts }: Fields, amount: number, ids: Ids): Fields {
  const paid = eventType === 'invoice_payment_succeeded';
  return {
    ...facts,
    id: `in_${ids.tail}`,
    object: 'invoice',
    amount_due: amount,
    amount_paid: paid ? amount : 0,
    billing_reason: 'subscription_cycle',
    metadata: {},
    parent: {
      type: 'subscription_details',
      subscription_details: { metadata, subscription: `sub_${ids.tail}` },
    },
    payments: {
      object: 'list',
      data: [
        {
          object: 'invoice_payment',
          is_default: true,
          payment: { type: 'payment_intent', payment_intent: ids.intent },
          status: paid ? 'paid' : 'open',
        },
      ],
    },
    status: paid ? 'paid' : eventType === 'invoice_voided' ? 'void' : 'open',
    total: amount,
  };
}

/** Objects that name no order, with fields as the gateway sends them; the metadata of these is not about an order of ours. */
function withoutOrder(kind: string, eventType: string, { created, currency }: Fields): Fields {
  const id = `${kind.slice(0, 4)}_sample`;
  switch (kind) {
    case 'payout':
      return { id, object: kind, amount: 100_000, created, currency, status: eventType.replace('payout_', '') };
    case 'price':
      return { id, object: kind, active: true, created, currency, product: 'prod_sample', unit_amount: 4900 };
    default:
      return { id, object: kind, created, metadata: {} };
  }
}
