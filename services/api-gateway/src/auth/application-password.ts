import { randomInt, randomUUID } from 'node:crypto';
import type { ApplicationPasswordDocument } from '../collections/application-passwords';
import type { KeyedHash } from './keys';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const length = 24;

/** 24 random characters (143 bits), shown in groups of four. */
export function makeApplicationPassword(): string {
  const characters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]);
  return characters.join('').replace(/(.{4})(?=.)/g, '$1 ');
}

/** The form that is hashed: white space is there for reading only. */
export const normaliseApplicationPassword = (password: string): string => password.replace(/\s+/g, '');

type Chosen = Pick<ApplicationPasswordDocument, 'user_id' | 'name' | 'scope' | 'provisioned'>;

/** The record of a password in the form that is hashed. `now` in milliseconds since the epoch. */
export function applicationPasswordRecord(chosen: Chosen, password: string, keys: KeyedHash, now: number) {
  const created_at = new Date(now).toISOString();
  const known = { hash: keys.hash(password), last4: password.slice(-4), created_at, last_used_at: null };
  return { _id: randomUUID(), ...chosen, ...known };
}
