import type { Said, Webhook } from './plan';
import { type About, type Billed, type Disputed, type Paid, type Refunded, seconds, type Voice } from './voice';

/**
 * The card gateway as its documentation describes it: docs.stripe.com/api/events/types, docs.stripe.com/api/payment_intents/object,
 * docs.stripe.com/checkout/fulfillment ("Fulfill orders": a session may be completed and unpaid), docs.stripe.com/payments/place-a-hold-on-a-payment-method
 * (a cancelled hold sends `charge.refunded` of a charge with `captured: false`), docs.stripe.com/billing/subscriptions/webhooks.
 */
type Fields = Record<string, unknown>;

const tailOf = (transaction: string): string => transaction.slice(3);

function eventOf(
  about: About,
  name: string,
  at: number,
  object: Fields,
  says: readonly Said[],
  before?: Fields,
): Webhook {
  const { id } = about.order;
  const body = {
    id: `evt_${id}_${about.next()}`,
    object: 'event',
    api_version: '2025-09-30.clover',
    created: seconds(at),
    data: { object, ...(before && { previous_attributes: before }) },
    livemode: true,
    type: name,
  };
  return { gateway: 'gateway_card', connection: null, name, at, form: false, body: JSON.stringify(body), says };
}

const metadataOf = ({ order, claims, isNamed }: About): Fields =>
  isNamed ? { order_id: order.reference, ...claims } : {};

function saysPaid({ order }: About, { transaction, amount }: Paid): Said[] {
  return [{ kind: 'payment', transaction, amount, currency: order.currency }];
}

function intent(about: About, { transaction, amount }: Paid, status: string): Fields {
  const isPaid = status === 'succeeded';
  return {
    id: transaction,
    object: 'payment_intent',
    amount,
    amount_received: isPaid ? amount : 0,
    currency: about.order.currency.toLowerCase(),
    latest_charge: `ch_${tailOf(transaction)}`,
    metadata: metadataOf(about),
    status,
  };
}

function charge(about: About, { transaction, amount }: Paid, captured: boolean, over: Fields = {}): Fields {
  return {
    id: `ch_${tailOf(transaction)}`,
    object: 'charge',
    amount,
    amount_captured: captured ? amount : 0,
    amount_refunded: 0,
    captured,
    currency: about.order.currency.toLowerCase(),
    metadata: metadataOf(about),
    payment_intent: transaction,
    status: 'succeeded',
    ...over,
  };
}

function session(about: About, { transaction, amount }: Paid, payment_status: string): Fields {
  return {
    id: `cs_${tailOf(transaction)}`,
    object: 'checkout.session',
    amount_total: amount,
    client_reference_id: about.order.reference,
    currency: about.order.currency.toLowerCase(),
    metadata: about.claims,
    mode: 'payment',
    payment_intent: transaction,
    payment_status,
    status: 'complete',
  };
}

function paid(about: About, payment: Paid): Webhook[] {
  const { at } = payment;
  const says = saysPaid(about, payment);
  const succeeded = eventOf(about, 'payment_intent.succeeded', at + 2_000, intent(about, payment, 'succeeded'), says);
  const charged = eventOf(about, 'charge.succeeded', at + 1_000, charge(about, payment, true), says);
  const created = eventOf(
    about,
    'payment_intent.created',
    at - 600_000,
    intent(about, payment, 'requires_payment_method'),
    [],
  );
  const completed = eventOf(about, 'checkout.session.completed', at + 3_000, session(about, payment, 'paid'), says);
  return about.dice.pick([[succeeded], [charged, succeeded], [created, charged, succeeded, completed], [completed]]);
}

function captured(about: About, payment: Paid): Webhook[] {
  const { at } = payment;
  const says = saysPaid(about, payment);
  return [
    eventOf(about, 'charge.succeeded', at, charge(about, payment, false), []),
    eventOf(about, 'charge.captured', at + 60_000, charge(about, payment, true), says),
    eventOf(about, 'payment_intent.succeeded', at + 61_000, intent(about, payment, 'succeeded'), says),
  ];
}

