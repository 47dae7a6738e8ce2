import { holdsAddress, isAbout } from './person';

test.each([
  ['Ada <ADA@Example.com>', true],
  ['ada@example.com.', true],
  ['ada@example.com,bob@example.com', true],
  ['bada@example.com ada@example.com', true],
  ['bada@example.com', false],
  ['x.ada@example.com', false],
  ['ada@example.com.au', false],
  ['ada@example.community', false],
  ['', false],
])('%s: %s', (text, holds) => expect(holdsAddress(text, 'ada@example.com')).toBe(holds));

test('a payload is about a person by the address anywhere, or by the customer id', () => {
  const ada = { email: 'ada@example.com', customerId: 7 };
  expect(isAbout({ a: [{ b: ['to: Ada@example.com'] }] }, ada)).toBe(true);
  expect(isAbout({ 'ada@example.com': 1 }, ada)).toBe(true);
  expect(isAbout({ order: { customer_id: 7 } }, ada)).toBe(true);
  expect(isAbout({ order: { customer_id: '7' } }, ada)).toBe(true);
  expect(isAbout({ order: { customer_id: 70, id: 7 } }, ada)).toBe(false);
  expect(isAbout({ customer_id: 7 }, { ...ada, customerId: null })).toBe(false);
  expect(isAbout(null, ada)).toBe(false);
});
