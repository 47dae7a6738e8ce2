import { at, type Life, lives, seconds } from './life';

export const razorpay = (id: number, event: string, entities: Record<string, object>, step = 1) => ({
  event,
  contains: Object.keys(entities),
  payload: Object.fromEntries(Object.entries(entities).map(([name, entity]) => [name, { entity }])),
  created_at: seconds(step),
  account_id: `acc_${id}`,
});
export const payment = (id: number, name: string, status: string, notes: unknown = { order_id: String(id) }) => ({
  id: `pay_${name}_${id}`,
  amount: 2900,
  currency: 'INR',
  status,
  notes,
});
const refund = (id: number, name: string) => ({
  id: `rfnd_${name}_${id}`,
  payment_id: `pay_1_${id}`,
  amount: 500,
  currency: 'INR',
});

/** razorpay.com/docs/webhooks/refunds, razorpay.com/docs/webhooks/disputes, razorpay.com/docs/webhooks/subscriptions */
const ofRazorpay: readonly Life[] = [
  {
    name: 'failed, then authorised, captured and told by the order: paid once',
    preset: 'razorpay',
    order: { currency: 'INR' },
    sends: (id) => [
      razorpay(id, 'payment.failed', { payment: payment(id, '0', 'failed') }),
      razorpay(id, 'payment.authorized', { payment: payment(id, '1', 'authorized') }, 2),
      razorpay(id, 'payment.captured', { payment: payment(id, '1', 'captured') }, 3),
      razorpay(id, 'order.paid', { payment: payment(id, '1', 'captured'), order: { id: `order_${id}` } }, 4),
    ],
    ends: ['completed', 'FAILED', 'PAID'],
  },
  {
    name: 'two refunds of one payment, and one that fails',
    preset: 'razorpay',
    order: { currency: 'INR' },
    sends: (id) => [
      razorpay(id, 'payment.captured', { payment: payment(id, '1', 'captured') }),
      ...['1', '2'].flatMap((name) =>
        ['refund.created', 'refund.processed'].map((event) =>
          razorpay(id, event, { refund: refund(id, name), payment: payment(id, '1', 'captured') }, 2),
        ),
      ),
      razorpay(id, 'refund.failed', { refund: refund(id, '3'), payment: payment(id, '1', 'captured') }, 3),
    ],
    ends: ['completed', 'PAID', 'REFUND', 'REFUND'],
    told: ['refund_failed'],
  },
  {
    name: 'a dispute that is won',
    preset: 'razorpay',
    order: { currency: 'INR' },
    sends: (id) => [
      razorpay(id, 'payment.captured', { payment: payment(id, '1', 'captured') }),
      ...['created', 'under_review', 'won'].map((state, step) =>
        razorpay(
          id,
          `payment.dispute.${state}`,
          { payment: payment(id, '1', 'captured'), dispute: { id: `disp_${id}`, amount: 2900, currency: 'INR' } },
          2 + step,
        ),
      ),
    ],
    ends: ['on-hold', 'DISPUTE', 'PAID', 'WON'],
  },
  {
    name: 'a subscription: charged at first, again, and cancelled',
    preset: 'razorpay',
    order: { currency: 'INR' },
    sends: (id) => {
      const subscription = { id: `sub_${id}`, notes: { order_id: String(id) } };
      return [
        razorpay(id, 'subscription.charged', { subscription, payment: payment(id, '1', 'captured', []) }),
        razorpay(id, 'subscription.charged', { subscription, payment: payment(id, '2', 'captured', []) }, 2),
        razorpay(id, 'subscription.cancelled', { subscription }, 3),
      ];
    },
    ends: ['completed', 'ENDED', 'PAID', 'RENEWAL'],
  },
];

const paystackRefund = (id: number, event: string, amount: string) => ({
  event,
  data: {
    status: event.split('.')[1],
    transaction_reference: `ref${id}`,
    refund_reference: null,
    amount,
    currency: 'NGN',
  },
});
const charged = (id: number, metadata: unknown) => ({
  event: 'charge.success',
  data: { id: 300_000 + id, status: 'success', reference: `ref${id}`, amount: 2900, currency: 'NGN', metadata },
});

