import { createHash } from 'node:crypto';
import { ConfigError } from './config';

/** Throws ConfigError when the fingerprint that a store has is of none of the keys. */
export function requireSecretKey(stored: string, keys: readonly Buffer[]): void {
  if (!keys.map(fingerprintOf).includes(stored)) throw otherKey(stored, keys);
}

/** Tells keys apart, and gives nothing of them away. */
export function fingerprintOf(key: Buffer): string {
  return createHash('sha256').update('order-automation fingerprint of a key').update(key).digest('hex').slice(0, 16);
}

function otherKey(stored: string, keys: readonly Buffer[]): ConfigError {
  const problem =
    `does not fit the data of this installation: they were written with the key of fingerprint ${stored}, and the fingerprint of ` +
    `${keys.map(fingerprintOf).join(' and ')} was given. Give the former key, or put it behind the new one. Without it stored secrets cannot be read and the log cannot be proved`;
  return new ConfigError([{ variable: 'SECRET_KEY', problem, example: 'NEW_KEY_IN_BASE64 FORMER_KEY_IN_BASE64' }]);
}
