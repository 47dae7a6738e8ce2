import { waitFor } from '@order-automation/testing';
import { basil, invoicePayment, sinceBasil } from './basil';
import { charge, type FieldCase, first, intent, invoice, month, now } from './case';

/** An invoice of no subscription. */
const single = (id: number, name: string, more: object = {}) => ({
  ...invoice(id, name, 'manual'),
  subscription: null,
  subscription_details: null,
  metadata: { order_id: String(id) },
  ...more,
});
const today = { ...sinceBasil, parent: null };
const open = { status: 'open', amount_paid: 0 };

/** docs.stripe.com/invoicing/overview; "manual: Unrelated to a subscription or invoice item", docs.stripe.com/api/invoices/object (`billing_reason`) */
const withoutSubscription: readonly FieldCase[] = [
  ...Object.entries({ 'subscription: null': {}, 'parent: null': today }).map(
    ([shape, fields]): FieldCase => ({
      name: `an invoice without a subscription pays the order that it names (${shape})`,
      orders: first({ status: 'on-hold' }),
      happens: (world, id) => world.card('invoice.payment_succeeded', single(id, 'si', fields)),
      ends: (id) => ({ [id]: ['completed', 'PAID'] }),
    }),
  ),
  {
    // docs.stripe.com/changelog/basil/2025-05-28/partial-payments
    name: 'an invoice that is paid in two payments pays its order once, with the last',
    happens: async (world, id) => {
      for (const [at, amount_paid] of [2000, 2900].entries())
        await world.card('invoice_payment.paid', invoicePayment(id, 'sp', { id: `inpay_${at}_${id}`, amount_paid }));
      return world.card('invoice.payment_succeeded', single(id, 'sp', today));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'an invoice without a subscription that could not be paid is a payment that failed',
    happens: (world, id) => world.card('invoice.payment_failed', single(id, 'sf', open)),
    ends: (id) => ({ [id]: ['pending', 'FAILED'] }),
  },
  ...(['draft open canceled', 'canceled draft open'] as const).map(
    (steps): FieldCase => ({
      // "void: This invoice was a mistake, and must be canceled", docs.stripe.com/invoicing/overview; `payment_details`, docs.stripe.com/api/payment_intents/object
      name: `an invoice that is never paid leads the events of its payment to its order: ${steps}`,
      happens: async (world, id) => {
        const payment = { metadata: {}, payment_details: { order_reference: `in_sv_${id}` }, amount_received: 0 };
        const sends = {
          draft: () =>
            world.card('invoice.created', single(id, 'sv', { ...today, ...open, status: 'draft' }), now - 99),
          open: () => world.card('invoice.finalized', single(id, 'sv', { ...today, ...open }), now - 98),
          canceled: () => world.card('payment_intent.canceled', intent(id, `pi_sv_${id}`, payment), now),
        };
        for (const step of steps.split(' ')) await sends[step as keyof typeof sends]();
        await waitFor(async () => (await world.ending(id)).length > 1, {
          describe: 'the cancellation',
          timeout: 20_000,
        });
      },
      ends: (id) => ({ [id]: ['pending', 'CANCELLED'] }),
    }),
  ),
  {
    name: 'an invoice for a fee is nothing to the order, which is paid',
    happens: async (world, id) => {
      await world.card('payment_intent.succeeded', intent(id, `pi_fee_${id}`), now - 99);
      return world.card('invoice.payment_succeeded', single(id, 'sm', { amount_paid: 500, total: 500 }));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
];

/** What is due is less than the total by what the customer has as credit, or more by what is owed: docs.stripe.com/billing/customer/balance. */
const balances = (
  [
    ['credit pays a part of a first invoice', 'subscription_create', 4900, 3900, ['completed', 'PAID']],
    ['credit pays all of a first invoice', 'subscription_create', 4900, 0, ['completed', 'PAID']],
    ['a first invoice takes along what was owed from before', 'subscription_create', 4900, 4940, ['completed', 'PAID']],
    ['credit pays all of a month', 'subscription_cycle', 4900, 0, ['pending', 'RENEWAL']],
    ['a downgrade gives credit and pays nothing', 'subscription_update', -1200, 0, ['pending']],
  ] as const
).map(
  ([name, reason, total, due, ends]): FieldCase => ({
    name,
    happens: (world, id) => {
      const amounts = { total, amount_due: due, amount_paid: due, starting_balance: due - total, ending_balance: 0 };
      const paid = { ...invoice(id, 'cb', reason), ...amounts, ...(due === 0 && { payment_intent: null }) };
      return world.card('invoice.payment_succeeded', paid);
    },
    ends: (id) => ({ [id]: ends }),
    untold: ['amount_mismatch', 'amount_unreadable', 'event_waiting'],
  }),
);

/** Each payment of an invoice names the order, too; the invoice names none of them (docs.stripe.com/invoicing/partial-payments). */
const inParts = ['012', '102', '021', '201', '120', '210'].map(
  (order): FieldCase => ({
    name: `an invoice and its two payments, which all name the order, pay it once: ${order}`,
    happens: async (world, id) => {
      const part = (name: string, amount: number) =>
        intent(id, `pi_${name}_${id}`, {
          amount,
          amount_received: amount,
          payment_details: { order_reference: `in_ip_${id}` },
        });
      const sends = [
        () => world.card('payment_intent.succeeded', part('ip1', 2000), now - 50),
        () => world.card('payment_intent.succeeded', part('ip2', 2900), now - 20),
        () => world.card('invoice.paid', single(id, 'ip', today), now - 19),
      ];
      const entries = [];
      for (const at of `${order}${order}`) entries.push(...((await sends[Number(at)]?.()) ?? []));
      return entries;
    },
    ends: (id) => ({ [id]: ['completed', 'INVOICE', 'INVOICE', 'PAID'] }),
    untold: ['amount_mismatch'],
  }),
);

const monthOf = (id: number, name: string, reason: string, subscription?: string) =>
  basil(id, name, reason, { order_id: String(id) }, subscription);

/** Invoices name no payment any more (docs.stripe.com/changelog/basil), and an event may come twice ("Handle duplicate events", docs.stripe.com/webhooks). */
const alike: readonly FieldCase[] = [
  {
    name: 'the first invoices of two subscriptions of one price pay their order together',
    happens: async (world, id) => {
      const half = { amount_due: 2450, amount_paid: 2450, total: 2450 };
      for (const name of ['twa', 'twb']) {
        const paid = { ...monthOf(id, name, 'subscription_create', `sub_${name}_${id}`), ...half };
        await world.card('invoice.payment_succeeded', paid, now);
      }
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'each month that two events report counts once',
    happens: async (world, id) => {
      for (const [at, kind] of ['create', 'create', 'cycle', 'cycle', 'cycle', 'cycle'].entries()) {
        const name = `mt${Math.floor(at / 2)}`;
        await world.card('invoice.payment_succeeded', monthOf(id, name, `subscription_${kind}`), now - 9 + at);
      }
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL', 'RENEWAL'] }),
  },
];

const refused = (id: number, name: string, more: object = {}) =>
  intent(id, `pi_${name}_${id}`, { amount_received: 0, status: 'requires_payment_method', ...more });

/** A refusal of a card for an order that waits for no payment (github.com/woocommerce/woocommerce-gateway-stripe/issues/902), or for what is still to be paid. */
const failures: readonly FieldCase[] = [
  ...['completed', 'cancelled', 'refunded'].map(
    (status): FieldCase => ({
      name: `an attempt fails for an order that is ${status} and knows no payment: it waits for none`,
      orders: first({ status }),
      happens: (world, id) => world.card('payment_intent.payment_failed', refused(id, 'wn')),
      ends: (id) => ({ [id]: [status] }),
      told: ['other_payment'],
    }),
  ),
  {
    name: 'one of two cards is taken, the other refused: the order waits for that, and it failed',
    happens: async (world, id) => {
      await world.card('payment_intent.succeeded', intent(id, `pi_tc1_${id}`, { amount_received: 2000, amount: 2000 }));
      return world.card('payment_intent.payment_failed', refused(id, 'tc2', { amount: 2900 }));
    },
    ends: (id) => ({ [id]: ['pending', 'FAILED'] }),
  },
  {
    name: 'the order became dearer after it was paid, and the rest is refused',
    happens: async (world, id) => {
      await world.card('payment_intent.succeeded', intent(id, `pi_de1_${id}`), now - 90);
      await world.save(id, { total: '59.00', status: 'pending' });
      return world.card('payment_intent.payment_failed', refused(id, 'de2', { amount: 1000 }));
    },
    ends: (id) => ({ [id]: ['pending', 'FAILED', 'PAID'] }),
  },
  {
    name: 'given back in whole and to be paid again: the attempt that fails has failed',
    happens: async (world, id) => {
      await world.card('payment_intent.succeeded', intent(id, `pi_gb1_${id}`), now - 99);
      await world.card('charge.refunded', charge(id, 'gb1', 4900, { amount_refunded: 4900 }), now - 90);
      await world.save(id, { status: 'pending' });
      return world.card('payment_intent.payment_failed', refused(id, 'gb2'));
    },
    ends: (id) => ({ [id]: ['pending', 'FAILED', 'PAID', 'REFUND'] }),
  },
  {
    name: 'the refusal of an earlier card of a payment that the shop has',
    orders: (id) => {
      const meta_data = [{ key: '_stripe_intent_id', value: `pi_ec_${id}` }];
      return [{ id, status: 'completed', transaction_id: `ch_ec_${id}`, meta_data }];
    },
    happens: (world, id) =>
      world.card('payment_intent.payment_failed', refused(id, 'ec', { latest_charge: `ch_old_${id}` })),
    ends: (id) => ({ [id]: ['completed'] }),
  },
  {
    // docs.stripe.com/payments/payment-line-items
    name: 'the order stands in payment_details.order_reference',
    happens: (world, id) => {
      const details = { metadata: {}, payment_details: { order_reference: String(id) } };
      return world.card('payment_intent.succeeded', intent(id, `pi_or_${id}`, details));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
];

/** Invoices of all kinds, and attempts that fail, by card. */
export const invoiceCases: readonly FieldCase[] = [
  ...['first invoice second', 'invoice first second', 'second invoice first'].map(
    (order): FieldCase => ({
      // Metadata of the payment that the customer confirms: docs.stripe.com/billing/subscriptions/build-subscriptions, `default_incomplete`
      name: `basil: the payment alone names the order, its invoice the subscription, which renews: ${order}`,
      happens: async (world, id) => {
        const more = { payment_details: { order_reference: `in_nx0_${id}` } };
        const sends: Readonly<Record<string, () => Promise<unknown>>> = {
          first: () => world.card('payment_intent.succeeded', intent(id, `pi_nx0_${id}`, more), now - month),
          invoice: () => world.card('invoice.paid', basil(id, 'nx0', 'subscription_create'), now - month),
          second: () => world.card('invoice.paid', basil(id, 'nx1', 'subscription_cycle'), now),
        };
        for (const event of order.split(' ')) await sends[event]?.();
        await waitFor(async () => (await world.ending(id)).length > 4, { describe: 'the renewal' });
      },
      ends: (id) => ({ [id]: ['completed', 'INVOICE', 'INVOICE', 'PAID', 'RENEWAL'] }),
    }),
  ),
  ...['payment invoice', 'invoice payment'].map(
    (order): FieldCase => ({
      // "which can be different from the order in which they're created": docs.stripe.com/webhooks#event-ordering
      name: `basil: a month whose payment names an order of its own, and its invoice the subscription: ${order}`,
      orders: (id) => [{ id }, { id: id + 1 }],
      happens: async (world, id) => {
        const first = basil(id, 'ny0', 'subscription_create', { order_id: String(id) });
        const more = { payment_details: { order_reference: `in_ny1_${id}` } };
        await world.card('invoice.paid', first, now - month);
        const sends: Readonly<Record<string, () => Promise<unknown>>> = {
          payment: () => world.card('payment_intent.succeeded', intent(id + 1, `pi_ny1_${id}`, more), now),
          invoice: () => world.card('invoice.paid', basil(id, 'ny1', 'subscription_cycle'), now),
        };
        for (const event of order.split(' ')) await sends[event]?.();
      },
      ends: (id) => ({ [id]: ['completed', 'INVOICE', 'INVOICE', 'PAID', 'RENEWAL'], [id + 1]: ['completed', 'PAID'] }),
    }),
  ),
  ...withoutSubscription,
  ...balances,
  ...inParts,
  ...alike,
  ...failures,
];
