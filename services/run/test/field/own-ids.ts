import { waitFor } from '@order-automation/testing';
import { basil, invoicePayment } from './basil';
import { charge, dispute, type FieldCase, first, intent, invoice, month, now, session } from './case';
import type { World } from './world';

/**
 * Where a business says nothing, the gateway writes an id of its own into `payment_details.order_reference`: of the invoice
 * (github.com/woocommerce/woocommerce-gateway-stripe, WC_Stripe_REST_Response_Filter_Test), the checkout or the product.
 */
const nameless = (id: number, name: string, order_reference: string, more: object = {}) =>
  intent(id, `pi_${name}_${id}`, {
    metadata: {},
    payment_details: { customer_reference: null, order_reference },
    ...more,
  });
const unpaid = { amount_received: 0, status: 'requires_payment_method' };
const paidMonth = (world: World, id: number, name: string, reason: string, at: number) =>
  world.card('invoice.payment_succeeded', basil(id, name, reason, { order_id: String(id) }), at);

/** A payment that is known by its invoice or its checkout ends at once: it waits for no order that the shop has long had. */
const byInvoice: readonly FieldCase[] = [
  {
    name: 'basil: a month as its invoice, its intent and its charge report it',
    happens: async (world, id) => {
      await paidMonth(world, id, 'oa', 'subscription_create', now - month);
      await paidMonth(world, id, 'ob', 'subscription_cycle', now - 9);
      await world.card('payment_intent.succeeded', nameless(id, 'ob', `in_ob_${id}`), now - 9);
      return world.card('charge.succeeded', charge(id, 'ob', 4900, { metadata: {} }), now - 9);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL'] }),
    told: ['payment_repeated'],
    untold: ['event_waiting'],
  },
  {
    name: 'basil: a month whose intent and charge name the order, too',
    happens: async (world, id) => {
      for (const [name, reason, at] of [
        ['na', 'subscription_create', now - month],
        ['nb', 'subscription_cycle', now - 9],
      ] as const) {
        await paidMonth(world, id, name, reason, at);
        const metadata = { order_id: String(id) };
        await world.card('payment_intent.succeeded', nameless(id, name, `in_${name}_${id}`, { metadata }), at);
        await world.card('charge.succeeded', charge(id, name, 4900), at);
      }
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL'] }),
  },
  {
    name: 'basil: a dispute of a month whose intent alone names the invoice',
    happens: async (world, id) => {
      await paidMonth(world, id, 'da', 'subscription_create', now - month);
      await paidMonth(world, id, 'db', 'subscription_cycle', now - 9);
      await world.card('payment_intent.succeeded', nameless(id, 'db', `in_db_${id}`), now - 9);
      return world.card('charge.dispute.created', dispute(id, 'db'), now);
    },
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE', 'PAID', 'RENEWAL'] }),
  },
  {
    name: 'basil: a month that could not be paid fails once, whatever its intent reports',
    happens: async (world, id) => {
      await paidMonth(world, id, 'fa', 'subscription_create', now - month);
      const open = {
        ...basil(id, 'fb', 'subscription_cycle', { order_id: String(id) }),
        amount_paid: 0,
        status: 'open',
      };
      await world.card('invoice.payment_failed', open, now - 9);
      return world.card('payment_intent.payment_failed', nameless(id, 'fb', `in_fb_${id}`, unpaid), now - 9);
    },
    ends: (id) => ({ [id]: ['completed', 'NOT RENEWED', 'PAID'] }),
    told: ['payment_repeated'],
  },
  {
    name: 'the charge of an upgrade is nothing to its order',
    happens: async (world, id) => {
      await paidMonth(world, id, 'ua', 'subscription_create', now - month);
      await world.card('invoice.payment_succeeded', invoice(id, 'ub', 'subscription_update', 900), now - 9);
      const of = { metadata: {}, invoice: `in_ub_${id}` };
      return world.card('charge.succeeded', charge(id, 'ub', 900, of), now - 9);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
    told: ['payment_repeated'],
    untold: ['event_waiting', 'late_payment'],
  },
  {
    name: 'a dispute of a month, before the event that names its invoice, before that invoice',
    happens: async (world, id) => {
      await paidMonth(world, id, 'wa', 'subscription_create', now - month);
      await world.card('charge.dispute.created', dispute(id, 'wb'), now);
      await world.card('invoice_payment.paid', invoicePayment(id, 'wb'), now - 9);
      await paidMonth(world, id, 'wb', 'subscription_cycle', now - 9);
      await waitFor(async () => (await world.ending(id)).includes('DISPUTE'), { describe: `a dispute of order ${id}` });
    },
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE', 'PAID', 'RENEWAL'] }),
  },
];

/** docs.stripe.com/payments/checkout/fulfill-orders#delayed-notification: a session that completes unpaid names the payment that comes days later. */
const byCheckout: readonly FieldCase[] = [
  {
    name: 'the payment of a checkout that was not paid yet names no more than itself',
    orders: first({ status: 'on-hold' }),
    happens: async (world, id) => {
      await world.card('checkout.session.completed', session(id, { payment_status: 'unpaid' }), now - 99);
      return world.card('payment_intent.succeeded', nameless(id, 'cs', `cs_${id}`), now);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'the payment of a checkout that was not paid yet fails',
    happens: async (world, id) => {
      await world.card('checkout.session.completed', session(id, { payment_status: 'unpaid' }), now - 99);
      return world.card('payment_intent.payment_failed', nameless(id, 'cs', `cs_${id}`, unpaid), now);
    },
    ends: (id) => ({ [id]: ['pending', 'FAILED'] }),
  },
  {
    name: 'a renewal does not take the place of the checkout, which names no payment',
    happens: async (world, id) => {
      const of = { mode: 'subscription', payment_status: 'paid', payment_intent: null, subscription: `sub_${id}` };
      await world.card('checkout.session.completed', session(id, of), now - month);
      await world.card('invoice.payment_succeeded', invoice(id, 'rc', 'subscription_cycle'), now - 9);
      return world.card('invoice.payment_succeeded', invoice(id, 'rf', 'subscription_create'), now - month);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL'] }),
  },
];

/** "manual: Unrelated to a subscription", docs.stripe.com/api/invoices/object (`billing_reason`); docs.stripe.com/quotes/create: a quote may be paid once, too. */
const reasons: readonly FieldCase[] = ['quote_accept', 'automatic_pending_invoice_item_invoice'].map((reason) => ({
  name: `an invoice without a subscription pays its order (${reason})`,
  happens: (world, id) => {
    const alone = { subscription: null, subscription_details: null, metadata: { order_id: String(id) } };
    return world.card('invoice.payment_succeeded', { ...invoice(id, 'qa', reason), ...alone });
  },
  ends: (id) => ({ [id]: ['completed', 'PAID'] }),
}));

/** docs.stripe.com/connect/destination-charges: "the charge ID on the connected account's charge", which `source_transfer` leads back from. */
const passedOn: FieldCase = {
  name: 'what a platform passes on to an account pays no order and waits for none',
  happens: (world, id) =>
    world.card('payment.created', {
      ...charge(id, 'po', 4900),
      id: `py_${id}`,
      metadata: {},
      source_transfer: `tr_${id}`,
    }),
  ends: (id) => ({ [id]: ['pending'] }),
  untold: ['event_waiting'],
};

export const ownIdCases: readonly FieldCase[] = [...byInvoice, ...byCheckout, ...reasons, passedOn];
