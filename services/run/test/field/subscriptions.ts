import { basil } from './basil';
import { type FieldCase, first, invoice, month, now } from './case';

/** Payment, renewal, neither. */
export const subscriptionCases: readonly FieldCase[] = [
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
    happens: (world, id) => world.card('invoice.paid', invoice(id, 'p', 'subscription_update')),
    ends: (id) => ({ [id]: ['completed', 'INVOICE'] }),
  },
  {
    // "invoice.paid: Sent when the invoice is successfully paid. You can provision access", https://docs.stripe.com/billing/subscriptions/webhooks
    name: 'the first month and the next by invoice.paid alone, a third by both events of an invoice',
    happens: async (world, id) => {
      await world.card(
        'invoice.paid',
        basil(id, 'p1', 'subscription_create', { order_id: String(id) }),
        now - 2 * month,
      );
      await world.card('invoice.paid', basil(id, 'p2', 'subscription_cycle', { order_id: String(id) }), now - month);
      const third = basil(id, 'p3', 'subscription_cycle', { order_id: String(id) });
      await world.card('invoice.paid', third, now);
      return world.card('invoice.payment_succeeded', third, now);
    },
    ends: (id) => ({ [id]: ['completed', 'INVOICE', 'INVOICE', 'INVOICE', 'PAID', 'RENEWAL', 'RENEWAL'] }),
  },
  {
    // "Recurring payment profile canceled" (recurring_payment_profile_cancel, developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables) beside
    // BILLING.SUBSCRIPTION.CANCELLED (developer.paypal.com/api/rest/webhooks/event-names), which an account with both has
    name: 'wallet: the end of a subscription by webhook and by IPN is one',
    happens: async (world, id) => {
      const [subscription, paid] = [
        `I-END${id}`,
        { payment_status: 'Completed', mc_gross: '49.00', mc_currency: 'USD' },
      ];
      const named = { recurring_payment_id: subscription, custom: String(id) };
      await world.ipn({ txn_type: 'recurring_payment', txn_id: `RP${id}`, ...named, ...paid });
      await world.ipn({ txn_type: 'recurring_payment_profile_cancel', ...named, ipn_track_id: `end${id}` });
      return world.wallet('BILLING.SUBSCRIPTION.CANCELLED', 'subscription', {
        id: subscription,
        custom_id: String(id),
        status: 'CANCELLED',
      });
    },
    ends: (id) => ({ [id]: ['completed', 'ENDED', 'PAID'] }),
  },
  {
    // "Reference transaction payment" (merch_pmt, developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables): a merchant charges an agreement as often as he likes
    name: 'IPN: a deposit and the rest of an order from one agreement, in either order',
    orders: first({}, {}),
    happens: async (world, id) => {
      const day = { 20: '10:00:00 Jan 13, 2026 PST', 29: '10:00:00 Jan 20, 2026 PST' };
      for (const [order, amounts] of [[id, [20, 29]] as const, [id + 1, [29, 20]] as const])
        for (const amount of amounts)
          await world.ipn({
            ...{ txn_type: 'merch_pmt', mp_id: `B-DR${order}`, txn_id: `DR${amount}${order}`, custom: String(order) },
            ...{ payment_status: 'Completed', mc_gross: `${amount}.00`, mc_currency: 'USD', payment_date: day[amount] },
          });
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'], [id + 1]: ['completed', 'PAID'] }),
  },
  {
    // "Reference transaction payment" (merch_pmt) and "Billing agreement cancelled" (mp_cancel, developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables)
    name: 'IPN: an agreement that is cancelled belongs to the order that it paid',
    happens: async (world, id) => {
      const [mp_id, paid] = [`B-${id}`, { payment_status: 'Completed', mc_gross: '49.00', mc_currency: 'USD' }];
      await world.ipn({ txn_type: 'merch_pmt', mp_id, txn_id: `MP${id}`, custom: String(id), ...paid });
      return world.ipn({ txn_type: 'mp_cancel', mp_id, reason_code: 'payer_cancelled', ipn_track_id: `mc${id}` });
    },
    ends: (id) => ({ [id]: ['completed', 'ENDED', 'PAID'] }),
  },
];
