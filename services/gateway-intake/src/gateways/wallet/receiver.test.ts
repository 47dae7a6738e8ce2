import { receiverObjection } from './receiver';

const ours = new Set(['shop@example.com', 'm3rch4nt1d']);

test.each([
  [{ receiver_email: 'shop@example.com' }, undefined],
  [{ receiver_email: ' Shop@Example.COM ' }, undefined],
  [{ receiver_email: 'primary@example.com', business: 'shop@example.com' }, undefined],
  [{ receiver_id: 'M3RCH4NT1D', receiver_email: 'old@example.com' }, undefined],
  [{ receiver_email: 'thief@example.net', payment_status: 'Completed', invoice: '1001' }, 'other_receiver'],
  [{ business: 'thief@example.net' }, 'other_receiver'],
  [{ receiver_email: '', payment_status: 'Completed' }, 'no_receiver'],
  [{ payment_status: 'Completed' }, 'no_receiver'],
  [{ txn_type: 'new_case', case_id: 'PP-1' }, undefined],
])('%j: %s', (payload, code) => {
  expect(receiverObjection(payload, ours)?.code).toBe(code);
});
