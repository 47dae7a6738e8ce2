import { waitFor } from '@order-automation/testing';
import { capture, charge, dispute, type FieldCase, first, intent, invoice, money, month, now, sale } from './case';
import type { World } from './world';

const minute = (at: number): Date => new Date((now - 3600 + 60 * at) * 1000);
const sent = (id: number, type: string, name: string, amount: string, at: number, more: object = {}) => ({
  ...{ type, order_id: id, transaction_id: `${name}${id}`, amount, currency: 'USD' },
  ...{ occurred_at: minute(at).toISOString(), ...more },
});

/** Events that wait for an order, and the order that the shop creates after them: any of them may find it first. */
const waiting = (name: string, happens: (world: World, id: number) => Promise<unknown>, ...endings: string[]) => ({
  name: `before there is an order: ${name}`,
  orders: () => [],
  happens: async (world: World, id: number) => {
    await happens(world, id);
    await world.save(id, { status: 'pending', currency: 'USD', total: '49.00', number: String(id) });
    const isEnd = async () => endings.includes((await world.ending(id)).join(' '));
    await waitFor(isEnd, { describe: `order ${id}: ${endings.join(', or ')}` });
  },
  ends: () => ({}),
});

/** docs.stripe.com/webhooks ("Event ordering"); many shops create the order after the customer returns (decisions.md section 3). */
const beforeOrders: readonly FieldCase[] = [
  waiting(
    'a dispute, and the payment of it: it ends on hold',
    async (world, id) => {
      const named = { ...dispute(id, 'wd'), metadata: { order_id: String(id) } };
      await world.card('charge.dispute.created', named, now - 10);
      await world.card('charge.succeeded', charge(id, 'wd', 4900), now - 30);
    },
    'on-hold DISPUTE',
    'on-hold DISPUTE PAID',
  ),
  waiting(
    'the last part of a payment, then the first',
    async (world, id) => {
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `WPB${id}`, '9.00', true), minute(2));
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `WPA${id}`, '40.00', false), minute(1));
    },
    'completed PAID',
  ),
  waiting(
    'the second month of a subscription, then the first',
    async (world, id) => {
      await world.wallet('PAYMENT.SALE.COMPLETED', 'sale', sale(id, `WSB${id}`, '49.00'), minute(9));
      await world.wallet('PAYMENT.SALE.COMPLETED', 'sale', sale(id, `WSA${id}`, '49.00'), minute(1));
    },
    'completed PAID RENEWAL',
  ),
];

