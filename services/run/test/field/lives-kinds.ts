import { at, type Life, lives, type Sent, seconds } from './life';
import { data } from './lives-acquirers';
import { payment, razorpay } from './lives-regions';

const square = (type: string, id: number) => ({ type, event_id: `${type}${id}`, data: { id: `SQ${id}`, object: {} } });
const airwallex = (name: string, id: number) => ({ id: `${name}${id}`, name, data: { object: { id: `obj_${id}` } } });
const mollie = (type: string, id: number, more: object = {}) => ({
  ...{ resource: 'event', id: `event_${type}${id}`, type, entityId: `x_${id}`, createdAt: at(1), ...more },
});

/** What these senders tell besides payments and orders: the preset, the page that says so, and the event. */
const ofSomethingElse: readonly (readonly [preset: string, page: string, sent: (id: number) => Sent])[] = [
  [
    'square',
    'developer.squareup.com/docs/webhooks/v2webhook-events-tech-ref',
    (id) => square('team_member.created', id),
  ],
  ['square', 'developer.squareup.com/docs/gift-cards/webhooks', (id) => square('gift_card.created', id)],
  [
    'shopify',
    'shopify.dev/docs/api/webhooks (themes/publish)',
    (id) => [{ id: 512_108_868 + id, name: 'Comfort', role: 'main' }, { 'x-shopify-topic': 'themes/publish' }],
  ],
  [
    'shopify',
    'shopify.dev/docs/api/webhooks (draft_orders/create)',
    (id) => [{ id: 890_612_572 + id, order_id: null, name: '#D2' }, { 'x-shopify-topic': 'draft_orders/create' }],
  ],
  ['mollie', 'docs.mollie.com/reference/webhooks-new', (id) => mollie('profile.verified', id)],
  [
    'paddle',
    'developer.paddle.com/webhooks/api-keys',
    (id) => ({ event_type: 'api_key.created', data: { id: `k${id}` } }),
  ],
  ['airwallex', 'www.airwallex.com/docs (deposits)', (id) => airwallex('deposit.settled', id)],
  [
    'xendit',
    'docs.xendit.co/docs/payouts-webhooks',
    (id) => ({ event: 'payout.succeeded', created: at(1), data: { id: `disb-${id}`, reference_id: `my-${id}` } }),
  ],
  [
    'authorize-net',
    'developer.authorize.net/api/reference/features/webhooks.html (subscription.expiring)',
    (id) => ({ eventType: 'net.authorize.customer.subscription.expiring', payload: { id: String(7_000_000 + id) } }),
  ],
];

const paystack = (id: number, more: object) => ({
  event: 'charge.success',
  data: { id, status: 'success', reference: `${id}_1763632800`, paid_at: at(1), ...more },
});
const adyen = (id: number, eventCode: string, psp: string, originalReference: string) => ({
  notificationItems: [
    {
      NotificationRequestItem: {
        additionalData: { hmacSignature: `${eventCode}${id}` },
        ...{
          eventCode,
          success: 'true',
          pspReference: `${psp}${id}`,
          originalReference,
          merchantReference: String(id),
        },
        amount: { value: 2900, currency: 'EUR' },
      },
    },
  ],
});
const gocardless = (id: number, step: number, resource_type: string, action: string, links: object) => ({
  events: [
    {
      id: `EV${step}${id}`,
      created_at: at(step),
      resource_type,
      action,
      links,
      resource_metadata: { order_id: `${id}` },
    },
  ],
});
const noted = (id: number) => ({ woocommerce_order_number: String(id) });
const topic = (name: string, body: object) => [body, { 'x-shopify-topic': name }] as const;

