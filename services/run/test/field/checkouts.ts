import { capture, type FieldCase, money } from './case';

const captured = (id: string, status: string, value = '49.00') => ({ id, status, amount: money(value) });
const unit = (id: number, captures: readonly object[]) => ({
  custom_id: String(id),
  amount: money('49.00'),
  payments: { captures },
});
const completed = (id: number, purchase_units: readonly object[]) => ({
  id: `CO${id}`,
  intent: 'CAPTURE',
  status: 'COMPLETED',
  purchase_units,
});
const paid = ['completed', 'PAID'] as const;
const profile = (id: number) => ({ recurring_payment_id: `I-CO${id}`, rp_invoice_id: String(id), mc_currency: 'USD' });
const month = { txn_type: 'recurring_payment', payment_status: 'Completed', mc_gross: '49.00' };

/** Units and captures of a checkout: developer.paypal.com/docs/api/orders/v2 (`order_status`, `purchase_units`). */
const ofUnits: readonly FieldCase[] = [
  {
    name: 'wallet: a checkout whose first capture was declined, and whose second came',
    happens: (world, id) => {
      const captures = [captured(`C1${id}`, 'DECLINED'), captured(`C2${id}`, 'COMPLETED')];
      return world.wallet('CHECKOUT.ORDER.COMPLETED', 'checkout-order', completed(id, [unit(id, captures)]));
    },
    ends: (id) => ({ [id]: paid }),
  },
  {
    name: 'wallet: two captures of one unit add up',
    happens: (world, id) => {
      const captures = [captured(`C1${id}`, 'COMPLETED', '20.00'), captured(`C2${id}`, 'COMPLETED', '29.00')];
      return world.wallet('CHECKOUT.ORDER.COMPLETED', 'checkout-order', completed(id, [unit(id, captures)]));
    },
    ends: (id) => ({ [id]: paid }),
  },
  {
    name: 'wallet: a checkout of two orders pays both',
    orders: (id) => [{ id }, { id: id + 1, total: '20.00' }],
    happens: async (world, id) => {
      const units = [
        unit(id, [captured(`C1${id}`, 'COMPLETED')]),
        unit(id + 1, [captured(`C2${id}`, 'COMPLETED', '20.00')]),
      ];
      return world.wallet('CHECKOUT.ORDER.COMPLETED', 'checkout-order', completed(id, units));
    },
    ends: (id) => ({ [id]: paid, [id + 1]: paid }),
  },
  {
    // developer.paypal.com/payment-methods/uncaptured-payments
    name: 'wallet: an approval of two orders is reversed',
    orders: (id) => [{ id }, { id: id + 1 }],
    happens: (world, id) => {
      const purchase_units = [{ custom_id: String(id) }, { custom_id: String(id + 1) }];
      return world.wallet('CHECKOUT.PAYMENT-APPROVAL.REVERSED', 'payment-approval', {
        order_id: `CR${id}`,
        purchase_units,
      });
    },
    ends: (id) => ({ [id]: ['pending', 'FAILED'], [id + 1]: ['pending', 'FAILED'] }),
  },
];

/** developer.paypal.com/docs/api/orders/v2 (`order_status`: "VOIDED. All purchase units in the order are voided."), and what the wallet declined */
const ofEnds = (['VOIDED', 'DECLINED'] as const).map(
  (status): FieldCase => ({
    name: `wallet: a checkout that is ${status}`,
    happens: async (world, id) => {
      const order = { id: `CV${id}`, intent: 'CAPTURE', purchase_units: [{ custom_id: String(id) }] };
      await world.wallet('CHECKOUT.ORDER.APPROVED', 'checkout-order', { ...order, status: 'APPROVED' });
      return world.wallet(`CHECKOUT.ORDER.${status}`, 'checkout-order', { ...order, status });
    },
    ends: (id) => ({ [id]: ['pending', status === 'VOIDED' ? 'CANCELLED' : 'FAILED'] }),
  }),
);

/** developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables (`txn_type`) */
const ofProfiles: readonly FieldCase[] = [
  {
    name: 'IPN: a profile that is suspended after its last attempt has failed to renew',
    happens: async (world, id) => {
      await world.ipn({ ...profile(id), ...month, txn_id: `CM${id}`, ipn_track_id: `cm1${id}` });
      const suspended = { txn_type: 'recurring_payment_suspended_due_to_max_failed_payment', amount: '49.00' };
      return world.ipn({ ...profile(id), ...suspended, ipn_track_id: `cm2${id}` });
    },
    ends: (id) => ({ [id]: ['completed', 'NOT RENEWED', 'PAID'] }),
  },
  {
    name: 'IPN: a means of payment that a customer saves is about no order',
    happens: (world, id) => world.ipn({ txn_type: 'mp_signup', mp_id: `B-${id}`, ipn_track_id: `cs${id}` }),
    ends: (id) => ({ [id]: ['pending'] }),
    untold: ['event_waiting'],
  },
  {
    name: 'wallet: an agreement that a customer makes is about no order',
    happens: (world, id) => world.wallet('BILLING_AGREEMENTS.AGREEMENT.CREATED', 'Agreement', { id: `BA-${id}` }),
    ends: (id) => ({ [id]: ['pending'] }),
    untold: ['event_waiting'],
  },
  {
    // "disputed_transactions: An array of transactions", https://developer.paypal.com/docs/api/customer-disputes/v1
    name: 'wallet: a dispute of two payments of one order is opened and won once',
    happens: async (world, id) => {
      for (const [name, value] of [['DA', '20.00'] as const, ['DB', '29.00'] as const])
        await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `${name}${id}`, value, false));
      const disputed_transactions = ['DA', 'DB'].map((name) => ({ seller_transaction_id: `${name}${id}` }));
      const disputed = { dispute_id: `PP-R-2${id}`, dispute_amount: money('49.00'), disputed_transactions };
      await world.wallet('CUSTOMER.DISPUTE.CREATED', 'dispute', { ...disputed, status: 'OPEN' });
      const dispute_outcome = { outcome_code: 'RESOLVED_SELLER_FAVOUR' };
      return world.wallet('CUSTOMER.DISPUTE.RESOLVED', 'dispute', { ...disputed, status: 'RESOLVED', dispute_outcome });
    },
    ends: (id) => ({ [id]: ['on-hold', 'DISPUTE', 'PAID', 'WON'] }),
  },
];

export const checkoutCases: readonly FieldCase[] = [...ofUnits, ...ofEnds, ...ofProfiles];
