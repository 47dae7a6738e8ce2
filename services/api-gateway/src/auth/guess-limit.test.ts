import {
  addressLimit,
  type Counter,
  isKnown,
  knownFor,
  type Limit,
  nextOfPair,
  nextWithin,
  userLimit,
  waitAfter,
  waitOfPair,
  waitWithin,
  withoutAttempt,
} from './guess-limit';

const start = Date.UTC(2025, 0, 1);
const minute = 60_000;
const pair = (failures: number): Counter => ({ revision: 1, failures, last_attempt: start, recent: [] });
const filled = ({ max }: Limit, at = start): Counter => ({ ...pair(0), recent: Array.from({ length: max }, () => at) });

describe('the delay of a user at one address', () => {
  test('is nothing for the first failures, then doubles up to 15 minutes', () => {
    expect([0, 1, 2, 3, 4, 5, 6].map(waitAfter)).toEqual([0, 0, 0, 1000, 2000, 4000, 8000]);
    expect(waitAfter(13)).toBe(15 * minute);
    expect(waitAfter(1_000_000)).toBe(15 * minute);
  });

  test('ends at its millisecond', () => {
    expect(waitOfPair(pair(4), start)).toBe(2000);
    expect(waitOfPair(pair(4), start + 1999)).toBe(1);
    expect(waitOfPair(pair(4), start + 2000)).toBe(0);
    expect(waitOfPair(undefined, start)).toBe(0);
  });

  test('is forgotten after a day of quiet', () => {
    expect(nextOfPair(pair(50), start + 24 * 60 * minute).failures).toBe(1);
    expect(nextOfPair(pair(50), start + 23 * 60 * minute).failures).toBe(51);
  });
});

describe('a limit', () => {
  test('holds in every window, not in those that begin at a full minute', () => {
    const times: number[] = [];
    let counter: Counter | undefined;
    for (let now = start; now < start + 60 * minute; now += 1000) {
      if (waitWithin(userLimit, counter, now) > 0) continue;
      counter = nextWithin(userLimit, counter, now);
      times.push(now);
    }
    for (const from of times) {
      const within = times.filter((time) => time >= from && time < from + userLimit.window);
      expect(within.length).toBeLessThanOrEqual(userLimit.max);
    }
    expect(times.length).toBeGreaterThan(200);
  });

  test('says how long to wait and how many are left', () => {
    expect(waitWithin(addressLimit, filled(addressLimit), start + 1000)).toBe(5 * minute - 1000);
    expect(waitWithin(addressLimit, filled(addressLimit), start + 5 * minute)).toBe(0);
    expect(waitWithin(userLimit, undefined, start)).toBe(0);
  });

  test('keeps no more times than it needs, and gives one back that succeeded', () => {
    const full = nextWithin(userLimit, filled(userLimit), start + 1);
    expect(full.recent).toHaveLength(20);
    const back = withoutAttempt(full, start + 1);
    expect(back.recent).toEqual(Array.from({ length: 19 }, () => start));
    expect(withoutAttempt(back, start + 1).recent).toHaveLength(19);
    expect(back.revision).toBe(full.revision + 1);
  });
});

test('an address is known for 90 days after a login', () => {
  expect(isKnown(undefined, start)).toBe(false);
  expect(isKnown(pair(0), start + knownFor - 1)).toBe(true);
  expect(isKnown(pair(0), start + knownFor)).toBe(false);
});
