import { delayAfter } from '@order-automation/bus';

/** Limits password guessing (decisions.md section 9). Pure: a counter and the time in, a wait or the next counter out. All times in milliseconds. */

export type Counter = {
  /** Counts every write: a writer says which revision it has read. */
  readonly revision: number;
  /** Attempts in a row that have not succeeded. */
  readonly failures: number;
  readonly last_attempt: number;
  /** Times of the latest attempts, oldest first, as many as a limit needs. */
  readonly recent: readonly number[];
};

/** At most so many attempts in any window of this length. */
export type Limit = { readonly max: number; readonly window: number };

const minute = 60_000;
const day = 24 * 60 * minute;

/** Of one user, from all addresses together where the user has not logged in before. */
export const userLimit: Limit = { max: 20, window: 5 * minute };
/** Of one address, for all users together. */
export const addressLimit: Limit = { max: 100, window: 5 * minute };
export const applicationPasswordLimit: Limit = { max: 20, window: minute };

const freeAttempts = 3;
/** A user from one address is forgotten after this long without an attempt. */
const pairMemory = day;
/** For so long after a login the guesses of others elsewhere do not keep a user from logging in at that address. */
export const knownFor = 90 * day;

/** How long to wait after the n-th failure in a row: nothing for the first ones, then 1 s doubling up to 15 minutes. */
export const waitAfter = (failures: number): number =>
  failures < freeAttempts ? 0 : delayAfter(failures - freeAttempts + 1, { first: 1_000, longest: 15 * minute });

/** Until when one user has to wait at one address. */
export function waitOfPair(counter: Counter | undefined, now: number): number {
  if (!counter || now - counter.last_attempt >= pairMemory) return 0;
  return Math.max(0, counter.last_attempt + waitAfter(counter.failures) - now);
}

/** Whether a login at this address is recent enough for the address to be known. */
export const isKnown = (login: Counter | undefined, now: number): boolean =>
  login !== undefined && now - login.last_attempt < knownFor;

/** How long until one more attempt stays within the limit; 0 = now. */
export function waitWithin({ max, window }: Limit, counter: Counter | undefined, now: number): number {
  const oldest = counter?.recent.at(-max);
  return oldest === undefined ? 0 : Math.max(0, oldest + window - now);
}

/** The counter of a user at one address after one more attempt. */
export function nextOfPair(counter: Counter | undefined, now: number): Counter {
  const known = counter && now - counter.last_attempt < pairMemory ? counter.failures : 0;
  return { revision: (counter?.revision ?? 0) + 1, failures: known + 1, last_attempt: now, recent: [] };
}

export function nextWithin({ max, window }: Limit, counter: Counter | undefined, now: number): Counter {
  const recent = [...(counter?.recent ?? []).filter((time) => time + window > now), now].slice(-max);
  return { revision: (counter?.revision ?? 0) + 1, failures: 0, last_attempt: now, recent };
}

export function withoutAttempt(counter: Counter, at: number): Counter {
  const index = counter.recent.indexOf(at);
  return { ...counter, revision: counter.revision + 1, recent: counter.recent.toSpliced(index, index < 0 ? 0 : 1) };
}

/** When a counter means nothing any more and may be deleted. */
export const forgottenAt = ({ last_attempt }: Counter): number => last_attempt + pairMemory;
