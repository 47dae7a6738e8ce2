import { capture, charge, type FieldCase, first, intent, now } from './case';

/** Amounts, and payments that add up. */
export const amountCases: readonly FieldCase[] = [
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
    name: 'one capture of two is a part, and the log says so',
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
  {
    // https://docs.stripe.com/currencies#three-decimal
    name: 'card: a deposit and the rest of an order in dinars, each without its last decimal',
    orders: first({ currency: 'KWD', total: '10.255' }),
    happens: async (world, id) => {
      await world.card('charge.succeeded', charge(id, 'kd', 4120, { currency: 'kwd' }), now - 90);
      return world.card('charge.succeeded', charge(id, 'ke', 6140, { currency: 'kwd' }), now - 60);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
];
