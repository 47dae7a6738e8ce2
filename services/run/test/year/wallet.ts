import { decimalText, type Minor, type Said, type Webhook } from './plan';
import type { About, Billed, Disputed, Paid, Refunded, Voice } from './voice';

/**
 * The wallet's JSON webhooks as its documentation describes them: developer.paypal.com/api/rest/webhooks/event-names,
 * developer.paypal.com/docs/subscriptions/webhooks ("Subscriptions webhooks"), developer.paypal.com/docs/api/payments/v2 (captures, `final_capture`;
 * a refund's link `up` leads to its capture), developer.paypal.com/api/customer-disputes/v1/definitions/dispute_outcome.
 */
type Fields = Record<string, unknown>;
type Event = { readonly name: string; readonly type: string; readonly at: number; readonly resource: Fields };

function eventOf(about: About, { name, type, at, resource }: Event, says: readonly Said[]): Webhook {
  const body = {
    id: `WH-${about.order.id}-${about.next()}`,
    event_version: '1.0',
    create_time: new Date(at).toISOString(),
    resource_type: type,
    event_type: name,
    resource,
  };
  return { gateway: 'gateway_wallet', connection: null, name, at, form: false, body: JSON.stringify(body), says };
}

const value = ({ order }: About, amount: Minor): Fields => ({
  currency_code: order.currency,
  value: decimalText(amount, order.currency),
});

/** The shop writes the order into `custom_id`, alone or as JSON with its key, and its number behind a prefix into `invoice_id`. */
function namesOf({ order, claims, isNamed }: About): Fields {
  if (!isNamed) return {};
  const isPlain = /^\d+$/.test(order.reference) && Object.keys(claims).length === 0;
  if (isPlain) return { custom_id: order.reference, invoice_id: `WC-${order.number}` };
  if (Object.keys(claims).length > 0) return { custom_id: JSON.stringify({ order_id: order.reference, ...claims }) };
  return { invoice_id: order.reference };
}

function saysPaid({ order }: About, { transaction, amount }: Paid): Said[] {
  return [{ kind: 'payment', transaction, amount, currency: order.currency }];
}

function capture(about: About, { transaction, amount }: Paid, status: string, final_capture = true): Fields {
  const related_ids = { order_id: `O-${about.order.id}` };
  return {
    id: transaction,
    status,
    amount: value(about, amount),
    final_capture,
    supplementary_data: { related_ids },
    ...namesOf(about),
  };
}

function captured(about: About, payment: Paid, isLast = true): Webhook {
  const resource = capture(about, payment, 'COMPLETED', isLast);
  return eventOf(
    about,
    { name: 'PAYMENT.CAPTURE.COMPLETED', type: 'capture', at: payment.at, resource },
    saysPaid(about, payment),
  );
}

function paid(about: About, payment: Paid): Webhook[] {
  const { at } = payment;
  const unit = { amount: value(about, payment.amount), ...namesOf(about) };
  const approved = { id: `O-${about.order.id}`, status: 'APPROVED', purchase_units: [unit] };
  const pending = capture(about, payment, 'PENDING');
  const before = [
    eventOf(about, { name: 'CHECKOUT.ORDER.APPROVED', type: 'checkout-order', at: at - 2_000, resource: approved }, []),
    eventOf(about, { name: 'PAYMENT.CAPTURE.PENDING', type: 'capture', at: at - 1_000, resource: pending }, []),
  ];
  return [...before.filter(() => about.dice.chance(0.5)), captured(about, payment)];
}

function refunded(about: About, refunds: readonly Refunded[]): Webhook[] {
  return refunds.map((one) => {
    const resource = {
      id: one.refund,
      status: 'COMPLETED',
      amount: value(about, one.amount),
      links: [{ rel: 'up', method: 'GET', href: `https://api.wallet.example/v2/payments/captures/${one.transaction}` }],
      ...namesOf(about),
    };
    const says: Said[] = [{ kind: 'refund', refund: one.refund, transaction: one.transaction }];
    return eventOf(about, { name: 'PAYMENT.CAPTURE.REFUNDED', type: 'refund', at: one.at, resource }, says);
  });
}

function authorization(about: About, { transaction, amount }: Paid, status: string): Fields {
  return { id: `A${transaction}`, status, amount: value(about, amount), ...namesOf(about) };
}

function disputeResource(about: About, { dispute, transaction, amount }: Disputed, over: Fields): Fields {
  const custom = about.isNamed && /^\d+$/.test(about.order.reference) ? { custom: about.order.reference } : {};
  const number = about.isNamed && !custom.custom ? { invoice_number: about.order.reference } : {};
  return {
    dispute_id: `PP-D-${dispute}`,
    disputed_transactions: [{ seller_transaction_id: transaction, ...custom, ...number }],
    dispute_amount: value(about, amount),
    ...over,
  };
}

