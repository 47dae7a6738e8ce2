import { capture, type FieldCase, first, intent, notification } from './case';

/** "IPN transaction types", https://developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables/ */
const notificationOf = (id: number, fields: Readonly<Record<string, string>>) => ({
  custom: JSON.stringify({ order_id: id }),
  mc_gross: '49.00',
  mc_currency: 'USD',
  payment_status: 'Completed',
  ...fields,
});

/** An order in the trash is moved by nothing that is said of it. */
const inTrash: readonly FieldCase[] = [
  {
    name: 'in the trash: a dispute puts nothing on hold',
    orders: (id) => [{ id, status: 'trash', transaction_id: `ch_td${id}` }],
    happens: (world, id) =>
      world.card('charge.dispute.created', {
        id: `dp_t${id}`,
        object: 'dispute',
        amount: 4900,
        currency: 'usd',
        charge: `ch_td${id}`,
        status: 'needs_response',
        metadata: {},
      }),
    ends: (id) => ({ [id]: ['trash'] }),
  },
  {
    name: 'in the trash: a capture of a part asks a person to look',
    orders: first({ status: 'trash', total: '100.00' }),
    happens: (world, id) =>
      world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `TC${id}`, '40.00', false)),
    ends: (id) => ({ [id]: ['trash'] }),
    told: ['late_payment'],
  },
];

/** Drafts are no orders yet, and a payment for one counts. */
const drafts: readonly FieldCase[] = [
  {
    name: 'a payment for an order that somebody is writing (auto-draft) counts at once, and once',
    orders: first({ status: 'auto-draft' }),
    happens: async (world, id) => {
      await world.card('payment_intent.succeeded', intent(id, `pi_ad_${id}`));
      await world.save(id, { status: 'pending' });
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
  {
    name: 'a payment that fails for a draft is one that failed',
    orders: first({ status: 'checkout-draft' }),
    happens: (world, id) =>
      world.card(
        'payment_intent.payment_failed',
        intent(id, `pi_fd_${id}`, { amount_received: 0, status: 'requires_payment_method' }),
      ),
    ends: (id) => ({ [id]: ['checkout-draft', 'FAILED'] }),
  },
];

/** What looks like a payment and is none. */
export const unpaidCases: readonly FieldCase[] = [
  ...inTrash,
  ...drafts,
  {
    name: 'IPN: a dispute that was closed (adjustment) is no payment',
    happens: (world, id) =>
      world.ipn(notificationOf(id, { txn_type: 'adjustment', txn_id: `AD${id}`, case_id: 'PP-1' })),
    ends: (id) => ({ [id]: ['pending', 'RESOLVED'] }),
  },
  {
    name: 'IPN: money that goes out is no payment',
    happens: async (world, id) => {
      await world.ipn(notificationOf(id, { txn_type: 'payout', txn_id: `PO${id}` }));
      const sent = notificationOf(id, { txn_type: 'send_money', txn_id: `SM${id}`, mc_gross: '-49.00' });
      const entries = await world.ipn(sent);
      expect(entries.map(({ summary }) => summary).join(' ')).toContain(
        'send_money was read as an event for rules that name it',
      );
      return entries;
    },
    ends: (id) => ({ [id]: ['pending'] }),
  },
  {
    name: 'IPN: a chargeback of a card has a case and no kind',
    orders: (id) => [{ id, status: 'completed', transaction_id: `CB${id}` }],
    happens: (world, id) =>
      world.ipn({ case_type: 'chargeback', case_id: `PP-${id}`, txn_id: `CB${id}`, reason_code: 'unauthorized' }),
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE'] }),
  },
  {
    name: 'IPN: what a subscription still owed, paid later, is a renewal',
    orders: (id) => [{ id, status: 'completed', transaction_id: `F${id}` }],
    happens: (world, id) =>
      world.ipn(
        notificationOf(id, {
          txn_type: 'recurring_payment_outstanding_payment',
          txn_id: `OP${id}`,
          recurring_payment_id: `I-${id}`,
        }),
      ),
    ends: (id) => ({ [id]: ['completed', 'RENEWAL'] }),
  },
  // "eventCode", "success: Informs about the outcome of the event the notification is for",
  // https://pub.dev/documentation/adyen_api/latest/webhook_notification_models/CancelOrRefundNotificationRequestItemRecursive-class.html
  ...['CANCELLATION', 'CANCEL_OR_REFUND', 'AUTHORISATION_ADJUSTMENT', 'REFUND_WITH_DATA', 'void', 'payment.refund'].map(
    (eventCode): FieldCase => ({
      name: `${eventCode} that did not succeed moves nothing`,
      happens: (world, id) => world.generic('adyen', notification(id, eventCode, 'false', `ps${eventCode}${id}`)),
      ends: (id) => ({ [id]: ['pending'] }),
    }),
  ),
  {
    name: 'a subscription whose cancellation did not succeed has not ended',
    orders: (id) => [{ id, status: 'completed' }],
    happens: (world, id) =>
      world.generic('plain', {
        type: 'subscription_cancelled',
        order_id: id,
        subscription_id: `sc${id}`,
        success: 'false',
      }),
    ends: (id) => ({ [id]: ['completed'] }),
  },
  ...[0, '0', 'N', 'failed', 'KO'].map(
    (success): FieldCase => ({
      name: `a payment whose success is ${JSON.stringify(success)} is a failed payment`,
      happens: (world, id) =>
        world.generic('plain', {
          event: 'payment_completed',
          order_id: id,
          transaction_id: `su${id}`,
          amount: '49.00',
          success,
        }),
      ends: (id) => ({ [id]: ['pending', 'FAILED'] }),
    }),
  ),
  {
    name: 'a payment whose success is not told is one',
    orders: first({}),
    happens: (world, id) =>
      world.generic('plain', {
        event: 'payment_completed',
        order_id: id,
        transaction_id: `sn${id}`,
        amount: '49.00',
        success: null,
      }),
    ends: (id) => ({ [id]: ['completed', 'PAID'] }),
  },
];
