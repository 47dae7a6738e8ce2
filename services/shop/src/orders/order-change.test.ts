import { buildOrder } from '@order-automation/testing';
import { changesOfCreation, entriesOf, newRefunds, orderChanges } from './order-change';

const change = {
  change_id: 'chg_1',
  at: '2026-03-01T12:00:00.000Z',
  cause: { process_id: 'proc_1', depth: 0, author: 'ada' },
};
const order = (status: string, transaction_id = '') =>
  buildOrder({ id: 7, number: '7', status, transaction_id, meta_data: [] });
const told = (changes: ReturnType<typeof orderChanges>) =>
  changes.map(({ kind, from, to, keys }) => [kind, from, to, keys]);
const name = 'number:7';

/** The block checkout keeps a `checkout-draft` while the customer types (https://developer.woocommerce.com/docs/apis/store-api/), `auto-draft` is WordPress's. */
test.each([
  ['checkout-draft', [['identified', 'checkout-draft', 'checkout-draft', [name]]]],
  ['auto-draft', [['identified', 'auto-draft', 'auto-draft', [name]]]],
  // A delivery shows the order as it is when it is sent: what was made may lie in the trash by then.
  ['trash', [['identified', 'trash', 'trash', [name]]]],
  [
    'pending',
    [
      ['created', null, 'pending', [name]],
      ['status_changed', null, 'pending', []],
    ],
  ],
])('a new order that is %s', (status, expected) => {
  expect(told(changesOfCreation(order(status), change))).toEqual(expected);
});

test.each<[string, string, string, unknown[]]>([
  [
    'checkout-draft',
    'pending',
    '',
    [
      ['created', null, 'pending', [name]],
      ['status_changed', null, 'pending', []],
    ],
  ],
  [
    'auto-draft',
    'processing',
    '',
    [
      ['created', null, 'processing', [name]],
      ['status_changed', null, 'processing', []],
    ],
  ],
  ['auto-draft', 'checkout-draft', '', []],
  ['checkout-draft', 'checkout-draft', 'ch_1', [['identified', 'checkout-draft', 'checkout-draft', ['gateway:ch_1']]]],
  ['pending', 'checkout-draft', '', []],
  ['pending', 'processing', 'ch_1', [['status_changed', 'pending', 'processing', ['gateway:ch_1']]]],
  ['pending', 'pending', '', []],
])('from %s to %s with the transaction %j', (from, to, transaction, expected) => {
  expect(told(orderChanges(order(from), order(to, transaction), change))).toEqual(expected);
});

/** https://wordpress.org/plugins/woocommerce-sequential-order-numbers/: other entries of the log name the order by its id. */
test.each([
  ['7', 'Order 7 changed from pending to completed by ada.'],
  ['SO-21', 'Order 7 (number SO-21) changed from pending to completed by ada.'],
])('the log names an order with the number %s by its id', (number, summary) => {
  const after = { ...order('completed'), number };
  const changes = orderChanges({ ...order('pending'), number }, after, change);
  expect(entriesOf(changes, after, 'manual').map((entry) => entry.summary)).toEqual([summary]);
});

/** "Restock refunded items" with an amount of 0: https://woocommerce.com/document/woocommerce-refunds/ */
test('a refund of 0.00 gives no money back, and is none', () => {
  const refunds = ['-0.00', '-5.00', '0'].map((total, index) => ({ id: index + 1, reason: '', total }));
  expect(newRefunds([], buildOrder({ id: 7, refunds }), change)).toMatchObject([{ refund_id: 2, amount: '5.00' }]);
});

test('the log says of a draft that a rule has completed that it is no longer one', () => {
  const summaries = (source: 'automation' | 'webhook') =>
    entriesOf(orderChanges(order('checkout-draft'), order('completed'), change), order('completed'), source).map(
      ({ summary }) => summary,
    );
  expect(summaries('automation')).toEqual(['Order 7 is no longer a draft: automation set it to completed.']);
  expect(summaries('webhook')).toEqual(['Order 7 was created with status completed by ada.']);
});
