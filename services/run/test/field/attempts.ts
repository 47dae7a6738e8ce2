import { capture, type FieldCase, first, intent, invoice, now, session } from './case';

const unpaid = { amount_received: 0, status: 'requires_payment_method' };

/** Several attempts to pay one order, by one gateway, by two, or without one. */
const several: readonly FieldCase[] = [
  {
    // "an order has already start a Stripe Checkout Session and start another one", https://github.com/Sylius/PayumStripePlugin/pull/31
    name: 'the failure of an earlier attempt, while the order waits for a newer one',
    orders: (id) => [{ id, meta_data: [{ key: '_stripe_intent_id', value: `pi_new_${id}` }] }],
    happens: (world, id) => world.card('payment_intent.payment_failed', intent(id, `pi_old_${id}`, unpaid)),
    ends: (id) => ({ [id]: ['pending'] }),
    told: ['other_payment'],
  },
  {
    name: 'the failure of the attempt that the order waits for',
    orders: (id) => [{ id, meta_data: [{ key: '_stripe_intent_id', value: `pi_own_${id}` }] }],
    happens: (world, id) => world.card('payment_intent.payment_failed', intent(id, `pi_own_${id}`, unpaid)),
    ends: (id) => ({ [id]: ['pending', 'FAILED'] }),
  },
  {
    // https://github.com/woocommerce/woocommerce-gateway-stripe/pull/905
    name: 'the failure of a card, after the customer chose to pay in cash',
    orders: first({ status: 'on-hold', payment_method: 'cod' }),
    happens: (world, id) => world.card('payment_intent.payment_failed', intent(id, `pi_cod_${id}`, unpaid)),
    ends: (id) => ({ [id]: ['on-hold'] }),
    told: ['other_payment'],
  },
  {
    name: 'an order that two gateways are paid for asks a person to look',
    happens: async (world, id) => {
      await world.card('payment_intent.succeeded', intent(id, `pi_tw_${id}`), now - 9);
      const entries = await world.wallet(
        'PAYMENT.CAPTURE.COMPLETED',
        'capture',
        capture(id, `TWO${id}`, '49.00', true),
      );
      expect(entries.find(({ event_type }) => event_type === 'late_payment')?.summary).toContain('paid twice');
      return entries;
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
    told: ['late_payment'],
  },
  {
    // https://docs.stripe.com/payments/sepa-debit: a debit takes days.
    name: 'a direct debit that fails days later, told as payment and as charge, fails once',
    happens: async (world, id) => {
      const pending = { amount_received: 0, status: 'processing' };
      await world.card('payment_intent.processing', intent(id, `pi_sd_${id}`, pending), now - 5 * 86_400);
      const charge = {
        id: `ch_sd_${id}`,
        object: 'charge',
        payment_intent: `pi_sd_${id}`,
        amount: 4900,
        currency: 'usd',
      };
      await world.card('charge.failed', { ...charge, captured: false, metadata: { order_id: String(id) } }, now);
      return world.card('payment_intent.payment_failed', intent(id, `pi_sd_${id}`, unpaid), now);
    },
    ends: (id) => ({ [id]: ['pending', 'FAILED'] }),
  },
];

/** Payments that no payment of the gateway stands behind, and the last word on one. */
export const attemptCases: readonly FieldCase[] = [
  ...several,
  {
    // "invoice.paid: … or an invoice is marked as paid out-of-band", https://docs.stripe.com/api/events/types
    name: 'an invoice that was paid outside of the gateway',
    happens: (world, id) =>
      world.card('invoice.paid', {
        ...invoice(id, 'oob', 'subscription_create'),
        payment_intent: null,
        paid_out_of_band: true,
      }),
    ends: (id) => ({ [id]: ['completed', 'INVOICE', 'PAID'] }),
  },
  {
    // https://docs.stripe.com/payments/checkout/no-cost-orders
    name: 'a checkout of nothing settles an order of nothing',
    orders: first({ total: '0.00' }),
    happens: (world, id) => {
      const free = { payment_intent: null, mode: 'payment', amount_total: 0, payment_status: 'no_payment_required' };
      return world.card('checkout.session.completed', session(id, free));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    // "the remaining amount is automatically released", https://docs.stripe.com/payments/place-a-hold-on-a-payment-method
    name: 'what was not captured does not come any more, and the log says so',
    happens: async (world, id) => {
      const entries = await world.card(
        'payment_intent.succeeded',
        intent(id, `pi_lc_${id}`, { amount_received: 2000 }),
      );
      const partial = entries.find(({ event_type }) => event_type === 'payment_partial');
      expect(partial).toMatchObject({ status: 'warning', summary: expect.stringContaining('the last capture') });
      return entries;
    },
    ends: (id) => ({ [id]: ['pending'] }),
    told: ['payment_partial'],
  },
  {
    // "initial_payment_status", https://developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables/
    name: 'IPN: a profile with its first payment pays the order, the next one renews',
    happens: async (world, id) => {
      const profile = { recurring_payment_id: `I-P${id}`, rp_invoice_id: `WC-${id}` };
      await world.ipn({
        ...profile,
        txn_type: 'recurring_payment_profile_created',
        initial_payment_status: 'Completed',
        initial_payment_amount: '49.00',
        initial_payment_txn_id: `IP1${id}`,
        currency_code: 'USD',
        amount: '10.00',
        ipn_track_id: `ip${id}`,
      });
      const next = {
        txn_type: 'recurring_payment',
        payment_status: 'Completed',
        mc_gross: '10.00',
        mc_currency: 'USD',
      };
      return world.ipn({ ...profile, ...next, txn_id: `IP2${id}` });
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RENEWAL'] }),
  },
  {
    // "This currency does not support decimals", https://developer.paypal.com/api/rest/reference/currency-codes/
    name: 'forint, of which the wallet takes no decimals',
    orders: first({ currency: 'HUF', total: '4900.50' }),
    happens: (world, id) =>
      world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', {
        ...capture(id, `HU${id}`, '4901', true),
        amount: { value: '4901', currency_code: 'HUF' },
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'a number that another gateway gave to a payment of years ago',
    orders: (id) => [{ id, status: 'completed', transaction_id: `9${id}` }, { id: id + 1 }],
    happens: (world, id) =>
      world.generic('plain', {
        type: 'payment_completed',
        order_id: id + 1,
        transaction_id: `9${id}`,
        amount: '49.00',
      }),
    ends: (id) => ({ [id]: ['completed'], [id + 1]: ['completed', 'PAID'] }),
  },
  {
    name: 'the order as it is written for people',
    orders: (id) => [{ id, number: `R/${id}` }],
    happens: (world, id) =>
      world.card(
        'payment_intent.succeeded',
        intent(id, `pi_op_${id}`, { metadata: { order_number: `Order #R/${id}` } }),
      ),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'a deposit is paid by the number of its own order, and moves not the one that it belongs to',
    orders: (id) => [
      { id, number: `D${id}`, total: '100.00', status: 'on-hold' },
      { id: id + 1, number: `D${id}-1` },
    ],
    happens: (world, id) =>
      world.card('payment_intent.succeeded', intent(id, `pi_dc_${id}`, { metadata: { order_number: `D${id}-1` } })),
    ends: (id) => ({ [id]: ['on-hold'], [id + 1]: ['completed', 'PAID'] }),
  },
];
