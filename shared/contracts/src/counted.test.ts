import { duration, exactDuration } from './counted';

const minute = 60_000;

test.each([
  [30_000, '1 minute'],
  [14 * minute, '14 minutes'],
  [3 * 60 * minute, '3 hours'],
  [49 * 60 * minute, '2 days'],
])('%d ms is %s', (milliseconds, text) => expect(duration(milliseconds)).toBe(text));

test.each([
  [90 * minute, '90 minutes'],
  [36 * 60 * minute, '36 hours'],
  [3 * 24 * 60 * minute, '3 days'],
])('%d ms are exactly %s', (milliseconds, text) => expect(exactDuration(milliseconds)).toBe(text));
