import { shownNames, storedNames } from './field-names';

test.each([
  [
    { '1.3': 'Ada', $x: 1 },
    { '1%2E3': 'Ada', '%24x': 1 },
  ],
  [{ list: [{ 'a.b': [{ $: null }] }] }, { list: [{ 'a%2Eb': [{ '%24': null }] }] }],
  [
    { 'a%2Eb': 1, '%24': 2, '%25': 3 },
    { 'a%252Eb': 1, '%2524': 2, '%2525': 3 },
  ],
])('%j is stored as %j and shown as it was', (value, stored) => {
  expect(storedNames(value)).toEqual(stored);
  expect(shownNames(stored)).toEqual(value);
});

test('what has no such names stays the very object, documents of earlier versions included', () => {
  const value = { id: 1, '50%': [{ key: 'a.b' }], date: null };
  expect(storedNames(value)).toBe(value);
  expect(shownNames(value)).toBe(value);
});
