import { createHash } from 'node:crypto';
import { type Clock, keepNewest } from '@order-automation/service';
import type { Identity } from './identity';

/** Milliseconds for which a verified credential is believed without asking the store: how long a revocation elsewhere may take. */
const believedFor = 3_000;
const maxKnown = 1_000;

/** Remembers, under a hash, who a credential proved to be. Bounded in number and age. */
export function recentCredentials(clock: Clock) {
  const known = new Map<string, { identity: Identity; until: number }>();
  const keyOf = (credential: string): string => createHash('sha256').update(credential).digest('base64');
  const forgetWhere = (ends: (identity: Identity) => boolean): void => {
    for (const [key, { identity }] of known) if (ends(identity)) known.delete(key);
  };
  return {
    get: (credential: string): Identity | undefined => {
      const key = keyOf(credential);
      const found = known.get(key);
      if (!found) return undefined;
      const now = clock.now();
      if (now < found.until && found.until - now <= believedFor) return found.identity;
      known.delete(key);
      return undefined;
    },
    put: (credential: string, identity: Identity) => {
      known.set(keyOf(credential), { identity, until: clock.now() + believedFor });
      keepNewest(known, maxKnown);
    },
    /** Forgets a credential at once, by the id of its record; other processes do within seconds. */
    forget: (credentialId: string) => forgetWhere(({ credential }) => credential.id === credentialId),
    forgetUser: (userId: string) => forgetWhere((identity) => identity.userId === userId),
  };
}
