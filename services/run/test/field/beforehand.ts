import { waitFor } from '@order-automation/testing';
import { capture, type FieldCase, first, intent, money, now } from './case';
import type { World } from './world';

/** What waited for the payment goes on after it. */
const untilNoted = (world: World, id: number, note: string) =>
  waitFor(async () => (await world.ending(id)).includes(note), { describe: `${note} on order ${id}` });

const dispute = (id: number) => ({
  id: `dp_${id}`,
  object: 'dispute',
  amount: 4900,
  currency: 'usd',
  charge: `ch_one_${id}`,
  payment_intent: `pi_one_${id}`,
  status: 'needs_response',
  metadata: {},
});
const refunded = (id: number) => ({
  id: `ch_one_${id}`,
  object: 'charge',
  payment_intent: `pi_one_${id}`,
  amount: 4900,
  amount_captured: 4900,
  amount_refunded: 500,
  captured: true,
  currency: 'usd',
  metadata: {},
});

/** "Stripe doesn't guarantee the delivery of events in the order that they're generated" (docs.stripe.com/webhooks, "Event ordering"). */
const beforePayment: readonly FieldCase[] = [
  ...(
    [
      ['dispute', 'charge.dispute.created', dispute, 'DISPUTE', 'on-hold'],
      ['refund', 'charge.refunded', refunded, 'REFUND', 'completed'],
    ] as const
  ).map(
    ([what, type, object, note, status]): FieldCase => ({
      name: `a ${what} that names its payment alone, told before the payment`,
      happens: async (world, id) => {
        await world.card(type, object(id), now);
        await world.card('payment_intent.succeeded', intent(id, `pi_one_${id}`), now - 60);
        await untilNoted(world, id, note);
      },
      ends: (id) => ({ [id]: [status, ...['PAID', note].sort()] }),
    }),
  ),
  {
    name: 'a payment whose first notice had no time but that of its arrival',
    happens: async (world, id) => {
      const payment = { order_id: id, transaction_id: `nt${id}`, amount: '49.00', currency: 'USD' };
      await world.generic('plain', { ...payment, type: 'payment_pending' });
      await world.generic('plain', { ...payment, type: 'payment_completed', timestamp: '2026-11-20T10:00:00Z' });
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
];

const invoice = (id: number, status: string, payments: readonly object[], more: object = {}) => ({
  invoice: {
    id: `INV2-${id}`,
    status,
    detail: { reference: String(id), invoice_number: '0001', currency_code: 'USD' },
    amount: money('49.00'),
    payments: { transactions: payments },
    ...more,
  },
});
const paidBy = (id: number, name: string, value: string) => ({
  type: 'PAYPAL',
  payment_id: `${name}${id}`,
  method: 'PAYPAL',
  amount: money(value),
});
const paid = (id: number, status: string, payments: readonly object[], more: object = {}) =>
  ['INVOICING.INVOICE.PAID', 'invoices', invoice(id, status, payments, more)] as const;

/** developer.paypal.com/docs/invoicing/webhooks, developer.paypal.com/docs/api/invoicing/v2 */
const ofInvoice: readonly FieldCase[] = [
  {
    name: 'an invoice of the wallet that is paid, beside its capture',
    happens: async (world, id) => {
      await world.wallet(...paid(id, 'PAID', [paidBy(id, 'PA', '49.00')]));
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `PA${id}`, '49.00', true));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'an invoice of the wallet that is paid in two parts',
    happens: async (world, id) => {
      const [one, two] = [paidBy(id, 'PB', '20.00'), paidBy(id, 'PC', '29.00')];
      await world.wallet(...paid(id, 'PARTIALLY_PAID', [one]));
      await world.wallet(...paid(id, 'PAID', [two, one]));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'an invoice of the wallet whose payment is on its way',
    happens: (world, id) => world.wallet(...paid(id, 'PAYMENT_PENDING', [paidBy(id, 'PD', '49.00')])),
    ends: (id) => ({ [id]: ['pending'] }),
  },
  {
    name: 'an invoice of the wallet that names no order but by the number that the wallet counts',
    orders: (id) => [{ id, number: '0001' }],
    happens: (world, id) =>
      world.wallet(...paid(id, 'PAID', [paidBy(id, 'PE', '49.00')], { detail: { invoice_number: '0001' } })),
    ends: (id) => ({ [id]: ['pending'] }),
  },
  {
    name: 'two refunds of an invoice, the second of which tells the first again',
    orders: first({ status: 'completed' }),
    happens: async (world, id) => {
      const refunds = ['RA', 'RB'].map((name) => ({ refund_id: `${name}${id}`, amount: money('5.00') }));
      for (const count of [1, 2])
        await world.wallet(
          'INVOICING.INVOICE.REFUNDED',
          'invoices',
          invoice(id, 'PARTIALLY_REFUNDED', [paidBy(id, 'PF', '49.00')], {
            refunds: { transactions: refunds.slice(0, count) },
          }),
        );
    },
    ends: (id) => ({ [id]: ['completed', 'REFUND', 'REFUND'] }),
  },
];

/** Events that arrive before the payment they belong to, and invoices that list earlier payments again. */
export const beforehandCases: readonly FieldCase[] = [...beforePayment, ...ofInvoice];
