import type { Entry } from '../products';
import { basil, invoicePayment } from './basil';
import { capture, charge, dispute, type FieldCase, intent, invoice, money, month, now, sale, session } from './case';

/** A subscription whose order stands in its first event alone. */
const first = (id: number, more: object = {}) =>
  session(id, {
    mode: 'subscription',
    payment_status: 'paid',
    payment_intent: null,
    subscription: `sub_${id}`,
    ...more,
  });
const nameless = (id: number, name: string, reason: string, more: object = {}) => ({
  ...invoice(id, name, reason),
  subscription_details: { metadata: {} },
  ...more,
});
const ended = (id: number) => ({ id: `sub_${id}`, object: 'subscription', status: 'canceled', metadata: {} });

/** https://exchangetuts.com/stripe-subscription-webhooks-missing-metadata-and-client-reference-id-1765550403435030 */
const byCard: readonly FieldCase[] = [
  {
    name: 'a subscription whose checkout alone names the order: its months, and its end',
    happens: async (world, id) => {
      await world.card('checkout.session.completed', first(id), now - month);
      await world.card('invoice.payment_succeeded', nameless(id, 'm1', 'subscription_create'), now - month);
      await world.card('invoice.payment_succeeded', nameless(id, 'm2', 'subscription_cycle'), now - 9);
      await world.card('charge.succeeded', charge(id, 'm2', 4900, { metadata: {}, invoice: `in_m2_${id}` }), now - 9);
      return world.card('customer.subscription.deleted', ended(id), now);
    },
    ends: (id) => ({ [id]: ['completed', 'ENDED', 'PAID', 'RENEWAL'] }),
  },
  {
    name: 'a trial whose checkout alone names the order: the first month that fails',
    orders: (id) => [{ id, total: '0.00' }],
    happens: async (world, id) => {
      const free = { payment_status: 'no_payment_required', amount_total: 0 };
      await world.card('checkout.session.completed', first(id, free), now - month);
      const unpaid = { amount_paid: 0, status: 'open' };
      return world.card('invoice.payment_failed', nameless(id, 't1', 'subscription_cycle', unpaid), now);
    },
    ends: (id) => ({ [id]: ['pending', 'NOT RENEWED'] }),
  },
  {
    name: 'basil: a dispute of the second month, whose invoice names no payment',
    happens: async (world, id) => {
      const metadata = { order_id: String(id) };
      await world.card('invoice.payment_succeeded', basil(id, 'b1', 'subscription_create', metadata), now - month);
      await world.card('invoice_payment.paid', invoicePayment(id, 'b1'), now - month);
      await world.card('invoice.payment_succeeded', basil(id, 'b2', 'subscription_cycle', metadata), now - 9);
      await world.card('invoice_payment.paid', invoicePayment(id, 'b2'), now - 9);
      return world.card('charge.dispute.created', dispute(id, 'b2'), now);
    },
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE', 'PAID', 'RENEWAL'] }),
  },
  {
    name: 'basil: the charge of a month that is known by its invoice is no second payment of the order',
    happens: async (world, id) => {
      const metadata = { order_id: String(id) };
      await world.card('invoice.payment_succeeded', basil(id, 'c1', 'subscription_create', metadata), now - month);
      await world.card('invoice.payment_succeeded', basil(id, 'c2', 'subscription_cycle', metadata), now - 9);
      await world.card('invoice_payment.paid', invoicePayment(id, 'c2'), now - 9);
      return world.card('charge.succeeded', charge(id, 'c2', 4900, { metadata: {} }), now - 9);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL'] }),
    told: ['payment_repeated'],
    untold: ['event_waiting'],
  },
  {
    name: 'an upgrade that is given back',
    happens: async (world, id) => {
      await world.card('checkout.session.completed', first(id), now - month);
      await world.card('invoice.payment_succeeded', nameless(id, 'up', 'subscription_update'), now - 9);
      const refunded = { metadata: {}, amount_refunded: 4900, refunded: true };
      return world.card('charge.refunded', charge(id, 'up', 4900, refunded), now);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'REFUND'] }),
  },
  {
    // https://docs.stripe.com/changelog/2014-11-20/invoice-items-reflect-subscription-metadata
    name: 'an invoice of years ago has the metadata of its subscription in its lines',
    happens: async (world, id) => {
      const lines = {
        data: [
          { type: 'invoiceitem', metadata: {} },
          { type: 'subscription', metadata: { order_id: id } },
        ],
      };
      const old = { billing_reason: undefined, payment_intent: undefined, lines };
      await world.card(
        'invoice.payment_succeeded',
        nameless(id, 'o1', '', { ...old, charge: `ch_o1_${id}` }),
        now - month,
      );
      return world.card('invoice.payment_succeeded', nameless(id, 'o2', '', { ...old, charge: `ch_o2_${id}` }), now);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL'] }),
  },
];

