import { deathsInARow, restartDelay, stableAfter } from './supervisor-child';

describe('restarts', () => {
  test('the first death is answered at once, the next ones after a doubling pause of at most 10 s', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 8, 9, 1000].map(restartDelay)).toEqual([
      0, 250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000,
    ]);
  });

  test('a process that was stable resets the count', () => {
    expect(deathsInARow(0, 10)).toBe(1);
    expect(deathsInARow(4, stableAfter - 1)).toBe(5);
    expect(deathsInARow(4, stableAfter)).toBe(1);
  });
});
