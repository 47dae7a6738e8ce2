import type { ComponentChoice } from '@order-automation/contracts';
import fc from 'fast-check';
import { anyChoice, anyFacts, conditionChoices } from '../test/arbitrary';
import { record, registry } from '../test/fixtures';
import { compileRule } from './compile-rule';
import { compileRules } from './compile-rules';
import { withChanges } from './situation';
import { validateRule } from './validate-rule';

/** `AGREEMENT_RUNS=100000` for the whole of it (npm run test:agreement). */
const numRuns = Number(process.env.AGREEMENT_RUNS ?? 3_000);

test(`match and explain agree on ${numRuns} rules and situations`, () => {
  fc.assert(
    fc.property(fc.array(anyChoice, { maxLength: 4 }), anyFacts, (conditions, situation) => {
      const rule = compileRule(record({ conditions }), registry);
      const matched = rule.match(situation);
      const explained = rule.explain(situation);
      expect(rule.problem).toBeNull();
      expect([explained.matched, explained.reason]).toEqual([matched.matched, matched.reason]);
      const judged = matched.conditions.filter(({ result }) => result !== 'skipped');
      expect(explained.conditions.slice(0, judged.length)).toEqual(judged);
      expect(explained.suggestions).toHaveLength(explained.conditions.filter(({ result }) => result !== 'pass').length);
      if (matched.matched) expect(explained.changes).toEqual([]);
    }),
    { numRuns },
  );
}, 600_000);

test('after the smallest change the condition passes', () => {
  fc.assert(
    fc.property(anyChoice, anyFacts, (condition, situation) => {
      const rule = compileRule(record({ conditions: [condition] }), registry);
      const { changes } = rule.explain(situation);
      if (changes !== null) expect(rule.match(withChanges(situation, changes)).matched).toBe(true);
    }),
    { numRuns },
  );
}, 600_000);

describe.each(Object.entries(conditionChoices))('%s', (id, settings) => {
  test('random settings are valid, and stored in one form that judges alike', () => {
    fc.assert(
      fc.property(settings, anyFacts, (chosen, situation) => {
        const choice: ComponentChoice = { id, settings: chosen };
        const { rule } = record({ conditions: [choice] });
        const validation = validateRule(rule, 'extended', registry);
        if (!validation.ok) throw new Error(JSON.stringify(validation.violations));
        const [stored] = compileRules([{ ...record(), rule: validation.rule }], registry).all;
        const verdict = compileRule(record({ conditions: [choice] }), registry).match(situation);
        expect(stored?.match(situation).matched).toBe(verdict.matched);
      }),
      { numRuns: 60 },
    );
  });
});

test('the random settings are those of conditions that are there', () => {
  expect([...registry.conditions.keys()]).toEqual(expect.arrayContaining(Object.keys(conditionChoices)));
});
