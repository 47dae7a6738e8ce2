import { builtInComponents, type Component, compileRule, condition, createRegistry } from '@order-automation/engine';
import { facts, record } from '../../../../shared/engine/test/fixtures';
import { explain } from './explanation';

const broken = condition({
  id: 'broken',
  label: 'Broken',
  description: 'Throws.',
  edition: 'default',
  schema: { type: 'object' },
  compile: () => () => {
    throw new Error('no');
  },
  nearest: () => null,
});
const registry = createRegistry([...builtInComponents, broken as unknown as Component]);
const total = (operator: string, amount: number) => ({ id: 'order_total', settings: { operator, amount } });
const types = (...wanted: string[]) => ({ id: 'product_type', settings: { types: wanted } });
const suggestionsOf = (...conditions: { id: string; settings: Record<string, unknown> }[]) =>
  explain(compileRule(record({ conditions }), registry), facts({ occurrence: null })).suggestions;

test('what is suggested is one sentence for each condition that did not pass', () => {
  expect(suggestionsOf(total('gt', 50), types('grouped'), types('simple'))).toEqual([
    'order total is 49.00, the rule needs more than 50.00',
    'product types in the order: simple, the rule needs a product of type grouped',
  ]);
  expect(suggestionsOf({ id: 'broken', settings: {} }, total('gt', 1))).toEqual([
    'Broken: the condition could not be evaluated',
  ]);
});
