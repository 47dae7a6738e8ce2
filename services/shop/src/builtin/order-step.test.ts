import type { OrderCommand, OrderStep } from '@order-automation/contracts';
import { buildOrder } from '@order-automation/testing';
import { plainStatus } from '../orders/order-status';
import type { OrderDocument } from './order-document';
import { withChanges, withDue } from './order-status';
import { applyStep } from './order-step';

const now = Date.parse('2026-03-01T12:00:00.000Z');
const at = '2026-03-01T12:00:00.000Z';

const document = (order = {}): OrderDocument => ({
  _id: 1001,
  rev: 1,
  order: buildOrder({ id: 1001, status: 'processing', date_paid: null, ...order }),
  applied: [],
  archived: 0,
  outbox: [],
  stock: { state: 'untouched', items: [] },
  attempt: 0,
});

const cause = { process_id: 'proc_1', depth: 1, author: 'rule 7' };
const statuses = new Set(['processing', 'completed', 'on-hold', 'trash']);

/** The document after a step of these commands. */
function apply(before: OrderDocument, key: string, commands: OrderCommand[], revision: OrderStep['revision'] = null) {
  const keyed = commands.map((command, index) => ({ key: `${key}:${index}`, command }));
  const step = { key, order_id: 1001, revision, commands: keyed, cause };
  return applyStep(before, { step, now, by: `req_${key}`, statuses, noteId: 70 });
}

const status = (to: string, extra = {}): OrderCommand => ({
  kind: 'set_status',
  status: to,
  send_emails: false,
  update_stock: false,
  ...extra,
});
const note = (text: string): OrderCommand => ({ kind: 'add_note', note: text, customer_note: false });
const resultsOf = ({ applied }: OrderDocument) => applied.flatMap((one) => ('results' in one ? one.results : []));

test.each([
  ['wc-completed', 'completed'],
  [' Completed ', 'completed'],
  ['on-hold', 'on-hold'],
  ['wc-packing', 'packing'],
])('status %j is %j', (text, status) => {
  expect(plainStatus(text)).toBe(status);
});

test('a step is one revision: the status with its dates, the notes, the key with its results and changes', () => {
  const after = apply(document(), 'k1', [status('wc-completed'), note('one'), note('two')], '0');
  expect(after.order).toMatchObject({ status: 'completed', date_modified: at, date_paid: at, date_completed: at });
  expect(after.notes?.map(({ _id, id, note: text }) => [_id, id, text])).toEqual([
    ['1001:k1:1', 70, 'one'],
    ['1001:k1:2', 71, 'two'],
  ]);
  expect(after.revision).toBe(1);
  const said = { status: 'applied', process_id: 'proc_1', message: 'A note was added.' };
  expect(after.applied).toEqual([
    {
      key: 'k1',
      by: 'req_k1',
      process_id: 'proc_1',
      results: [
        {
          key: 'k1:0',
          status: 'applied',
          process_id: 'proc_1',
          message: 'Status changed from processing to completed.',
          changes: [
            { field: 'status', from: 'processing', to: 'completed' },
            { field: 'date_paid', from: null, to: at },
            { field: 'date_completed', from: null, to: at },
          ],
        },
        { key: 'k1:1', ...said, changes: [{ field: 'notes', from: null, to: 'one' }] },
        { key: 'k1:2', ...said, changes: [{ field: 'notes', from: null, to: 'two' }] },
      ],
      changes: [
        {
          change_id: expect.stringMatching(/^chg_/),
          order_id: 1001,
          kind: 'status_changed',
          from: 'processing',
          to: 'completed',
          at,
          cause,
          keys: [],
        },
      ],
    },
  ]);
  expect(after.outbox).toEqual([]);
});

test('the same key changes nothing, also after the status was changed back', () => {
  const once = apply(document(), 'k1', [status('completed')]);
  const back = apply(once, 'k2', [status('processing')]);
  expect(apply(back, 'k1', [status('completed')])).toBe(back);
});

test('a step that was decided on another revision changes nothing: notes and tags count, bookkeeping does not', () => {
  const noted = apply(document(), 'k1', [note('first')], '0');
  expect(apply(noted, 'k2', [status('completed')], '0')).toBe(noted);
  const tagged = apply(noted, 'k2', [{ kind: 'add_tag', tag: 'vip' }], '1');
  expect(apply(tagged, 'k3', [note('second')], '1')).toBe(tagged);
  const same = apply(tagged, 'k3', [status('processing')], '2');
  expect(same.revision).toBe(2);
  expect(resultsOf(apply(same, 'k4', [note('third')], '2')).at(-1)?.status).toBe('applied');
});

test('the status the order has already is noted as unchanged, and no rule hears of it', () => {
  const after = apply(document(), 'k1', [status('processing')]);
  expect(after.applied).toMatchObject([{ results: [{ status: 'unchanged', changes: [] }], changes: [] }]);
  expect(after.due).toBeUndefined();
  expect(after.order).toEqual(document().order);
});

test('a command that fails does not keep the next from it', () => {
  const after = apply(document(), 'k1', [status('bogus'), note('one')]);
  expect(resultsOf(after).map((result) => [result.status, result.message])).toEqual([
    ['failed', '"bogus" is no order status.'],
    ['applied', 'A note was added.'],
  ]);
});

test('e-mail that is asked for is not claimed to be sent', () => {
  const [result] = resultsOf(apply(document(), 'k1', [status('trash', { send_emails: true })]));
  expect(result?.message).toContain('No e-mail is sent about this status.');
});

test('stock is to be reduced once an order, with the quantities of a product added up', () => {
  const lines = [
    { product_id: 11, quantity: 2 },
    { product_id: 12, quantity: 1 },
    { product_id: 11, quantity: 3 },
    { product_id: 13, quantity: 0 },
  ];
  const once = apply(document({ line_items: lines }), 'k1', [status('completed', { update_stock: true })]);
  expect(once.stock).toEqual({
    state: 'owed',
    items: [
      { product_id: 11, quantity: 5 },
      { product_id: 12, quantity: 1 },
    ],
  });
  const settled = { ...once, stock: { ...once.stock, state: 'done' as const } };
  const twice = apply(settled, 'k2', [status('processing', { update_stock: true })]);
  expect(twice.stock).toEqual(settled.stock);
  expect(resultsOf(twice).at(-1)?.message).toContain('Stock had been reduced before.');
});

test('what is left to hand over is due after 5 s, then later and later, and nothing is due when nothing is left', () => {
  const change = {
    change_id: 'chg_1',
    order_id: 1001,
    kind: 'status_changed',
    from: 'pending',
    to: 'processing',
  } as const;
  const pending = withChanges(document(), [{ ...change, at, cause, keys: [] }], 'manual');
  const delays = [0, 1, 2, 20].map((attempt) => (withDue({ ...pending, attempt }, now).due ?? 0) - now);
  expect(delays).toEqual([5_000, 10_000, 20_000, 300_000]);
  expect(withDue({ ...pending, outbox: [] }, now).due).toBeUndefined();
});
