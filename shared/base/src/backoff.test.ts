import { delayAfter } from './backoff';

test('delays double from 100 ms to 30 s', () => {
  expect([1, 2, 3, 4, 9, 10, 1_000].map((tries) => delayAfter(tries))).toEqual([
    100, 200, 400, 800, 25_600, 30_000, 30_000,
  ]);
});
