import type { ComponentChoice } from '@order-automation/contracts';
import fc from 'fast-check';
import { differenceText, ruleDifference, ruleText } from './rule-changes';
import type { RuleFields } from './rule-documents';

const choice = (id: string, settings: Record<string, unknown> = {}): ComponentChoice => ({ id, settings });
const fields = ({
  rule,
  ...overrides
}: Partial<Omit<RuleFields, 'rule'>> & { rule?: Partial<RuleFields['rule']> } = {}): RuleFields => ({
  name: 'Rule',
  enabled: false,
  position: 0,
  stop_processing: false,
  ...overrides,
  rule: {
    trigger: choice('a'),
    conditions: [choice('total', { operator: 'gt', amount: 1 }), choice('type')],
    primaryAction: null,
    secondaryActions: [],
    ...rule,
  },
});
const text = (before: RuleFields, after: RuleFields) => differenceText(ruleDifference(before, after));

test('nothing changed, also when only the order of keys did', () => {
  const other = fields({ rule: { conditions: [choice('total', { amount: 1, operator: 'gt' }), choice('type')] } });
  expect(ruleDifference(fields(), other)).toEqual({});
  expect(text(fields(), fields())).toBe('nothing changed');
});

test('trigger, conditions added and removed, actions, and what is around the rule', () => {
  const after = fields({
    name: 'Other',
    enabled: true,
    position: 3,
    stop_processing: true,
    rule: {
      trigger: choice('b'),
      conditions: [choice('total', { operator: 'gt', amount: 2 }), choice('country')],
      primaryAction: choice('complete'),
      secondaryActions: [choice('note'), choice('note')],
    },
  });
  expect(text(fields(), after)).toBe(
    'name "Rule" → "Other"; enabled; moved down; now stops later rules; trigger a → b; conditions added: country; ' +
      'conditions removed: type; settings of conditions: total; main action none → complete; further actions added: note, note',
  );
  expect(ruleDifference(fields(), after).conditions).toMatchObject({
    added: [choice('country')],
    removed: [choice('type')],
    changed: [{ id: 'total', from: { amount: 1 }, to: { amount: 2 } }],
  });
});

test('other settings of the trigger and another order of conditions are named', () => {
  const before = fields();
  const after = fields({
    rule: { trigger: choice('a', { from: 'x' }), conditions: [...before.rule.conditions].reverse() },
  });
  expect(text(before, after)).toBe('settings of trigger a; conditions in another order');
});

test('a rule in words', () => {
  expect(ruleText(fields().rule)).toBe('trigger a; conditions: total, type; main action none; further actions: none');
});

test('what was removed and added accounts for every difference of the lists', () => {
  const list = fc.array(fc.record({ id: fc.constantFrom('a', 'b', 'c'), settings: fc.record({ n: fc.nat(2) }) }), {
    maxLength: 5,
  });
  fc.assert(
    fc.property(list, list, (before, after) => {
      const change = ruleDifference(
        fields({ rule: { conditions: before } }),
        fields({ rule: { conditions: after } }),
      ).conditions;
      const key = (one: ComponentChoice) => JSON.stringify([one.id, one.settings]);
      const rebuilt = before.map(key);
      const take = (one: ComponentChoice) => rebuilt.splice(rebuilt.indexOf(key(one)), 1);
      for (const one of change?.removed ?? []) expect(take(one)).toEqual([key(one)]);
      for (const { id, from } of change?.changed ?? []) take({ id, settings: from as Record<string, unknown> });
      for (const { id, to } of change?.changed ?? [])
        rebuilt.push(key({ id, settings: to as Record<string, unknown> }));
      rebuilt.push(...(change?.added ?? []).map(key));
      expect(rebuilt.sort()).toEqual(after.map(key).sort());
      expect(change === undefined).toBe(JSON.stringify(before) === JSON.stringify(after));
    }),
  );
});
