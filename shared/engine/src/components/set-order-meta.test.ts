import { context, facts } from '../../test/fixtures';
import { setOrderMeta } from './set-order-meta';

const on = (meta_data: object[] = []) => ({
  ...facts({ context: context({ meta_data }) }),
  rule: { id: 3, name: 'Big orders' },
});
const run = setOrderMeta.compile({ key: 'checked_by', value: '{{rule.name}}: {{order.total}}' });

test('sets the field, placeholders filled in', () => {
  expect(run(on())).toEqual({
    effect: { kind: 'order', command: { kind: 'set_meta', key: 'checked_by', value: 'Big orders: 49.00' } },
    describe: {
      message: 'set the field checked_by to "Big orders: 49.00"',
      changes: [{ field: 'meta_data.checked_by', from: null, to: 'Big orders: 49.00' }],
    },
  });
});

test('a field that has the value already would not change', () => {
  expect(run(on([{ key: 'checked_by', value: 'Big orders: 49.00' }])).describe.changes).toEqual([]);
});

test('a placeholder that nobody knows is a violation', () => {
  expect(setOrderMeta.violations?.({ key: 'a', value: '{{order.secret}}' })).toMatchObject([{ path: 'value' }]);
});
