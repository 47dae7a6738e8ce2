import { retryAfterOf } from './retry-after';

// RFC 9110, 10.2.3: a number of seconds or a date.
test.each([
  ['120', 120_000],
  ['0', 0],
  ['Fri, 31 Dec 1999 23:59:59 GMT', 0],
  ['Thu, 01 Jan 2026 00:00:05 GMT', 5_000],
  ['soon', null],
  ['1e400', null],
  ['', null],
  [undefined, null],
])('Retry-After %j', (header, wanted) => {
  expect(retryAfterOf(header, Date.parse('2026-01-01T00:00:00Z'))).toBe(wanted);
});
