import { capture, charge, type FieldCase, first, intent, invoice, money, now, sale } from './case';

const dispute = (id: number, name: string, amount: number) => ({
  id: `dp_${name}_${id}`,
  object: 'dispute',
  amount,
  currency: 'usd',
  charge: `ch_${name}_${id}`,
  payment_intent: `pi_${name}_${id}`,
  status: 'needs_response',
  metadata: { order_id: String(id) },
});
const deposit = (id: number, txn_id: string, mc_gross: string, more: Readonly<Record<string, string>> = {}) => ({
  custom: JSON.stringify({ order_id: id }),
  txn_type: 'web_accept',
  payment_status: 'Completed',
  mc_currency: 'USD',
  mc_gross,
  txn_id,
  ...more,
});
/** An order that enters `processing` is completed by the rule of the cases; one on hold may be paid just so. */
const paidBefore = (id: number) => [{ id, status: 'on-hold', transaction_id: `ch_first_${id}` }];

/** A payment that pays an invoice, of which the gateway says the id alone ("invoice: string", docs.stripe.com/expand). */
const ofInvoices: readonly FieldCase[] = [
  {
    name: 'a renewal whose invoice is not expanded, before the invoice itself',
    orders: paidBefore,
    happens: async (world, id) => {
      const named = { invoice: `in_rn_${id}` };
      await world.card('charge.succeeded', charge(id, 'rn', 4900, named), now - 2);
      await world.card('payment_intent.succeeded', intent(id, `pi_rn_${id}`, named), now - 2);
      return world.card('invoice.payment_succeeded', invoice(id, 'rn', 'subscription_cycle'), now - 1);
    },
    ends: (id) => ({ [id]: ['on-hold', 'RENEWAL'] }),
  },
  {
    name: 'the first payment whose invoice is not expanded pays its order',
    happens: async (world, id) => {
      await world.card('charge.succeeded', charge(id, 'fi', 4900, { invoice: `in_fi_${id}` }), now - 2);
      return world.card('invoice.payment_succeeded', invoice(id, 'fi', 'subscription_create'), now - 1);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'the order’s own payment whose invoice is not expanded',
    orders: (id) => [{ id, status: 'on-hold', transaction_id: `ch_own_${id}` }],
    happens: (world, id) => world.card('charge.succeeded', charge(id, 'own', 4900, { invoice: `in_own_${id}` })),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'a renewal that fails, whose invoice is not expanded, does not fail the order',
    orders: paidBefore,
    happens: (world, id) =>
      world.card(
        'charge.failed',
        charge(id, 'rf', 4900, { invoice: `in_rf_${id}`, captured: false, amount_captured: 0, status: 'failed' }),
      ),
    ends: (id) => ({ [id]: ['on-hold'] }),
    told: ['other_payment'],
  },
];

/** "Reversed: A payment was reversed due to a chargeback or other type of reversal", developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables */
const takenBack: readonly FieldCase[] = [
  {
    name: 'a deposit that was reversed is paid no more',
    orders: first({ total: '100.00' }),
    happens: async (world, id) => {
      const part = capture(id, `DR1${id}`, '40.00', false);
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', part);
      await world.wallet('PAYMENT.CAPTURE.REVERSED', 'capture', { ...part, status: 'REVERSED' });
      return world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `DR2${id}`, '60.00', false));
    },
    ends: (id) => ({ [id]: ['pending'] }),
    told: ['payment_partial'],
  },
  {
    name: 'a deposit that was reversed and paid again',
    orders: first({ total: '100.00' }),
    happens: async (world, id) => {
      const part = capture(id, `DA1${id}`, '40.00', false);
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', part);
      await world.wallet('PAYMENT.CAPTURE.REVERSED', 'capture', { ...part, status: 'REVERSED' });
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `DA2${id}`, '60.00', false));
      return world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `DA3${id}`, '40.00', true));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    // "Canceled_Reversal: A reversal has been canceled. For example, you won a dispute with the customer", the same page.
    name: 'IPN: a deposit whose reversal was cancelled is paid',
    happens: async (world, id) => {
      await world.ipn(deposit(id, `CR1${id}`, '20.00'));
      const parent = { parent_txn_id: `CR1${id}` };
      await world.ipn(deposit(id, `CR2${id}`, '-20.00', { ...parent, payment_status: 'Reversed' }));
      await world.ipn(deposit(id, `CR3${id}`, '20.00', { ...parent, payment_status: 'Canceled_Reversal' }));
      return world.ipn(deposit(id, `CR4${id}`, '29.00'));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'IPN: a deposit that was given back is paid no more',
    happens: async (world, id) => {
      await world.ipn(deposit(id, `GB1${id}`, '20.00'));
      const back = { parent_txn_id: `GB1${id}`, payment_status: 'Refunded' };
      await world.ipn(deposit(id, `GB2${id}`, '-20.00', back));
      return world.ipn(deposit(id, `GB3${id}`, '29.00'));
    },
    ends: (id) => ({ [id]: ['pending', 'REFUND'] }),
    told: ['payment_partial'],
  },
  // "charge.dispute.funds_withdrawn", "charge.dispute.funds_reinstated", https://docs.stripe.com/api/events/types
  ...([false, true] as const).map(
    (isBack): FieldCase => ({
      name: `a deposit whose money a dispute took${isBack ? ' and gave back' : ''}`,
      happens: async (world, id) => {
        await world.card('charge.succeeded', charge(id, 'dw', 2000), now - 90);
        await world.card('charge.dispute.funds_withdrawn', dispute(id, 'dw', 2000), now - 60);
        if (isBack) await world.card('charge.dispute.funds_reinstated', dispute(id, 'dw', 2000), now - 30);
        return world.card('charge.succeeded', charge(id, 'dx', 2900), now);
      },
      ends: (id) => ({ [id]: isBack ? ['completed', 'PAID'] : ['pending'] }),
      told: isBack ? [] : ['payment_partial'],
    }),
  ),
];

