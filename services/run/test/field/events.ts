import { type FieldCase, first, intent, now } from './case';

/** One webhook, one event. */
export const eventCases: readonly FieldCase[] = [
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
    name: 'two refunds without ids differ by their amounts',
    orders: (id) => [{ id, status: 'completed', transaction_id: `tx${id}` }],
    happens: async (world, id) => {
      for (const amount of ['5.00', '7.00']) {
        const of = { order_id: id, transaction_id: `tx${id}`, amount, currency: 'USD' };
        await world.generic('plain', { type: 'payment_refunded', ...of });
      }
    },
    ends: (id) => ({ [id]: ['completed', 'REFUND', 'REFUND'] }),
  },
  {
    name: 'a payout with a reference of its own waits for no order',
    happens: (world, id) =>
      world.generic('plain', {
        event: 'payout.paid',
        data: { id: `po_${id}`, reference: `PO-${id}`, amount: '49.00' },
      }),
    ends: (id) => ({ [id]: ['pending'] }),
    untold: ['event_waiting', 'amount_mismatch'],
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
