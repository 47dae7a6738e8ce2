import { at, type Life, lives, seconds } from './life';

const topic = (name: string, body: object) => [body, { 'x-shopify-topic': name }] as const;
const shopifyOrder = (id: number, more: object = {}) => ({
  id: 5_000_000_000_000 + id,
  order_number: id,
  total_price: '29.00',
  currency: 'EUR',
  processed_at: at(1),
  ...more,
});
const refundOfShopify = (id: number, name: number, transactions: readonly object[]) => ({
  id: 9_000_000_000_000 + id + name,
  order_id: 5_000_000_000_000 + id,
  processed_at: at(2 + name),
  transactions,
});
const given = { kind: 'refund', status: 'success', amount: '5.00', currency: 'EUR' };

/** shopify.dev/docs/api/webhooks, shopify.dev/docs/api/admin-rest/latest/resources/refund */
const ofShopify: readonly Life[] = [
  {
    name: 'paid, refunded twice, and once restocked without money',
    preset: 'shopify',
    sends: (id) => [
      topic('orders/create', shopifyOrder(id, { financial_status: 'pending' })),
      topic('orders/paid', shopifyOrder(id, { financial_status: 'paid' })),
      topic('refunds/create', refundOfShopify(id, 1, [given])),
      topic('refunds/create', refundOfShopify(id, 2, [given])),
      topic('refunds/create', refundOfShopify(id, 3, [])),
    ],
    ends: ['completed', 'PAID', 'REFUND', 'REFUND'],
  },
  {
    // shopify.dev/docs/api/admin-rest/latest/resources/refund (`transactions`): one for each way in which the order was paid
    name: 'a refund of all of it, a part to a gift card: no more may be given back',
    preset: 'shopify',
    sends: (id) => [
      topic('orders/paid', shopifyOrder(id)),
      topic(
        'refunds/create',
        refundOfShopify(id, 1, [
          { ...given, id: 1_000_000 + id, amount: '9.00', gateway: 'gift_card' },
          { ...given, id: 2_000_000 + id, amount: '20.00' },
        ]),
      ),
    ],
    ends: ['completed', 'PAID', 'REFUND', 'REFUND'],
  },
  {
    name: 'fulfilled with the body of the payment is an event of its own, and a dispute is lost',
    preset: 'shopify',
    sends: (id) => {
      const dispute = { id: 7_000_000 + id, order_id: 5_000_000_000_000 + id, amount: '29.00', currency: 'EUR' };
      return [
        topic('orders/paid', shopifyOrder(id)),
        topic('orders/updated', shopifyOrder(id)),
        topic('disputes/create', { ...dispute, status: 'needs_response', initiated_at: at(4) }),
        topic('disputes/update', { ...dispute, status: 'lost', initiated_at: at(4) }),
      ];
    },
    ends: ['on-hold', 'DISPUTE', 'LOST', 'PAID', 'UPDATED'],
  },
];

const lemon = (id: number, event_name: string, type: string, attributes: object, name = '1') => ({
  meta: { event_name, custom_data: { order_id: String(id) }, test_mode: false },
  data: { type, id: `${name}${id}`, attributes: { currency: 'EUR', total: 2900, ...attributes } },
});
const lemonOrder = (id: number, event_name: string, attributes: object) =>
  lemon(id, event_name, 'orders', {
    identifier: `u-${id}`,
    refunded_amount: 0,
    refunded_at: null,
    updated_at: at(1),
    ...attributes,
  });
const invoiceOfLemon = (id: number, event: string, billing_reason: string, status: string, name: string) =>
  lemon(
    id,
    event,
    'subscription-invoices',
    { subscription_id: id, billing_reason, status, updated_at: at(Number(name)) },
    name,
  );

/** docs.lemonsqueezy.com/help/webhooks/event-types, docs.lemonsqueezy.com/api/orders/the-order-object ("refunded_amount") */
const ofLemonSqueezy: readonly Life[] = [
  {
    // A part leaves `status` and `refunded_at` as they were, and `refunded_amount` is the sum so far: docs.lemonsqueezy.com/api/orders/issue-refund
    name: 'two parts of one amount are refunded, then the rest',
    preset: 'lemon-squeezy',
    sends: (id) => [
      lemonOrder(id, 'order_created', { status: 'paid' }),
      lemonOrder(id, 'order_refunded', { status: 'paid', refunded_amount: 500, updated_at: at(2) }),
      lemonOrder(id, 'order_refunded', { status: 'paid', refunded_amount: 1000, updated_at: at(2) }),
      lemonOrder(id, 'order_refunded', { status: 'refunded', refunded_amount: 2900, refunded_at: at(3) }),
    ],
    ends: ['completed', 'PAID', 'REFUND', 'REFUND', 'REFUND'],
  },
  {
    name: 'the first invoice of a subscription is the order again; later ones are renewals',
    preset: 'lemon-squeezy',
    sends: (id) => [
      lemonOrder(id, 'order_created', { status: 'paid' }),
      invoiceOfLemon(id, 'subscription_payment_success', 'initial', 'paid', '3'),
      invoiceOfLemon(id, 'subscription_payment_success', 'renewal', 'paid', '4'),
      invoiceOfLemon(id, 'subscription_payment_failed', 'renewal', 'pending', '5'),
    ],
    ends: ['completed', 'NOT RENEWED', 'PAID', 'RENEWAL'],
  },
];

