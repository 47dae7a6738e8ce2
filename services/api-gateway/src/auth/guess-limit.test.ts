import { type AttemptCounter, delayAfter, nextInWindow, nextPair, waitBeforeAttempt } from './guess-limit';

const start = Date.UTC(2025, 0, 1);
const minute = 60_000;
const counter = (failures: number, at = start): AttemptCounter => ({ failures, windowStart: at, lastAttempt: at });
const none = { pair: undefined, user: undefined, address: undefined };

/** Guesses as fast as is allowed, from so many addresses in turn, and returns how many were evaluated. */
function attack(addresses: number, duration: number, step: number): number {
  const pairs = new Map<number, AttemptCounter>();
  let user: AttemptCounter | undefined;
  let evaluated = 0;
  for (let now = start; now < start + duration; now += step) {
    for (let address = 0; address < addresses; address += 1) {
      const pair = pairs.get(address);
      if (waitBeforeAttempt({ pair, user, address: undefined }, now) > 0) continue;
      pairs.set(address, nextPair(pair, now));
      user = nextInWindow(user, now);
      evaluated += 1;
    }
  }
  return evaluated;
}

describe('the delay', () => {
  test('is nothing for the first failures, then doubles up to 15 minutes', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map(delayAfter)).toEqual([0, 0, 0, 1000, 2000, 4000, 8000]);
    expect(delayAfter(13)).toBe(15 * minute);
    expect(delayAfter(1_000_000)).toBe(15 * minute);
  });

  test('ends at its millisecond', () => {
    const pair = counter(4);
    expect(waitBeforeAttempt({ ...none, pair }, start)).toBe(2000);
    expect(waitBeforeAttempt({ ...none, pair }, start + 1999)).toBe(1);
    expect(waitBeforeAttempt({ ...none, pair }, start + 2000)).toBe(0);
  });

  test('is forgotten after a day of quiet', () => {
    const pair = counter(50);
    expect(nextPair(pair, start + 24 * 60 * minute)).toEqual(counter(1, start + 24 * 60 * minute));
    expect(nextPair(pair, start + 23 * 60 * minute).failures).toBe(51);
  });
});

describe('a user under attack', () => {
  test('from one address: at most 20 guesses are evaluated in 5 minutes', () => {
    expect(attack(1, 5 * minute, 100)).toBeLessThanOrEqual(20);
  });

  test('from 50 addresses: past the budget each address has its first guess and no more', () => {
    expect(attack(50, 5 * minute, 500)).toBeLessThanOrEqual(20 + 50);
  });

  test('can still log in from an address that has not failed', () => {
    expect(waitBeforeAttempt({ ...none, user: counter(10_000) }, start)).toBe(0);
    expect(waitBeforeAttempt({ ...none, user: counter(20), pair: counter(1) }, start + 1000)).toBe(5 * minute - 1000);
  });
});

describe('an address that tries many users', () => {
  test('must wait for the next window after 100 failures', () => {
    expect(waitBeforeAttempt({ ...none, address: counter(99) }, start)).toBe(0);
    expect(waitBeforeAttempt({ ...none, address: counter(100) }, start + 1000)).toBe(5 * minute - 1000);
    expect(waitBeforeAttempt({ ...none, address: counter(100) }, start + 5 * minute)).toBe(0);
    expect(nextInWindow(counter(100), start + 5 * minute).failures).toBe(1);
  });
});