const outcomes = {
  WON: ['RESOLVED_SELLER_FAVOUR'],
  LOST: ['RESOLVED_BUYER_FAVOUR'],
  RESOLVED: ['CANCELED_BY_BUYER', 'RESOLVED_WITH_PAYOUT', 'ACCEPTED', 'DENIED', 'NONE'],
} as const;

function subscriptionEvent(
  about: About,
  name: string,
  { subscription, at, amount }: Billed,
  says: readonly Said[],
): Webhook {
  const { order } = about;
  const custom_id = order.reference;
  // What was paid last is history: it may be of any amount.
  const billing_info = { last_payment: { amount: value(about, amount + 100), time: new Date(at).toISOString() } };
  const resource = { id: subscription, status: name.replace(/^.*\./, ''), custom_id, billing_info };
  return eventOf(about, { name, type: 'subscription', at, resource }, says);
}

function sale(about: About, { transaction, amount, subscription, at }: Billed): Webhook {
  const { currency, reference } = about.order;
  const resource = {
    id: transaction,
    state: 'completed',
    amount: { total: decimalText(amount, currency), currency },
    billing_agreement_id: subscription,
    custom: reference,
  };
  const says: Said[] = [{ kind: 'payment', transaction, amount, currency, subscription }];
  return eventOf(about, { name: 'PAYMENT.SALE.COMPLETED', type: 'sale', at, resource }, says);
}

export const wallet: Voice = {
  newTransaction: ({ order, next }) => `${order.id}T${next()}`,
  paid,
  paidInPart: (about, payment, isLast) => [captured(about, payment, isLast)],
  failed: (about, payment) => {
    const event = { name: 'PAYMENT.CAPTURE.DENIED', type: 'capture', at: payment.at };
    const says: Said[] = [{ kind: 'failure', transaction: payment.transaction }];
    return [eventOf(about, { ...event, resource: capture(about, payment, 'DECLINED') }, says)];
  },
  refunded,
  released: (about, payment) => {
    const event = (name: string, status: string, at: number) =>
      eventOf(about, { name, type: 'authorization', at, resource: authorization(about, payment, status) }, []);
    return [
      event('PAYMENT.AUTHORIZATION.CREATED', 'CREATED', payment.at),
      event('PAYMENT.AUTHORIZATION.VOIDED', 'VOIDED', payment.at + 60_000),
    ];
  },
  captured: (about, payment) => {
    const resource = authorization(about, payment, 'CREATED');
    const created = { name: 'PAYMENT.AUTHORIZATION.CREATED', type: 'authorization', at: payment.at - 60_000, resource };
    return [eventOf(about, created, []), captured(about, payment)];
  },
  disputed: (about, dispute) => {
    const resource = disputeResource(about, dispute, { status: 'OPEN', reason: 'UNAUTHORISED' });
    const says: Said[] = [{ kind: 'dispute', dispute: dispute.dispute, transaction: dispute.transaction }];
    return [eventOf(about, { name: 'CUSTOMER.DISPUTE.CREATED', type: 'dispute', at: dispute.at, resource }, says)];
  },
  disputeEnded: (about, dispute, how) => {
    const outcome_code = about.dice.pick<string>(outcomes[how]);
    const dispute_outcome = { outcome_code, amount_refunded: value(about, 0) };
    const resource = disputeResource(about, dispute, { status: 'RESOLVED', dispute_outcome });
    const says: Said[] = [{ kind: 'dispute_end', dispute: dispute.dispute, how }];
    return [eventOf(about, { name: 'CUSTOMER.DISPUTE.RESOLVED', type: 'dispute', at: dispute.at, resource }, says)];
  },
  subscribed: (about, billed) => [
    subscriptionEvent(about, 'BILLING.SUBSCRIPTION.CREATED', billed, []),
    subscriptionEvent(about, 'BILLING.SUBSCRIPTION.ACTIVATED', { ...billed, at: billed.at + 1_000 }, []),
  ],
  billed: (about, billed) => [sale(about, billed)],
  billingFailed: (about, billed) => [subscriptionEvent(about, 'BILLING.SUBSCRIPTION.PAYMENT.FAILED', billed, [])],
  upgraded: (about, billed) => [subscriptionEvent(about, 'BILLING.SUBSCRIPTION.UPDATED', billed, [])],
  unsubscribed: (about, billed) => [
    subscriptionEvent(about, 'BILLING.SUBSCRIPTION.CANCELLED', billed, [{ kind: 'cancellation' }]),
  ],
  aside: (about, at) => {
    const [name, type] = about.dice.pick<readonly [string, string]>([
      ['VAULT.PAYMENT-TOKEN.CREATED', 'payment_token'],
      ['CATALOG.PRODUCT.CREATED', 'product'],
      ['BILLING.PLAN.CREATED', 'plan'],
      ['MERCHANT.ONBOARDING.COMPLETED', 'merchant-onboarding'],
    ]);
    return [eventOf(about, { name, type, at, resource: { id: `X-${about.order.id}-${about.next()}` } }, [])];
  },
};
