import { waitFor } from '@order-automation/testing';
import { capture, type FieldCase, first, intent, money } from './case';

const md5 = '0123456789abcdef0123456789abcdef';

/** A payment of the card gateway with this metadata pays the order. */
const paysBy = (name: string, metadata: (id: number) => object, at = 0): FieldCase => ({
  name: `metadata: ${name}`,
  orders: first({ order_key: 'wc_order_abc' }),
  happens: (world, id) =>
    world.card('payment_intent.succeeded', intent(id, `pi_m${at}_${id}`, { metadata: metadata(id) })),
  ends: (id) => ({ [id]: ['completed', 'PAID'] }),
});

/** A capture of the wallet with this `custom_id` pays the order. */
const paysByCustom = (name: string, custom_id: (id: number) => string): FieldCase => ({
  name: `custom: ${name}`,
  orders: first({ order_key: 'wc_order_abc' }),
  happens: (world, id) =>
    world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', {
      ...capture(id, `CAPC${id}`, '49.00', true),
      custom_id: custom_id(id),
    }),
  ends: (id) => ({ [id]: ['completed', 'PAID'] }),
});

/**
 * How plugins name the order of a payment. `orderId` and `orderID`: code of shops around Stripe's SDK; `woocommerce_order_id`: `WC_ORDER_ID` of Razorpay for
 * WooCommerce (woo-razorpay.php); `Order #`: Stripe for Magento; `solidus_order_number`: https://github.com/solidusio/solidus_stripe; `edd_payment_id`: Easy Digital
 * Downloads; `signature`: "the order ID followed by a hash"
 * (https://github.com/woocommerce/woocommerce-gateway-stripe/pull/3567); `custom` with several values: "you can use a delimiter, such as a comma"
 * (https://forum.html.it/forum/showthread.php?threadid=1460499), JSON with the key of the order
 * (https://github.com/woocommerce/woocommerce-paypal-payments/issues/2066).
 */
