import { cleaned, defaultsOf, formOf, numberOf, problemText, shownSettings } from './schema-form';

const total = {
  type: 'object',
  properties: {
    operator: { type: 'string', title: 'Operator', enum: ['gt', 'between', '>', '>='], default: 'gt' },
    amount: { type: 'number', minimum: 0, maximum: 1e12, title: 'Amount', default: 0 },
    amount_to: { type: 'number', minimum: 0, title: 'Amount to' },
  },
  required: ['operator', 'amount'],
  if: { properties: { operator: { const: 'between' } }, required: ['operator'] },
  // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
  then: { required: ['amount_to'], properties: { amount_to: {} } },
};

test('a field that counts in one case alone is there in that case', () => {
  const names = (operator: string) => formOf(total, { operator }).map(({ name, required }) => [name, required]);
  expect(names('gt')).toEqual([
    ['operator', true],
    ['amount', true],
  ]);
  expect(names('between')).toContainEqual(['amount_to', true]);
});

test('an operator has one spelling, in words', () => {
  const [operator] = formOf(total, { operator: 'gt' });
  expect(operator?.control).toEqual({
    kind: 'choice',
    options: [
      { value: 'gt', label: 'is more than' },
      { value: 'between', label: 'is between' },
    ],
  });
  expect(shownSettings({ operator: '>=', amount: 5 })).toEqual({ operator: 'gte', amount: 5 });
});

test('the operators of texts stand once, in words', () => {
  const values = ['is', 'is_not', 'not_contains', 'not_exists', 'eq', 'ne'];
  const [operator] = formOf({ properties: { operator: { type: 'string', enum: values } } }, {});
  const labels = operator?.control.kind === 'choice' && operator.control.options.map(({ label }) => label);
  expect(labels).toEqual(['is', 'is not', 'does not contain', 'does not exist']);
});

test.each([
  [{ type: 'boolean' }, { kind: 'flag' }],
  [
    { type: 'integer', minimum: 1 },
    { kind: 'number', whole: true },
  ],
  [{ type: 'string', pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$' }, { kind: 'time' }],
  [
    { type: 'string', maxLength: 5000 },
    { kind: 'text', long: true },
  ],
  [
    { type: 'string', maxLength: 300 },
    { kind: 'text', long: false },
  ],
  [
    { type: 'array', items: { type: 'string', enum: ['mon'] } },
    { kind: 'choices', options: [{ value: 'mon', label: 'Mon' }] },
  ],
  [
    { type: 'array', items: { type: 'string' }, 'x-search-source': 'products' },
    { kind: 'list', source: 'products' },
  ],
  [{ type: 'array', items: { type: 'string' } }, { kind: 'list' }],
])('%j is shown as %j', (property, control) => {
  const [field] = formOf({ properties: { field: property } }, {});
  expect(field).toMatchObject({ title: 'Field', control });
});

test('placeholders are listed beside the hint, unless the hint only mentions one', () => {
  const [note, to] = formOf(
    {
      properties: {
        note: { type: 'string', description: 'The text. Placeholders: {{order.id}} {{order.total}} {{rule.id}}' },
        to: { type: 'string', description: 'Addresses; {{customer.email}} is the customer.' },
      },
    },
    {},
  );
  expect(note).toMatchObject({ hint: 'The text.', placeholders: ['{{order.id}}', '{{order.total}}', '{{rule.id}}'] });
  expect(to).toMatchObject({ hint: 'Addresses; {{customer.email}} is the customer.', placeholders: [] });
});

test('what is saved has no field of another case and nothing empty that need not be there', () => {
  expect(defaultsOf(total)).toEqual({ operator: 'gt', amount: 0 });
  expect(cleaned(total, { operator: 'gt', amount: 1, amount_to: 9 })).toEqual({ operator: 'gt', amount: 1 });
  const schema = { properties: { event: { type: 'string' }, url: { type: 'string' } }, required: ['url'] };
  expect(cleaned(schema, { event: '', url: '', own: 1 })).toEqual({ url: '', own: 1 });
});

test.each([
  ['12.50', 12.5],
  ['12,50', 12.5],
  [' 99,90 ', 99.9],
  ['1.234,50', 1234.5],
  ['1,234.50', 1234.5],
  ['1 234,5', 1234.5],
  ["1'234.50", 1234.5],
  ['1.234.567', 1_234_567],
  ['17.375', 17.375],
  ['1234', 1234],
  ['12,', 12],
  [',5', 0.5],
  ['-3', -3],
  ['', undefined],
  // More than a thousand, or less than two: the writer says which.
  ['1,234', '1,234'],
  ['1.2,3.4', '1.2,3.4'],
  ['abc', 'abc'],
])('the amount %j is read as %j', (text, amount) => expect(numberOf(text)).toBe(amount));

test('a whole number has separators of thousands alone', () => {
  expect(['1.000', '1,000', '12', '1.5'].map((text) => numberOf(text, true))).toEqual([1000, 1000, 12, 1.5]);
});

test('a number that the service cannot read is refused with an example', () => {
  expect(problemText('Amount', 'must be a number')).toMatch(/such as 1234\.50/);
  expect(problemText('Value', 'is required by is_not')).toBe('Enter the value.');
});