/** What came later is reported first. */
const otherWayRound: readonly FieldCase[] = [
  {
    // SEPA: github.com/woocommerce/woocommerce-gateway-stripe/pull/1232
    name: 'card: a dispute is opened and lost before the payment of it is reported: the order stays on hold',
    happens: async (world, id) => {
      const named = (status: string) => ({ ...dispute(id, 'ow', status), metadata: { order_id: String(id) } });
      await world.card('charge.dispute.created', named('needs_response'), now - 60);
      await world.card('charge.dispute.closed', named('lost'), now - 30);
      return world.card('charge.succeeded', charge(id, 'ow', 4900), now - 90);
    },
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE', 'LOST'] }),
  },
  {
    // docs.stripe.com/billing/subscriptions/trials: the invoice of a trial is of 0 and names no payment
    name: 'card: the month after a trial, before the trial',
    orders: first({ total: '0.00' }),
    happens: async (world, id) => {
      await world.card('invoice.payment_succeeded', invoice(id, 'tr1', 'subscription_cycle'), now);
      const free = { ...invoice(id, 'tr0', 'subscription_create', 0), payment_intent: null };
      return world.card('invoice.payment_succeeded', free, now - month);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL'] }),
  },
  {
    name: 'wallet: three months, the second, the third, the first',
    happens: async (world, id) => {
      for (const at of [20, 30, 10])
        await world.wallet('PAYMENT.SALE.COMPLETED', 'sale', sale(id, `OM${at}${id}`, '49.00'), minute(at));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL', 'RENEWAL'] }),
  },
  {
    name: 'card: a month that was paid, then that its first try failed',
    happens: async (world, id) => {
      await world.card('invoice.payment_succeeded', invoice(id, 'of1', 'subscription_create'), now - month);
      await world.card('invoice.payment_succeeded', invoice(id, 'of2', 'subscription_cycle'), now);
      const failed = { ...invoice(id, 'of2', 'subscription_cycle'), status: 'open', amount_paid: 0 };
      return world.card('invoice.payment_failed', failed, now - 90);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL'] }),
  },
  {
    name: 'card: two refunds and the sums of them, the later ones first',
    orders: (id) => [{ id, status: 'completed', transaction_id: `ch_os_${id}` }],
    happens: async (world, id) => {
      for (const [name, amount, so_far, at] of [['b', 1500, 3500, 20] as const, ['a', 2000, 2000, 40] as const]) {
        const of = { charge: `ch_os_${id}`, payment_intent: `pi_os_${id}`, currency: 'usd', metadata: {} };
        const sum = charge(id, 'os', 4900, { amount_refunded: so_far, metadata: {} });
        await world.card('charge.refunded', sum, now - at);
        const refund = { id: `re_os${name}_${id}`, object: 'refund', amount, status: 'succeeded', ...of };
        await world.card('refund.created', refund, now - at);
      }
    },
    ends: (id) => ({ [id]: ['completed', 'REFUND', 'REFUND'] }),
  },
];

/** Orders whose total or payments change. */
const changing: readonly FieldCase[] = [
  {
    name: 'the order became dearer after it was paid, and the difference is paid',
    happens: async (world, id) => {
      await world.generic('plain', sent(id, 'payment_completed', 'CDA', '49.00', 1));
      await world.save(id, { status: 'pending', total: '59.00' });
      return world.generic('plain', sent(id, 'payment_completed', 'CDB', '10.00', 2));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'PAID'] }),
  },
  {
    name: 'card: the payment is reported before the shop has written a discount, its charge after that',
    orders: first({ total: '59.00' }),
    happens: async (world, id) => {
      await world.card('payment_intent.succeeded', intent(id, `pi_cw_${id}`), now - 60);
      await world.save(id, { total: '49.00' });
      return world.card('charge.succeeded', charge(id, 'cw', 4900), now - 60);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'a part is given back after the order was paid, and is paid again',
    orders: first({ total: '100.00' }),
    happens: async (world, id) => {
      await world.generic('plain', sent(id, 'payment_completed', 'CPA', '40.00', 1));
      await world.generic('plain', sent(id, 'payment_completed', 'CPB', '60.00', 2));
      await world.generic('plain', sent(id, 'payment_refunded', 'CPA', '40.00', 3, { refund_id: `cp${id}` }));
      await world.save(id, { status: 'pending' });
      return world.generic('plain', sent(id, 'payment_completed', 'CPC', '40.00', 4));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'PAID', 'REFUND'] }),
  },
  {
    name: 'wallet: two agreements pay one order together, and each renews',
    happens: async (world, id) => {
      for (const [name, total, at] of [['A', '20.00', 1] as const, ['B', '29.00', 2] as const])
        for (const cycle of [0, 20]) {
          const paid = { ...sale(id, `CA${name}${cycle}${id}`, total), billing_agreement_id: `I-${name}${id}` };
          await world.wallet('PAYMENT.SALE.COMPLETED', 'sale', paid, minute(at + cycle));
        }
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL', 'RENEWAL'] }),
  },
];

/** An order of its own for what is not the order's payment. */
const twoOrders: readonly FieldCase[] = [
  ...[false, true].map(
    (isIntentFirst): FieldCase => ({
      // docs.stripe.com/billing/subscriptions/prorations
      name: `card: an upgrade has an order of its own: the intent names it${isIntentFirst ? ', first' : ''}, the invoice the old one`,
      orders: (id) => [
        { id, status: 'completed', transaction_id: `pi_old_${id}` },
        { id: id + 1, total: '12.00' },
      ],
      happens: async (world, id) => {
        const own = {
          amount: 1200,
          amount_received: 1200,
          invoice: `in_up_${id}`,
          metadata: { order_id: `${id + 1}` },
        };
        const steps = [
          () => world.card('invoice.payment_succeeded', invoice(id, 'up', 'subscription_update', 1200), now),
          () => world.card('payment_intent.succeeded', intent(id, `pi_up_${id}`, own), now),
        ];
        for (const step of isIntentFirst ? steps.reverse() : steps) await step();
      },
      ends: (id) => ({ [id]: ['completed'], [id + 1]: ['completed', 'PAID'] }),
    }),
  ),
  {
    // github.com/conedevelopment/simplepay-gateway/issues/125
    name: 'a number with a suffix behind it, and the usual prefix before it',
    orders: (id) => [{ id }, { id: id + 1, number: `${id}/2026` }],
    happens: (world, id) =>
      world.generic('plain', sent(id, 'payment_completed', 'TS', '49.00', 1, { order_id: `wc-${id}/2026` })),
    ends: (id) => ({ [id]: ['pending'], [id + 1]: ['completed', 'PAID'] }),
  },
  {
    name: 'the number of an order looks like the id of another with an attempt behind it',
    orders: (id) => [{ id }, { id: id + 1, number: `${id}-20261120` }],
    happens: (world, id) =>
      world.generic('plain', sent(id, 'payment_completed', 'TN', '49.00', 1, { order_id: `${id}-20261120` })),
    ends: (id) => ({ [id]: ['pending'], [id + 1]: ['completed', 'PAID'] }),
  },
  {
    // A field of limited length: developer.paypal.com/docs/api/payments/v2 (`custom_id`)
    name: 'wallet: JSON that was cut off, beside the invoice',
    orders: first({ order_key: 'wc_order_abcdef' }),
    happens: (world, id) => {
      const custom_id = `{"order_id":${id},"order_key":"wc_order_abc`;
      const cut = { ...capture(id, `TC${id}`, '49.00', true), custom_id, invoice_id: `WC-${id}` };
      return world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', cut);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'wallet: a dispute of two payments, each of an order',
    orders: (id) => [0, 1].map((at) => ({ id: id + at, status: 'completed', transaction_id: `TD${at}${id}` })),
    happens: (world, id) =>
      world.wallet('CUSTOMER.DISPUTE.CREATED', 'dispute', {
        dispute_id: `PP-TD-${id}`,
        disputed_transactions: [0, 1].map((at) => ({ seller_transaction_id: `TD${at}${id}` })),
        dispute_amount: money('98.00'),
        status: 'OPEN',
      }),
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE'], [id + 1]: ['on-hold', 'DISPUTE'] }),
  },
];

export const arrivalCases: readonly FieldCase[] = [...beforeOrders, ...otherWayRound, ...changing, ...twoOrders];
