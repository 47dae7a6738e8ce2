import { ServiceError } from '@order-automation/contracts';
import { addressGroup, type Clock } from '@order-automation/service';
import type { LoginAttempts } from '../collections/login-attempts';
import {
  addressLimit,
  applicationPasswordLimit,
  type Counter,
  isKnown,
  type Limit,
  nextOfPair,
  nextWithin,
  userLimit,
  waitOfPair,
  waitWithin,
  withoutAttempt,
} from './guess-limit';
import { nameKey } from './identity';
import type { KeyedHash } from './keys';

/** An attempt that may be evaluated. It counts as failed until it is said to have succeeded. */
export type Attempt = { succeeded(): Promise<void> };

const rounds = 8;

/** 429 in the documented shape; `Retry-After` follows from `retry_after`, in seconds. */
export function tooManyAttempts(waitMs: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `Too many attempts. Please try again in ${seconds === 1 ? 'a second' : `${seconds} seconds`}.`;
  return new ServiceError(429, 'svc_too_many_attempts', message, { retry_after: seconds });
}

/**
 * Counts attempts in the store: a restart or another instance forgets nothing. Guesses at one user share a limit over all addresses; an
 * address where the user has logged in before has a limit of its own, so that nobody can lock the owner out.
 */
export function countGuesses(attempts: LoginAttempts, keys: KeyedHash, clock: Clock) {
  return {
    /** Counts an attempt before it is evaluated, so that parallel ones count too; 429 with `retry_after` when it must wait. */
    begin: async (user: string, address: string): Promise<Attempt> => {
      const ids = idsOf(keys, nameKey(user), addressGroup(address));
      const now = clock.now();
      const known = await ensureNoWait(attempts, ids, now);
      if (!known) await claimWithin(attempts, ids.user, userLimit, now);
      await claimWithin(attempts, ids.address, addressLimit, now);
      await claim(attempts, ids.pair, {
        wait: (counter) => waitOfPair(counter, now),
        next: (counter) => nextOfPair(counter, now),
      });
      return { succeeded: () => recordSuccess(attempts, ids, { known, at: now, now: clock.now() }) };
    },
    /** Counts a wrong application password of an address; resolves with the milliseconds that the next one has to wait when it is one too many. */
    wrongApplicationPassword: async (address: string) => {
      const id = keys.hash(JSON.stringify(['application-password', addressGroup(address)]));
      try {
        await claimWithin(attempts, id, applicationPasswordLimit, clock.now());
        return 0;
      } catch (error) {
        if (error instanceof ServiceError) return Number(error.data.retry_after) * 1000;
        throw error;
      }
    },
  };
}

type Ids = { readonly pair: string; readonly known: string; readonly user: string; readonly address: string };

function idsOf(keys: KeyedHash, user: string, address: string): Ids {
  const id = (...parts: string[]) => keys.hash(JSON.stringify(parts));
  return {
    pair: id('pair', user, address),
    known: id('known', user, address),
    user: id('user', user),
    address: id('address', address),
  };
}

/** Throws when the attempt has to wait, before it counts anywhere. Resolves with whether the user has logged in at this address before. */
async function ensureNoWait(attempts: LoginAttempts, ids: Ids, now: number): Promise<boolean> {
  const seen = await attempts.read([ids.pair, ids.known, ids.user, ids.address]);
  const known = isKnown(seen.get(ids.known), now);
  const wait = Math.max(
    waitOfPair(seen.get(ids.pair), now),
    known ? 0 : waitWithin(userLimit, seen.get(ids.user), now),
    waitWithin(addressLimit, seen.get(ids.address), now),
  );
  if (wait > 0) throw tooManyAttempts(wait);
  return known;
}

type Step = {
  readonly wait: (counter: Counter | undefined) => number;
  readonly next: (counter: Counter | undefined) => Counter | undefined;
};

/** One more on a counter, by compare and set. One that keeps losing is one of very many at once, and must wait. */
async function claim(attempts: LoginAttempts, id: string, { wait, next }: Step): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    const counter = (await attempts.read([id])).get(id);
    const milliseconds = wait(counter);
    if (milliseconds > 0) throw tooManyAttempts(milliseconds);
    const following = next(counter);
    if (following === undefined || (await attempts.write(id, counter, following))) return;
  }
  throw tooManyAttempts(1000);
}

function claimWithin(attempts: LoginAttempts, id: string, limit: Limit, now: number): Promise<void> {
  return claim(attempts, id, {
    wait: (counter) => waitWithin(limit, counter, now),
    next: (counter) => nextWithin(limit, counter, now),
  });
}

/** What an attempt that succeeded takes back, and the address that it makes known. */
async function recordSuccess(
  attempts: LoginAttempts,
  ids: Ids,
  { known, at, now }: { readonly known: boolean; readonly at: number; readonly now: number },
): Promise<void> {
  const takeBack = (id: string) =>
    claim(attempts, id, { wait: () => 0, next: (counter) => counter && withoutAttempt(counter, at) });
  await attempts.forget(ids.pair);
  await attempts.remember(ids.known, now);
  // What cannot be taken back now is forgotten within minutes anyway.
  await Promise.allSettled([takeBack(ids.address), ...(known ? [] : [takeBack(ids.user)])]);
}
