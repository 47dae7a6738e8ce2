import { type FieldCase, first } from './case';

/** Two webhooks of a sender without ids of events, that differ in what no list of names has. */
const twice = (name: string, one: object, other: object, ending: 'UPDATED' | 'CANCELLED'): FieldCase => ({
  name: `${name} are two`,
  orders: first({ status: ending === 'UPDATED' ? 'completed' : 'pending' }),
  happens: async (world, id) => {
    const type = ending === 'UPDATED' ? 'order_updated' : 'payment_cancelled';
    for (const more of [one, other])
      await world.generic('plain', { type, order_id: id, transaction_id: `id${id}`, ...more });
  },
  ends: (id) => ({ [id]: [ending === 'UPDATED' ? 'completed' : 'pending', ending, ending] }),
});

/**
 * "Distinct refund actions for the same transaction and amount can both succeed" (https://github.com/saleor/apps/issues/2446); "two valid refunds for the same
 * session can have different amounts or reasons" (https://github.com/anolilab/lunora/pull/435).
 */
export const identityCases: readonly FieldCase[] = [
  twice('changes of a status under another name', { order_status: 'packed' }, { order_status: 'sent' }, 'UPDATED'),
  twice('one state reached from two', { state: 'a', previous: 'b' }, { state: 'a', previous: 'c' }, 'UPDATED'),
  twice('cancellations with times of their own', { cancelledAt: '10:00' }, { cancelledAt: '10:05' }, 'CANCELLED'),
  twice('numbered versions', { data: { version: 1 } }, { data: { version: 2 } }, 'UPDATED'),
  {
    name: 'a delivery that is tried again is one event',
    orders: first({ status: 'completed' }),
    happens: async (world, id) => {
      for (const attempt of [1, 2])
        await world.generic('plain', {
          type: 'order_updated',
          order_id: id,
          transaction_id: `at${id}`,
          attempt,
          sent_at: `10:0${attempt}`,
        });
    },
    ends: (id) => ({ [id]: ['completed', 'UPDATED'] }),
  },
  {
    // "One or more events (up to 250 per request)",
    // https://raw.githubusercontent.com/api-evangelist/gocardless/refs/heads/main/asyncapi/gocardless-asyncapi.yml
    name: 'several events in one body are each read, once',
    orders: first({}, {}),
    happens: async (world, id) => {
      const event = (at: number, action: string) => ({
        id: `EV${at}_${id}`,
        resource_type: 'payments',
        action,
        links: { payment: `PM${at}_${id}` },
        resource_metadata: { order_id: String(id + at) },
      });
      const body = { events: [event(0, 'payment_completed'), event(1, 'payment_failed')] };
      await world.generic('batches', body);
      return world.generic('batches', body);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'], [id + 1]: ['pending', 'FAILED'] }),
  },
  {
    name: 'refunds of one amount by their ids in camel case are two',
    orders: (id) => [{ id, status: 'completed', transaction_id: `rc${id}` }],
    happens: async (world, id) => {
      for (const at of [1, 2])
        await world.generic('plain', {
          type: 'payment_refunded',
          orderId: id,
          transactionId: `rc${id}`,
          refundId: `rf${at}_${id}`,
          amount: '5.00',
        });
    },
    ends: (id) => ({ [id]: ['completed', 'REFUND', 'REFUND'] }),
  },
  {
    name: 'one refund told twice in other words is one',
    orders: (id) => [{ id, status: 'completed', transaction_id: `ro${id}` }],
    happens: async (world, id) => {
      for (const note of ['first', 'again'])
        await world.generic('plain', {
          type: 'payment_refunded',
          order_id: id,
          transaction_id: `ro${id}`,
          refund_id: `rf_${id}`,
          amount: '5.00',
          note,
        });
    },
    ends: (id) => ({ [id]: ['completed', 'REFUND'] }),
  },
];
