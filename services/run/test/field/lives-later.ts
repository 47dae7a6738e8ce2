import { type Life, lives } from './life';
import { anet, data } from './lives-acquirers';
import { payment, razorpay } from './lives-regions';

const inr = { currency: 'INR' };

/** razorpay.com/docs/webhooks/payment-links, razorpay.com/docs/webhooks/invoices, razorpay.com/docs/webhooks/refunds ("Identify Auto-Refunds") */
const later: readonly Life[] = [
  ...(['payment_link', 'invoice'] as const).map(
    (kind): Life => ({
      name: `two parts of one ${kind} pay the order together`,
      preset: 'razorpay',
      order: inr,
      sends: (id) =>
        (['partially_paid', 'paid'] as const).map((status, at) => {
          const one = { id: `${kind}_${id}`, amount: 2900, currency: 'INR', status, notes: [] };
          const named = { ...one, [kind === 'invoice' ? 'receipt' : 'reference_id']: String(id) };
          const part = { ...payment(id, String(at), 'captured', []), amount: [1000, 1900][at] };
          return razorpay(id, `${kind}.${status}`, { [kind]: named, payment: part }, 1 + at);
        }),
      ends: ['completed', 'PAID'],
    }),
  ),
  {
    name: 'what was authorised and never captured is given back by itself: released, not refunded',
    preset: 'razorpay',
    order: inr,
    sends: (id) => {
      const held = { ...payment(id, '1', 'authorized'), captured: false };
      const refund = { id: `rfnd_${id}`, payment_id: `pay_1_${id}`, amount: 2900, currency: 'INR' };
      return ['payment.authorized', 'refund.created', 'refund.processed'].map((event, step) =>
        razorpay(id, event, { payment: held, ...(step > 0 && { refund }) }, 1 + step),
      );
    },
    ends: ['pending', 'CANCELLED'],
  },
  {
    // www.checkout.com/docs/payments/accept-payments/format-the-amount-value: not among the currencies of "The full amount"
    name: 'Chilean pesos are divided by 100',
    preset: 'checkout-com',
    order: { currency: 'CLP', total: '29000' },
    sends: (id) => [data(id, 'payment_captured', { amount: 2900000, currency: 'CLP' })],
    ends: ['completed', 'PAID'],
  },
  {
    // www.checkout.com/docs/payments/manage-payments/refund-a-payment (`reference`)
    name: 'refunds have references of their own, and one is declined',
    preset: 'checkout-com',
    sends: (id) => [
      data(id, 'payment_captured'),
      data(id, 'payment_refunded', { amount: 500, reference: `my-a-${id}` }),
      data(id, 'payment_refund_declined', { amount: 500, reference: `my-refund-b-${id}` }),
    ],
    ends: ['completed', 'PAID', 'REFUND'],
    told: ['refund_failed'],
  },
  {
    // developer.authorize.net/api/reference/features/webhooks.html
    name: 'held for review, then approved by the merchant',
    preset: 'authorize-net',
    sends: (id) => [
      anet(id, 'authcapture.created', '1', { responseCode: 4 }),
      anet(id, 'fraud.held', '1', { responseCode: 4 }),
      anet(id, 'fraud.approved', '1'),
    ],
    ends: ['completed', 'PAID'],
  },
];

export const laterCases = lives(later);