/** paystack.com/docs/payments/webhooks/, paystack.com/docs/payments/refunds/ */
const ofPaystack: readonly Life[] = [
  {
    name: 'metadata as text names the order; a refund names the payment',
    preset: 'paystack',
    order: { currency: 'NGN' },
    sends: (id) => [
      charged(id, JSON.stringify({ order_id: id })),
      paystackRefund(id, 'refund.pending', '500'),
      paystackRefund(id, 'refund.processed', '500'),
    ],
    ends: ['completed', 'PAID', 'REFUND'],
  },
  {
    // "custom_fields", paystack.com/docs/payments/metadata
    name: 'the order stands among the fields that the dashboard shows',
    preset: 'paystack',
    order: { currency: 'NGN' },
    sends: (id) => [
      charged(id, {
        custom_fields: [
          { display_name: 'Phone', variable_name: 'phone', value: '0801' },
          { display_name: 'Order ID', variable_name: 'order_id', value: String(id) },
        ],
      }),
    ],
    ends: ['completed', 'PAID'],
  },
  {
    name: 'a refund that fails',
    preset: 'paystack',
    order: { currency: 'NGN' },
    sends: (id) => [charged(id, { order_id: id }), paystackRefund(id, 'refund.failed', '500')],
    ends: ['completed', 'PAID'],
    told: ['refund_failed'],
  },
  {
    // `refund_reference` is null: the amount is all that tells them apart.
    name: 'two refunds of different amounts, neither with an id',
    preset: 'paystack',
    order: { currency: 'NGN' },
    sends: (id) => [
      charged(id, { order_id: id }),
      paystackRefund(id, 'refund.processed', '500'),
      paystackRefund(id, 'refund.processed', '700'),
      paystackRefund(id, 'refund.failed', '700'),
    ],
    ends: ['completed', 'PAID', 'REFUND', 'REFUND'],
    told: ['refund_failed'],
  },
  {
    name: 'a dispute that the merchant accepts',
    preset: 'paystack',
    order: { currency: 'NGN' },
    sends: (id) => {
      const dispute = { id, refund_amount: 2900, currency: 'NGN', transaction: { reference: `ref${id}` } };
      return [
        charged(id, { order_id: id }),
        { event: 'charge.dispute.create', data: { ...dispute, resolution: null } },
        { event: 'charge.dispute.resolve', data: { ...dispute, resolution: 'merchant-accepted' } },
      ];
    },
    ends: ['on-hold', 'DISPUTE', 'LOST', 'PAID'],
  },
];

const flutterwave = (id: number, transaction: number, status: string) => ({
  event: 'charge.completed',
  data: {
    id: transaction * 1_000_000 + id,
    tx_ref: String(id),
    amount: 29,
    currency: 'NGN',
    status,
    created_at: at(1),
  },
});

/** developer.flutterwave.com/docs/webhooks ("status"), developer.flutterwave.com/docs/payment-operations/refunds */
const ofFlutterwave: readonly Life[] = [
  {
    // forum.flutterwave.com/t/meta-object-missing-on-webhook-payload/1542
    name: 'the reference is of no order, and what the shop gave along names it',
    preset: 'flutterwave',
    order: { currency: 'NGN' },
    sends: (id) => {
      const { event, data } = flutterwave(id, 3, 'successful');
      return [{ event, data: { ...data, tx_ref: `rave-${id}-x` }, meta_data: { order_id: String(id) } }];
    },
    ends: ['completed', 'PAID'],
  },
  {
    name: 'failed, another one pending, then successful, then a part refunded',
    preset: 'flutterwave',
    order: { currency: 'NGN' },
    sends: (id) => [
      flutterwave(id, 1, 'failed'),
      flutterwave(id, 2, 'pending'),
      flutterwave(id, 2, 'successful'),
      {
        event: 'refund.completed',
        data: { id, TransactionId: 2_000_000 + id, AmountRefunded: 5, status: 'completed', createdAt: at(3) },
      },
    ],
    ends: ['completed', 'FAILED', 'PAID', 'REFUND'],
  },
  {
    name: 'pending is not paid',
    preset: 'flutterwave',
    order: { currency: 'NGN' },
    sends: (id) => [flutterwave(id, 2, 'pending')],
    ends: ['pending'],
  },
];

export const cashfree = (type: string, data: object, step = 1) => ({ type, data, event_time: at(step) });
export const attempt = (id: number, name: number, payment_status: string) => ({
  order: { order_id: String(id), order_amount: 29, order_currency: 'INR' },
  payment: { cf_payment_id: name * 1_000_000 + id, payment_status, payment_amount: 29, payment_currency: 'INR' },
});
const givenBack = (id: number, name: number, refund_status: string) => ({
  refund: {
    cf_refund_id: name * 1_000_000 + id,
    cf_payment_id: 2_000_000 + id,
    order_id: String(id),
    refund_amount: 5,
    refund_currency: 'INR',
    refund_status,
  },
});

/** cashfree.com/docs/api-reference/payments/latest/refunds/webhooks, www.cashfree.com/docs/api-reference/payments/latest/disputes/dispute-webhooks */
const ofCashfree: readonly Life[] = [
  {
    name: 'dropped, then paid, refunded in part, and a refund that is cancelled',
    preset: 'cashfree',
    order: { currency: 'INR' },
    sends: (id) => [
      cashfree('PAYMENT_USER_DROPPED_WEBHOOK', attempt(id, 1, 'USER_DROPPED')),
      cashfree('PAYMENT_SUCCESS_WEBHOOK', attempt(id, 2, 'SUCCESS'), 2),
      cashfree('REFUND_STATUS_WEBHOOK', givenBack(id, 3, 'SUCCESS'), 3),
      cashfree('REFUND_STATUS_WEBHOOK', givenBack(id, 4, 'CANCELLED'), 4),
    ],
    ends: ['completed', 'CANCELLED', 'PAID', 'REFUND'],
    told: ['refund_failed'],
  },
  {
    name: 'the test button says nothing of an order',
    preset: 'cashfree',
    sends: () => [cashfree('WEBHOOK', { test_object: { test_key: at(1) } })],
    ends: ['pending'],
    untold: ['event_waiting'],
  },
];

export const regionCases = lives([...ofRazorpay, ...ofPaystack, ...ofFlutterwave, ...ofCashfree]);
