import { at, type Life, lives } from './life';
import { attempt, cashfree } from './lives-regions';

const square = (id: number, type: string, kind: string, state: string, object: object, step = 1) => ({
  merchant_id: 'M',
  type,
  event_id: `${type}${state}${step}${id}`,
  created_at: at(step),
  data: { type: kind, id: `${kind}${id}`, object: { [kind]: { id: `${kind}${id}`, ...object } } },
});
const ofSquare = (id: number, type: string, status: string, step = 1) =>
  square(
    id,
    type,
    'payment',
    status,
    { status, reference_id: String(id), amount_money: { amount: 2900, currency: 'EUR' } },
    step,
  );
const refundOfSquare = (id: number, type: string, status: string, step: number) => {
  const amount_money = { amount: 500, currency: 'EUR' };
  return square(id, type, 'refund', status, { status, payment_id: `payment${id}`, amount_money }, step);
};
const disputeOfSquare = (id: number, type: string, state: string, step: number) => {
  const disputed_payment = { payment_id: `payment${id}` };
  return square(
    id,
    type,
    'dispute',
    state,
    { state, disputed_payment, amount_money: { amount: 2900, currency: 'EUR' } },
    step,
  );
};

/** developer.squareup.com/docs/refunds-api/webhooks, developer.squareup.com/reference/square/webhooks/dispute.state.updated */
const ofSquareAll: readonly Life[] = [
  {
    name: 'approved, completed, and told again under another event: paid once',
    preset: 'square',
    sends: (id) => [
      ofSquare(id, 'payment.created', 'APPROVED'),
      ofSquare(id, 'payment.updated', 'COMPLETED', 2),
      ofSquare(id, 'payment.updated', 'COMPLETED', 3),
    ],
    ends: ['completed', 'PAID'],
  },
  {
    name: 'a refund counts once it is completed, and names the payment alone',
    preset: 'square',
    sends: (id) => [
      ofSquare(id, 'payment.created', 'COMPLETED'),
      refundOfSquare(id, 'refund.created', 'PENDING', 2),
      refundOfSquare(id, 'refund.updated', 'COMPLETED', 3),
    ],
    ends: ['completed', 'PAID', 'REFUND'],
  },
  {
    name: 'a rejected refund is recorded and moves nothing',
    preset: 'square',
    sends: (id) => [ofSquare(id, 'payment.created', 'COMPLETED'), refundOfSquare(id, 'refund.updated', 'REJECTED', 3)],
    ends: ['completed', 'PAID'],
    told: ['refund_failed'],
  },
  {
    name: 'a dispute that is lost',
    preset: 'square',
    sends: (id) => [
      ofSquare(id, 'payment.created', 'COMPLETED'),
      disputeOfSquare(id, 'dispute.created', 'EVIDENCE_REQUIRED', 2),
      disputeOfSquare(id, 'dispute.state.updated', 'LOST', 3),
    ],
    ends: ['on-hold', 'DISPUTE', 'LOST', 'PAID'],
  },
  {
    // "For an inquiry that’s already INQUIRY_CLOSED, a later chargeback on the same payment may update the existing dispute": developer.squareup.com/forums/t/28718
    name: 'an inquiry that is closed, and opened again as a chargeback',
    preset: 'square',
    sends: (id) => [
      ofSquare(id, 'payment.created', 'COMPLETED'),
      disputeOfSquare(id, 'dispute.created', 'INQUIRY_EVIDENCE_REQUIRED', 2),
      disputeOfSquare(id, 'dispute.state.updated', 'INQUIRY_CLOSED', 3),
      disputeOfSquare(id, 'dispute.state.updated', 'EVIDENCE_REQUIRED', 4),
      disputeOfSquare(id, 'dispute.state.updated', 'PROCESSING', 5),
      disputeOfSquare(id, 'dispute.state.updated', 'WON', 6),
    ],
    ends: ['on-hold', 'DISPUTE', 'DISPUTE', 'PAID', 'RESOLVED', 'WON'],
  },
];

const paddle = (id: number, event_type: string, data: object, step = 1) => ({
  event_id: `evt_${event_type}${step}${id}`,
  event_type,
  occurred_at: at(step),
  notification_id: `ntf_${step}_${id}`,
  data,
});
const transaction = (id: number, name: string, status: string, more: object = {}) => ({
  id: `txn_${name}_${id}`,
  status,
  custom_data: { order_id: String(id) },
  currency_code: 'EUR',
  details: { totals: { grand_total: '2900', currency_code: 'EUR' } },
  ...more,
});
const adjustment = (id: number, name: string, action: string, status: string) => ({
  id: `adj_${name}_${id}`,
  action,
  status,
  transaction_id: `txn_1_${id}`,
  currency_code: 'EUR',
  totals: { total: '500', currency_code: 'EUR' },
});

