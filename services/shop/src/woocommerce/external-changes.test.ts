import { buildOrder } from '@order-automation/testing';
import { appliedKey } from './applied-meta';
import { differs, externalChangesOf, isStale, seenAs } from './external-changes';

const at = '2026-01-20T10:00:00.000Z';
const now = Date.parse(at);
const since = '2026-01-15T10:00:00.500Z';
const cause = { process_id: 'proc_1', depth: 0, author: 'WooCommerce' };
const mark = (key: string, from: string, to: string, what: 'status' | 'field' = 'status') => ({
  key,
  process_id: 'proc_2',
  at,
  from,
  to,
  what,
  step: 'k1',
});
const marked = (...marks: (ReturnType<typeof mark> & { order_id?: number; by?: string })[]) => [
  { key: appliedKey, value: JSON.stringify(marks) },
];
const order = (fields: Parameters<typeof buildOrder>[0] = {}) => buildOrder({ id: 7, date_created: since, ...fields });
const changesBetween = (before: Parameters<typeof order>[0] | null, after: Parameters<typeof order>[0]) =>
  externalChangesOf(before ? seenAs(order(before), null, now) : null, order(after), { since, at, cause }).map((one) =>
    one.kind === 'refunded' ? [one.kind, one.refund_id, one.amount] : [one.kind, one.from, one.to],
  );

test.each<[string, ...Parameters<typeof changesBetween>, ReturnType<typeof changesBetween>]>([
  [
    'a new order, of the second in which the connection began',
    null,
    { date_created: '2026-01-15T10:00:00Z' },
    [
      ['created', null, 'processing'],
      ['status_changed', null, 'processing'],
    ],
  ],
  ['an older order', null, { date_created: '2026-01-15T09:59:59Z' }, []],
  ['one that is being typed in', null, { status: 'checkout-draft' }, []],
  ['nothing', { status: 'pending' }, { status: 'pending' }, []],
  ['another status', { status: 'pending' }, { status: 'failed' }, [['status_changed', 'pending', 'failed']]],
  [
    'our own change',
    { status: 'pending' },
    { status: 'completed', meta_data: marked(mark('a', 'pending', 'completed')) },
    [],
  ],
  [
    'our own change, of several installations on the shop',
    { status: 'pending' },
    { status: 'completed', meta_data: marked({ ...mark('a', 'pending', 'completed'), by: since }) },
    [],
  ],
  // docs/decisions/0010-changes-and-refunds-of-a-shop.md: what others change is published, and another installation is one of them.
  [
    'what another installation on the shop has changed: not our own change',
    { status: 'pending' },
    {
      status: 'completed',
      meta_data: marked({ ...mark('a', 'pending', 'completed'), by: '2026-01-16T10:00:00.000Z' }),
    },
    [['status_changed', 'pending', 'completed']],
  ],
  [
    'what a plugin has copied from another order, as duplicate and split orders are: not our own change',
    { status: 'pending' },
    { status: 'failed', meta_data: marked({ ...mark('a', 'checkout-draft', 'completed'), order_id: 6 }) },
    [['status_changed', 'pending', 'failed']],
  ],
  [
    'a draft that our own command made an order of: the command publishes that it was created',
    { status: 'checkout-draft' },
    { status: 'completed', meta_data: marked(mark('a', 'checkout-draft', 'completed')) },
    [],
  ],
  [
    'such a draft that was never seen: events that wait for its names hear of it',
    null,
    { status: 'completed', meta_data: marked(mark('a', 'checkout-draft', 'completed')) },
    [['identified', 'completed', 'completed']],
  ],
  [
    'such a draft, then another change',
    { status: 'checkout-draft' },
    { status: 'on-hold', meta_data: marked(mark('a', 'checkout-draft', 'completed')) },
    [['status_changed', 'completed', 'on-hold']],
  ],
  [
    'our own change, then another',
    { status: 'pending' },
    { status: 'refunded', meta_data: marked(mark('a', 'pending', 'completed')) },
    [['status_changed', 'completed', 'refunded']],
  ],
  [
    'a change back to what we once made, which is known',
    { status: 'on-hold', meta_data: marked(mark('a', 'pending', 'completed')) },
    { status: 'completed', meta_data: marked(mark('a', 'pending', 'completed')) },
    [['status_changed', 'on-hold', 'completed']],
  ],
  [
    'a field of ours that has the name of a status',
    { status: 'pending' },
    { status: 'completed', meta_data: marked(mark('a', '', 'completed', 'field')) },
    [['status_changed', 'pending', 'completed']],
  ],
  [
    'a refund that leaves nothing',
    { status: 'completed', refunds: [{ id: 1, total: '-9.00' }] },
    {
      status: 'refunded',
      refunds: [
        { id: 2, total: '-40.00' },
        { id: 1, total: '-9.00' },
      ],
    },
    [
      ['refunded', 2, '40.00'],
      ['status_changed', 'completed', 'refunded'],
    ],
  ],
])('%s', (_what, before, after, expected) => {
  expect(changesBetween(before, after)).toEqual(expected);
});

test('the same difference has the same ids, a later one other ids', () => {
  const ids = (before: ReturnType<typeof seenAs>) =>
    externalChangesOf(before, order({ status: 'failed' }), { since, at, cause }).map(({ change_id }) => change_id);
  const first = seenAs(order({ status: 'pending' }), null, now);
  expect(ids(first)).toEqual(ids(first));
  expect(ids(seenAs(order({ status: 'pending' }), first, now))).not.toEqual(ids(first));
});

test('what was read before the order was last seen may differ, but for a refund that is not there yet', () => {
  const seen = seenAs(order({ refunds: [{ id: 1, total: '-9.00' }] }), null, now);
  expect(differs(seen, order())).toBe(false);
  expect(differs(seen, order({ status: 'failed' }))).toBe(true);
  expect(differs(null, order({ status: 'auto-draft' }))).toBe(false);
});

test('an order that is older than the one seen is no news', () => {
  const seen = seenAs(order({ date_modified: '2026-01-20T09:00:00Z' }), null, now);
  expect(isStale(seen, order({ date_modified: '2026-01-20T08:00:00Z' }))).toBe(true);
  expect(isStale(seen, order({ date_modified: '2026-01-20T09:00:00Z' }))).toBe(false);
});

/** A clock that ran ahead and was put right: what changes then has an earlier time. */
test('what changes after the clock of the shop was put back is no older than what was seen', () => {
  const ahead = seenAs(order({ status: 'pending', date_modified: '2026-01-20T11:00:00Z' }), null, now);
  expect(differs(ahead, order({ status: 'completed', date_modified: '2026-01-20T10:00:05Z' }))).toBe(true);
});
