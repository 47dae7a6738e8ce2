import { createHmac, timingSafeEqual } from 'node:crypto';
import { derivedKey, type KeyRing, perKey } from '@order-automation/service';

/** Keyed hashes for one purpose, from SECRET_KEY. New ones use the active key; reading tries all keys, so that a rotation ends nobody's session. */
export type KeyedHash = ReturnType<typeof keyedHash>;

/** Derives the keys of one purpose by HKDF-SHA256: a hash made for one purpose says nothing in another. */
export function keyedHash(
  secretKeys: KeyRing,
  purpose: 'nonce' | 'session' | 'application-password' | 'login-attempts',
) {
  const { all: keys, active } = perKey(secretKeys, (key) => derivedKey(key, purpose));
  const digest = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
  return {
    hash: (text: string) => digest(active(), text).toString('base64url'),
    hashes: (text: string) => keys.map((key) => digest(key, text).toString('base64url')),
    /** Whether the hash was made from this text under any of the keys; takes the same time either way. */
    matches: (text: string, hash: string): boolean => {
      const given = Buffer.from(hash, 'base64url');
      let found = false;
      for (const key of keys) {
        const wanted = digest(key, text);
        if (given.length === wanted.length && timingSafeEqual(given, wanted)) found = true;
      }
      return found;
    },
  };
}
