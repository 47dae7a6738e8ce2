import { compareValues, sameValue } from './compare';

test("values are in MongoDB's order: by type, then by value", () => {
  const ordered = [
    null,
    -1,
    0,
    1.5,
    '',
    'B',
    'a',
    '\uffff',
    '😀',
    { a: 1 },
    { a: 2 },
    [],
    [1],
    false,
    true,
    new Date(0),
  ];
  const shuffled = [...ordered].sort((a, b) => String(a).length - String(b).length);
  expect(shuffled.sort(compareValues)).toEqual(ordered);
});

test('objects are the same only with their fields in the same order', () => {
  expect(sameValue({ a: 1, b: [2] }, { a: 1, b: [2] })).toBe(true);
  expect(sameValue({ a: 1, b: 2 }, { b: 2, a: 1 })).toBe(false);
  expect(sameValue({ a: 1 }, { a: 1, b: null })).toBe(false);
});
