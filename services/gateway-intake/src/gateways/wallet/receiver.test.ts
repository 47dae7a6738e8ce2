import { receiverObjection } from './notification';

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
  [{ txn_type: 'new_case', case_id: 'PP-1' }, undefined],
])('%j: %s', (payload, code) => {
  expect(receiverObjection(payload, ours)?.code).toBe(code);
});
