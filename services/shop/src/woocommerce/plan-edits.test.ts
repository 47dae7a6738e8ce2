import type { OrderCommand } from '@order-automation/contracts';
import { buildOrder } from '@order-automation/testing';
import type { EditCommand } from '../orders/commands';
import { planEdits } from './plan-edits';

const order = buildOrder({ id: 7, status: 'processing', meta_data: [{ id: 5, key: 'size', value: 'M' }] });
const plan = (...commands: Exclude<OrderCommand, { kind: 'add_note' }>[]) => {
  const cause = { process_id: 'proc_1', depth: 1, author: 'rule 7' };
  const keyed = commands.map((command, at): EditCommand => ({ key: `k${at}`, order_id: 7, command, cause }));
  const { writes, results } = planEdits(order, keyed);
  return [
    writes.map(({ status, meta, edits }) => [
      status,
      meta,
      edits.map(({ command, from, to }) => [command.key, from, to]),
    ]),
    results.map(({ key, status }) => [key, status]),
  ];
};
const status = (to: string) => ({ kind: 'set_status', status: to, send_emails: false, update_stock: false }) as const;
const tag = (name: string) => ({ kind: 'add_tag', tag: name }) as const;

test('a status, tags and a field are one request, a field by its id; what the order has already is none', () => {
  expect(
    plan(status('completed'), tag('a'), { kind: 'set_meta', key: 'size', value: 'L' }, tag('b'), tag('a')),
  ).toEqual([
    [
      [
        'completed',
        [
          { key: '_order_tags', value: ['a', 'b'] },
          { id: 5, key: 'size', value: 'L' },
        ],
        [
          ['k0', 'processing', 'completed'],
          ['k1', null, 'a'],
          ['k2', 'M', 'L'],
          ['k3', null, 'b'],
        ],
      ],
    ],
    [['k4', 'unchanged']],
  ]);
});

test('each status is a request of its own', () => {
  expect(plan(status('on-hold'), tag('a'), status('completed'), status('completed'))).toEqual([
    [
      [
        'on-hold',
        [{ key: '_order_tags', value: ['a'] }],
        [
          ['k0', 'processing', 'on-hold'],
          ['k1', null, 'a'],
        ],
      ],
      ['completed', [], [['k2', 'on-hold', 'completed']]],
    ],
    [['k3', 'unchanged']],
  ]);
});

test('nothing to write', () => {
  expect(plan(status('processing'), status('bogus status'))).toEqual([
    [],
    [
      ['k0', 'unchanged'],
      ['k1', 'failed'],
    ],
  ]);
});
