import { waitFor } from '@order-automation/testing';
import { capture, dispute, type FieldCase, first, money, now } from './case';
import type { Ending } from './world';

/** Steps as they come: what is paid or disputed is in this state. A dispute: the end of the event's type, the status, how many seconds ago. */
type Course = readonly [name: string, steps: readonly string[], ends: Ending];

/** docs.stripe.com/disputes/how-disputes-work ("Inquiries"), docs.stripe.com/api/disputes/object (`status`) */
const disputes: readonly Course[] = [
  ['inquiry, closed', ['created warning_needs_response', 'closed warning_closed'], ['on-hold', 'DISPUTE', 'RESOLVED']],
  [
    'inquiry, then dispute, won',
    ['created warning_needs_response', 'updated needs_response', 'funds_withdrawn needs_response', 'closed won'],
    ['on-hold', 'DISPUTE', 'WON'],
  ],
  // github.com/woocommerce/woocommerce-gateway-stripe/pull/1232
  ['won, and told before it begins', ['closed won', 'created needs_response 90'], ['completed', 'WON']],
  ['prevented', ['closed prevented'], ['completed', 'RESOLVED']],
  // SEPA: github.com/woocommerce/woocommerce-gateway-stripe/issues/1098
  ['lost from the beginning', ['created lost', 'funds_withdrawn lost', 'closed lost'], ['on-hold', 'DISPUTE', 'LOST']],
];

/** "payment_status", developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables */
const notices: readonly Course[] = [
  ['an echeck that clears days later', ['Pending', 'Completed'], ['completed', 'PAID']],
  ['a payment that is reviewed and denied', ['Pending', 'Denied'], ['pending', 'FAILED']],
  ['an authorisation that expires', ['Pending', 'Expired'], ['pending', 'CANCELLED']],
  ['processed, then completed', ['Processed', 'Completed'], ['completed', 'PAID']],
  ['pending, told after completed', ['Completed', 'Pending'], ['completed', 'PAID']],
];
const notice = (id: number, txn_id: string, payment_status: string, more: Readonly<Record<string, string>> = {}) => ({
  ...{ txn_type: 'web_accept', txn_id, payment_status, custom: String(id), mc_gross: '49.00', mc_currency: 'USD' },
  ...{ ipn_track_id: `${txn_id}${payment_status}`, ...more },
});

/** Payments and disputes that several events tell. */
export const courseCases: readonly FieldCase[] = [
  ...disputes.map(
    ([name, steps, ends]): FieldCase => ({
      name: `card: a dispute: ${name}`,
      orders: (id) => [{ id, status: 'completed', transaction_id: `ch_dc_${id}` }],
      happens: async (world, id) => {
        for (const [type, status, ago] of steps.map((step) => step.split(' ')))
          await world.card(`charge.dispute.${type}`, dispute(id, 'dc', status), now - Number(ago ?? 9));
      },
      ends: (id) => ({ [id]: ends }),
    }),
  ),
  ...notices.map(
    ([name, steps, ends]): FieldCase => ({
      name: `IPN: ${name}`,
      happens: async (world, id) => {
        for (const status of steps) await world.ipn(notice(id, `NC${id}`, status));
      },
      ends: (id) => ({ [id]: ends }),
    }),
  ),
  {
    name: 'a payment and its refund, each by webhook and by notification',
    happens: async (world, id) => {
      await world.wallet('PAYMENT.CAPTURE.COMPLETED', 'capture', capture(id, `BW${id}`, '49.00', true));
      await world.ipn(notice(id, `BW${id}`, 'Completed'));
      const links = [{ rel: 'up', href: `https://api.wallet.example/v2/payments/captures/BW${id}` }];
      const back = { id: `BR${id}`, status: 'COMPLETED', amount: money('9.00'), links };
      await world.wallet('PAYMENT.CAPTURE.REFUNDED', 'refund', back);
      return world.ipn(notice(id, `BR${id}`, 'Refunded', { parent_txn_id: `BW${id}`, mc_gross: '-9.00' }));
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'REFUND'] }),
  },
  {
    // developer.paypal.com/docs/api/payments/v1 (`parent_payment` of a sale; the payment has `transactions[].custom`)
    name: 'a sale of the older wallet that names its payment alone, whichever comes first',
    orders: first({}, {}),
    happens: async (world, id) => {
      const amount = { total: '49.00', currency: 'USD' };
      const sale = (of: number) => ({ id: `SA${of}`, state: 'completed', amount, parent_payment: `PAY-${of}` });
      const created = (of: number) => ({ id: `PAY-${of}`, state: 'created', transactions: [{ custom: String(of) }] });
      await world.wallet('PAYMENTS.PAYMENT.CREATED', 'payment', created(id));
      await world.wallet('PAYMENT.SALE.COMPLETED', 'sale', sale(id));
      await world.wallet('PAYMENT.SALE.COMPLETED', 'sale', sale(id + 1));
      await world.wallet('PAYMENTS.PAYMENT.CREATED', 'payment', created(id + 1));
      await waitFor(async () => (await world.ending(id + 1)).includes('PAID'), { describe: 'the payment that waited' });
    },
    ends: (id) => ({ [id]: ['completed', 'PAID'], [id + 1]: ['completed', 'PAID'] }),
  },
  {
    // developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables (`case_creation_date`)
    name: 'IPN: a case that is reported after it was settled is not opened again',
    happens: async (world, id) => {
      const named = { custom: String(id), txn_id: `CA${id}`, case_id: `PP-${id}` };
      const [paid, settled] = ['10:00:00 Jan 13, 2026 PST', '10:00:00 Feb 13, 2026 PST'];
      const whole = { payment_status: 'Completed', mc_gross: '49.00', mc_currency: 'USD' };
      await world.ipn({ ...whole, custom: String(id), txn_type: 'web_accept', txn_id: `CA${id}`, payment_date: paid });
      const adjustment = { txn_type: 'adjustment', parent_txn_id: `CA${id}`, payment_date: settled };
      await world.ipn({ ...named, ...whole, ...adjustment, txn_id: `AD${id}`, mc_gross: '-20.00' });
      const opened = { txn_type: 'new_case', case_type: 'dispute', case_creation_date: '10:00:00 Jan 20, 2026 PST' };
      return world.ipn({ ...named, ...opened, ipn_track_id: `nc${id}` });
    },
    ends: (id) => ({ [id]: ['completed', 'PAID', 'RESOLVED'] }),
  },
];
