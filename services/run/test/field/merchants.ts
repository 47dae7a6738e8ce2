import { capture, type FieldCase, first, intent, money, month, now, sale } from './case';

/** What further pages and reports of merchants say; the rows of the adapters' tables name them. */
export const merchantCases: readonly FieldCase[] = [
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
    // "A charge can carry more than one dispute (e.g. AmEx or Klarna partial disputes …)", https://github.com/Automattic/woocommerce-payments/pull/11916
    name: 'two disputes of one charge are two',
    orders: (id) => [{ id, status: 'completed', transaction_id: `ch_2d_${id}` }],
    happens: async (world, id) => {
      for (const part of ['a', 'b'])
        await world.card('charge.dispute.created', {
          id: `dp_${part}_${id}`,
          object: 'dispute',
          amount: 2000,
          currency: 'usd',
          charge: `ch_2d_${id}`,
          status: 'needs_response',
          metadata: {},
        });
    },
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE', 'DISPUTE'] }),
  },
  {
    name: 'one dispute that the wallet tells by webhook and by notification is one',
    orders: (id) => [{ id, status: 'completed', transaction_id: `DT${id}` }],
    happens: async (world, id) => {
      await world.wallet('CUSTOMER.DISPUTE.CREATED', 'dispute', {
        dispute_id: `PP-R-${id}`,
        disputed_transactions: [{ seller_transaction_id: `DT${id}` }],
        dispute_amount: money('49.00'),
        status: 'OPEN',
      });
      return world.ipn({ txn_type: 'new_case', case_type: 'dispute', case_id: `PP-R-${id}`, txn_id: `DT${id}` });
    },
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE'] }),
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
    name: 'a refund that is cancelled asks a person to look',
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