function released(about: About, payment: Paid): Webhook[] {
  const { at, amount } = payment;
  const back = { amount_refunded: amount, refunded: true };
  return [
    eventOf(about, 'charge.succeeded', at, charge(about, payment, false), []),
    eventOf(about, 'payment_intent.canceled', at + 60_000, intent(about, payment, 'canceled'), []),
    eventOf(about, 'charge.refunded', at + 60_000, charge(about, payment, false, back), []),
  ];
}

function refundObject(about: About, { refund, transaction, amount }: Refunded, status: string): Fields {
  const id = `re_${refund}`;
  const ids = { charge: `ch_${tailOf(transaction)}`, payment_intent: transaction };
  const currency = about.order.currency.toLowerCase();
  return { id, object: 'refund', amount, currency, ...ids, metadata: metadataOf(about), status };
}

/** Accounts send `charge.refunded`, `refund.created`, or both. */
function refunded(about: About, refunds: readonly Refunded[]): Webhook[] {
  const [first] = refunds;
  const kinds = about.dice.pick(['sum', 'each', 'both']);
  const paidAmount = about.order.total;
  return refunds.flatMap((one) => {
    const says: Said[] = [{ kind: 'refund', refund: one.refund, transaction: one.transaction }];
    const sum = charge(about, { ...one, amount: paidAmount }, true, { amount_refunded: one.soFar });
    const each = eventOf(about, 'refund.created', one.at, refundObject(about, one, 'succeeded'), says);
    const before = { amount_refunded: one.soFar - one.amount };
    const whole = eventOf(about, 'charge.refunded', one.at + 1_000, sum, says, before);
    return first === undefined || kinds === 'both' ? [each, whole] : kinds === 'sum' ? [whole] : [each];
  });
}

function disputeObject(about: About, { dispute, transaction, amount }: Disputed, status: string): Fields {
  const ids = { charge: `ch_${tailOf(transaction)}`, payment_intent: transaction };
  const currency = about.order.currency.toLowerCase();
  return { id: `dp_${dispute}`, object: 'dispute', amount, currency, ...ids, metadata: metadataOf(about), status };
}

function invoice(about: About, billed: Billed, billing_reason: string, isPaid: boolean): Fields {
  const { order, claims } = about;
  const { transaction, amount, subscription } = billed;
  const reference = { order_id: order.reference, ...claims };
  const payment = { type: 'payment_intent', payment_intent: transaction };
  return {
    id: `in_${tailOf(transaction)}`,
    object: 'invoice',
    amount_due: amount,
    amount_paid: isPaid ? amount : 0,
    billing_reason,
    currency: order.currency.toLowerCase(),
    metadata: {},
    parent: { type: 'subscription_details', subscription_details: { metadata: reference, subscription } },
    // A trial's invoice of nothing has no payment.
    payments: amount === 0 ? { data: [] } : { data: [{ is_default: true, payment, status: isPaid ? 'paid' : 'open' }] },
    status: isPaid ? 'paid' : 'open',
    total: amount,
  };
}

function invoicePaid(about: About, billed: Billed, reason: string, billing: 'first' | 'renewal' | 'other'): Webhook[] {
  const { at, transaction, amount, subscription } = billed;
  const object = invoice(about, billed, reason, true);
  const { currency } = about.order;
  const says: Said[] = [{ kind: 'payment', transaction, amount, currency, subscription, billing }];
  return [
    eventOf(about, 'invoice.payment_succeeded', at, object, says),
    eventOf(about, 'invoice.paid', at + 1_000, object, [...says, { kind: 'named' }]),
  ];
}

function subscriptionObject(about: About, { subscription }: Billed, status: string): Fields {
  const { order, claims } = about;
  return { id: subscription, object: 'subscription', metadata: { order_id: order.reference, ...claims }, status };
}

