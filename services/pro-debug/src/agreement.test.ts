import type { RuleRecord } from '@order-automation/contracts';
import { compileRule, compileRules, type Facts, withChanges } from '@order-automation/engine';
import fc from 'fast-check';
import { anyChoice, anyFacts, anyTrigger } from '../../../shared/engine/test/arbitrary';
import { record, registry } from '../../../shared/engine/test/fixtures';
import { explain } from './explain/explanation';

/** `AGREEMENT_RUNS=100000` for the whole of it (npm run test:agreement). */
const numRuns = Number(process.env.AGREEMENT_RUNS ?? 3_000);

const anyRule = fc.record({ trigger: anyTrigger, conditions: fc.array(anyChoice, { maxLength: 4 }) });

test(`match and explain agree on ${numRuns} rules and situations`, () => {
  fc.assert(
    fc.property(anyRule, anyFacts, (data, situation) => {
      const rule = compileRule(record(data), registry);
      const explained = explain(rule, situation);
      const on = { ...situation, occurrence: explained.occurrence };
      const matched = rule.match(on);
      expect(rule.problem).toBeNull();
      expect([explained.matched, explained.reason]).toEqual([matched.matched, matched.reason]);
      const judged = matched.conditions.filter(({ result }) => result !== 'skipped');
      expect(explained.conditions.slice(0, judged.length)).toEqual(judged);
      const { trigger } = explained;
      const missing = explained.conditions.filter(({ result }) => result !== 'pass').length;
      expect(explained.suggestions).toHaveLength(missing + (trigger.would_fire ? 0 : 1));
      if (situation.occurrence) expect(trigger.would_fire).toBe(runs(rule.record, situation));
      if (matched.matched && trigger.would_fire) expect(explained.changes).toEqual([]);
    }),
    { numRuns },
  );
}, 600_000);

/** Whether production would run the rule on what happened. */
function runs(rule: RuleRecord, situation: Facts): boolean {
  const { occurrence } = situation;
  return occurrence !== null && compileRules([rule], registry).firing(occurrence, situation).length > 0;
}

test('after the smallest change the trigger fires and every condition passes', () => {
  let [found, missing] = [0, 0];
  fc.assert(
    fc.property(anyRule, anyFacts, (data, situation) => {
      const rule = compileRule(record(data), registry);
      const { changes, occurrence } = explain(rule, situation);
      if (changes === null) missing += 1;
      if (changes === null) return;
      found += 1;
      const after = withChanges({ ...situation, occurrence }, changes);
      if (occurrence !== null) expect(runs(rule.record, after)).toBe(true);
      expect(rule.match(after).matched).toBe(true);
    }),
    { numRuns },
  );
  expect(found).toBeGreaterThan(missing);
}, 600_000);