const kinds: readonly Life[] = [
  {
    // github.com/PaystackOSS/woo-paystack: the order stands in the reference, and every amount is multiplied by 100
    name: 'the order in the reference, CFA francs in hundredths',
    preset: 'paystack',
    order: { currency: 'XOF', total: '2900' },
    sends: (id) => [paystack(id, { amount: 290_000, currency: 'XOF', metadata: { custom_fields: [] } })],
    ends: ['completed', 'PAID'],
  },
  {
    // github.com/Flutterwave/Woocommerce-v3: 'WOOC_' . $order_id . '_' . time()
    name: 'the order as the plugin of WooCommerce writes it',
    preset: 'flutterwave',
    order: { currency: 'NGN' },
    sends: (id) => [
      {
        event: 'charge.completed',
        data: { id, tx_ref: `WOOC_${id}_1763632800`, amount: 29, currency: 'NGN', status: 'successful' },
      },
    ],
    ends: ['completed', 'PAID'],
  },
  {
    // plugins.svn.wordpress.org/woo-xendit-virtual-accounts: DEFAULT_EXTERNAL_ID_VALUE
    name: 'the order as the plugin of WooCommerce writes it',
    preset: 'xendit',
    order: { currency: 'PHP' },
    sends: (id) => [
      { id: `wx${id}`, external_id: `woocommerce-xendit-${id}`, status: 'PAID', amount: 29, currency: 'PHP' },
    ],
    ends: ['completed', 'PAID'],
  },
  {
    // wordpress.org/plugins/woo-razorpay, 2.7.1: "Order notes key from woocommerce_order_id to woocommerce_order_number"
    name: 'the order as the plugin of WooCommerce notes it',
    preset: 'razorpay',
    order: { currency: 'INR' },
    sends: (id) => [razorpay(id, 'payment.captured', { payment: payment(id, 'w', 'captured', noted(id)) }, 1)],
    ends: ['completed', 'PAID'],
  },
  {
    // shopify.dev/docs/api/webhooks: `order_id` is the id that Shopify has given to the order
    name: 'a fulfilment and a transaction are about the order that was paid',
    preset: 'shopify',
    sends: (id) => [
      topic('orders/paid', { id: 5_000_000 + id, order_number: id, total_price: '29.00', currency: 'EUR' }),
      topic('fulfillments/create', { id: 8_000_000 + id, order_id: 5_000_000 + id, status: 'success' }),
      topic('order_transactions/create', { id: 9_000_000 + id, order_id: 5_000_000 + id, kind: 'sale' }),
    ],
    ends: ['completed', 'PAID'],
    untold: ['event_waiting'],
  },
  {
    // docs.mollie.com/reference/webhooks-new ("choose between a full payload (snapshot)" and a simple one)
    name: 'an event without its payment is about the order whose transaction it names',
    preset: 'mollie',
    order: { transaction_id: 'tr_simple' },
    sends: (id) => [mollie('payment.paid', id, { entityId: 'tr_simple' })],
    ends: ['completed', 'PAID'],
  },
  {
    // www.checkout.com/docs/developer-resources/event-notifications/event-types/dispute_arbitration_lost
    name: 'a dispute that is lost in arbitration',
    preset: 'checkout-com',
    sends: (id) => [
      data(id, 'payment_captured'),
      ...['dispute_received', 'dispute_arbitration_lost'].map((type, step) =>
        data(id, type, { id: `dsp_${id}`, action_id: undefined, payment_id: `pay_${id}`, step }),
      ),
    ],
    ends: ['on-hold', 'DISPUTE', 'LOST', 'PAID'],
  },
  ...(['SCHEME_ARBITRATION_WON', 'ISSUER_RESPONSE_TIMEFRAME_EXPIRED'] as const).map(
    (won): Life => ({
      // docs.adyen.com/api-explorer/Webhooks/1/post/ISSUER_RESPONSE_TIMEFRAME_EXPIRED
      name: `a chargeback that was defended: ${won}`,
      preset: 'adyen',
      sends: (id) => [
        adyen(id, 'AUTHORISATION', 'a', ''),
        adyen(id, 'CHARGEBACK', 'd', `a${id}`),
        adyen(id, won, 'd', `a${id}`),
      ],
      ends: ['on-hold', 'DISPUTE', 'PAID', 'WON'],
    }),
  ),
  ...([[], ['CHARGEBACK']] as const).map(
    (more): Life => ({
      // docs.adyen.com/api-explorer/Webhooks/1/post/DISPUTE_OPENED_WITH_CHARGEBACK; "All events related to a dispute have the same PSP reference",
      // docs.adyen.com/risk-management/disputes-api/dispute-notifications
      name: `a dispute that begins with its chargeback is one${more.map((code) => `, with ${code}, too`)}`,
      preset: 'adyen',
      sends: (id) => [
        adyen(id, 'AUTHORISATION', 'a', ''),
        ...['DISPUTE_OPENED_WITH_CHARGEBACK', ...more].map((code) => adyen(id, code, 'd', `a${id}`)),
      ],
      ends: ['on-hold', 'DISPUTE', 'PAID'],
    }),
  ),
  {
    // developer.gocardless.com/api-reference, events of refunds: `links` holds the refund alone; `funds_returned`: "The funds for the refund have been returned to you."
    name: 'a refund that names its order by its own metadata, whose money comes back',
    preset: 'gocardless',
    sends: (id) => [
      gocardless(id, 1, 'payments', 'confirmed', { payment: `PM${id}` }),
      ...['created', 'paid', 'funds_returned'].map((action, step) =>
        gocardless(id, 2 + step, 'refunds', action, { refund: `RF${id}` }),
      ),
    ],
    ends: ['completed', 'PAID', 'REFUND'],
    told: ['refund_failed'],
  },
  {
    // docs.dodopayments.com/developer-resources/handle-payment-failures: `payment.failed` tells of every failed payment; docs.dodopayments.com/developer-resources/
    // webhooks/intents/webhook-events-guide: `subscription.failed` says that the subscription could not begin
    name: 'a first payment that fails has failed once, though a second event says that its subscription has failed',
    preset: 'dodo-payments',
    sends: (id) =>
      (['payment', 'subscription'] as const).map((object, step) => ({
        ...{ business_id: 'b', type: `${object}.failed`, timestamp: at(step) },
        data: {
          ...(object === 'payment' && { payment_id: `pay_${id}`, total_amount: 2900 }),
          ...{ subscription_id: `sub_${id}`, status: 'failed', currency: 'EUR', metadata: { order_id: String(id) } },
        },
      })),
    ends: ['pending', 'FAILED'],
  },
  {
    // docs.xendit.co/apidocs/refund-webhook-notification: its example holds the event a second time, as `data`
    name: 'a refund that stands within a second event',
    preset: 'xendit',
    order: { currency: 'PHP', status: 'completed', transaction_id: 'py-nested' },
    sends: (id) =>
      ['rfd-1', 'rfd-2', 'rfd-1'].map((name, step) => {
        const event = { event: 'refund.succeeded', business_id: 'b', created: at(step) };
        const refund = { id: `${name}${id}`, payment_id: 'py-nested', invoice_id: null, reference_id: `mine-${id}` };
        return { ...event, data: { ...event, data: { ...refund, amount: 5, currency: 'PHP', status: 'SUCCEEDED' } } };
      }),
    ends: ['completed', 'REFUND', 'REFUND'],
  },
  {
    // chargebee.com/docs/webhook_settings.html ("likely that webhooks reach your application out-of-order")
    name: 'an attempt at the first payment that failed is no renewal, though it is reported after that payment',
    preset: 'chargebee',
    sends: (id) =>
      (['payment_succeeded', 'payment_failed'] as const).map((event_type, step) => ({
        ...{ id: `ev_${step}_${id}`, occurred_at: seconds(5 - step), event_type },
        content: {
          transaction: { id: `txn_${step}_${id}`, amount: 2900, currency_code: 'EUR', subscription_id: `S${id}` },
          invoice: { id: `i${id}`, po_number: String(id) },
        },
      })),
    ends: ['completed', 'PAID'],
  },
];

export const kindCases = lives([
  ...kinds,
  ...ofSomethingElse.map(
    ([preset, page, sent]): Life => ({
      name: `is about something else and waits for no order: ${page}`,
      preset,
      sends: (id) => [sent(id)],
      ends: ['pending'],
      untold: ['event_waiting'],
    }),
  ),
]);
