import type { Entry } from '../products';
import type { Ending, World } from './world';

/** `id` is the first of twenty ids of orders that the case has for itself. */
export type FieldCase = {
  readonly name: string;
  /** Orders there are; what is left out is that of a pending order of 49.00 USD. */
  readonly orders?: (id: number) => readonly Readonly<Record<string, unknown>>[];
  readonly happens: (world: World, id: number) => Promise<readonly Entry[] | void>;
  readonly ends: (id: number) => Readonly<Record<number, Ending>>;
  /** Kinds of entries that the log of the last webhook has. */
  readonly told?: readonly string[];
};

export const intent = (id: number | string, transaction: string, more: object = {}) => ({
  id: transaction,
  object: 'payment_intent',
  amount: 4900,
  amount_received: 4900,
  currency: 'usd',
  status: 'succeeded',
  latest_charge: transaction.replace('pi_', 'ch_'),
  metadata: { order_id: String(id) },
  ...more,
});
export const money = (value: string) => ({ value, currency_code: 'USD' });
const session = (id: number, more: object) => ({
  id: `cs_${id}`,
  object: 'checkout.session',
  payment_intent: `pi_cs_${id}`,
  client_reference_id: String(id),
  amount_total: 4900,
  currency: 'usd',
  metadata: {},
  ...more,
});
export const capture = (id: number, transaction: string, value: string, isFinal: boolean) => ({
  id: transaction,
  status: 'COMPLETED',
  amount: money(value),
  final_capture: isFinal,
  custom_id: String(id),
});
export const notification = (id: number, eventCode: string, success: string, pspReference: string) => ({
  live: 'false',
  notificationItems: [
    {
      NotificationRequestItem: {
        eventCode,
        success,
        pspReference,
        merchantReference: String(id),
        amount: { value: 4900, currency: 'USD' },
      },
    },
  ],
});
const month = 30 * 24 * 3600;
export const now = Math.floor(Date.now() / 1000);
export const first =
  (...fields: Record<string, unknown>[]) =>
  (id: number) =>
    fields.map((one, at) => ({ id: id + at, ...one }));
const invoice = (id: number, name: string, reason: string, amount = 4900) => ({
  id: `in_${name}_${id}`,
  object: 'invoice',
  billing_reason: reason,
  subscription: `sub_${id}`,
  payment_intent: `pi_${name}_${id}`,
  amount_due: amount,
  amount_paid: amount,
  total: amount,
  currency: 'usd',
  status: 'paid',
  subscription_details: { metadata: { order_id: String(id) } },
});