/** developer.paddle.com/webhooks/adjustments/adjustment-created, developer.paddle.com/webhooks/adjustments/adjustment-updated */
const ofPaddle: readonly Life[] = [
  {
    name: 'a refund counts once it is approved',
    preset: 'paddle',
    sends: (id) => [
      paddle(id, 'transaction.paid', transaction(id, '1', 'paid')),
      paddle(id, 'transaction.completed', transaction(id, '1', 'completed'), 2),
      paddle(id, 'adjustment.created', adjustment(id, '1', 'refund', 'pending_approval'), 3),
      paddle(id, 'adjustment.updated', adjustment(id, '1', 'refund', 'approved'), 4),
      paddle(id, 'adjustment.created', adjustment(id, '2', 'credit', 'approved'), 5),
    ],
    ends: ['completed', 'PAID', 'REFUND'],
  },
  {
    // developer.paddle.com/changelog/2023/transaction-totals-grand-total: "total": 16500, "credit": 1000, "grand_total": 15500
    name: 'a credit of the customer pays a part: the transaction is completed for its total',
    preset: 'paddle',
    sends: (id) => {
      const totals = { total: '2900', credit: '900', grand_total: '2000', balance: '0', currency_code: 'EUR' };
      return [paddle(id, 'transaction.completed', transaction(id, '1', 'completed', { details: { totals } }))];
    },
    ends: ['completed', 'PAID'],
  },
  {
    name: 'a rejected refund is recorded and moves nothing',
    preset: 'paddle',
    sends: (id) => [
      paddle(id, 'transaction.completed', transaction(id, '1', 'completed')),
      paddle(id, 'adjustment.updated', adjustment(id, '1', 'refund', 'rejected'), 4),
    ],
    ends: ['completed', 'PAID'],
    told: ['refund_failed'],
  },
  {
    name: 'a chargeback and its reversal',
    preset: 'paddle',
    sends: (id) => [
      paddle(id, 'transaction.completed', transaction(id, '1', 'completed')),
      paddle(id, 'adjustment.created', adjustment(id, '3', 'chargeback', 'approved'), 4),
      paddle(id, 'adjustment.created', adjustment(id, '4', 'chargeback_reverse', 'approved'), 5),
    ],
    ends: ['on-hold', 'DISPUTE', 'PAID', 'WON'],
  },
  {
    name: 'the first payment of a subscription, a renewal, and one that is past due',
    preset: 'paddle',
    sends: (id) => [
      paddle(id, 'transaction.completed', transaction(id, '1', 'completed', { subscription_id: `sub_${id}` })),
      paddle(id, 'transaction.completed', transaction(id, '2', 'completed', { subscription_id: `sub_${id}` }), 2),
      paddle(id, 'transaction.past_due', transaction(id, '3', 'past_due', { subscription_id: `sub_${id}` }), 3),
    ],
    ends: ['completed', 'NOT RENEWED', 'PAID', 'RENEWAL'],
  },
  {
    // developer.paddle.com/changelog/2023/subscription-charge-transaction-origin, developer.paddle.com/build/lifecycle/payment-details-update ("zero-value transaction")
    name: 'a new card, another plan and a charge beside it are no renewals of the subscription',
    preset: 'paddle',
    sends: (id) =>
      ['web', 'payment_method_change', 'update', 'charge', 'recurring'].map((name, step) => {
        const origin = step === 0 ? name : `subscription_${name}`;
        const more = { subscription_id: `sub_${id}`, origin };
        return paddle(id, 'transaction.completed', transaction(id, name, 'completed', more), step + 1);
      }),
    ends: ['completed', 'PAID', 'RENEWAL'],
  },
  {
    // developer.paddle.com/webhooks/transactions/transaction-past-due: also an invoice that is collected by hand
    name: 'an invoice that is past due is no renewal',
    preset: 'paddle',
    sends: (id) => [paddle(id, 'transaction.past_due', transaction(id, '1', 'past_due', { subscription_id: null }))],
    ends: ['pending', 'FAILED'],
  },
  {
    // developer.paddle.com/webhooks/subscriptions/subscription-canceled: `custom_data` is null where the subscription was made without it
    name: 'a subscription that names no order is that of its first payment',
    preset: 'paddle',
    sends: (id) => [
      paddle(id, 'transaction.completed', transaction(id, '1', 'completed', { subscription_id: `sub_${id}` })),
      paddle(id, 'subscription.canceled', { id: `sub_${id}`, status: 'canceled', custom_data: null }, 5),
    ],
    ends: ['completed', 'ENDED', 'PAID'],
  },
];

const ofCashfree: readonly Life[] = [
  {
    // cashfree.com/docs/api-reference/payments/latest/payments/webhooks: `payment_offers`, "order_amount": 2, "payment_amount": 1
    name: 'an offer of the sender pays a part: the order is paid for its own amount',
    preset: 'cashfree',
    order: { currency: 'INR' },
    sends: (id) => {
      const { order, payment } = attempt(id, 1, 'SUCCESS');
      const payment_offers = [{ offer_type: 'DISCOUNT', offer_redemption: { discount_amount: 9 } }];
      return [
        cashfree('PAYMENT_SUCCESS_WEBHOOK', { order, payment: { ...payment, payment_amount: 20 }, payment_offers }),
      ];
    },
    ends: ['completed', 'PAID'],
  },
  {
    // cashfree.com/docs/payments/subscription/webhooks: `subscription_id` is the merchant's own
    name: 'a subscription: first charge, renewal, a charge that fails, cancelled by the customer',
    preset: 'cashfree',
    order: { currency: 'INR' },
    sends: (id) => {
      const charge = (type: string, step: number) =>
        cashfree(type, { subscription_id: String(id), cf_payment_id: step * 1_000_000 + id, payment_amount: 29 }, step);
      const changed = (subscription_status: string, step: number) =>
        cashfree(
          'SUBSCRIPTION_STATUS_CHANGED',
          { subscription_details: { subscription_id: String(id), subscription_status } },
          step,
        );
      return [
        changed('ACTIVE', 1),
        charge('SUBSCRIPTION_PAYMENT_SUCCESS', 2),
        charge('SUBSCRIPTION_PAYMENT_SUCCESS', 3),
        charge('SUBSCRIPTION_PAYMENT_FAILED', 4),
        changed('CUSTOMER_CANCELLED', 5),
      ];
    },
    ends: ['completed', 'ENDED', 'NOT RENEWED', 'PAID', 'RENEWAL'],
  },
];

export const platformCases = lives([...ofSquareAll, ...ofPaddle, ...ofCashfree]);
