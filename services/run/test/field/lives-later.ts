import { at, type Life, lives, type Sent } from './life';
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
      // A rule on `invoice.paid` hears the invoice of any sender.
      ends: ['completed', ...(kind === 'invoice' ? ['INVOICE'] : []), 'PAID'],
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

const square = (id: number, type: string, name: string, object: object) => ({
  ...{ type, event_id: `${type}${name}${id}`, data: { object: { [name.split(' ')[0] ?? '']: object } } },
});
const xendit = (event: string, step: number, data: object) => ({ event, created: at(step), data });
const money = { amount: 2900, currency: 'EUR' };

const ends: readonly Life[] = [
  {
    // airwallex.com/docs/developer-tools__listen-for-webhook-events__payload-examples__online-payments (`captured_amount`)
    name: 'captured in part',
    preset: 'airwallex',
    sends: (id) =>
      [0, 20].map((captured_amount, step) => ({
        id: `evt_${step}_${id}`,
        name: ['payment_intent.requires_capture', 'payment_intent.succeeded'][step],
        data: {
          object: { id: `int_${id}`, merchant_order_id: String(id), amount: 29, currency: 'EUR', captured_amount },
        },
      })),
    ends: ['pending'],
    told: ['payment_partial'],
  },
  {
    // razorpay.com/docs/webhooks/invoices (`invoice.expired`)
    name: 'an invoice that expires',
    preset: 'razorpay',
    order: inr,
    sends: (id) => [
      razorpay(id, 'invoice.expired', { invoice: { id: `inv_${id}`, receipt: String(id), status: 'expired' } }, 1),
    ],
    ends: ['pending', 'CANCELLED'],
  },
  {
    // developer.squareup.com/reference/square/enums/DisputeState (`INQUIRY_CLOSED`)
    name: 'an inquiry that is closed',
    preset: 'square',
    sends: (id) => {
      const disputed = { disputed_payment: { payment_id: `pay_${id}` }, amount_money: money };
      const dispute = (state: string) => ({ id: `dp_${id}`, state, ...disputed });
      const paid = { id: `pay_${id}`, status: 'COMPLETED', reference_id: String(id), amount_money: money };
      return [
        square(id, 'payment.updated', 'payment', paid),
        square(id, 'dispute.created', 'dispute 1', dispute('INQUIRY_EVIDENCE_REQUIRED')),
        square(id, 'dispute.state.updated', 'dispute 2', dispute('INQUIRY_CLOSED')),
      ];
    },
    ends: ['on-hold', 'DISPUTE', 'PAID', 'RESOLVED'],
  },
  {
    // docs.xendit.co/apidocs/subscription-webhook: the plan and each of its cycles have the merchant's `reference_id`
    name: 'a plan whose first cycle pays the order, the second renews, the third fails after its retry',
    preset: 'xendit',
    order: { currency: 'PHP' },
    sends: (id) => {
      const of = { reference_id: String(id), currency: 'PHP', amount: 29 };
      const cycle = (event: string, step: number, number: number) =>
        xendit(`recurring.cycle.${event}`, step, { ...of, id: `recy_${number}_${id}`, plan_id: `repl_${id}` });
      return [
        cycle('succeeded', 1, 1),
        xendit('recurring.plan.activated', 1, { ...of, id: `repl_${id}`, status: 'ACTIVE' }),
        cycle('created', 2, 2),
        cycle('succeeded', 3, 2),
        cycle('retrying', 4, 3),
        cycle('failed', 5, 3),
        xendit('recurring.plan.inactivated', 6, { ...of, id: `repl_${id}`, status: 'INACTIVE' }),
      ];
    },
    ends: ['completed', 'ENDED', 'NOT RENEWED', 'PAID', 'RENEWAL'],
  },
  {
    // docs.xendit.co/docs/payment-sessions ("During this state you will receive payment_session.expired")
    name: 'a session that expires, another that is completed and captured',
    preset: 'xendit',
    order: { currency: 'PHP' },
    sends: (id) => {
      const of = { reference_id: String(id), currency: 'PHP' };
      return [
        xendit('payment_session.expired', 1, {
          ...of,
          payment_session_id: `ps-1-${id}`,
          amount: 29,
          status: 'EXPIRED',
        }),
        xendit('payment_session.completed', 2, { ...of, payment_id: `py-${id}`, amount: 29, status: 'COMPLETED' }),
        xendit('payment.capture', 2, { ...of, payment_id: `py-${id}`, request_amount: 29, status: 'SUCCEEDED' }),
      ];
    },
    ends: ['completed', 'CANCELLED', 'PAID'],
  },
  {
    // shopify.dev/docs/api/admin-rest/latest/resources/transaction (`status`: "pending, failure, success, and error")
    name: 'a refund whose transaction fails',
    preset: 'shopify',
    sends: (id) => {
      const of = { currency: 'EUR', processed_at: at(1) };
      const back = { id: 8_000_000 + id, kind: 'refund', status: 'failure', amount: '5.00', currency: 'EUR' };
      return [
        [{ ...of, id: 5_000_000 + id, order_number: id, total_price: '29.00' }, { 'x-shopify-topic': 'orders/paid' }],
        [
          { ...of, id: 9_000_000 + id, order_id: 5_000_000 + id, transactions: [back] },
          { 'x-shopify-topic': 'refunds/create' },
        ],
      ];
    },
    ends: ['completed', 'PAID'],
    told: ['refund_failed'],
  },
];

const ofNoOrder: readonly (readonly [preset: string, page: string, sent: (id: number) => Sent])[] = [
  [
    'paystack',
    'paystack.com/docs/payments/webhooks (transfer.success)',
    (id) => ({
      event: 'transfer.success',
      data: {
        id: 37_272_792 + id,
        amount: 30_000,
        currency: 'NGN',
        reference: `1jhbs3ozmen0k7y5efmw${id}`,
        status: 'success',
      },
    }),
  ],
  [
    'flutterwave',
    'developer.flutterwave.com/docs/webhooks (transfer.completed)',
    (id) => ({
      event: 'transfer.completed',
      data: {
        id: 33_286 + id,
        amount: 3000,
        currency: 'NGN',
        reference: `a0a827b1eca65311_${id}`,
        status: 'SUCCESSFUL',
      },
    }),
  ],
  [
    'square',
    'developer.squareup.com/reference/square/orders-api/webhooks/order.updated',
    (id) => ({
      type: 'order.updated',
      event_id: `ord${id}`,
      data: {
        type: 'order_updated',
        id: `eA3vssLH${id}`,
        object: { order_updated: { order_id: `eA3vssLH${id}`, state: 'OPEN' } },
      },
    }),
  ],
  [
    'mollie',
    'docs.mollie.com/reference/payment-links-api-webhooks (payment-link.paid)',
    (id) => ({
      id: `event_link_${id}`,
      type: 'payment-link.paid',
      _embedded: { entity: { resource: 'payment-link', id: `pl_${id}`, description: 'Bicycle tires', paidAt: at(1) } },
    }),
  ],
  [
    'shopify',
    'shopify.dev/docs/api/webhooks (checkouts/update)',
    (id) => [
      { id: 981_820_079_255 + id, token: `b1946ac9${id}`, total_price: '29.00', currency: 'EUR' },
      { 'x-shopify-topic': 'checkouts/update' },
    ],
  ],
];

const without: readonly Life[] = ofNoOrder.map(([preset, page, sent]) => ({
  name: `is about no order and waits for none: ${page}`,
  preset,
  sends: (id) => [sent(id)],
  ends: ['pending'],
  untold: ['event_waiting'],
}));

export const laterCases = lives([...later, ...ends, ...without]);