/** Which order an event names (decisions.md section 12). */
const references: readonly FieldCase[] = [
  {
    name: 'a reference that is the id of one order and the number of another moves neither',
    orders: (id) => [
      { id, number: `N${id}` },
      { id: id + 1, number: String(id) },
    ],
    happens: (world, id) => world.card('payment_intent.succeeded', intent(id, `pi_amb_${id}`)),
    ends: (id) => ({ [id]: ['pending'], [id + 1]: ['pending'] }),
    told: ['order_ambiguous'],
  },
  {
    name: 'with order_reference: number it is the number',
    orders: (id) => [
      { id, number: `N${id}` },
      { id: id + 1, number: String(id) },
    ],
    happens: (world, id) =>
      world.generic('numbers', {
        event: 'payment_completed',
        order_id: String(id),
        transaction_id: `t_num_${id}`,
        amount: '49.00',
        currency: 'USD',
      }),
    ends: (id) => ({ [id]: ['pending'], [id + 1]: ['completed', 'PAID'] }),
  },
  {
    name: 'with order_reference: id it is the id',
    orders: (id) => [
      { id, number: `N${id}` },
      { id: id + 1, number: String(id) },
    ],
    happens: (world, id) =>
      world.generic('ids', {
        event: 'payment_completed',
        order_id: String(id),
        transaction_id: `t_id_${id}`,
        amount: '49.00',
        currency: 'USD',
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'], [id + 1]: ['pending'] }),
  },
  {
    name: 'the usual prefix of an invoice number is read',
    happens: (world, id) =>
      world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', {
        id: `CAP${id}`,
        status: 'COMPLETED',
        amount: money('49.00'),
        final_capture: true,
        invoice_id: `WC-${id}`,
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'a prefix of the sender is read, and the attempt behind the number is not',
    happens: (world, id) =>
      world.generic('prefixed', {
        type: 'payment_completed',
        reference: `SHOP/${id}_1698765432`,
        transaction_id: `t_pre_${id}`,
        amount: '49.00',
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'custom_id as JSON with the key of the order',
    orders: first({ order_key: 'wc_order_abc' }),
    happens: (world, id) =>
      world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', {
        ...capture(id, `CAPJ${id}`, '49.00', true),
        custom_id: JSON.stringify({ order_id: id, order_key: 'wc_order_abc' }),
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'the key of another order makes the event foreign',
    orders: first({ order_key: 'wc_order_abc' }),
    happens: (world, id) =>
      world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', {
        ...capture(id, `CAPK${id}`, '49.00', true),
        custom_id: JSON.stringify({ order_id: id, order_key: 'wc_order_of_another_shop' }),
      }),
    ends: (id) => ({ [id]: ['pending'] }),
    told: ['order_foreign'],
  },
  {
    name: 'the address of another shop makes the event foreign',
    happens: (world, id) =>
      world.card(
        'payment_intent.succeeded',
        intent(id, `pi_for_${id}`, { metadata: { order_id: String(id), site_url: 'https://other.example' } }),
      ),
    ends: (id) => ({ [id]: ['pending'] }),
    told: ['order_foreign'],
  },
  {
    name: 'the address of this shop in another spelling does not',
    happens: (world, id) =>
      world.card(
        'payment_intent.succeeded',
        intent(id, `pi_own_${id}`, { metadata: { order_id: String(id), site_url: 'http://www.shop.example/store/' } }),
      ),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'a dispute goes to the order that was paid, not to a renewal that carries a copy of the charge',
    orders: (id) => [
      {
        id,
        status: 'completed',
        transaction_id: `ch_par_${id}`,
        meta_data: [{ key: '_charge_id', value: `ch_par_${id}` }],
      },
      { id: id + 1, status: 'failed', meta_data: [{ key: '_charge_id', value: `ch_par_${id}` }] },
    ],
    happens: (world, id) =>
      world.card('charge.dispute.created', {
        id: `dp_${id}`,
        object: 'dispute',
        amount: 4900,
        currency: 'usd',
        charge: `ch_par_${id}`,
        status: 'needs_response',
        metadata: {},
      }),
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE'], [id + 1]: ['failed'] }),
  },
  {
    name: 'of copies alone the oldest order is meant',
    orders: (id) => [
      { id, status: 'completed', meta_data: [{ key: '_stripe_charge_id', value: `ch_cp_${id}` }] },
      { id: id + 1, status: 'completed', meta_data: [{ key: '_stripe_charge_id', value: `ch_cp_${id}` }] },
    ],
    happens: (world, id) =>
      world.card('charge.refunded', {
        id: `ch_cp_${id}`,
        object: 'charge',
        amount: 4900,
        amount_captured: 4900,
        amount_refunded: 4900,
        captured: true,
        refunded: true,
        currency: 'usd',
        metadata: {},
      }),
    ends: (id) => ({ [id]: ['completed', 'REFUND'], [id + 1]: ['completed'] }),
  },
];

/** Payment, renewal, neither. */
const subscriptions: readonly FieldCase[] = [
  {
    name: 'IPN: the first payment of a subscription pays its order, the next is a renewal',
    happens: async (world, id) => {
      const shared = { subscr_id: `I-${id}`, custom: JSON.stringify({ order_id: id }), mc_currency: 'USD' };
      await world.ipn({ ...shared, txn_type: 'subscr_signup', ipn_track_id: `a${id}`, amount3: '49.00' });
      const paid = { ...shared, txn_type: 'subscr_payment', payment_status: 'Completed', mc_gross: '49.00' };
      await world.ipn({
        ...paid,
        txn_id: `P1${id}`,
        ipn_track_id: `b${id}`,
        payment_date: '10:00:00 Jan 13, 2026 PST',
      });
      return world.ipn({
        ...paid,
        txn_id: `P2${id}`,
        ipn_track_id: `c${id}`,
        payment_date: '10:00:00 Feb 13, 2026 PST',
      });
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL'] }),
  },
  {
    name: 'wallet: sales of an agreement, the first pays and the second renews, whatever its amount',
    happens: async (world, id) => {
      const sale = (transaction: string, total: string) => ({
        id: transaction,
        state: 'completed',
        amount: { total, currency: 'USD' },
        billing_agreement_id: `I-AG${id}`,
        custom: String(id),
      });
      await world.wallet('PAYMENT.SALE.COMPLETED', 'sale', sale(`S1${id}`, '49.00'), new Date((now - month) * 1000));
      return world.wallet('PAYMENT.SALE.COMPLETED', 'sale', sale(`S2${id}`, '39.00'));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL'] }),
  },
  {
    name: 'card: subscription_create pays, subscription_cycle renews, subscription_update and manual are neither',
    happens: async (world, id) => {
      await world.card('invoice.payment_succeeded', invoice(id, 'a', 'subscription_create'), now - 2 * month);
      await world.card('invoice.payment_succeeded', invoice(id, 'b', 'subscription_update', 1200), now - month - 9);
      await world.card('invoice.payment_succeeded', invoice(id, 'c', 'subscription_cycle', 6100), now - month);
      return world.card('invoice.payment_succeeded', invoice(id, 'd', 'manual', 500), now);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL'] }),
  },
  {
    name: 'card: a subscription that ends is never refused for its amount',
    orders: first({ status: 'completed' }),
    happens: (world, id) =>
      world.card('customer.subscription.deleted', {
        id: `sub_${id}`,
        object: 'subscription',
        status: 'canceled',
        currency: 'usd',
        plan: { amount: 900 },
        metadata: { order_id: String(id) },
      }),
    ends: (id) => ({ [id]: ['completed', 'ENDED'] }),
  },
  {
    name: 'an event by the gateway’s own name that is in no list fires its rule',
    orders: first({ status: 'completed' }),
    happens: (world, id) => world.card('invoice.paid', invoice(id, 'p', 'subscription_cycle')),
    ends: (id) => ({ [id]: ['completed', 'INVOICE'] }),
  },
];

/** Amounts, and payments that add up. */
const amounts: readonly FieldCase[] = [
  {
    name: 'two captures make one payment',
    orders: first({ total: '100.00' }),
    happens: async (world, id) => {
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `C1${id}`, '40.00', false));
      return world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `C2${id}`, '60.00', true));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'the last capture first',
    orders: first({ total: '100.00' }),
    happens: async (world, id) => {
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `C3${id}`, '60.00', true));
      return world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `C4${id}`, '40.00', false));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'one capture of two is a part, and is told so',
    orders: first({ total: '100.00' }),
    happens: (world, id) =>
      world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `C5${id}`, '40.00', false)),
    ends: (id) => ({ [id]: ['pending'] }),
    told: ['payment_partial'],
  },
  {
    name: 'more than the order is a mismatch',
    orders: first({ total: '30.00' }),
    happens: async (world, id) => {
      for (const key of ['a', 'b'])
        await world.generic('plain', {
          type: 'payment_completed',
          order_id: id,
          transaction_id: `d${key}${id}`,
          amount: '20.00',
          currency: 'USD',
        });
    },
    ends: (id) => ({ [id]: ['pending'] }),
  },
  {
    name: 'a payment of another currency moves nothing',
    happens: (world, id) => world.card('payment_intent.succeeded', intent(id, `pi_cur_${id}`, { currency: 'eur' })),
    ends: (id) => ({ [id]: ['pending'] }),
  },
  {
    name: 'a dispute may exceed its order',
    orders: (id) => [{ id, status: 'completed', transaction_id: `ch_dis_${id}` }],
    happens: (world, id) =>
      world.card('charge.dispute.created', {
        id: `dpx_${id}`,
        object: 'dispute',
        amount: 4987,
        currency: 'usd',
        charge: `ch_dis_${id}`,
        status: 'needs_response',
        metadata: {},
      }),
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE'] }),
  },
  {
    name: 'minor units of a connection',
    orders: first({ currency: 'EUR' }),
    happens: (world, id) =>
      world.generic('minor', {
        amount: 4900,
        currencyCode: 'EUR',
        status: 'CAPTURED',
        reference: String(id),
        psp: `p${id}`,
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'minor units of a currency that has none',
    orders: first({ currency: 'JPY', total: '4900' }),
    happens: (world, id) =>
      world.generic('minor', {
        amount: 4900,
        currencyCode: 'JPY',
        status: 'CAPTURED',
        reference: String(id),
        psp: `j${id}`,
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'a currency that ISO does not know is equal to itself',
    orders: first({ currency: 'IRT', total: '490000' }),
    happens: (world, id) =>
      world.generic('plain', {
        type: 'payment_completed',
        order_id: id,
        transaction_id: `irt${id}`,
        amount: 490000,
        currency: 'IRT',
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    // https://github.com/woocommerce/woocommerce, wc-core-functions: IRT (Iranian toman) is a currency of the shop; ISO 4217 has IRR alone.
    name: 'minor units of a currency that ISO does not know have the decimals of the order',
    orders: first({ currency: 'IRT', total: '4900' }),
    happens: (world, id) =>
      world.generic('minor', {
        amount: 4900,
        currencyCode: 'IRT',
        status: 'CAPTURED',
        reference: String(id),
        psp: `irtm${id}`,
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'a refund of more than the order is no refund',
    orders: (id) => [{ id, status: 'completed', transaction_id: `tr${id}` }],
    happens: (world, id) =>
      world.generic('plain', {
        type: 'payment_refunded',
        order_id: id,
        transaction_id: `tr${id}`,
        refund_id: `rf${id}`,
        amount: '59.00',
        currency: 'USD',
      }),
    ends: (id) => ({ [id]: ['completed'] }),
  },
];

/** What did not happen, or not yet. */
const unhappened: readonly FieldCase[] = [
  {
    name: 'a released authorisation is no refund',
    happens: async (world, id) => {
      const charge = {
        id: `ch_rel_${id}`,
        object: 'charge',
        amount: 4900,
        captured: false,
        amount_captured: 0,
        payment_intent: `pi_rel_${id}`,
        currency: 'usd',
        metadata: { order_id: String(id) },
      };
      await world.card('charge.succeeded', { ...charge, amount_refunded: 0 }, now - 60);
      const canceled = { amount_received: 0, status: 'canceled', cancellation_reason: 'abandoned' };
      await world.card('payment_intent.canceled', intent(id, `pi_rel_${id}`, canceled), now - 30);
      await world.card('charge.refunded', { ...charge, refunded: true, amount_refunded: 4900 }, now - 30);
    },
    ends: (id) => ({ [id]: ['pending', 'CANCELLED', 'CANCELLED'] }),
  },
  {
    name: 'a checkout that is not paid yet, then is',
    happens: async (world, id) => {
      await world.card('checkout.session.completed', session(id, { payment_status: 'unpaid' }), now - 60);
      return world.card('checkout.session.async_payment_succeeded', session(id, { payment_status: 'paid' }), now);
    },
    ends: (id) => ({ [id]: ['completed', 'ASYNC', 'PAID'] }),
  },
  {
    name: 'a checkout that was not paid in the end',
    happens: async (world, id) => {
      await world.card('checkout.session.completed', session(id, { payment_status: 'unpaid' }), now - 60);
      return world.card('checkout.session.async_payment_failed', session(id, { payment_status: 'unpaid' }), now);
    },
    ends: (id) => ({ [id]: ['pending', 'FAILED'] }),
  },
  {
    name: 'a refund that did not succeed is no refund',
    orders: (id) => [{ id, status: 'completed', transaction_id: `psp${id}` }],
    happens: (world, id) => world.generic('adyen', notification(id, 'REFUND', 'false', `psr${id}`)),
    ends: (id) => ({ [id]: ['completed'] }),
  },
  {
    name: 'an authorisation that did not succeed is a failed payment',
    happens: (world, id) => world.generic('adyen', notification(id, 'AUTHORISATION', 'false', `psa${id}`)),
    ends: (id) => ({ [id]: ['pending', 'FAILED'] }),
  },
  ...(
    [
      ['CANCELED_BY_BUYER', 'RESOLVED'],
      ['RESOLVED_BUYER_FAVOUR', 'LOST'],
      ['RESOLVED_SELLER_FAVOUR', 'WON'],
      ['RESOLVED_WITH_PAYOUT', 'RESOLVED'],
      ['ACCEPTED', 'RESOLVED'],
      ['NONE', 'RESOLVED'],
    ] as const
  ).map(
    ([outcome_code, note]): FieldCase => ({
      name: `a dispute that ends ${outcome_code}`,
      orders: (id) => [{ id, status: 'completed', transaction_id: `WT${id}` }],
      happens: (world, id) =>
        world.wallet('CUSTOMER.DISPUTE.RESOLVED', 'dispute', {
          dispute_id: `PP-D-${id}`,
          disputed_transactions: [{ seller_transaction_id: `WT${id}` }],
          dispute_amount: money('49.00'),
          dispute_outcome: { outcome_code, amount_refunded: money('0.00') },
          status: 'RESOLVED',
        }),
      ends: (id) => ({ [id]: ['completed', note] }),
    }),
  ),
  {
    name: 'a refund of the wallet that names its sale and has a negative amount',
    orders: (id) => [{ id, status: 'completed', transaction_id: `SALE${id}` }],
    happens: (world, id) =>
      world.wallet('PAYMENT.SALE.REFUNDED', 'sale', {
        id: `RF${id}`,
        state: 'completed',
        sale_id: `SALE${id}`,
        amount: { total: '-9.00', currency: 'USD' },
      }),
    ends: (id) => ({ [id]: ['completed', 'REFUND'] }),
  },
];

/** A payment of a subscription, by the wallet. */
const sale = (id: number, transaction: string, total: string, more: object = {}) => ({
  id: transaction,
  state: 'completed',
  amount: { total, currency: 'USD' },
  billing_agreement_id: `I-AG${id}`,
  custom: String(id),
  ...more,
});

/** What further pages and reports of merchants say; the rows of the adapters' tables name them. */
const later: readonly FieldCase[] = [
  {
    name: 'wallet: the second month is denied: the renewal failed, not the order',
    happens: async (world, id) => {
      await world.wallet(
        'PAYMENT.SALE.COMPLETED',
        'sale',
        sale(id, `SD1${id}`, '49.00'),
        new Date((now - month) * 1000),
      );
      return world.wallet('PAYMENT.SALE.DENIED', 'sale', sale(id, `SD2${id}`, '49.00', { state: 'denied' }));
    },
    ends: (id) => ({ [id]: ['completed', 'NOT RENEWED', 'PAID'] }),
  },
  {
    name: 'IPN: the first payment of a subscription fails: the payment of the order failed',
    happens: (world, id) =>
      world.ipn({
        txn_type: 'subscr_payment',
        payment_status: 'Failed',
        subscr_id: `I-F${id}`,
        txn_id: `PF${id}`,
        custom: String(id),
        mc_gross: '49.00',
        mc_currency: 'USD',
        ipn_track_id: `f${id}`,
      }),
    ends: (id) => ({ [id]: ['pending', 'FAILED'] }),
  },
  {
    name: 'IPN: a first payment of another amount moves nothing, and the next one renews',
    happens: async (world, id) => {
      const paid = {
        txn_type: 'subscr_payment',
        payment_status: 'Completed',
        subscr_id: `I-M${id}`,
        custom: String(id),
      };
      const money = { mc_gross: '54.00', mc_currency: 'USD' };
      await world.ipn({ ...paid, ...money, txn_id: `PM1${id}`, payment_date: '10:00:00 Jan 13, 2026 PST' });
      return world.ipn({ ...paid, ...money, txn_id: `PM2${id}`, payment_date: '10:00:00 Feb 13, 2026 PST' });
    },
    ends: (id) => ({ [id]: ['pending', 'RENEWAL'] }),
  },
  {
    name: 'IPN: two captures of one authorisation make one payment',
    happens: async (world, id) => {
      const common = { custom: String(id), mc_currency: 'USD', txn_type: 'web_accept' };
      const held = { payment_status: 'Pending', pending_reason: 'authorization', mc_gross: '49.00' };
      await world.ipn({ ...common, ...held, txn_id: `AU${id}` });
      const capture = { ...common, payment_status: 'Completed', parent_txn_id: `AU${id}`, auth_id: `AU${id}` };
      await world.ipn({ ...capture, txn_id: `AC1${id}`, mc_gross: '20.00' });
      return world.ipn({ ...capture, txn_id: `AC2${id}`, mc_gross: '29.00' });
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'IPN: money that leaves the account is no payment',
    happens: (world, id) =>
      world.ipn({
        txn_type: 'send_money',
        payment_status: 'Completed',
        txn_id: `OUT${id}`,
        custom: String(id),
        mc_gross: '-49.00',
        mc_currency: 'USD',
      }),
    ends: (id) => ({ [id]: ['pending'] }),
  },
  {
    name: 'a deposit that was given back, then all of it',
    happens: async (world, id) => {
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `DP1${id}`, '20.00', true));
      await world.wallet('PAYMENT.CAPTURE.REFUNDED', 'refund', {
        id: `DR${id}`,
        status: 'COMPLETED',
        amount: money('20.00'),
        custom_id: String(id),
        links: [{ rel: 'up', href: `https://api.wallet.example/v2/payments/captures/DP1${id}` }],
      });
      return world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `DP2${id}`, '49.00', true));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'REFUND'] }),
  },
  {
    name: 'the customer paid twice: the refund of the second payment is not that of the order',
    happens: async (world, id) => {
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `TW1${id}`, '49.00', true));
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `TW2${id}`, '49.00', true));
      return world.wallet('PAYMENT.CAPTURE.REFUNDED', 'refund', {
        id: `TR${id}`,
        status: 'COMPLETED',
        amount: money('49.00'),
        custom_id: String(id),
        links: [{ rel: 'up', href: `https://api.wallet.example/v2/payments/captures/TW2${id}` }],
      });
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
    told: ['other_payment'],
  },
  {
    name: 'three decimals, of which the card takes two',
    orders: first({ currency: 'KWD', total: '5.124' }),
    happens: (world, id) =>
      world.card(
        'payment_intent.succeeded',
        intent(id, `pi_kwd_${id}`, { amount: 5120, amount_received: 5120, currency: 'kwd' }),
      ),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'what was authorised and not captured is released, not refunded',
    happens: async (world, id) => {
      const charge = {
        id: `ch_pc_${id}`,
        object: 'charge',
        payment_intent: `pi_pc_${id}`,
        amount: 6000,
        amount_captured: 4900,
        amount_refunded: 1100,
        captured: true,
        currency: 'usd',
        metadata: { order_id: String(id) },
      };
      await world.card('charge.captured', charge, now - 9);
      await world.card('charge.refunded', charge, now - 8);
      return world.card('charge.refunded', { ...charge, amount_refunded: 6000, refunded: true }, now);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'REFUND'] }),
  },
  {
    name: 'a refund that is cancelled is told to a person',
    orders: (id) => [{ id, status: 'completed', transaction_id: `pi_rc_${id}` }],
    happens: (world, id) =>
      world.card('refund.updated', {
        id: `re_rc_${id}`,
        object: 'refund',
        status: 'canceled',
        payment_intent: `pi_rc_${id}`,
        amount: 900,
        currency: 'usd',
      }),
    ends: (id) => ({ [id]: ['completed'] }),
    told: ['refund_failed'],
  },
  {
    name: 'a refund whose state is failed is none',
    orders: (id) => [{ id, status: 'completed', transaction_id: `tf${id}` }],
    happens: (world, id) =>
      world.generic('plain', {
        type: 'refund',
        status: 'failed',
        order_id: id,
        transaction_id: `tf${id}`,
        amount: '9.00',
      }),
    ends: (id) => ({ [id]: ['completed'] }),
    told: ['refund_failed'],
  },
];

