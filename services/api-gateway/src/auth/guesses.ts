import { ServiceError } from '@order-automation/contracts';
import type { Clock } from '@order-automation/service';
import type { LoginAttempts } from '../collections/login-attempts';
import { addressGroup } from './client';
import { nextInWindow, nextPair, waitBeforeAttempt } from './guess-limit';
import { userId } from './identity';
import type { KeyedHash } from './keys';

/** An attempt that may be evaluated. It counts as failed until it is said to have succeeded. */
export type Attempt = { succeeded(): Promise<void> };

export type Guesses = {
  /** Counts an attempt before it is evaluated, so that parallel ones count too; 429 with `retry_after` when it must wait. */
  begin(user: string, address: string): Promise<Attempt>;
};

const rounds = 8;

/** 429 in the documented shape; `Retry-After` follows from `retry_after`, in seconds. */
export function tooManyAttempts(waitMs: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  const message = `Too many attempts. Please try again in ${seconds} seconds.`;
  return new ServiceError(429, 'svc_too_many_attempts', message, { retry_after: seconds });
}

/** Counts login attempts in the store: a restart or another instance forgets nothing. */
export function countGuesses(attempts: LoginAttempts, keys: KeyedHash, clock: Clock): Guesses {
  return {
    begin: async (user, address) => {
      const ids = idsOf(keys, userId(user), addressGroup(address));
      await again(() => claim(attempts, ids, clock.now()));
      await again(() => countInWindow(attempts, ids.user, clock.now()));
      await again(() => countInWindow(attempts, ids.address, clock.now()));
      return { succeeded: () => settle(attempts, ids) };
    },
  };
}

type Ids = { readonly pair: string; readonly user: string; readonly address: string };

function idsOf(keys: KeyedHash, user: string, address: string): Ids {
  return {
    pair: keys.hash(JSON.stringify(['pair', user, address])),
    user: keys.hash(JSON.stringify(['user', user])),
    address: keys.hash(JSON.stringify(['address', address])),
  };
}

/** Repeats a compare-and-set that lost; one that keeps losing is one of very many at once, and must wait. */
async function again(step: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < rounds; round += 1) if (await step()) return;
  throw tooManyAttempts(1000);
}

/** The gate: of attempts at one user from one address that run at the same time, each is let through by itself. */
async function claim(attempts: LoginAttempts, ids: Ids, now: number): Promise<boolean> {
  const seen = await attempts.read([ids.pair, ids.user, ids.address]);
  const pair = seen.get(ids.pair);
  const wait = waitBeforeAttempt({ pair, user: seen.get(ids.user), address: seen.get(ids.address) }, now);
  if (wait > 0) throw tooManyAttempts(wait);
  return attempts.write(ids.pair, pair, nextPair(pair, now));
}

async function countInWindow(attempts: LoginAttempts, id: string, now: number): Promise<boolean> {
  const counter = (await attempts.read([id])).get(id);
  return attempts.write(id, counter, nextInWindow(counter, now));
}

async function settle(attempts: LoginAttempts, ids: Ids): Promise<void> {
  await attempts.forget(ids.pair);
  await attempts.takeBack(ids.user);
  await attempts.takeBack(ids.address);
}