export const pluginCases: readonly FieldCase[] = [
  paysBy('orderId', (id) => ({ orderId: String(id) })),
  paysBy('Order #', (id) => ({ 'Order #': String(id) })),
  paysBy('woocommerce_order_id beside its number', (id) => ({
    woocommerce_order_id: id,
    woocommerce_order_number: String(id),
  })),
  paysBy('solidus_order_number', (id) => ({ solidus_order_number: String(id) })),
  paysBy('edd_payment_id', (id) => ({ edd_payment_id: String(id), edd_payment_total: '49.00' })),
  paysBy('an order as JSON', (id) => ({ order: JSON.stringify({ id, key: 'wc_order_abc' }) })),
  paysBy('an empty list, as PHP writes it, leaves the transaction', (id) => ({
    order_id: [],
    order_number: String(id),
  })),
  paysByCustom('a query string', (id) => `order_id=${id}&order_key=wc_order_abc`),
  paysByCustom('base64', (id) =>
    Buffer.from(JSON.stringify({ order_id: id, order_key: 'wc_order_abc' })).toString('base64'),
  ),
  paysByCustom('nested', (id) => JSON.stringify({ order: { id, order_key: 'wc_order_abc' }, user: 7 })),
  paysByCustom('id and key', (id) => `${id}|wc_order_abc`),
  paysByCustom('escaped for HTML', (id) => `{&quot;order_id&quot;:${id}}`),
  {
    name: 'custom: a query string with the key of another shop’s order is foreign',
    orders: first({ order_key: 'wc_order_abc' }),
    happens: (world, id) =>
      world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', {
        ...capture(id, `CAPQ${id}`, '49.00', true),
        custom_id: `order_id=${id}&order_key=wc_order_xyz`,
      }),
    ends: (id) => ({ [id]: ['pending'] }),
    told: ['order_foreign'],
  },
  {
    name: 'the key alone beside the invoice: of another order it is foreign',
    orders: first({ order_key: 'wc_order_abc' }),
    happens: (world, id) =>
      world.ipn({
        txn_type: 'web_accept',
        payment_status: 'Completed',
        txn_id: `IK${id}`,
        invoice: `WC-${id}`,
        custom: 'wc_order_xyz',
        mc_gross: '49.00',
        mc_currency: 'USD',
      }),
    ends: (id) => ({ [id]: ['pending'] }),
    told: ['order_foreign'],
  },
  {
    name: 'a number that is the id of another order, beside the id that the plugin has signed',
    orders: (id) => [
      { id, number: `N${id}` },
      { id: id + 1, number: String(id) },
    ],
    happens: (world, id) =>
      world.card(
        'payment_intent.succeeded',
        intent(id, `pi_sig_${id}`, { metadata: { order_id: String(id), signature: `${id + 1}:${md5}` } }),
      ),
    ends: (id) => ({ [id]: ['pending'], [id + 1]: ['completed', 'PAID'] }),
  },
  {
    name: 'the signed id of an order that is still to come is what the event waits for',
    happens: async (world, id) => {
      const metadata = { order_id: String(id), signature: `${id + 9}:${md5}` };
      const entries = await world.card('payment_intent.succeeded', intent(id, `pi_sc_${id}`, { metadata }));
      const waiting = entries.find(({ event_type }) => event_type === 'event_waiting');
      expect(waiting?.summary).toContain(`waiting for order ${id + 9},`);
      return entries;
    },
    ends: (id) => ({ [id]: ['pending'] }),
  },
  {
    name: 'an order that is still to come, whose number is the id of another',
    happens: async (world, id) => {
      const metadata = { order_id: String(id + 9), order_number: String(id) };
      const entries = await world.card('payment_intent.succeeded', intent(id, `pi_cm_${id}`, { metadata }));
      await world.save(id + 9, { number: String(id), status: 'pending', currency: 'USD', total: '49.00' });
      await waitFor(async () => (await world.ending(id + 9))[0] === 'completed');
      return entries;
    },
    ends: (id) => ({ [id]: ['pending'], [id + 9]: ['completed', 'PAID'] }),
    told: ['event_waiting'],
  },
  {
    name: 'the subscription leads to its first order; the renewal that is named is still to come',
    orders: (id) => [{ id, status: 'completed', meta_data: [{ key: '_subscription_id', value: `sub_r${id}` }] }],
    happens: (world, id) =>
      world.card('charge.succeeded', {
        id: `ch_r${id}`,
        object: 'charge',
        payment_intent: `pi_r${id}`,
        subscription: `sub_r${id}`,
        amount: 4900,
        captured: true,
        currency: 'usd',
        metadata: { order_id: String(id + 9) },
      }),
    ends: (id) => ({ [id]: ['completed'] }),
    told: ['event_waiting'],
  },
  {
    name: 'an older payment of the wallet names its order in its transaction',
    happens: (world, id) =>
      world.wallet('PAYMENT.SALE.COMPLETED', 'sale', {
        id: `SV${id}`,
        state: 'completed',
        amount: { total: '49.00', currency: 'USD' },
        transactions: [{ custom: String(id), amount: money('49.00') }],
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    // "Custom data", https://developer.paddle.com/changelog/e9a54055ea46e-custom-data-now-available
    name: 'generic: the data of the shop in the gateway’s own field, and camel case',
    happens: (world, id) =>
      world.generic('plain', {
        eventType: 'payment_completed',
        data: { transactionId: `pd${id}`, amount: '49.00', currencyCode: 'USD', custom_data: { order_id: id } },
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    // Spelt as the universal event has it (the specification, 2.6)
    name: 'generic: the names of the universal event itself',
    happens: (world, id) =>
      world.generic('plain', {
        eventType: 'payment_completed',
        transactionID: `ue${id}`,
        orderID: id,
        amount: '49.00',
        currency: 'USD',
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    // "An early fraud warning indicates that the card issuer has notified us that a charge may be fraudulent",
    // https://app.unpkg.com/stripe@20.0.0/files/types/Radar/EarlyFraudWarnings.d.ts
    name: 'a warning of fraud is about the order of its charge',
    orders: (id) => [{ id, status: 'completed', transaction_id: `ch_fw${id}` }],
    happens: async (world, id) => {
      const entries = await world.card('radar.early_fraud_warning.created', {
        id: `issfr_${id}`,
        object: 'radar.early_fraud_warning',
        charge: `ch_fw${id}`,
      });
      expect(entries.some(({ order_id }) => order_id === id)).toBe(true);
      return entries;
    },
    ends: (id) => ({ [id]: ['completed'] }),
  },
];
