import { changesOf, type Step } from './story-details';
import { conditionsText, firstFailure, storyParts, verdictOf } from './story-parts';

let id = 0;
const step = (event_type: Step['event_type'], status: Step['status'], details: Step['details'] = {}): Step => {
  id += 1;
  return { id, timestamp: '', status, event_type, summary: `entry ${id}`, order_id: 1, duration_ms: null, details };
};
const rule = (number: number) => ({ rule: { id: number, name: `Rule ${number}`, version: 1 } });

test('one row a rule, with its actions, and one for all that did not match, where the first of them stood', () => {
  const received = step('webhook_received', 'success');
  const [one, two, three] = [1, 2, 3].map((number) =>
    step('rule_evaluation', number === 2 ? 'success' : 'skipped', rule(number)),
  ) as [Step, Step, Step];
  const [note, tag] = [step('action_executed', 'success', rule(2)), step('action_failed', 'error', rule(2))];
  const end = step('process_completed', 'success');
  expect(storyParts([received, one, two, note, tag, three, end])).toEqual([
    { kind: 'step', step: received },
    { kind: 'unmatched', steps: [one, three] },
    { kind: 'rule', step: two, actions: [note, tag] },
    { kind: 'step', step: end },
  ]);
});

test('a rule that matched for two orders of one webhook has the actions of each', () => {
  const of = (order_id: number, one: Step): Step => ({ ...one, order_id });
  const [first, second] = [1, 2].map((order) => of(order, step('rule_evaluation', 'success', rule(1)))) as [Step, Step];
  const [note, other] = [1, 2].map((order) => of(order, step('action_executed', 'success', rule(1)))) as [Step, Step];
  expect(storyParts([first, second, note, other])).toEqual([
    { kind: 'rule', step: first, actions: [note] },
    { kind: 'rule', step: second, actions: [other] },
  ]);
});

test('an action whose rule is not told, and what is about no rule, stand for themselves', () => {
  const [orphan, nameless] = [step('action_executed', 'success', rule(9)), step('action_executed', 'success')];
  expect(storyParts([orphan, nameless])).toEqual([
    { kind: 'step', step: orphan },
    { kind: 'step', step: nameless },
  ]);
});

test('a rule that could not be evaluated is shown, not folded', () => {
  const broken = step('rule_evaluation', 'error', rule(1));
  expect(storyParts([broken])).toEqual([{ kind: 'rule', step: broken, actions: [] }]);
});

test('the first condition that failed says why', () => {
  const conditions = [
    { id: 'a', label: 'Country', result: 'pass', expected: 'Germany', actual: 'Germany' },
    { id: 'b', label: 'Order total', result: 'fail', expected: 'at least 20.00', actual: '9.00' },
    { id: 'c', label: 'Coupon', result: 'fail', expected: 'any', actual: 'none' },
  ];
  expect(firstFailure(step('rule_evaluation', 'skipped', { conditions }))).toBe(
    'Order total: needs at least 20.00, found 9.00',
  );
  expect(firstFailure(step('rule_evaluation', 'skipped'))).toBe(`entry ${id}`);
});

// A rule in shadow leaves an entry as `info`, whether it would have matched or not (decisions.md section 12, "Shadow").
test('a rule in shadow has not failed, and its conditions may be false', () => {
  const failed = [{ id: 'b', label: 'Order total', result: 'fail', expected: 'at least 20.00', actual: '9.00' }];
  const shadow = step('rule_evaluation', 'info', { ...rule(1), conditions: failed });
  expect([verdictOf(shadow), conditionsText(shadow)]).toEqual(['In shadow', '1 condition']);
  const matched = step('rule_evaluation', 'success', { ...rule(1), conditions: failed });
  expect([verdictOf(matched), conditionsText(matched)]).toEqual(['Matched', '1 condition was true']);
  expect(verdictOf(step('rule_evaluation', 'error', rule(1)))).toBe('Failed');
});

// decisions.md section 3: a save is audited with what changed.
test('a save of a rule says which settings were what before', () => {
  const amount = { id: 'order_total', from: { operator: 'gt', amount: 45 }, to: { operator: 'gt', amount: 9999 } };
  const conditions = { added: [], removed: [], changed: [amount], reordered: false };
  expect(changesOf({ changes: { name: { from: 'A', to: 'B' }, conditions } })).toEqual([
    { field: 'order_total, amount', from: 45, to: 9999 },
  ]);
  expect(changesOf({ changes: [{ field: 'order_prefix', from: '', to: 'SHOP-' }] })).toHaveLength(1);
});
