import type { IncomingMessage } from 'node:http';
import type { KeyRing, ServiceDeps } from '@order-automation/service';
import { type ApplicationPasswords, openApplicationPasswords } from '../collections/application-passwords';
import { type LoginAttempts, openLoginAttempts } from '../collections/login-attempts';
import { openSavedFilters, type SavedFilters } from '../collections/saved-filters';
import { openSessions, type Sessions } from '../collections/sessions';
import { openUsers, type Users } from '../collections/users';
import { type AccountChanges, accountChanges } from './account-changes';
import { type Authentication, type AuthenticationOptions, authenticate } from './authenticate';
import { countGuesses, type Guesses } from './guesses';
import type { Identity } from './identity';
import { type KeyedHash, keyedHash } from './keys';
import { makeNonce, nonceHolds } from './nonce';
import { type PasswordCheck, passwordCheck } from './password';
import { recentCredentials } from './recent';
import { type ForeignIssuer, type Tokens, tokenAuthority } from './tokens';

/** Who there is, and how they prove it. */
export type Accounts = {
  readonly users: Users;
  readonly sessions: Sessions;
  readonly applicationPasswords: ApplicationPasswords;
  readonly savedFilters: SavedFilters;
  readonly guesses: Guesses;
  readonly sessionKeys: KeyedHash;
  readonly passwordKeys: KeyedHash;
  readonly passwordHolds: PasswordCheck;
  readonly tokens: Tokens;
  authenticate(req: IncomingMessage, options: AuthenticationOptions): Promise<Authentication>;
  makeNonce(identity: Identity): { nonce: string; expires_at: string };
  nonceHolds(identity: Identity, nonce: string | undefined): boolean;
  /** What administrators do to users, and users to themselves. */
  readonly changes: AccountChanges;
  /** Ends an application password in this process at once; elsewhere it ends within seconds. */
  forget(credentialId: string): void;
  /** Deletes what has expired. Correctness does not depend on it. */
  cleanUp(): Promise<void>;
};

/** Opens the collections of the service. Rejects when the store is away. */
export async function openAccounts(
  { store, clock, log }: Pick<ServiceDeps, 'store' | 'clock' | 'log'>,
  secretKeys: KeyRing,
  foreign?: ForeignIssuer,
): Promise<Accounts> {
  const [users, sessions, applicationPasswords, savedFilters, attempts] = await Promise.all([
    openUsers(store),
    openSessions(store),
    openApplicationPasswords(store),
    openSavedFilters(store),
    openLoginAttempts(store),
  ]);
  const nonceKeys = keyedHash(secretKeys, 'nonce');
  const sessionKeys = keyedHash(secretKeys, 'session');
  const passwordKeys = keyedHash(secretKeys, 'application-password');
  const recent = recentCredentials(clock);
  const used = noteUses(applicationPasswords, { clock, log });
  const guesses = countGuesses(attempts, keyedHash(secretKeys, 'login-attempts'), clock);
  const wrong = guesses.wrongApplicationPassword;
  const tokens = tokenAuthority(secretKeys, clock, foreign);
  const found = { users, sessions, applicationPasswords, recent, sessionKeys, passwordKeys, tokens };
  const parts = { ...found, clock, used, wrong };
  const passwordHolds = await passwordCheck();
  return {
    users,
    sessions,
    applicationPasswords,
    savedFilters,
    sessionKeys,
    passwordKeys,
    guesses,
    passwordHolds,
    changes: accountChanges({
      users,
      sessions,
      applicationPasswords,
      savedFilters,
      guesses,
      recent,
      passwordHolds,
      clock,
    }),
    tokens,
    authenticate: (req, options) => authenticate(parts, req, options),
    makeNonce: (identity) => makeNonce(nonceKeys, identity, clock.now()),
    nonceHolds: (identity, nonce) => nonce !== undefined && nonceHolds(nonceKeys, identity, nonce, clock.now()),
    forget: recent.forget,
    cleanUp: () => cleanUp(sessions, attempts, clock.now()),
  };
}

/** Milliseconds between two notes of the same password's use. */
const noteEvery = 60_000;

/** Writes down when a password was last used, at most once a minute; a request never waits for it. */
function noteUses(passwords: ApplicationPasswords, { clock, log }: Pick<ServiceDeps, 'clock' | 'log'>) {
  return (id: string, lastUsedAt: string | null): void => {
    const now = clock.now();
    if (lastUsedAt !== null && now - Date.parse(lastUsedAt) < noteEvery) return;
    passwords
      .used(id, new Date(now).toISOString())
      .catch((error: unknown) => log.warn({ err: error }, 'the use of an application password could not be noted'));
  };
}

async function cleanUp(sessions: Sessions, attempts: LoginAttempts, now: number): Promise<void> {
  await sessions.removeExpired(new Date(now).toISOString());
  await attempts.removeForgotten(now);
}