/** One webhook, one event. */
const identity: readonly FieldCase[] = [
  {
    name: 'two refunds of one amount are two',
    orders: (id) => [{ id, status: 'completed', transaction_id: `tx${id}` }],
    happens: async (world, id) => {
      for (const refund_id of ['rf_1', 'rf_2'])
        await world.generic('plain', {
          type: 'payment_refunded',
          order_id: id,
          transaction_id: `tx${id}`,
          refund_id: `${refund_id}_${id}`,
          amount: '5.00',
          currency: 'USD',
        });
    },
    ends: (id) => ({ [id]: ['completed', 'REFUND', 'REFUND'] }),
  },
  {
    name: 'webhook_event acts on each of three changes',
    orders: first({ status: 'completed' }),
    happens: async (world, id) => {
      for (const [at, state] of ['packed', 'sent', 'packed'].entries())
        await world.generic('plain', {
          type: 'order_updated',
          order_id: id,
          state,
          timestamp: `2026-11-20T10:0${at}:00Z`,
        });
    },
    ends: (id) => ({ [id]: ['completed', 'UPDATED', 'UPDATED', 'UPDATED'] }),
  },
  {
    name: 'two cancellations of one order are two',
    happens: async (world, id) => {
      for (const at of [1, 2])
        await world.generic('plain', {
          type: 'payment_cancelled',
          order_id: id,
          transaction_id: `pc${id}`,
          timestamp: `2026-11-2${at}T10:00:00Z`,
        });
    },
    ends: (id) => ({ [id]: ['pending', 'CANCELLED', 'CANCELLED'] }),
  },
  {
    name: 'a copy of a payment under another event is one payment',
    happens: async (world, id) => {
      await world.card('payment_intent.succeeded', intent(id, `pi_one_${id}`), now);
      return world.card(
        'charge.succeeded',
        {
          id: `ch_one_${id}`,
          object: 'charge',
          payment_intent: `pi_one_${id}`,
          amount: 4900,
          amount_captured: 4900,
          captured: true,
          currency: 'usd',
          metadata: { order_id: String(id) },
        },
        now,
      );
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
];

/** Drafts, trash, kinds without an order, and what shops export. */
const shops: readonly FieldCase[] = [
  {
    name: 'a payment for a draft counts at once, and once',
    orders: first({ status: 'checkout-draft' }),
    happens: async (world, id) => {
      await world.card('payment_intent.succeeded', intent(id, `pi_dr_${id}`));
      await world.save(id, { status: 'pending' });
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'an order in the trash is moved by nothing',
    orders: first({ status: 'trash' }),
    happens: (world, id) => world.card('payment_intent.succeeded', intent(id, `pi_tr_${id}`)),
    ends: (id) => ({ [id]: ['trash'] }),
    told: ['late_payment'],
  },
  ...[
    'VAULT.PAYMENT-TOKEN.CREATED',
    'CATALOG.PRODUCT.CREATED',
    'BILLING.PLAN.CREATED',
    'MERCHANT.ONBOARDING.COMPLETED',
  ].map(
    (type): FieldCase => ({
      name: `${type} names no order and waits for none`,
      happens: async (world, id) => {
        const entries = await world.wallet(type, 'payment_token', { id: `V${type}${id}`, name: 'x' });
        expect(entries.map(({ status }) => status)).not.toContain('warning');
        expect(entries.map(({ event_type }) => event_type)).not.toContain('event_waiting');
        return entries;
      },
      ends: (id) => ({ [id]: ['pending'] }),
      told: ['process_completed'],
    }),
  ),
  {
    name: 'field names with dots and dollars, halves, many rows, long notes',
    orders: (id) => [
      {
        id,
        customer_note: 'x'.repeat(11_000),
        meta_data: Array.from({ length: 1_200 }, (_, at) => ({ key: at < 800 ? '_same' : `_k${at}`, value: `v${at}` })),
        line_items: [
          {
            id: 1,
            name: 'Cheese',
            product_id: 1,
            quantity: 0.5,
            total: '49.00',
            meta_data: [{ key: 'gravity', value: { '1.3': 'Ada', '$5.1': 'x' } }],
          },
        ],
      },
    ],
    happens: (world, id) => world.card('payment_intent.succeeded', intent(id, `pi_odd_${id}`)),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
];

export const fieldCases: readonly FieldCase[] = [
  ...references,
  ...subscriptions,
  ...amounts,
  ...unhappened,
  ...later,
  ...identity,
  ...shops,
];
