import { holdsAddress, isAbout, walkForErasure, withoutAddress } from './person';

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

test('the address is masked wherever it stands', () => {
  const event = {
    reason: 'paid by ada@example.com',
    status: 'ok',
    ids: ['ada@example.com', 'x'],
    amount: null,
    live: true,
  };
  expect(withoutAddress(event, 'ada@example.com')).toEqual({
    reason: '[erased]',
    status: 'ok',
    ids: ['[erased]', 'x'],
    amount: null,
    live: true,
  });
});

test('collections are walked in parts that join without a gap', async () => {
  const [visited, calls]: [string[], (string | null)[]] = [[], []];
  const walkOf = (name: string, count: number) => async (after: string) => {
    const next = Number(after) + 1;
    if (next > count) return undefined;
    visited.push(`${name}${next}`);
    return String(next);
  };
  const walks = [walkOf('a', 19), walkOf('b', 0), walkOf('c', 45)];
  for (let from: string | null = ''; from !== null; calls.push(from)) from = await walkForErasure(from, walks);
  expect(calls).toEqual(['1:', '2:19', '2:39', null]);
  const all = [...visited];
  expect(new Set(all).size).toBe(64);
  visited.length = 0;
  expect(await walkForErasure(undefined, walks)).toBeNull();
  expect(visited).toEqual(all);
});
