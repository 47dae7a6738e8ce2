import type { ComponentChoice } from '@order-automation/contracts';
import fc from 'fast-check';
import { anyFacts, conditionChoices } from '../test/arbitrary';
import { record, registry } from '../test/fixtures';
import { compileRule } from './compile-rule';
import { compileRules } from './compile-rules';
import { validateRule } from './validate-rule';

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
