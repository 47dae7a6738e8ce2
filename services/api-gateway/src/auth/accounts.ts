import type { IncomingMessage } from 'node:http';
import type { KeyRing } from '@order-automation/service';
import { accountChanges } from './account-changes';
import { type AccountDeps, openAccountParts } from './account-parts';
import { type AuthenticationOptions, authenticate } from './authenticate';
import type { Identity } from './identity';
import { makeNonce, nonceHolds } from './nonce';
import type { ForeignIssuer } from './tokens';

/** Users and their credentials. */
export type Accounts = Awaited<ReturnType<typeof openAccounts>>;

export async function openAccounts(deps: AccountDeps, secretKeys: KeyRing, foreign?: ForeignIssuer) {
  const parts = await openAccountParts(deps, secretKeys, foreign);
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
