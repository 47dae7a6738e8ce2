/**
 * Limits password guessing (decisions.md section 9) by three counters: of a user from one address, of the user from everywhere,
 * of the address for all users. All times in milliseconds.
 */

export type AttemptCounter = {
  /** Attempts that were let through and have not succeeded. */
  readonly failures: number;
  /** When the first attempt of the present window was made. */
  readonly windowStart: number;
  readonly lastAttempt: number;
};

export type AttemptCounters = {
  readonly pair: AttemptCounter | undefined;
  readonly user: AttemptCounter | undefined;
  readonly address: AttemptCounter | undefined;
};

const freeAttempts = 3;
const longestDelay = 15 * 60_000;
/** A user from one address is forgotten after this long without an attempt. */
const pairMemory = 24 * 60 * 60_000;
const window = 5 * 60_000;
/** Failures of a user in a window, over all addresses, after which an address that has failed already must wait for the next. */
const userBudget = 20;
/** Failures of an address in a window, over all users. */
const addressBudget = 100;

/** How long to wait after the n-th failure in a row: nothing for the first ones, then 1 s doubling up to 15 minutes. */
export function delayAfter(failures: number): number {
  if (failures < freeAttempts) return 0;
  return Math.min(1000 * 2 ** Math.min(failures - freeAttempts, 30), longestDelay);
}

/** Milliseconds to wait before the next attempt is evaluated; 0 when it may be now. */
export function waitBeforeAttempt({ pair, user, address }: AttemptCounters, now: number): number {
  const known = pair && now - pair.lastAttempt < pairMemory ? pair : undefined;
  const own = known ? known.lastAttempt + delayAfter(known.failures) - now : 0;
  const shared = known && known.failures > 0 ? windowLeft(user, userBudget, now) : 0;
  return Math.max(0, own, shared, windowLeft(address, addressBudget, now));
}

function windowLeft(counter: AttemptCounter | undefined, budget: number, now: number): number {
  if (!counter || counter.failures < budget) return 0;
  return Math.max(0, counter.windowStart + window - now);
}

/** The counter of a user from one address after one more attempt. */
export function nextPair(counter: AttemptCounter | undefined, now: number): AttemptCounter {
  if (!counter || now - counter.lastAttempt >= pairMemory) return { failures: 1, windowStart: now, lastAttempt: now };
  return { ...counter, failures: counter.failures + 1, lastAttempt: now };
}

/** A counter over a window after one more attempt. */
export function nextInWindow(counter: AttemptCounter | undefined, now: number): AttemptCounter {
  if (!counter || now - counter.windowStart >= window) return { failures: 1, windowStart: now, lastAttempt: now };
  return { ...counter, failures: counter.failures + 1, lastAttempt: now };
}

/** When a counter means nothing any more and may be deleted. */
export function forgottenAt(lastAttempt: number): number {
  return lastAttempt + pairMemory;
}
