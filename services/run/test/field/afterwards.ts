import { capture, charge, type FieldCase, intent, invoice, money, notification, now } from './case';

const refund = (id: number, name: string, amount: number, status: string, more: object = {}) => ({
  id: `re_${name}_${id}`,
  object: 'refund',
  payment_intent: `pi_${name}_${id}`,
  charge: `ch_${name}_${id}`,
  amount,
  currency: 'usd',
  status,
  metadata: {},
  ...more,
});
const dispute = (id: number, name: string, more: object = {}) => ({
  id: `dp_${name}_${id}`,
  object: 'dispute',
  amount: 4900,
  currency: 'usd',
  charge: `ch_${name}_${id}`,
  status: 'needs_response',
  metadata: {},
  ...more,
});

/**
 * The shop keeps no id of the payment: an event named it together with the order, and what follows names the payment alone. "metadata" of a dispute is
 * its own (docs.stripe.com/api/disputes/object), and so is that of a refund (docs.stripe.com/api/refunds/object).
 */
const byPayment: readonly FieldCase[] = [
  {
    name: 'a dispute that names the charge of a payment alone',
    happens: async (world, id) => {
      await world.card('payment_intent.succeeded', intent(id, `pi_nd_${id}`), now - 9);
      return world.card('charge.dispute.created', dispute(id, 'nd'));
    },
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE', 'PAID'] }),
  },
  {
    name: 'a refund of the wallet that names its capture alone',
    happens: async (world, id) => {
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `NW${id}`, '49.00', true));
      const links = [{ rel: 'up', href: `https://api.wallet.example/v2/payments/captures/NW${id}` }];
      const given = { id: `NWR${id}`, status: 'COMPLETED', amount: money('9.00'), links };
      return world.wallet('PAYMENT.CAPTURE.REFUNDED', 'refund', given);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'REFUND'] }),
  },
  {
    name: 'a dispute of a renewal that has no order of its own',
    orders: (id) => [{ id, status: 'completed', transaction_id: `pi_first_${id}` }],
    happens: async (world, id) => {
      const renewal = { ...invoice(id, 'nr', 'subscription_cycle'), charge: `ch_nr_${id}` };
      await world.card('invoice.payment_succeeded', renewal, now - 9);
      return world.card('charge.dispute.created', dispute(id, 'nr', { payment_intent: `pi_nr_${id}` }));
    },
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE', 'RENEWAL'] }),
  },
  ...(['plain', 'ids'] as const).map(
    (connection): FieldCase => ({
      name: `a dispute by the transaction of ${connection === 'plain' ? 'its own' : 'another'} connection`,
      happens: async (world, id) => {
        const paid = {
          type: 'payment_completed',
          order_id: id,
          transaction_id: `NC${connection}${id}`,
          amount: '49.00',
        };
        await world.generic('plain', paid);
        return world.generic(connection, { type: 'dispute_opened', transaction_id: `NC${connection}${id}` });
      },
      ends: (id) => ({ [id]: connection === 'plain' ? ['on-hold', 'DISPUTE', 'PAID'] : ['completed', 'PAID'] }),
      told: connection === 'plain' ? [] : ['event_waiting'],
    }),
  ),
];

/** A modification by its own reference and that of its payment. */
const modification = (id: number, eventCode: string, psp: string, originalReference: string, value = 4900) => {
  const body = notification(id, eventCode, 'true', psp);
  const [{ NotificationRequestItem: item }] = body.notificationItems as [{ NotificationRequestItem: object }];
  const additionalData = { hmacSignature: `${eventCode}${psp}` };
  const amount = { value, currency: 'USD' };
  return {
    live: 'false',
    notificationItems: [{ NotificationRequestItem: { ...item, amount, originalReference, additionalData } }],
  };
};

/** "originalReference: The PSP reference of the disputed payment", docs.adyen.com/risk-management/disputes-api/dispute-notifications */
const ofPayment: readonly FieldCase[] = [
  {
    name: 'a refund that names its payment: what was given back is paid no more',
    happens: async (world, id) => {
      await world.generic('as-adyen', modification(id, 'AUTHORISATION', `m1${id}`, '', 2000));
      await world.generic('as-adyen', modification(id, 'REFUND', `m2${id}`, `m1${id}`, 2000));
      return world.generic('as-adyen', modification(id, 'AUTHORISATION', `m3${id}`, '', 2900));
    },
    ends: (id) => ({ [id]: ['pending', 'REFUND'] }),
    told: ['payment_partial'],
  },
  {
    name: 'a capture that failed is the failure of the payment that it names',
    orders: (id) => [{ id, status: 'completed', transaction_id: `m4${id}` }],
    happens: (world, id) => world.generic('as-adyen', modification(id, 'CAPTURE_FAILED', `m5${id}`, `m4${id}`)),
    ends: (id) => ({ [id]: ['completed', 'FAILED'] }),
  },
  {
    name: 'a chargeback that is announced, made and reversed is one dispute that was won',
    orders: (id) => [{ id, status: 'completed', transaction_id: `m6${id}` }],
    happens: async (world, id) => {
      for (const eventCode of ['NOTIFICATION_OF_CHARGEBACK', 'CHARGEBACK', 'CHARGEBACK_REVERSED'])
        await world.generic('as-adyen', modification(id, eventCode, `m7${id}`, `m6${id}`));
    },
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE', 'WON'] }),
  },
];

