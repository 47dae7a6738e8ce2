import { capture, charge, dispute, type FieldCase, first, intent, invoice, money, now } from './case';
import type { World } from './world';

const notice = (id: number, txn_id: string, payment_status: string, mc_gross: string, parent_txn_id = '') => ({
  ...{ txn_type: 'web_accept', txn_id, payment_status, custom: String(id), mc_gross, mc_currency: 'USD' },
  ...(parent_txn_id && { parent_txn_id }),
});

/** What can happen to an order of 100.00 whose 40.00 are reversed: the ends of the wallet's notices. */
const reversals: Readonly<Record<string, (world: World, id: number) => Promise<unknown>>> = {
  first: (world, id) => world.ipn(notice(id, `RA${id}`, 'Completed', '40.00')),
  rest: (world, id) => world.ipn(notice(id, `RB${id}`, 'Completed', '60.00')),
  reversed: (world, id) =>
    world.ipn({ ...notice(id, `RR${id}`, 'Reversed', '-40.00', `RA${id}`), payment_date: '10:00:00 Nov 13, 2026 PST' }),
  back: (world, id) =>
    world.ipn({
      ...notice(id, `RC${id}`, 'Canceled_Reversal', '40.00', `RA${id}`),
      payment_date: '10:00:00 Nov 20, 2026 PST',
    }),
};

/** "the funds for the transaction that was reversed have been returned to you" (`Canceled_Reversal`), developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables */
const byNotice = [
  'first reversed rest back',
  'first rest reversed back',
  'reversed first rest back',
  'reversed rest first back',
  'first back reversed rest',
  'back first rest reversed',
].map(
  (steps): FieldCase => ({
    name: `IPN: a part whose reversal is cancelled pays the order with the rest, once: ${steps}`,
    orders: first({ total: '100.00' }),
    happens: async (world, id) => {
      for (const step of `${steps} back`.split(' ')) await reversals[step]?.(world, id);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  }),
);

/** What is let go of an authorisation of 100.00, of which 40.00 were captured: "Void authorized payment", developer.paypal.com/docs/api/payments/v2 */
const released: readonly FieldCase[] = [
  {
    name: 'wallet: an authorisation that is voided after a part of it was captured: a person is asked to look',
    orders: first({ total: '100.00' }),
    happens: async (world, id) => {
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `VC${id}`, '40.00', false));
      const voided = { id: `VA${id}`, status: 'VOIDED', amount: money('100.00'), custom_id: String(id) };
      const entries = await world.wallet('PAYMENT.AUTHORIZATION.VOIDED', 'authorization', voided);
      const partial = entries.find(({ event_type }) => event_type === 'payment_partial');
      const summary = expect.stringContaining('40.00 of 100.00 USD is paid. This payment was cancelled');
      expect(partial).toMatchObject({ status: 'warning', summary });
      return entries;
    },
    ends: (id) => ({ [id]: ['pending', 'CANCELLED'] }),
    told: ['payment_partial'],
  },
  {
    name: 'an authorisation that is voided before anything was captured says nothing of parts',
    happens: (world, id) => world.ipn(notice(id, `VN${id}`, 'Voided', '49.00')),
    ends: (id) => ({ [id]: ['pending', 'CANCELLED'] }),
    untold: ['payment_partial'],
  },
];

const anew = (id: number, type: string, name: string, amount: string) => ({
  ...{ type, order_id: id, transaction_id: `${name}${id}`, amount, currency: 'USD' },
});

/**
 * Parts that did not come in the end, and the order is paid anew: a debit that failed after it was marked as received
 * (https://github.com/Project60/org.project60.sepa/issues/285); "we cancel the already authorised partial payments (Giftcard Payments) if the payment with
 * the redirect payment method fails" (https://github.com/Adyen/adyen-magento2/pull/2771).
 */
