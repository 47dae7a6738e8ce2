import { parseForm } from '../form';
import { notificationEvent, notificationKey, receiverObjection } from './notification';

// "IPN transaction types", https://developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables/
test.each<[string, Record<string, string>, Record<string, unknown>]>([
  [
    'a dispute that was closed',
    { txn_type: 'adjustment', payment_status: 'Completed' },
    { genericType: 'dispute_resolved' },
  ],
  [
    'a payout',
    { txn_type: 'payout', payment_status: 'Completed' },
    { eventType: 'payment.wallet.payout', genericType: null },
  ],
  [
    'a chargeback',
    { case_type: 'chargeback', case_id: 'PP-1' },
    { genericType: 'dispute_opened', transactionID: 'T1' },
  ],
  [
    'a chargeback that took the money',
    { case_type: 'chargeback', case_id: 'PP-1', payment_status: 'Reversed', mc_gross: '-49.00' },
    { genericType: 'payment_reversed', amount: '49.00' },
  ],
  ['an agreement', { txn_type: 'mp_signup', mp_id: 'B-1' }, { genericType: 'subscription_created' }],
  ['the end of an agreement', { txn_type: 'mp_cancel', mp_id: 'B-1' }, { genericType: 'subscription_cancelled' }],
  [
    'what was still owed',
    { txn_type: 'recurring_payment_outstanding_payment', payment_status: 'Completed', recurring_payment_id: 'I-1' },
    { genericType: 'renewal_payment_completed', subscriptionID: 'I-1' },
  ],
  [
    'what is still owed',
    { txn_type: 'recurring_payment_outstanding_payment_failed', recurring_payment_id: 'I-1' },
    { genericType: 'renewal_payment_failed' },
  ],
  [
    'money that goes out',
    { txn_type: 'send_money', payment_status: 'Completed', mc_gross: '-49.00' },
    { amount: '-49.00' },
  ],
  [
    'a refund',
    { payment_status: 'Refunded', parent_txn_id: 'T0', mc_gross: '-9.00' },
    { amount: '9.00', transactionID: 'T0' },
  ],
  ['a reversal taken back', { payment_status: 'Canceled_Reversal', parent_txn_id: 'T0' }, { genericType: null }],
])('%s', (_what, fields, expected) =>
  expect(notificationEvent({ txn_id: 'T1', mc_currency: 'USD', ...fields })[0]).toMatchObject(expected),
);

// "initial_payment_status", "initial_payment_txn_id", "initial_payment_amount": recurring payments variables of the same page.
test('the first payment of a profile is an event beside the profile', () => {
  const profile = { txn_type: 'recurring_payment_profile_created', recurring_payment_id: 'I-1', currency_code: 'USD' };
  const paid = { initial_payment_status: 'Completed', initial_payment_txn_id: 'T1', initial_payment_amount: '49.00' };
  expect(notificationEvent({ ...profile, initial_payment_amount: '0.00' })).toHaveLength(1);
  expect(notificationEvent({ ...profile, ...paid, rp_invoice_id: 'WC-7', amount: '10.00' })).toMatchObject([
    { genericType: 'subscription_created', transactionID: null },
    { genericType: 'renewal_payment_completed', subscriptionID: 'I-1', transactionID: 'T1', amount: '49.00' },
  ]);
});

// "Full USD amount", "a legacy field replaced by mc_gross", https://developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables/
test.each([
  [{ payment_gross: '4.90' }, '4.90', 'USD'],
  [{ payment_gross: '', mc_gross: '49.00', mc_currency: 'EUR' }, '49.00', 'EUR'],
  [{ payment_gross: '49.00', mc_gross: '49.00', mc_currency: 'USD' }, '49.00', 'USD'],
])('the amount of %j', (fields, amount, currency) => {
  const [event] = notificationEvent({ txn_type: 'web_accept', payment_status: 'Completed', txn_id: 'T1', ...fields });
  expect(event).toMatchObject({ amount, currency });
});

test.each<[string, Record<string, string>, Record<string, string>]>([
  ['states of a payment', { txn_id: 'T', payment_status: 'Pending' }, { txn_id: 'T', payment_status: 'Completed' }],
  [
    'stages of a case',
    { txn_id: 'T', case_id: 'C', case_type: 'dispute' },
    { txn_id: 'T', case_id: 'C', case_type: 'claim' },
  ],
  [
    'states of a mass payment',
    { txn_type: 'masspay', ipn_track_id: 'a', payment_status: 'Processed' },
    { txn_type: 'masspay', ipn_track_id: 'a', payment_status: 'Completed' },
  ],
])('two %s are two events', (_what, one, other) => {
  expect(notificationKey(one)).not.toBe(notificationKey(other));
  expect(notificationKey({ ...one, resend: 'true' })).toBe(notificationKey(one));
});

const ours = new Set(['shop@example.com', 'm3rch4nt1d']);

test.each([
  [{ receiver_email: 'shop@example.com' }, undefined],
  [{ receiver_email: ' Shop@Example.COM ' }, undefined],
  // "essentially an echo of the business variable passed in the Website Payment button HTML code": PayPal, Merchant User Manual and Integration Guide, IPN and PDT
  // variables, https://www.manualshelf.com/manual/paypal/merchant-2005/user-s-manual-english/page-147.html
  [{ receiver_email: 'thief@example.net', receiver_id: 'TH1EF', business: 'shop@example.com' }, 'other_receiver'],
  [{ business: 'shop@example.com', payment_status: 'Completed' }, 'no_receiver'],
  [{ business: 'shop@example.com', txn_type: 'new_case' }, undefined],
  [{ receiver_id: 'M3RCH4NT1D', receiver_email: 'old@example.com' }, undefined],
  [{ receiver_email: 'thief@example.net', payment_status: 'Completed', invoice: '1001' }, 'other_receiver'],
  [{ business: 'thief@example.net' }, 'other_receiver'],
  [{ receiver_email: '', payment_status: 'Completed' }, 'no_receiver'],
  [{ payment_status: 'Completed' }, 'no_receiver'],
  [{ txn_type: 'recurring_payment_profile_created', initial_payment_status: 'Completed' }, 'no_receiver'],
  [{ txn_type: 'recurring_payment_profile_created' }, undefined],
  [{ txn_type: 'new_case', case_id: 'PP-1' }, undefined],
])('%j: %s', (payload, code) => {
  expect(receiverObjection(payload, ours)?.code).toBe(code);
});

// `charset`, https://developer.paypal.com/api/nvp-soap/ipn/IPNandPDTVariables/; its values, https://qiita.com/PayPal_MTS/items/572278ba9924bb9ceafe
test.each([
  ['windows-1252', '%EB', 'ë'],
  ['KOI8_R', '%C1', 'а'],
  ['EUC-TW', '%A4%40', expect.any(String)],
  ['HZ-GB-2312', '~{', expect.any(String)],
  ['UTF-16_PlatformEndian', '', ''],
  ['UTF-16', 'e', 'e'],
  ['ebcdic-cp-us', 'e', 'e'],
])('a form is read in the character set %s, or its ASCII is', (charset, written, read) => {
  const { payload } = parseForm(Buffer.from(`txn_id=T1&last=${written}&charset=${charset}`));
  expect(payload).toEqual({ txn_id: 'T1', last: read, charset });
});
