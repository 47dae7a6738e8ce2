import { buildOrder } from '@order-automation/testing';
import { applyEdit, plainStatus, type StatusCommand, withDue } from './order-status';
import type { OrderDocument } from './orders';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const at = '2026-03-01T12:00:00.000Z';

const document = (order = {}): OrderDocument => ({
  _id: 1001,
  rev: 1,
  order: buildOrder({ id: 1001, status: 'processing', date_paid: null, ...order }),
  applied: [],
  archived: 0,
  outbox: [],
  entries: [],
  stock: { state: 'untouched', items: [] },
  attempt: 0,
});

const command = (key: string, status: string, extra = {}): StatusCommand => ({
  key,
  order_id: 1001,
  command: { kind: 'set_status', status, send_emails: false, update_stock: false, ...extra },
  expected: null,
  cause: { process_id: 'proc_1', depth: 1, author: 'rule 7' },
});

test.each([
  ['wc-completed', 'completed'],
  [' Completed ', 'completed'],
  ['on-hold', 'on-hold'],
  ['wc-packing', 'packing'],
])('status %j is %j', (text, status) => {
  expect(plainStatus(text)).toBe(status);
});

test('a change of status sets its dates, says what changed, and owes the change to evaluation', () => {
  const after = applyEdit(document(), command('k1', 'wc-completed'), now, 'req_1');
  expect(after.order).toMatchObject({ status: 'completed', date_modified: at, date_paid: at, date_completed: at });
  expect(after.applied).toEqual([
    {
      by: 'req_1',
      result: {
        key: 'k1',
        status: 'applied',
        process_id: 'proc_1',
        message: 'Status changed from processing to completed.',
        changes: [
          { field: 'status', from: 'processing', to: 'completed' },
          { field: 'date_paid', from: null, to: at },
          { field: 'date_completed', from: null, to: at },
        ],
      },
    },
  ]);
  expect(after.outbox).toEqual([
    {
      change_id: expect.stringMatching(/^chg_/),
      order_id: 1001,
      kind: 'status_changed',
      from: 'processing',
      to: 'completed',
      at,
      cause: { process_id: 'proc_1', depth: 1, author: 'rule 7' },
      keys: [],
    },
  ]);
  expect(after.entries).toMatchObject([
    {
      event_type: 'order_status_changed',
      source: 'automation',
      summary: 'Order 1001 changed from processing to completed by rule 7.',
      order_id: 1001,
    },
  ]);
  expect(after.due).toBe(now + 5_000);
});

test('the same key changes nothing, also after the status was changed back', () => {
  const once = applyEdit(document(), command('k1', 'completed'), now, 'req_1');
  const back = applyEdit(once, command('k2', 'processing'), now, 'req_2');
  expect(applyEdit(back, command('k1', 'completed'), now, 'req_3')).toBe(back);
});

test('the status the order has already is noted as unchanged, and no rule hears of it', () => {
  const after = applyEdit(document(), command('k1', 'processing'), now, 'req_1');
  expect(after.applied[0]?.result).toMatchObject({ status: 'unchanged', changes: [] });
  expect(after.outbox).toEqual([]);
  expect(after.due).toBeUndefined();
  expect(after.order).toEqual(document().order);
});

test('e-mail that is asked for is not claimed to be sent', () => {
  const after = applyEdit(document(), command('k1', 'trash', { send_emails: true }), now, 'req_1');
  expect(after.applied[0]?.result.message).toContain('No e-mail is sent about this status.');
});

test('stock is owed once an order, with the quantities of a product added up', () => {
  const lines = [
    { product_id: 11, quantity: 2 },
    { product_id: 12, quantity: 1 },
    { product_id: 11, quantity: 3 },
    { product_id: 13, quantity: 0 },
  ];
  const once = applyEdit(document({ line_items: lines }), command('k1', 'completed', { update_stock: true }), now, 'r');
  expect(once.stock).toEqual({
    state: 'owed',
    items: [
      { product_id: 11, quantity: 5 },
      { product_id: 12, quantity: 1 },
    ],
  });
  const settled = { ...once, stock: { ...once.stock, state: 'done' as const } };
  const twice = applyEdit(settled, command('k2', 'processing', { update_stock: true }), now, 'r');
  expect(twice.stock).toBe(settled.stock);
  expect(twice.applied[1]?.result.message).toContain('Stock had been reduced before.');
});

test('what is owed is due after 5 s, then later and later, and nothing is due when nothing is owed', () => {
  const owing = applyEdit(document(), command('k1', 'completed'), now, 'req_1');
  const delays = [0, 1, 2, 20].map((attempt) => (withDue({ ...owing, attempt }, now).due ?? 0) - now);
  expect(delays).toEqual([5_000, 10_000, 20_000, 300_000]);
  expect(withDue({ ...owing, outbox: [], entries: [] }, now)).not.toHaveProperty('due');
});
