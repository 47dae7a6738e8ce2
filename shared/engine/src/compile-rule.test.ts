import type { RuleData } from '@order-automation/contracts';
import { context, facts, record, registry } from '../test/fixtures';
import { compileRule } from './compile-rule';
import type { Condition } from './component';
import { orderTotal } from './components/order-total';
import { builtInComponents, createRegistry } from './registry';

const total = (operator: string, amount: number) => ({ id: 'order_total', settings: { operator, amount } });
const types = (...wanted: string[]) => ({ id: 'product_type', settings: { types: wanted } });
const verdict = (rule: Partial<RuleData>, on = context()) =>
  compileRule(record(rule), registry).match(facts({ context: on }));

test('a match says so and carries every condition', () => {
  const found = verdict({ conditions: [total('gt', 10), types('simple')] });
  expect(found).toMatchObject({ rule_id: 3, rule_name: 'Big orders', rule_version: 2, matched: true, error: null });
  expect(found.reason).toBe('Rule "Big orders" matched: all 2 conditions passed.');
  expect(found.conditions.map(({ result }) => result)).toEqual(['pass', 'pass']);
});

test('a rule without conditions matches and says why', () => {
  expect(verdict({ conditions: [] })).toMatchObject({
    matched: true,
    conditions: [],
    reason: 'Rule "Big orders" matched: it has no conditions, so it matches every time its trigger fires.',
  });
});

test('a non-match names the rule, the failing condition, what it wanted and what it found', () => {
  const found = verdict({ conditions: [types('simple'), total('gt', 50), types('grouped')] });
  expect(found.matched).toBe(false);
  expect(found.reason).toBe(
    'Rule "Big orders" did not match: condition 2 of 3 (Order total) failed: order total is 49.00, the rule needs more than 50.00.',
  );
  expect(found.conditions.map(({ result }) => result)).toEqual(['pass', 'fail', 'skipped']);
});

test('for debugging every condition is evaluated, and the reason names the first that failed', () => {
  const conditions = [total('gt', 50), types('grouped'), types('simple')];
  const found = compileRule(record({ conditions }), registry).judge(facts());
  expect(found.conditions.map(({ result }) => result)).toEqual(['fail', 'fail', 'pass']);
  expect(found.reason).toContain('condition 1 of 3');
});

test.each([
  ['condition', { conditions: [total('gt', 1), { id: 'gone', settings: {} }] }],
  ['condition named like a property of every object', { conditions: [{ id: 'constructor', settings: {} }] }],
  ['trigger', { trigger: { id: 'gone', settings: {} } }],
  ['primary action', { primaryAction: { id: 'gone', settings: {} } }],
  ['secondary action', { secondaryActions: [{ id: 'gone', settings: {} }] }],
  ['primary action that is a secondary one', { primaryAction: { id: 'add_order_note', settings: { note_text: 'x' } } }],
])('an unknown %s fails the rule and never throws', (_what, rule) => {
  const compiled = compileRule(record(rule), registry);
  const found = compiled.match(facts());
  expect(found).toMatchObject({ matched: false, error: 'unknown_component' });
  expect(found.reason).toMatch(/^Rule "Big orders" failed: unknown_component: /);
  expect(compiled.plan(facts())).toEqual([]);
  expect(found.conditions.some(({ result }) => result === 'pass')).toBe(false);
});

test('settings that no longer fit fail the rule and never throw', () => {
  expect(verdict({ conditions: [total('resembles', 1)] })).toMatchObject({ matched: false, error: 'invalid_settings' });
  const note = { id: 'add_order_note', settings: { note_text: '{{order.secret}}' } };
  expect(verdict({ secondaryActions: [note] }).reason).toBe(
    'Rule "Big orders" failed: invalid_settings: secondary action add_order_note.',
  );
});

test('a condition that throws is an error of its own, not of the caller', () => {
  const broken: Condition = {
    ...orderTotal,
    id: 'broken',
    label: 'Broken',
    schema: { type: 'object' },
    compile: () => () => {
      throw new Error('connection string with a password');
    },
  };
  const others = builtInComponents.filter(({ id }) => id !== 'broken');
  const rule = record({ conditions: [{ id: 'broken', settings: {} }, total('gt', 1)] });
  const found = compileRule(rule, createRegistry([...others, broken])).judge(facts());
  expect(found).toMatchObject({ matched: false, error: 'condition_error' });
  expect(found.conditions.map(({ result }) => result)).toEqual(['error', 'pass']);
  expect(JSON.stringify(found)).not.toContain('password');
});

test('the plan lists the primary action and then the secondary ones, with what each would change', () => {
  const note = (text: string) => ({ id: 'add_order_note', settings: { note_text: text } });
  const compiled = compileRule(
    record({ secondaryActions: [note('a {{order.total}} {{order.status}}'), note('b')] }),
    registry,
  );
  const plan = compiled.plan(facts());
  expect(plan.map(({ index, kind, id }) => [index, kind, id])).toEqual([
    [0, 'primary', 'change_status_to_completed'],
    [1, 'secondary', 'add_order_note'],
    [2, 'secondary', 'add_order_note'],
  ]);
  expect(plan[0]).toMatchObject({
    effect: {
      kind: 'order',
      command: { kind: 'set_status', status: 'completed', send_emails: true, update_stock: true },
    },
    describe: {
      message: 'change status from processing to completed',
      changes: [{ field: 'status', from: 'processing', to: 'completed' }],
    },
  });
  expect(plan[1]?.effect).toMatchObject({ command: { note: 'a 49.00 completed' } });
});

test('without a primary action the secondary ones keep their index', () => {
  const rule = record({
    primaryAction: null,
    secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'x' } }],
  });
  expect(
    compileRule(rule, registry)
      .plan(facts({ occurrence: null }))
      .map(({ index }) => index),
  ).toEqual([1]);
});

test('an order that is completed already would not change', () => {
  const [action] = compileRule(record(), registry).plan(facts({ context: context({ status: 'completed' }) }));
  expect(action?.describe).toEqual({ message: 'the order is completed already', changes: [] });
});

test.each([
  ['processing', true],
  ['pending', true],
  ['on-hold', true],
  ['completed', false],
  ['cancelled', false],
  ['refunded', false],
])('for an order in %s order_processing would fire: %s', (status, would_fire) => {
  const found = compileRule(record(), registry).wouldFire(facts({ context: context({ status }), occurrence: null }));
  expect(found).toMatchObject({ id: 'order_processing', would_fire });
  expect(found.reason).toContain(`the order is in status ${status}`);
});
