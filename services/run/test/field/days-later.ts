import { charge, type FieldCase, intent, invoice, now, session } from './case';
import type { Ending, World } from './world';

type Steps = Readonly<Record<string, (world: World, id: number) => Promise<unknown>>>;

const day = 24 * 3600;
const unnamed = { metadata: {} };
const ofSession = (id: number, more: object = {}) => session(id, { payment_status: 'paid', mode: 'payment', ...more });
const ofIntent = (id: number, status: string, received: number) =>
  intent(id, `pi_cs_${id}`, { ...unnamed, status, amount_received: received });
const ofCharge = (id: number, status: string, captured = true) =>
  charge(id, 'cs', 4900, { ...unnamed, status, captured, amount_captured: captured ? 4900 : 0 });

/** docs.stripe.com/payments/checkout/fulfill-orders, docs.stripe.com/payments/sepa-debit ("payment_intent.processing"); the checkout alone names the order */
const begun: Steps = {
  unpaid: (world, id) =>
    world.card('checkout.session.completed', ofSession(id, { payment_status: 'unpaid' }), now - 5 * day),
  processing: (world, id) => world.card('payment_intent.processing', ofIntent(id, 'processing', 0), now - 5 * day),
};
const debit: Steps = {
  ...begun,
  pending: (world, id) => world.card('charge.pending', ofCharge(id, 'pending'), now - 5 * day),
  charge: (world, id) => world.card('charge.succeeded', ofCharge(id, 'succeeded'), now - 20),
  intent: (world, id) => world.card('payment_intent.succeeded', ofIntent(id, 'succeeded', 4900), now - 20),
  paid: (world, id) => world.card('checkout.session.async_payment_succeeded', ofSession(id), now - 19),
};
const bounced: Steps = {
  ...begun,
  charge: (world, id) => world.card('charge.failed', ofCharge(id, 'failed', false), now - 20),
  intent: (world, id) =>
    world.card('payment_intent.payment_failed', ofIntent(id, 'requires_payment_method', 0), now - 20),
  failed: (world, id) =>
    world.card('checkout.session.async_payment_failed', ofSession(id, { payment_status: 'unpaid' }), now - 19),
};

/** docs.stripe.com/changelog/basil/2025-03-31/add-support-for-multiple-partial-payments-on-invoices: what pays an invoice stands in an event of its own */
const firstMonth: Steps = {
  checkout: (world, id) => {
    const more = { mode: 'subscription', payment_intent: null, subscription: `sub_${id}`, invoice: `in_f_${id}` };
    return world.card('checkout.session.completed', ofSession(id, more), now - 50);
  },
  invoice: (world, id) => {
    const parent = { subscription_details: { subscription: `sub_${id}`, metadata: {} } };
    const { subscription, payment_intent, subscription_details, ...rest } = invoice(id, 'f', 'subscription_create');
    return world.card('invoice.paid', { ...rest, parent }, now - 51);
  },
  pays: (world, id) => {
    const payment = { type: 'payment_intent', payment_intent: `pi_f_${id}` };
    const paid = { amount_paid: 4900, currency: 'usd', status: 'paid', payment };
    const object = { id: `inpay_${id}`, object: 'invoice_payment', invoice: `in_f_${id}`, ...paid };
    return world.card('invoice_payment.paid', object, now - 51);
  },
  intent: (world, id) => world.card('payment_intent.succeeded', intent(id, `pi_f_${id}`, unnamed), now - 51),
};

/** docs.stripe.com/payments/multicapture: each capture says how much has been captured so far */
const captures: Steps = {
  first: (world, id) =>
    world.card('charge.captured', charge(id, 'm', 4900, { amount_captured: 2000, captured: false }), now - 90),
  last: (world, id) => world.card('charge.captured', charge(id, 'm', 4900), now - 50),
  intent: (world, id) => world.card('payment_intent.succeeded', intent(id, `pi_m_${id}`), now - 50),
};

const inOrders = (name: string, steps: Steps, ends: Ending, ...orders: readonly string[]): readonly FieldCase[] =>
  orders.map((order) => ({
    name: `card: ${name}: ${order}`,
    happens: async (world, id) => {
      for (const step of order.split(' ')) await steps[step]?.(world, id);
    },
    ends: (id) => ({ [id]: ends }),
  }));

/** Payments that take days, and what several events say of one, in the orders in which they may arrive. */
export const daysLaterCases: readonly FieldCase[] = [
  ...inOrders(
    'a debit that comes days later',
    debit,
    ['completed', 'ASYNC', 'PAID'],
    'unpaid processing pending charge intent paid',
    'unpaid paid intent charge pending processing',
    'paid processing charge unpaid intent pending',
  ),
  ...inOrders(
    'a debit that bounces days later',
    bounced,
    ['pending', 'FAILED'],
    'unpaid processing charge intent failed',
    'processing unpaid failed intent charge',
  ),
  ...inOrders(
    'the first month of a subscription whose checkout alone names the order',
    firstMonth,
    ['completed', 'INVOICE', 'PAID'],
    'checkout invoice pays intent',
    'checkout intent pays invoice',
    'checkout pays invoice intent',
  ),
  ...inOrders(
    'two captures',
    captures,
    ['completed', 'PAID'],
    'first last intent',
    'intent last first',
    'last intent first',
  ),
  {
    // docs.stripe.com/payments/bank-transfers/accept-a-payment ("Handling underpayments and overpayments"), docs.stripe.com/payments/boleto
    name: 'card: a voucher expires, a bank transfer comes in two parts',
    happens: async (world, id) => {
      const open = (transaction: string, status: string) => intent(id, transaction, { status, amount_received: 0 });
      await world.card('payment_intent.requires_action', open(`pi_b_${id}`, 'requires_action'), now - 9 * day);
      await world.card('payment_intent.payment_failed', open(`pi_b_${id}`, 'requires_payment_method'), now - 5 * day);
      await world.card('payment_intent.partially_funded', open(`pi_t_${id}`, 'requires_action'), now - 2 * day);
      return world.card('payment_intent.succeeded', intent(id, `pi_t_${id}`));
    },
    ends: (id) => ({ [id]: ['completed', 'FAILED', 'PAID'] }),
  },
];
