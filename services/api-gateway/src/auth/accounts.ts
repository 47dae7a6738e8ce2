import type { IncomingMessage } from 'node:http';
import type { KeyRing, ServiceDeps } from '@order-automation/service';
import { type ApplicationPasswords, openApplicationPasswords } from '../collections/application-passwords';
import { openLoginAttempts } from '../collections/login-attempts';
import { openSavedFilters } from '../collections/saved-filters';
import { openSessions } from '../collections/sessions';
import { openUsers } from '../collections/users';
import { accountChanges } from './account-changes';
import { type AuthenticationOptions, authenticate } from './authenticate';
import { countGuesses } from './guesses';
import type { Identity } from './identity';
import { keyedHash } from './keys';
import { makeNonce, nonceHolds } from './nonce';
import { passwordCheck } from './password';
import { type ForeignIssuer, tokenAuthority } from './tokens';

type AccountDeps = Pick<ServiceDeps, 'store' | 'clock' | 'log'>;

/** Where users and their credentials are stored, and what checks them. */
export type AccountParts = Awaited<ReturnType<typeof openParts>>;

export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

/** Opens the collections of the service. Rejects when the store is away. */
export async function openAccounts(deps: AccountDeps, secretKeys: KeyRing, foreign?: ForeignIssuer) {
  const parts = await openParts(deps, secretKeys, foreign);
  const { clock, nonceKeys, sessions, attempts } = parts;
  return {
    ...parts,
    /** What administrators do to users, and users to themselves. */
    changes: accountChanges(parts),
    authenticate: (req: IncomingMessage, options: AuthenticationOptions) => authenticate(parts, req, options),
    makeNonce: (identity: Identity) => makeNonce(nonceKeys, identity, clock.now()),
    nonceHolds: (identity: Identity, nonce: string | undefined) =>
      nonce !== undefined && nonceHolds(nonceKeys, identity, nonce, clock.now()),
    /** Deletes what has expired. Correctness does not depend on it. */
    cleanUp: async () => {
      const now = clock.now();
      await sessions.removeExpired(new Date(now).toISOString());
      await attempts.removeForgotten(now);
    },
  };
}

async function openParts(deps: AccountDeps, secretKeys: KeyRing, foreign?: ForeignIssuer) {
  const { store, clock } = deps;
  const [users, sessions, applicationPasswords, savedFilters, attempts] = await Promise.all([
    openUsers(store),
    openSessions(store),
    openApplicationPasswords(store),
    openSavedFilters(store),
    openLoginAttempts(store),
  ]);
  return {
    clock,
    users,
    sessions,
    applicationPasswords,
    savedFilters,
    attempts,
    guesses: countGuesses(attempts, keyedHash(secretKeys, 'login-attempts'), clock),
    nonceKeys: keyedHash(secretKeys, 'nonce'),
    sessionKeys: keyedHash(secretKeys, 'session'),
    passwordKeys: keyedHash(secretKeys, 'application-password'),
    passwordHolds: await passwordCheck(),
    tokens: tokenAuthority(secretKeys, clock, foreign),
    noteUse: noteUses(applicationPasswords, deps),
  };
}

/** Milliseconds between two notes of the same password's use. */
const noteEvery = 60_000;

/** Writes down when a password was last used, at most once a minute; a request never waits for it. */
function noteUses(passwords: ApplicationPasswords, { clock, log }: AccountDeps) {
  return (id: string, lastUsedAt: string | null): void => {
    const now = clock.now();
    if (lastUsedAt !== null && now - Date.parse(lastUsedAt) < noteEvery) return;
    passwords
      .used(id, new Date(now).toISOString())
      .catch((error: unknown) => log.warn({ err: error }, 'the use of an application password could not be noted'));
  };
}