const chargebee = (id: number, event_type: string, name: string, more: object = {}) => ({
  id: `ev_${name}_${id}`,
  occurred_at: seconds(Number(name)),
  event_type,
  content: {
    transaction: { id: `txn_${name}_${id}`, amount: 2900, currency_code: 'EUR', subscription_id: `s${id}`, ...more },
    invoice: { po_number: String(id) },
  },
});

/** apidocs.chargebee.com/docs/api/transactions ("refunded_txn_id"), apidocs.chargebee.com/docs/api/events */
const ofChargebee: readonly Life[] = [
  {
    name: 'the first payment, a renewal, and a refund that names its payment',
    preset: 'chargebee',
    sends: (id) => [
      chargebee(id, 'payment_succeeded', '1'),
      chargebee(id, 'payment_succeeded', '2'),
      chargebee(id, 'payment_refunded', '3', { amount: 500, refunded_txn_id: `txn_1_${id}` }),
    ],
    ends: ['completed', 'PAID', 'REFUND', 'RENEWAL'],
  },
  {
    name: 'the first payment fails and is tried again; a month is reported as renewed and as paid',
    preset: 'chargebee',
    sends: (id) => [
      chargebee(id, 'payment_failed', '1', { status: 'failure' }),
      chargebee(id, 'payment_succeeded', '2'),
      {
        ...chargebee(id, 'subscription_renewed', '3'),
        content: { subscription: { id: `s${id}`, po_number: String(id) } },
      },
      chargebee(id, 'payment_succeeded', '4'),
    ],
    ends: ['completed', 'FAILED', 'PAID', 'RENEWAL'],
  },
];

const ofOrder = (id: number, scope: string, step: number, more: object) => ({
  created_at: seconds(step),
  scope: `store/order/${scope}`,
  hash: `${scope}${step}${id}`,
  data: { type: 'order', id, ...more },
});
const scope = (id: number, from: number, to: number, step: number) =>
  ofOrder(id, 'statusUpdated', step, { status: { previous_status_id: from, new_status_id: to } });
const refunded = (id: number, refund_id: number, step: number) =>
  ofOrder(id, 'refund/created', step, { refund: { refund_id } });

/** developer.bigcommerce.com/docs/rest-management/orders/order-status: 7 awaiting payment, 11 awaiting fulfilment, 9 awaiting shipment, 4 refunded */
const ofBigCommerce: readonly Life[] = [
  {
    name: 'awaiting payment, paid, awaiting shipment, refunded',
    preset: 'bigcommerce',
    sends: (id) => [
      ...[scope(id, 0, 7, 1), scope(id, 7, 11, 2), scope(id, 11, 9, 3)],
      ...[refunded(id, 1, 4), scope(id, 9, 4, 4)],
    ],
    ends: ['completed', 'PAID', 'REFUND', 'UPDATED', 'UPDATED'],
  },
  {
    name: 'digital goods are paid and completed at once',
    preset: 'bigcommerce',
    sends: (id) => [scope(id, 0, 10, 1)],
    ends: ['completed', 'PAID'],
  },
  {
    // "This webhook is triggered when a refund is submitted against an order", developer.bigcommerce.com/docs/integrations/webhooks (store/order/refund/created)
    name: 'refunded in two parts, then all of it: the second part leaves its status',
    preset: 'bigcommerce',
    sends: (id) => [
      ...[scope(id, 7, 11, 1), refunded(id, 1, 2), scope(id, 11, 14, 2), refunded(id, 2, 3)],
      ...[refunded(id, 3, 4), scope(id, 14, 4, 4)],
    ],
    ends: ['completed', 'PAID', 'REFUND', 'REFUND', 'REFUND', 'UPDATED', 'UPDATED'],
  },
];

export const storeCases = lives([...ofShopify, ...ofLemonSqueezy, ...ofChargebee, ...ofBigCommerce]);
