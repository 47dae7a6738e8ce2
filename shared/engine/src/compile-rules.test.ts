import type { Occurrence, RuleRecord } from '@order-automation/contracts';
import fc from 'fast-check';
import { context, occurrence, record, ruleData } from '../test/fixtures';
import { benchRules, evaluateEvent } from './bench';
import { changesOrder, compileRules } from './compile-rules';
import type { Trigger } from './component';
import { orderProcessing } from './components/order-processing';
import { builtInComponents, createRegistry } from './registry';

const anyChange: Trigger = {
  ...orderProcessing,
  id: 'any_change',
  listensTo: () => [{ type: 'order_status_changed' }, { type: null }],
};
const registry = createRegistry([...builtInComponents, anyChange]);
const rule = (id: number, position: number, trigger = 'order_processing', enabled = true): RuleRecord =>
  record({ trigger: { id: trigger, settings: {} } }, { id, position, enabled });
const fired = (rules: RuleRecord[], on: Partial<Occurrence>) =>
  compileRules(rules, registry)
    .forOccurrence(occurrence(on))
    .map(({ record: { id } }) => id);

test('order_processing fires when an order enters processing or a payment completes, and on nothing else', () => {
  const rules = [rule(1, 0)];
  expect(fired(rules, { type: 'payment_completed' })).toEqual([1]);
  expect(fired(rules, { type: 'order_status_changed', from_status: 'pending', to_status: 'processing' })).toEqual([1]);
  expect(fired(rules, { type: 'order_status_changed', from_status: 'processing', to_status: 'completed' })).toEqual([]);
  expect(fired(rules, { type: 'order_created', to_status: 'processing' })).toEqual([]);
  expect(fired(rules, { type: 'payment_failed' })).toEqual([]);
  expect(fired(rules, { type: null })).toEqual([]);
});

test('rules run by position, then id, whichever status they name', () => {
  const rules = [rule(4, 1), rule(2, 0), rule(1, 1), rule(3, 0, 'any_change'), rule(5, 0, 'order_processing', false)];
  expect(fired(rules, { type: 'order_status_changed', to_status: 'processing' })).toEqual([2, 3, 1, 4]);
  expect(fired(rules, { type: 'order_status_changed', to_status: 'completed' })).toEqual([3]);
  expect(fired(rules, { type: 'order_status_changed', to_status: 'constructor' })).toEqual([3]);
  expect(fired(rules, { type: null })).toEqual([3]);
});

test('the index finds what looking at every rule finds', () => {
  const rules = fc.array(
    fc.record({ position: fc.nat(3), trigger: fc.constantFrom('order_processing', 'any_change') }),
  );
  const on = fc.record({
    type: fc.constantFrom('payment_completed', 'order_status_changed', 'order_created', null),
    to_status: fc.constantFrom('processing', 'completed', null),
  });
  fc.assert(
    fc.property(rules, on, (specs, { type, to_status }) => {
      const records = specs.map(({ position, trigger }, at) => rule(at + 1, position, trigger));
      const expected = records
        .filter(({ rule: { trigger } }) => {
          if (trigger.id === 'any_change') return type === 'order_status_changed' || type === null;
          return type === 'payment_completed' || (type === 'order_status_changed' && to_status === 'processing');
        })
        .sort((a, b) => a.position - b.position || a.id - b.id)
        .map(({ id }) => id);
      expect(fired(records, { type, to_status })).toEqual(expected);
    }),
  );
});

test('a rule whose trigger nobody knows never fires and is still listed', () => {
  const compiled = compileRules([rule(1, 0, 'gone')]);
  expect(compiled.all[0]?.problem?.error).toBe('unknown_component');
  expect(compiled.forOccurrence(occurrence())).toEqual([]);
});

test('any action changes the order; a rule without actions does not', () => {
  const note = { id: 'add_order_note', settings: { note_text: 'x' } };
  expect(changesOrder(ruleData())).toBe(true);
  expect(changesOrder(ruleData({ primaryAction: null }))).toBe(false);
  expect(changesOrder(ruleData({ primaryAction: null, secondaryActions: [note] }))).toBe(true);
  expect(changesOrder(ruleData({ primaryAction: { id: 'gone', settings: {} } }))).toBe(true);
});

test('the rules of the bench are found and evaluated', () => {
  const rules = benchRules(100, 10);
  expect(rules.all).toHaveLength(100);
  expect(rules.forOccurrence(occurrence())).toHaveLength(10);
  expect(evaluateEvent(rules, occurrence(), context({ total: '55.00' }))).toBe(5);
  expect(evaluateEvent(rules, occurrence(), context({ total: '55.00' }, ['grouped']))).toBe(0);
});
