import type { Identity } from './identity';
import type { KeyedHash } from './keys';

/** Section 8 of the specification: 24 hours, exactly. */
const nonceLifetime = 24 * 60 * 60 * 1000;

/** Milliseconds by which the clock of another instance may be ahead of ours. */
const clockSkew = 5_000;

const pattern = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{43})$/;

const signed = (identity: Identity, issued: string): string =>
  JSON.stringify([identity.credential.kind, identity.credential.id, identity.userId, issued]);

/** A nonce for X-Host-Nonce, bound to the credential that asked (decisions.md section 9). `now` in milliseconds since the epoch. */
export function makeNonce(keys: KeyedHash, identity: Identity, now: number): { nonce: string; expires_at: string } {
  const issued = now.toString(36);
  return {
    nonce: `${issued}.${keys.hash(signed(identity, issued))}`,
    expires_at: new Date(now + nonceLifetime).toISOString(),
  };
}

/** Whether this is a nonce of ours, for this credential, and younger than 24 hours. */
export function nonceHolds(keys: KeyedHash, identity: Identity, nonce: string, now: number): boolean {
  const [, issued, mac] = pattern.exec(nonce) ?? [];
  if (issued === undefined || mac === undefined) return false;
  if (!keys.matches(signed(identity, issued), mac)) return false;
  const age = now - Number.parseInt(issued, 36);
  return age < nonceLifetime && age >= -clockSkew;
}