export const card: Voice = {
  newTransaction: ({ order, next }) => `pi_${order.id}x${next()}`,
  paid,
  paidInPart: (about, payment) => {
    const says = saysPaid(about, payment);
    return [
      eventOf(about, 'charge.succeeded', payment.at, charge(about, payment, true), says),
      eventOf(about, 'payment_intent.succeeded', payment.at + 1_000, intent(about, payment, 'succeeded'), says),
    ];
  },
  failed: (about, payment) => {
    const says: Said[] = [{ kind: 'failure', transaction: payment.transaction }];
    const object = intent(about, payment, 'requires_payment_method');
    return [
      eventOf(about, 'charge.failed', payment.at, charge(about, payment, false, { status: 'failed' }), says),
      eventOf(about, 'payment_intent.payment_failed', payment.at + 1_000, object, says),
    ];
  },
  refunded,
  released,
  captured,
  refundFailed: (about, refund) => {
    const says: Said[] = [{ kind: 'refund', refund: refund.refund, transaction: refund.transaction }];
    return [
      eventOf(about, 'refund.created', refund.at, refundObject(about, refund, 'pending'), says),
      eventOf(about, 'refund.failed', refund.at + 600_000, refundObject(about, refund, 'failed'), []),
    ];
  },
  paidLater: (about, payment) => [
    eventOf(about, 'checkout.session.completed', payment.at, session(about, payment, 'unpaid'), []),
    eventOf(
      about,
      'checkout.session.async_payment_succeeded',
      payment.at + 4 * 86_400_000,
      session(about, payment, 'paid'),
      saysPaid(about, payment),
    ),
  ],
  disputed: (about, dispute) => {
    const says: Said[] = [{ kind: 'dispute', dispute: dispute.dispute, transaction: dispute.transaction }];
    const object = disputeObject(about, dispute, 'needs_response');
    return [
      eventOf(about, 'charge.dispute.created', dispute.at, object, says),
      eventOf(about, 'charge.dispute.funds_withdrawn', dispute.at + 1_000, object, []),
    ];
  },
  disputeEnded: (about, dispute, how) => {
    const status = { WON: 'won', LOST: 'lost', RESOLVED: 'warning_closed' }[how];
    const object = disputeObject(about, dispute, status);
    const says: Said[] = [{ kind: 'dispute_end', dispute: dispute.dispute, how }];
    return [eventOf(about, 'charge.dispute.closed', dispute.at, object, says)];
  },
  subscribed: (about, billed, trialDays) => {
    const object = subscriptionObject(about, billed, trialDays > 0 ? 'trialing' : 'active');
    return [eventOf(about, 'customer.subscription.created', billed.at, object, [])];
  },
  billed: (about, billed, isFirst) =>
    isFirst
      ? invoicePaid(about, billed, 'subscription_create', 'first')
      : invoicePaid(about, billed, 'subscription_cycle', 'renewal'),
  billingFailed: (about, billed) => [
    eventOf(about, 'invoice.payment_failed', billed.at, invoice(about, billed, 'subscription_cycle', false), []),
  ],
  upgraded: (about, billed) => [
    eventOf(about, 'customer.subscription.updated', billed.at, subscriptionObject(about, billed, 'active'), []),
    ...invoicePaid(about, billed, about.dice.pick(['subscription_update', 'subscription_update', 'manual']), 'other'),
  ],
  unsubscribed: (about, billed) => {
    const object = subscriptionObject(about, billed, 'canceled');
    return [eventOf(about, 'customer.subscription.deleted', billed.at, object, [{ kind: 'cancellation' }])];
  },
  aside: (about, at) => {
    const [name, object] = about.dice.pick<readonly [string, Fields]>([
      [
        'payout.paid',
        { id: `po_${about.order.id}`, object: 'payout', amount: 100_000, currency: 'usd', status: 'paid' },
      ],
      [
        'product.created',
        { id: `prod_${about.order.id}`, object: 'product', metadata: { order_id: about.order.reference } },
      ],
      ['setup_intent.succeeded', { id: `seti_${about.order.id}`, object: 'setup_intent', metadata: {} }],
    ]);
    return [eventOf(about, name, at, object, [])];
  },
};