const undone: readonly FieldCase[] = [
  ...[['payment_failed', 'FAILED'] as const, ['payment_cancelled', 'CANCELLED'] as const].map(
    ([type, note]): FieldCase => ({
      name: `a part that had come, then ${type}: it is paid no more`,
      happens: async (world, id) => {
        const at = (minute: number) => ({ occurred_at: new Date(Date.UTC(2026, 10, 20, 10, minute)).toISOString() });
        await world.generic('plain', { ...anew(id, 'payment_completed', 'UD', '20.00'), ...at(1) });
        const entries = await world.generic('plain', { ...anew(id, type, 'UD', '20.00'), ...at(2) });
        expect(entries.filter(({ event_type }) => event_type === 'payment_partial')).toEqual([]);
        await world.generic('plain', { ...anew(id, 'payment_completed', 'UE', '49.00'), ...at(3) });
      },
      ends: (id) => ({ [id]: ['completed', note, 'PAID'] }),
    }),
  ),
  {
    name: 'card: a part whose first attempt failed counts',
    happens: async (world, id) => {
      const unpaid = { amount: 2000, amount_received: 0, status: 'requires_payment_method' };
      await world.card('payment_intent.payment_failed', intent(id, `pi_fa_${id}`, unpaid), now - 90);
      await world.card('charge.succeeded', charge(id, 'fa', 2000), now - 80);
      await world.card('charge.succeeded', charge(id, 'fb', 2900), now - 70);
    },
    ends: (id) => ({ [id]: ['completed', 'FAILED', 'PAID'] }),
  },
];

/**
 * A part of a deposit is taken back: https://github.com/woocommerce/woocommerce-paypal-payments/issues/1614, "only part of the order is disputed"
 * (docs.stripe.com/api/disputes/object, `amount`).
 */
const takenInPart: readonly FieldCase[] = [
  {
    name: 'wallet: 10.00 of a deposit are reversed, and paid again with the rest',
    orders: first({ total: '100.00' }),
    happens: async (world, id) => {
      const links = [{ rel: 'up', href: `https://api.paypal.com/v2/payments/captures/TP1${id}` }];
      const reversal = { id: `TPR${id}`, status: 'COMPLETED', amount: money('10.00'), custom_id: String(id), links };
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `TP1${id}`, '40.00', false));
      await world.wallet('PAYMENT.CAPTURE.REVERSED', 'refund', reversal);
      const entries = await world.wallet(
        'PAYMENT.CAPTURE.COMPLETED',
        'capture',
        capture(id, `TP2${id}`, '60.00', false),
      );
      const summary = expect.stringContaining('90.00 of 100.00 USD is paid');
      expect(entries.find(({ event_type }) => event_type === 'payment_partial')).toMatchObject({ summary });
      return world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `TP3${id}`, '10.00', true));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'card: 10.00 of a deposit are disputed and lost, and paid again with the rest',
    orders: first({ total: '100.00' }),
    happens: async (world, id) => {
      const lost = { ...dispute(id, 'ta', 'lost'), amount: 1000 };
      await world.card('charge.succeeded', charge(id, 'ta', 4000), now - 90);
      for (const kind of ['funds_withdrawn', 'closed']) await world.card(`charge.dispute.${kind}`, lost, now - 80);
      await world.card('charge.succeeded', charge(id, 'tb', 6000), now - 70);
      return world.card('charge.succeeded', charge(id, 'tc', 1000), now - 60);
    },
    ends: (id) => ({ [id]: ['completed', 'LOST', 'PAID'] }),
  },
];

