import { type FieldCase, intent, money, notification, now, session } from './case';

/** What did not happen, or not yet. */
export const unhappenedCases: readonly FieldCase[] = [
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
