import { compareScalars, numberInJson } from './scalar';

test('scalars in the order of MongoDB: by kind, then by value, texts by their bytes', () => {
  const sorted = [null, -1, 1.5, 2 ** 60, '', 'B', 'a', 'é', '\uffff', '\u{1f600}', false, true];
  expect([...sorted].reverse().sort(compareScalars)).toEqual(sorted);
});

test('whole numbers have the digits of JSON as long as they fit into 64 bits', () => {
  expect([5, 2 ** 60, 2 ** 63, 1.5].map(numberInJson)).toEqual([5n, 1152921504606847000n, 2 ** 63, 1.5]);
});