/** What comes after a payment, and which order it is about. */
export const afterwardsCases: readonly FieldCase[] = [
  ...byPayment,
  ...ofPayment,
  {
    // "refund.failed", docs.stripe.com/refunds#failed-refunds
    name: 'a refund that fails and is made again is reported twice',
    orders: (id) => [{ id, status: 'completed', transaction_id: `pi_rr_${id}` }],
    happens: async (world, id) => {
      const given = charge(id, 'rr', 4900, { amount_refunded: 4900, refunded: true });
      await world.card('charge.refunded', given, now - 90);
      await world.card('refund.created', refund(id, 'rr', 4900, 'succeeded'), now - 90);
      await world.card('refund.failed', refund(id, 'rr', 4900, 'failed'), now - 60);
      await world.card('refund.created', refund(id, 'rr', 4900, 'succeeded', { id: `re_again_${id}` }), now - 30);
      return world.card('charge.refunded', given, now - 30);
    },
    ends: (id) => ({ [id]: ['completed', 'REFUND', 'REFUND'] }),
  },
  {
    // What WooCommerce's plugin listens to: https://github.com/woocommerce/woocommerce-gateway-stripe/pull/2031
    name: 'a refund that fails and is made again is reported twice by the charge alone',
    orders: (id) => [{ id, status: 'completed', transaction_id: `pi_ra_${id}` }],
    happens: async (world, id) => {
      const given = charge(id, 'ra', 4900, { amount_refunded: 4900, refunded: true });
      await world.card('charge.refunded', given, now - 90);
      await world.card('charge.refund.updated', refund(id, 'ra', 4900, 'failed'), now - 60);
      return world.card('charge.refunded', given, now - 30);
    },
    ends: (id) => ({ [id]: ['completed', 'REFUND', 'REFUND'] }),
  },
  {
    name: 'a refund whose failure arrives before its report counts once',
    orders: (id) => [{ id, status: 'completed', transaction_id: `pi_rl_${id}` }],
    happens: async (world, id) => {
      await world.card('charge.refunded', charge(id, 'rl', 4900, { amount_refunded: 4900, refunded: true }), now - 90);
      await world.card('refund.failed', refund(id, 'rl', 4900, 'failed'), now - 60);
      return world.card('refund.created', refund(id, 'rl', 4900, 'pending'), now - 90);
    },
    ends: (id) => ({ [id]: ['completed', 'REFUND'] }),
  },
  {
    name: 'a refund whose failure arrives before its report, and no sum of the charge',
    orders: (id) => [{ id, status: 'completed', transaction_id: `pi_rn_${id}` }],
    happens: async (world, id) => {
      await world.card('refund.failed', refund(id, 'rn', 4900, 'failed'), now - 60);
      return world.card('refund.created', refund(id, 'rn', 4900, 'pending'), now - 90);
    },
    ends: (id) => ({ [id]: ['completed', 'REFUND'] }),
  },
  {
    name: 'the money of a refund that failed is still paid',
    happens: async (world, id) => {
      await world.card('charge.succeeded', charge(id, 'rf', 2000), now - 90);
      await world.card('charge.refunded', charge(id, 'rf', 2000, { amount_refunded: 2000, refunded: true }), now - 80);
      await world.card('refund.created', refund(id, 'rf', 2000, 'succeeded'), now - 80);
      await world.card('refund.failed', refund(id, 'rf', 2000, 'failed'), now - 60);
      return world.card('charge.succeeded', charge(id, 'rg', 2900), now);
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'REFUND'] }),
  },
  {
    // docs.adyen.com/development-resources/webhooks/handle-webhook-events: webhooks may come in another order
    name: 'a part whose refund was told before it is paid no more',
    happens: async (world, id) => {
      await world.generic('as-adyen', modification(id, 'AUTHORISATION', `n1${id}`, '', 2000));
      await world.generic('as-adyen', modification(id, 'REFUND', `n2${id}`, `n3${id}`, 2900));
      return world.generic('as-adyen', modification(id, 'AUTHORISATION', `n3${id}`, '', 2900));
    },
    ends: (id) => ({ [id]: ['pending', 'REFUND'] }),
    told: ['payment_partial'],
  },
  {
    // What could not be delivered is sent again later: developer.paypal.com/api/rest/webhooks
    name: 'wallet: a part is given back after the order was paid, and that is reported before the last part',
    happens: async (world, id) => {
      const at = (seconds: number) => new Date((now + seconds) * 1000);
      const links = [{ rel: 'up', href: `https://api.paypal.com/v2/payments/captures/q1${id}` }];
      const given = { id: `q3${id}`, status: 'COMPLETED', amount: money('5.00'), custom_id: String(id), links };
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `q1${id}`, '20.00', false), at(-90));
      await world.wallet('PAYMENT.CAPTURE.REFUNDED', 'refund', given, at(-30));
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `q2${id}`, '29.00', true), at(-60));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'REFUND'] }),
  },
  {
    // "charge_refunded", status of https://docs.stripe.com/api/disputes/object in earlier versions
    name: 'an inquiry that ends with a refund is resolved',
    orders: (id) => [{ id, status: 'completed', transaction_id: `ch_cr_${id}` }],
    happens: (world, id) => world.card('charge.dispute.closed', dispute(id, 'cr', { status: 'charge_refunded' })),
    ends: (id) => ({ [id]: ['completed', 'RESOLVED'] }),
  },
];
