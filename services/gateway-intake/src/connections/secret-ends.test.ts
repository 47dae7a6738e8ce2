import { lastEnd } from './secret-ends';

test.each([
  ['no secret', [], null],
  ['one without an end', [null], null],
  ['a newer one without an end', [null, 100], null],
  ['the last of several', [300, 100], 300],
])('%s', (_title, ends, last) => {
  expect(lastEnd(ends)).toBe(last);
});
