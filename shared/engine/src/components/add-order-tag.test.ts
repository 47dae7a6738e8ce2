import { context, facts } from '../../test/fixtures';
import { addOrderTag } from './add-order-tag';

const on = (tags?: string[]) => ({
  ...facts({ context: context(tags ? { tags } : {}) }),
  rule: { id: 3, name: 'Big orders' },
});

test.each([
  ['a new tag', 'dispute', undefined, 'dispute', 1],
  ['a further tag', 'dispute', ['vip'], 'dispute', 1],
  ['a tag that is there', 'vip', ['vip'], 'vip', 0],
  ['a placeholder', 'from {{event.gateway}}', undefined, 'from gateway_card', 1],
])('%s', (_name, tag, before, expected, changes) => {
  const { effect, describe } = addOrderTag.compile({ tag })(on(before));
  expect(effect).toEqual({ kind: 'order', command: { kind: 'add_tag', tag: expected } });
  expect(describe.changes).toHaveLength(changes);
});

test('a tag is one line and not endless', () => {
  const long = { ...facts({ context: context({ number: `a\nb${'x'.repeat(90)}` }) }), rule: { id: 3, name: '' } };
  const { effect } = addOrderTag.compile({ tag: '{{order.number}} {{order.number}}' })(long);
  expect(effect).toMatchObject({ command: { tag: expect.stringMatching(/^a b.{0,97}$/) } });
});

test('an empty tag is a violation', () => {
  expect(addOrderTag.violations?.({ tag: ' ' })).toMatchObject([{ path: 'tag' }]);
});
