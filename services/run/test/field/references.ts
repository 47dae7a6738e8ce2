import { capture, dispute, type FieldCase, first, intent, money } from './case';

/** Which order an event names (decisions.md section 12). */
export const referenceCases: readonly FieldCase[] = [
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
    // "we only included the order/post ID. This PR adds the number to the metadata", https://github.com/Automattic/woocommerce-payments/pull/4275
    name: 'with order_reference: number the number that stands beside the id, which is the number of another order',
    orders: (id) => [
      { id, number: `N${id}` },
      { id: id + 1, number: String(id) },
      { id: id + 2, number: `M${id}` },
    ],
    happens: async (world, id) => {
      const paid = { event: 'payment_completed', amount: '49.00', currency: 'USD' };
      const order_number = `N${id}`;
      await world.generic('numbers', {
        ...paid,
        transaction_id: `t_n1_${id}`,
        metadata: { order_id: id, order_number },
      });
      const metadata = { order_id: id + 2, order_number: `M${id}` };
      return world.generic('numbers', { ...paid, transaction_id: `t_n2_${id}`, metadata });
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'], [id + 1]: ['pending'], [id + 2]: ['completed', 'PAID'] }),
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
    // "site_url", metadata of payments: https://github.com/woocommerce/woocommerce-gateway-stripe; a dispute has none, docs.stripe.com/api/disputes/object
    name: 'a dispute of another shop’s payment, which names that payment alone, is about another shop, too',
    happens: async (world, id) => {
      const metadata = { order_id: String(id), site_url: 'https://other.example' };
      await world.card('payment_intent.succeeded', intent(id, `pi_fd_${id}`, { metadata }));
      return world.card('charge.dispute.created', dispute(id, 'fd'));
    },
    ends: (id) => ({ [id]: ['pending'] }),
    told: ['order_foreign'],
    untold: ['event_waiting'],
  },
  {
    // The setting of the shop's address is corrected, and the payment is sent again.
    name: 'what was taken for another shop’s payment and is reported as one of this shop leads its refund here',
    orders: (id) => [{ id, total: '100.00' }],
    happens: async (world, id) => {
      const metadata = { order_id: String(id), site_url: 'https://other.example' };
      await world.card('payment_intent.succeeded', intent(id, `pi_fo_${id}`, { metadata }));
      await world.card('payment_intent.succeeded', intent(id, `pi_fo_${id}`));
      const refund = { id: `re_fo_${id}`, object: 'refund', amount: 900, currency: 'usd', status: 'succeeded' };
      return world.card('refund.created', { ...refund, charge: `ch_fo_${id}`, payment_intent: `pi_fo_${id}` });
    },
    ends: (id) => ({ [id]: ['pending', 'REFUND'] }),
    untold: ['order_foreign'],
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
