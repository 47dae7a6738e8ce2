import { type FieldCase, first, notification } from './cases';

/** "IPN transaction types", https://developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables/ */
const notificationOf = (id: number, fields: Readonly<Record<string, string>>) => ({
  custom: JSON.stringify({ order_id: id }),
  mc_gross: '49.00',
  mc_currency: 'USD',
  payment_status: 'Completed',
  ...fields,
});

/** What looks like a payment and is none. */
export const unpaidCases: readonly FieldCase[] = [
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
      expect(entries.map(({ summary }) => summary).join(' ')).toContain('amount mismatch');
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
