import type { Occurrence, RuleData, RuleRecord } from '@order-automation/contracts';
import fc from 'fast-check';
import { benchRules, evaluateEvent } from '../test/bench-rules';
import { context, facts, occurrence, record } from '../test/fixtures';
import { compileRule } from './compile-rule';
import { compileRules, needsOf } from './compile-rules';
import { trigger } from './component';
import { builtInComponents, createRegistry } from './registry';
import { noSettings } from './settings-schema';

const anyChange = trigger({
  id: 'any_change',
  label: 'Any change',
  description: '',
  edition: 'default',
  priority: 99,
  schema: noSettings,
  listensTo: () => [{ type: 'order_status_changed' }, { type: 'gateway_event', event: 'tap' }],
  fires: () => 'fires on any change',
});
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
  expect(fired(rules, { type: null, event_type: 'tap' })).toEqual([3]);
});

test('the index finds what looking at every rule finds', () => {
  const rules = fc.array(
    fc.record({ position: fc.nat(3), trigger: fc.constantFrom('order_processing', 'any_change') }),
  );
  const on = fc.record({
    type: fc.constantFrom('payment_completed', 'order_status_changed', 'order_created', null),
    event_type: fc.constantFrom('tap', 'payment.card.charge_updated'),
    to_status: fc.constantFrom('processing', 'completed', null),
  });
  fc.assert(
    fc.property(rules, on, (specs, { type, to_status, event_type }) => {
      const records = specs.map(({ position, trigger }, at) => rule(at + 1, position, trigger));
      const expected = records
        .filter(({ rule: { trigger } }) => {
          if (trigger.id === 'any_change') return type === 'order_status_changed' || event_type === 'tap';
          return type === 'payment_completed' || (type === 'order_status_changed' && to_status === 'processing');
        })
        .sort((a, b) => a.position - b.position || a.id - b.id)
        .map(({ id }) => id);
      expect(fired(records, { type, to_status, event_type })).toEqual(expected);
    }),
  );
});

test('a rule whose trigger nobody knows never fires and is still listed', () => {
  const compiled = compileRules([rule(1, 0, 'gone')], registry);
  expect(compiled.all[0]?.problem?.error).toBe('unknown_component');
  expect(compiled.forOccurrence(occurrence())).toEqual([]);
});

test('any action changes the order; a rule without actions does not', () => {
  const note = { id: 'add_order_note', settings: { note_text: 'x' } };
  const changesOrder = (rule: Partial<RuleData>) => compileRule(record(rule), registry).changesOrder;
  expect(changesOrder({})).toBe(true);
  expect(changesOrder({ primaryAction: null })).toBe(false);
  expect(changesOrder({ primaryAction: null, secondaryActions: [note] })).toBe(true);
  expect(changesOrder({ primaryAction: { id: 'gone', settings: {} } })).toBe(true);
});

test('the rules of the bench are found and evaluated', () => {
  const rules = benchRules(100, 10);
  expect(rules.all).toHaveLength(100);
  expect(rules.forOccurrence(occurrence())).toHaveLength(10);
  expect(evaluateEvent(rules, occurrence(), facts({ context: context({ total: '55.00' }) }))).toBe(5);
  expect(evaluateEvent(rules, occurrence(), facts({ context: context({ total: '55.00' }, ['grouped']) }))).toBe(0);
});

test('a rule of the same version is parsed once', () => {
  const before = compileRules([rule(1, 0), rule(2, 0)], registry);
  const after = compileRules([{ ...rule(1, 0), version: 3 }, rule(2, 0)], registry, before);
  expect(after.all[0]).not.toBe(before.all[0]);
  expect(after.all[1]).toBe(before.all[1]);
});

test('a completed payment fires order_processing only where the order waits for one', () => {
  const compiled = compileRules([rule(1, 0)], registry);
  const fires = (status: string, on = occurrence()) =>
    compiled.firing(on, facts({ context: context({ status }) })).length === 1;
  expect(['pending', 'on-hold', 'failed', 'processing'].map((status) => fires(status))).toEqual(Array(4).fill(true));
  const past = ['cancelled', 'refunded', 'completed', 'trash'];
  expect(past.map((status) => fires(status))).toEqual(Array(4).fill(false));
  const entered = occurrence({ type: 'order_status_changed', to_status: 'processing', gateway: null });
  expect(fires('completed', entered)).toBe(true);
});

test('an occurrence of a schedule is for its own rule', () => {
  const [first, second] = compileRules([rule(1, 0), rule(2, 0)], registry).all;
  const on = occurrence({ rule_id: 2 });
  expect([first?.fires(on, facts()), second?.fires(on, facts())]).toEqual([false, true]);
});

test('no rule of these asks for more than the order', () => {
  expect(needsOf(compileRules([rule(1, 0)], registry).all).size).toBe(0);
});