const agreement = (id: number, state: string) => ({ id: `I-AG${id}`, state, plan: {} });
const unnamed = (id: number, transaction: string) => sale(id, transaction, '49.00', { custom: undefined });

const byWallet: readonly FieldCase[] = [
  {
    // "custom" of an agreement stands in its sales alone, https://developer.paypal.com/docs/api/payments.billing-agreements/v1
    name: 'an agreement whose first sale alone names the order',
    happens: async (world, id) => {
      await world.wallet('PAYMENT.SALE.COMPLETED', 'sale', sale(id, `L1${id}`, '49.00'));
      await world.wallet('PAYMENT.SALE.COMPLETED', 'sale', unnamed(id, `L2${id}`));
      await world.wallet('PAYMENT.SALE.DENIED', 'sale', { ...unnamed(id, `L3${id}`), state: 'denied' });
      return world.wallet('BILLING.SUBSCRIPTION.CANCELLED', 'Agreement', agreement(id, 'Cancelled'));
    },
    ends: (id) => ({ [id]: ['completed', 'ENDED', 'NOT RENEWED', 'PAID', 'RENEWAL'] }),
  },
  {
    // "custom_id" of a subscription, https://developer.paypal.com/docs/api/subscriptions/v1
    name: 'a subscription that names the order, and sales that do not',
    happens: async (world, id) => {
      const active = { id: `I-AG${id}`, status: 'ACTIVE', custom_id: String(id) };
      await world.wallet('BILLING.SUBSCRIPTION.ACTIVATED', 'subscription', active);
      await world.wallet('PAYMENT.SALE.COMPLETED', 'sale', unnamed(id, `N1${id}`));
      return world.wallet('PAYMENT.SALE.COMPLETED', 'sale', unnamed(id, `N2${id}`));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL'] }),
  },
  {
    name: 'IPN: months and the end of a subscription by its id',
    happens: async (world, id) => {
      const paid = {
        txn_type: 'subscr_payment',
        subscr_id: `S-L${id}`,
        payment_status: 'Completed',
        mc_gross: '49.00',
      };
      await world.ipn({ ...paid, custom: String(id), mc_currency: 'USD', txn_id: `IL1${id}` });
      await world.ipn({ ...paid, mc_currency: 'USD', txn_id: `IL2${id}` });
      return world.ipn({ txn_type: 'subscr_cancel', subscr_id: `S-L${id}`, ipn_track_id: `il${id}` });
    },
    ends: (id) => ({ [id]: ['completed', 'ENDED', 'PAID', 'RENEWAL'] }),
  },
  {
    // `mp_id`, `mp_custom`: https://developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables, "Billing agreement variables"
    name: 'IPN: the end of a billing agreement names its order',
    orders: (id) => [{ id, status: 'completed' }],
    happens: (world, id) =>
      world.ipn({ txn_type: 'mp_cancel', mp_id: `B-${id}`, mp_custom: String(id), ipn_track_id: `mp${id}` }),
    ends: (id) => ({ [id]: ['completed', 'ENDED'] }),
  },
  {
    // `Canceled_Reversal`, the same page; a payment of a subscription may be disputed as any other.
    name: 'IPN: a payment of a subscription whose reversal was cancelled',
    orders: (id) => [{ id, status: 'completed', transaction_id: `CRS${id}` }],
    happens: async (world, id) => {
      const back = { txn_type: 'subscr_payment', subscr_id: `S-C${id}`, custom: String(id), parent_txn_id: `CRS${id}` };
      const amount = { mc_gross: '49.00', mc_currency: 'USD' };
      return world.ipn({ ...back, ...amount, payment_status: 'Canceled_Reversal', txn_id: `CRT${id}` });
    },
    ends: (id) => ({ [id]: ['completed'] }),
  },
  {
    // "disputed_transactions: An array of transactions", https://developer.paypal.com/docs/api/customer-disputes/v1
    name: 'a dispute of two payments is about both orders',
    orders: (id) => [id, id + 1].map((one) => ({ id: one, status: 'completed', transaction_id: `DT${one}` })),
    happens: (world, id) =>
      world.wallet('CUSTOMER.DISPUTE.CREATED', 'dispute', {
        dispute_id: `PP-D-${id}`,
        disputed_transactions: [id, id + 1].map((one) => ({ seller_transaction_id: `DT${one}` })),
        dispute_amount: money('98.00'),
        status: 'OPEN',
      }),
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE'], [id + 1]: ['on-hold', 'DISPUTE'] }),
  },
];

/** A checkout of the wallet with its capture. */
const checkout = (id: number, status: string) => ({
  id: `ORD${id}`,
  status: 'COMPLETED',
  purchase_units: [
    {
      amount: money('49.00'),
      custom_id: String(id),
      payments: { captures: [{ id: `CK${id}`, status, amount: money('49.00') }] },
    },
  ],
});

/** "status" of a capture, https://developer.paypal.com/docs/api/orders/v2 */
const byCapture: readonly FieldCase[] = (
  [
    ['COMPLETED', ['completed', 'PAID']],
    ['PENDING', ['pending']],
    ['DECLINED', ['pending', 'FAILED']],
  ] as const
).map(([status, ending]) => ({
  name: `a completed checkout of the wallet whose capture is ${status}`,
  happens: (world, id) => world.wallet('CHECKOUT.ORDER.COMPLETED', 'checkout-order', checkout(id, status)),
  ends: (id) => ({ [id]: ending }),
}));

const failed = (entries: readonly Entry[]) => entries.filter(({ event_type }) => event_type === 'refund_failed').length;

/** Orders that are known by an earlier event, and what is told once though several events say it. */
export const linkCases: readonly FieldCase[] = [
  ...byCard,
  ...byWallet,
  ...byCapture,
  ...([true, false] as const).map(
    (isKnown): FieldCase => ({
      // "refund.updated", "charge.refund.updated" and "refund.failed" of one failure, https://docs.stripe.com/refunds#failed-refunds
      name: `a refund that failed is told once${isKnown ? '' : ', though nothing was known of it'}`,
      orders: (id) => [{ id, status: 'completed', transaction_id: `ch_rt_${id}` }],
      happens: async (world, id) => {
        const refund = { object: 'refund', id: `re_rt_${id}`, charge: `ch_rt_${id}`, amount: 900, currency: 'usd' };
        if (isKnown) await world.card('refund.created', { ...refund, status: 'pending' }, now - 90);
        let told = 0;
        for (const type of ['refund.updated', 'charge.refund.updated', 'refund.failed'])
          told += failed(await world.card(type, { ...refund, status: 'failed' }, now));
        expect(told).toBe(1);
      },
      ends: (id) => ({ [id]: isKnown ? ['completed', 'REFUND'] : ['completed'] }),
    }),
  ),
  {
    // "INSTRUMENT_DECLINED", https://developer.paypal.com/docs/checkout/standard/customize/handle-funding-failures: one order, another capture.
    name: 'a capture that was denied, told after another of the same order of the wallet has paid',
    orders: (id) => [{ id, meta_data: [{ key: '_ppcp_paypal_order_id', value: `ORD${id}` }] }],
    happens: async (world, id) => {
      const supplementary_data = { related_ids: { order_id: `ORD${id}` } };
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `PD2${id}`, '49.00', true));
      const denied = { ...capture(id, `PD1${id}`, '49.00', true), status: 'DECLINED', supplementary_data };
      return world.wallet('PAYMENT.CAPTURE.DENIED', 'capture', denied);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
    told: ['other_payment'],
  },
  {
    name: 'a payment that names nothing, after its checkout has named the order',
    happens: async (world, id) => {
      await world.card('checkout.session.completed', session(id, { payment_status: 'paid' }), now - 9);
      await world.card('payment_intent.succeeded', intent(id, `pi_cs_${id}`, { metadata: {} }), now - 9);
      return world.card('charge.dispute.created', dispute(id, 'cs'), now);
    },
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE', 'PAID'] }),
  },
];
