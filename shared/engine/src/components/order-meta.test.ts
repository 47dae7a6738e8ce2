import { conditionTable, refusesSettings } from '../../test/condition-table';
import { context, facts } from '../../test/fixtures';
import { orderMeta } from './order-meta';

const meta = (...values: unknown[]) =>
  facts({ context: context({ meta_data: values.map((value) => ({ key: 'gift', value })) }) });

conditionTable(orderMeta, [
  ['is', { key: 'gift', operator: 'is', value: 'yes' }, meta('yes'), true],
  ['is, in another case', { key: 'gift', operator: 'is', value: 'yes' }, meta('Yes'), false],
  ['is, one of several of that key', { key: 'gift', operator: 'is', value: 'yes' }, meta('no', 'yes'), true],
  ['is, a number', { key: 'gift', operator: 'is', value: '5' }, meta(5), true],
  ['is, an accent written as two characters', { key: 'gift', operator: 'is', value: 'Zoë' }, meta('Zoe\u0308'), true],
  ['contains such an accent', { key: 'gift', operator: 'contains', value: 'oe\u0308' }, meta({ to: 'Zoë' }), true],
  ['is not', { key: 'gift', operator: 'is_not', value: 'yes' }, meta('no'), true],
  ['eq, as other conditions call it', { key: 'gift', operator: 'eq', value: 'yes' }, meta('yes'), true],
  ['ne', { key: 'gift', operator: 'ne', value: 'yes' }, meta('no', 'yes'), false],
  ['is not, but one of them is', { key: 'gift', operator: 'is_not', value: 'yes' }, meta('no', 'yes'), false],
  ['is not, where it is not there', { key: 'gift', operator: 'is_not', value: 'yes' }, meta(), true],
  ['contains', { key: 'gift', operator: 'contains', value: 'e' }, meta('yes'), true],
  ['contains, never as a pattern', { key: 'gift', operator: 'contains', value: '.*' }, meta('yes'), false],
  [
    'contains, in a value that is no text',
    { key: 'gift', operator: 'contains', value: '"wrap":true' },
    meta({ wrap: true }),
    true,
  ],
  ['does not contain', { key: 'gift', operator: 'not_contains', value: 'e' }, meta('yes'), false],
  ['starts with', { key: 'gift', operator: 'starts_with', value: 'ye' }, meta('yes'), true],
  ['starts otherwise', { key: 'gift', operator: 'starts_with', value: 'no' }, meta('yes'), false],
  ['exists', { key: 'gift', operator: 'exists' }, meta(''), true],
  ['exists, but does not', { key: 'gift', operator: 'exists' }, meta(), false],
  ['does not exist', { key: 'gift', operator: 'not_exists' }, meta(), true],
  ['does not exist, but does', { key: 'gift', operator: 'not_exists' }, meta('a', 'b'), false],
]);
test('eq and ne are stored as is and is_not', () => {
  expect(orderMeta.normalise?.({ key: 'gift', operator: 'ne', value: 'yes' })).toEqual({
    key: 'gift',
    operator: 'is_not',
    value: 'yes',
  });
});

refusesSettings(orderMeta, [
  {},
  { key: 'gift', operator: 'is' },
  { key: '', operator: 'exists' },
  { key: 'gift', operator: 'matches', value: '(a+)+$' },
]);