/** What merchants and authors of plugins have reported. */
export const reportCases: readonly FieldCase[] = [
  ...ofInvoices,
  ...takenBack,
  {
    // https://github.com/paypal/PayPal-PHP-SDK/issues/1217
    name: 'one sale told twice, with and without the number of its invoice',
    happens: async (world, id) => {
      await world.wallet('PAYMENT.SALE.COMPLETED', 'sale', sale(id, `ST${id}`, '49.00'));
      const named = sale(id, `ST${id}`, '49.00', { invoice_number: `WC-${id}` });
      return world.wallet('PAYMENT.SALE.COMPLETED', 'sale', named);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    // https://github.com/202-ecommerce/stripe_official/issues/78
    name: 'a card that was declined, told after the wallet has paid',
    happens: async (world, id) => {
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `DC${id}`, '49.00', true));
      const declined = { amount_received: 0, status: 'requires_payment_method' };
      return world.card('payment_intent.payment_failed', intent(id, `pi_dc_${id}`, declined));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
    told: ['other_payment'],
  },
  {
    // https://github.com/woocommerce/woocommerce-paypal-payments/issues/354
    name: 'the number of a plugin stands where its sender reads an id',
    orders: (id) => [{ id, number: `SO-${id}` }],
    happens: (world, id) =>
      world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', {
        ...capture(id, `CN${id}`, '49.00', true),
        custom_id: `SO-${id}`,
        invoice_id: `WC-SO-${id}`,
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    // "Charge and PaymentIntent of one payment", https://docs.stripe.com/payments/payment-intents/migration/charges
    name: 'two parts, each told as a payment and as its charge',
    happens: async (world, id) => {
      for (const [name, amount] of [
        ['p1', 2000],
        ['p2', 2900],
      ] as const) {
        const whole = { amount, amount_received: amount };
        await world.card('payment_intent.succeeded', intent(id, `pi_${name}_${id}`, whole));
        await world.card('charge.succeeded', charge(id, name, amount));
      }
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'the order of the wallet and its capture are one payment, part by part',
    happens: async (world, id) => {
      for (const [at, value] of ['20.00', '29.00'].entries()) {
        const captures = [{ id: `OC${at}${id}`, status: 'COMPLETED', amount: money(value) }];
        const purchase_units = [{ amount: money(value), custom_id: String(id), payments: { captures } }];
        const order = { id: `ORD${at}${id}`, status: 'COMPLETED', purchase_units };
        await world.wallet('CHECKOUT.ORDER.COMPLETED', 'checkout-order', order);
        await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `OC${at}${id}`, value, true));
      }
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    // https://docs.stripe.com/currencies#minor-units: "49" of the smallest unit is not 49 of the currency.
    name: 'a currency without decimals, read as one with them, moves nothing',
    orders: first({ currency: 'JPY', total: '49' }),
    happens: (world, id) => world.card('payment_intent.succeeded', intent(id, `pi_jp_${id}`, { currency: 'jpy' })),
    ends: (id) => ({ [id]: ['pending'] }),
  },
];