/** Money of the order that comes back, is not given back at all, or does not come any more. */
export const returnCases: readonly FieldCase[] = [
  ...byNotice,
  ...released,
  ...undone,
  ...takenInPart,
  {
    // "charge.dispute.funds_reinstated", docs.stripe.com/api/events/types
    name: 'card: a part whose dispute is won pays the order with the rest',
    orders: first({ total: '100.00' }),
    happens: async (world, id) => {
      const disputed = { ...dispute(id, 'fr', 'won'), amount: 4000 };
      await world.card('charge.succeeded', charge(id, 'fr', 4000), now - 90);
      await world.card('charge.dispute.funds_withdrawn', disputed, now - 80);
      await world.card('charge.succeeded', charge(id, 'fs', 6000), now - 70);
      for (const kind of ['closed', 'funds_reinstated', 'funds_reinstated'])
        await world.card(`charge.dispute.${kind}`, disputed, now - 60);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'WON'] }),
  },
  {
    // docs.stripe.com/refunds#failed-refunds
    name: 'card: a part whose refund failed pays the order with the rest',
    happens: async (world, id) => {
      const failed = { id: `re_rp_${id}`, object: 'refund', charge: `ch_rp_${id}`, payment_intent: `pi_rp_${id}` };
      await world.card('charge.succeeded', charge(id, 'rp', 2000), now - 90);
      await world.card('charge.refunded', charge(id, 'rp', 2000, { amount_refunded: 2000, refunded: true }), now - 80);
      await world.card('charge.succeeded', charge(id, 'rq', 2900), now - 70);
      for (const kind of ['refund.failed', 'charge.refund.updated'])
        await world.card(kind, { ...failed, amount: 2000, currency: 'usd', status: 'failed', metadata: {} }, now - 50);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'REFUND'] }),
  },
  {
    // docs.stripe.com/invoicing/partial-payments, docs.stripe.com/refunds
    name: 'card: an order whose invoice was paid in parts, all of it given back, is paid again',
    happens: async (world, id) => {
      const sent = { payment_intent: undefined, subscription: null, metadata: { order_id: String(id) } };
      await world.card(
        'invoice.payment_succeeded',
        { ...invoice(id, 'ag', 'manual'), ...sent, parent: null },
        now - 90,
      );
      for (const [name, amount] of [['ag1', 2000] as const, ['ag2', 2900] as const])
        await world.card('charge.succeeded', charge(id, name, amount), now - 90);
      for (const [name, amount] of [['ag1', 2000] as const, ['ag2', 2900] as const])
        await world.card('charge.refunded', charge(id, name, amount, { amount_refunded: amount }), now - 60);
      await world.save(id, { status: 'pending' });
      return world.card('charge.succeeded', charge(id, 'ag3', 4900), now);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'PAID', 'REFUND', 'REFUND'] }),
  },
  {
    // `late_failure_settled`: a payment may fail after it was confirmed and paid out, developer.gocardless.com/api-reference/#event-types
    name: 'a debit that fails after it was confirmed, and is paid by another: the refund of that is the refund of the order',
    happens: async (world, id) => {
      let step = 0;
      const send = (resource_type: string, action: string, links: object) =>
        world.preset(
          'gocardless',
          {
            events: [
              {
                id: `EV${step++}${id}`,
                created_at: new Date((now - 900 + 60 * step) * 1000).toISOString(),
                ...{ resource_type, action, links },
                resource_metadata: resource_type === 'payments' ? { order_id: String(id) } : {},
              },
            ],
          },
          {},
        );
      await send('payments', 'confirmed', { payment: `PM1${id}` });
      await send('payments', 'failed', { payment: `PM1${id}` });
      await world.save(id, { status: 'pending' });
      await send('payments', 'confirmed', { payment: `PM2${id}` });
      return send('refunds', 'created', { refund: `RF${id}`, payment: `PM2${id}` });
    },
    ends: (id) => ({ [id]: ['completed', 'FAILED', 'PAID', 'PAID', 'REFUND'] }),
  },
  {
    // A shop refunds nothing to put goods back into stock: github.com/Automattic/woocommerce-payments/pull/8013
    name: 'a refund of nothing is no refund',
    orders: (id) => [{ id, status: 'completed', transaction_id: `ZR${id}` }],
    happens: (world, id) => {
      const refund = { order_id: id, transaction_id: `ZR${id}`, refund_id: `ZF${id}`, amount: '0.00', currency: 'USD' };
      return world.generic('plain', { type: 'payment_refunded', ...refund });
    },
    ends: (id) => ({ [id]: ['completed'] }),
  },
];
