import { type ComponentChoice, genericTypes, type RuleData, type RuleRecord } from '@order-automation/contracts';
import fc from 'fast-check';
import { anyChoice } from '../../../../shared/engine/test/arbitrary';
import { record, registry } from '../../../../shared/engine/test/fixtures';
import { type Conflicts, pairWarnings, placed, ruleConflicts } from './conflicts';

const choice = (id: string, settings: ComponentChoice['settings'] = {}): ComponentChoice => ({ id, settings });
const total = (operator: string, amount: number) => choice('order_total', { operator, amount });
const status = (...statuses: string[]) => choice('order_status', { statuses });
const rule = (id: number, data: Partial<RuleData>, more: Partial<RuleRecord> = {}) =>
  record(data, { id, name: `Rule ${id}`, position: id, ...more });
const complete = choice('change_status_to_completed');
const hold = choice('change_status_to_on_hold');
const conflictsAmong = (rules: RuleRecord[], limit = 500): Conflicts => ruleConflicts(rules, registry, { limit });
const conflictsOf = (about: number, rules: RuleRecord[]) =>
  ruleConflicts(rules, registry, { limit: 500, about }).warnings;
const conflicts = (...rules: RuleRecord[]) =>
  conflictsAmong(rules).warnings.map(({ code, rule_ids }) => [code, ...rule_ids]);

test('different status actions on one occurrence', () => {
  const [a, b] = [rule(1, { primaryAction: complete }), rule(2, { primaryAction: hold })];
  expect(conflicts(a, b)).toEqual([['conflicting_actions', 1, 2]]);
  expect(conflictsAmong([a, b]).warnings[0]?.message).toMatch(/set different statuses: completed and on hold\.$/);
  expect(conflicts(a, rule(2, { primaryAction: complete }))).toEqual([]);
  expect(conflicts(a, rule(2, { primaryAction: hold, trigger: choice('order_cancelled') }))).toEqual([]);
  expect(conflicts(a, rule(2, { primaryAction: hold, trigger: choice('payment_complete') }))).toHaveLength(1);
  expect(conflicts(a, rule(2, { primaryAction: hold, trigger: choice('webhook_event') }))).toHaveLength(1);
  expect(conflicts(a, rule(2, { primaryAction: hold, conditions: [total('lte', 50)] }))).toEqual([]);
});

test('a rule that never runs because one before it ends the occurrence', () => {
  const stops = rule(1, { conditions: [], primaryAction: complete }, { stop_processing: true });
  expect(conflicts(stops, rule(2, {}))).toEqual([['shadowed', 2, 1]]);
  expect(conflicts({ ...stops, position: 9 }, rule(2, {}))).toEqual([]);
  expect(conflicts(stops, rule(2, { trigger: choice('payment_complete') }))).toEqual([]);
  const narrow = rule(1, { conditions: [total('gt', 50)] }, { stop_processing: true });
  expect(conflicts(narrow, rule(2, { conditions: [total('gt', 50), status('processing')] }))).toEqual([
    ['shadowed', 2, 1],
  ]);
  expect(conflicts(narrow, rule(2, { conditions: [total('gt', 60)] }))).toEqual([]);
});

test('those of one rule alone', () => {
  const rules = [1, 2, 3].map((id) => rule(id, { primaryAction: id === 2 ? hold : complete }));
  expect(conflictsOf(3, rules).map(({ rule_ids }) => rule_ids)).toEqual([[2, 3]]);
});

const noSettings = [...registry.triggers.keys()].filter((id) => !['webhook_event', 'schedule'].includes(id));
const events = fc.uniqueArray(fc.constantFrom(...genericTypes.slice(0, 5), 'order_created', 'custom'), {
  maxLength: 2,
});
const anyTrigger: fc.Arbitrary<ComponentChoice> = fc.oneof(
  fc.constantFrom(...noSettings.map((id) => choice(id)), choice('gone'), choice('schedule', { cron: '0 9 * * *' })),
  events.map((event_types) => choice('webhook_event', event_types.length > 0 ? { event_types } : {})),
  fc.constantFrom('completed', 'on-hold').map((to) => choice('any_status_change', { from: [], to: [to] })),
);
/** Few kinds of conditions, so that sets of them contain each other. */
const anyCondition = fc.oneof(fc.constantFrom(total('gt', 50), total('lt', 20), status('processing')), anyChoice);
const anyRule = fc
  .record({
    trigger: anyTrigger,
    conditions: fc.array(anyCondition, { maxLength: 2 }),
    primaryAction: fc.constantFrom(null, complete, hold, choice('change_status_to_cancelled')),
    stop_processing: fc.boolean(),
    position: fc.nat({ max: 5 }),
  })
  .map(
    ({ stop_processing, position, ...data }) =>
      (id: number) =>
        rule(id, data, { stop_processing, position }),
  );
const anyRules = fc.array(anyRule, { minLength: 2, maxLength: 12 }).map((made) => made.map((make, at) => make(at + 1)));

test('what is found is what every rule compared with every later one finds, up to the limit', () => {
  let found = 0;
  fc.assert(
    fc.property(anyRules, fc.integer({ min: 1, max: 4 }), (rules, few) => {
      const all = placed(rules, registry);
      const naive = all.flatMap((first, at) => all.slice(at + 1).flatMap((second) => pairWarnings(first, second)));
      found += naive.length;
      expect(conflictsAmong(rules)).toEqual({ warnings: naive, isTruncated: false });
      const cut = conflictsAmong(rules, few);
      expect(cut).toEqual({ warnings: naive.slice(0, few), isTruncated: naive.length > few });
      const own = naive.filter(({ rule_ids }) => rule_ids.includes(1));
      expect(conflictsOf(1, rules)).toEqual(own);
    }),
    { numRuns: Number(process.env.AGREEMENT_RUNS ?? 1_000) },
  );
  expect(found).toBeGreaterThan(1_000);
});

test('says when it looked for no more', () => {
  const rules = Array.from({ length: 40 }, (_, at) => rule(at + 1, { primaryAction: at % 2 === 0 ? complete : hold }));
  const { warnings, isTruncated } = conflictsAmong(rules);
  expect([warnings.length, isTruncated]).toEqual([400, false]);
  const fewer = conflictsAmong(rules, 7);
  expect([fewer.warnings.length, fewer.isTruncated]).toEqual([7, true]);
  expect(conflictsAmong(rules, 400).isTruncated).toBe(false);
});
