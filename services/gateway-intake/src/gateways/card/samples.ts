import { parseDecimal } from '@order-automation/contracts';
import type { SampleOrder, SampleWebhook } from '../adapter';
import { dottedName, kindOfEvent } from './events';
import { cardDecimals } from './object';
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
function cardEvent(eventType: string, order: SampleOrder, now: number, livemode: boolean): Fields {
  const created = Math.floor(now / 1000);
  const kind = kindOfEvent(eventType);
  const object = (objects[kind] ?? withoutOrder)(sampleOf(eventType, order));
  return {
    id: `evt_${order.transaction}_${eventType}`.slice(0, 100),
    object: 'event',
    api_version: '2025-09-30.clover',
    created,
    data: {
      object: {
        ...{ object: kind, created, currency: order.currency.toLowerCase(), metadata: { order_id: order.id } },
        ...object,
        livemode,
      },
    },
    livemode,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type: dottedName(eventType),
  };
}

/** What an object is made from: amounts in minor units, and ids with one tail. */
type Sample = {
  readonly eventType: string;
  readonly order: SampleOrder;
  readonly amount: number;
  readonly intent: string;
  readonly charge: string;
  readonly tail: string;
};

function sampleOf(eventType: string, order: SampleOrder): Sample {
  const { units, scale } = parseDecimal(order.total) ?? { units: 0n, scale: 0 };
  const decimals = cardDecimals(order.currency);
  const minor = scale <= decimals ? units * 10n ** BigInt(decimals - scale) : units / 10n ** BigInt(scale - decimals);
  const tail = order.transaction.replace(/^[a-z]+_/, '');
  return { eventType, order, amount: Number(minor), intent: `pi_${tail}`, charge: `ch_${tail}`, tail };
}

const intentStatus: Record<string, string> = {
  payment_intent_created: 'requires_payment_method',
  payment_intent_succeeded: 'succeeded',
  payment_intent_payment_failed: 'requires_payment_method',
  payment_intent_canceled: 'canceled',
  payment_intent_requires_action: 'requires_action',
  payment_intent_processing: 'processing',
};
const subscriptionStatus: Record<string, string> = {
  customer_subscription_deleted: 'canceled',
  customer_subscription_paused: 'paused',
  customer_subscription_trial_will_end: 'trialing',
};

/** The fields of an object, by its kind, besides those that all have. */
const objects: Readonly<Record<string, (sample: Sample) => Fields>> = {
  payment_intent: ({ eventType, amount, intent, charge }) => {
    const succeeded = eventType === 'payment_intent_succeeded';
    const failure = { code: 'card_declined', decline_code: 'insufficient_funds', type: 'card_error' };
    return {
      id: intent,
      amount,
      amount_received: succeeded ? amount : 0,
      latest_charge: succeeded ? charge : null,
      payment_method_types: ['card'],
      cancellation_reason: eventType === 'payment_intent_canceled' ? 'abandoned' : null,
      last_payment_error: eventType === 'payment_intent_payment_failed' ? failure : null,
      status: intentStatus[eventType] ?? 'processing',
    };
  },
  charge: ({ eventType, amount, intent, charge }) => {
    const [failed, pending] = [eventType === 'charge_failed', eventType === 'charge_pending'];
    const refunded = eventType === 'charge_refunded';
    return {
      id: charge,
      amount,
      amount_captured: failed || pending ? 0 : amount,
      amount_refunded: refunded ? amount : 0,
      captured: !failed && !pending,
      failure_code: failed ? 'card_declined' : null,
      paid: !failed,
      payment_intent: intent,
      refunded,
      status: failed ? 'failed' : pending ? 'pending' : 'succeeded',
    };
  },
  dispute: ({ eventType, amount, intent, charge, tail }) => ({
    ...{ id: `dp_${tail}`, amount, charge, payment_intent: intent },
    reason: 'fraudulent',
    status: eventType === 'charge_dispute_closed' ? 'won' : 'needs_response',
  }),
  refund: ({ eventType, amount, intent, charge, tail }) => ({
    ...{ id: `re_${tail}`, amount, charge, payment_intent: intent },
    reason: 'requested_by_customer',
    failure_reason: eventType === 'refund_failed' ? 'expired_or_canceled_card' : null,
    status: eventType === 'refund_failed' ? 'failed' : 'succeeded',
  }),
  subscription: ({ eventType, tail }) => ({
    id: `sub_${tail}`,
    customer: `cus_${tail}`,
    latest_invoice: `in_${tail}`,
    status: subscriptionStatus[eventType] ?? 'active',
  }),
  invoice: ({ eventType, order, amount, intent, tail }) => {
    const paid = eventType === 'invoice_payment_succeeded';
    const payment = { type: 'payment_intent', payment_intent: intent };
    const payments = [{ object: 'invoice_payment', is_default: true, payment, status: paid ? 'paid' : 'open' }];
    const details = { metadata: { order_id: order.id }, subscription: `sub_${tail}` };
    return {
      id: `in_${tail}`,
      amount_due: amount,
      amount_paid: paid ? amount : 0,
      billing_reason: 'subscription_cycle',
      metadata: {},
      parent: { type: 'subscription_details', subscription_details: details },
      payments: { object: 'list', data: payments },
      status: paid ? 'paid' : eventType === 'invoice_voided' ? 'void' : 'open',
      total: amount,
    };
  },
  payout: (sample) => ({
    ...{ ...withoutOrder(sample), currency: sample.order.currency.toLowerCase() },
    ...{ amount: 100_000, status: sample.eventType.replace('payout_', '') },
  }),
  price: (sample) => ({
    ...{ ...withoutOrder(sample), currency: sample.order.currency.toLowerCase() },
    ...{ active: true, product: 'prod_sample', unit_amount: 4900 },
  }),
};

/** Objects that name no order; the metadata of these is not about an order of ours. */
function withoutOrder({ eventType }: Sample): Fields {
  return { id: `${kindOfEvent(eventType).slice(0, 4)}_sample`, currency: undefined, metadata: {} };
}
