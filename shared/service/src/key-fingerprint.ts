import { createHash } from 'node:crypto';
import { type Documents, isDuplicateKey, type Store } from '@order-automation/store';
import type { secretKeyConfiguration } from './common-config';
import { ConfigError, type ConfigOf } from './config';

type FingerprintDocument = { readonly _id: 'newest'; readonly fingerprint: string };

/** The keys in the configuration of a service that has them. */
export function secretKeysOf(config: unknown): readonly Buffer[] {
  return (config as Partial<ConfigOf<typeof secretKeyConfiguration>>).secretKey?.reveal() ?? [];
}

/**
 * Leaves in the store which key of `SECRET_KEY` (newest first) its data are written with, and throws ConfigError when that is none of these: secrets could
 * not be read, and the log would look tampered with. A store without a fingerprint gets one.
 */
export async function checkSecretKey(store: Pick<Store, 'collection'>, keys: readonly Buffer[]): Promise<void> {
  const documents: Documents<FingerprintDocument> = await store.collection<FingerprintDocument>('secret_key');
  const [newest] = keys;
  if (!newest) return;
  const fingerprint = fingerprintOf(newest);
  try {
    await documents.insertOne({ _id: 'newest', fingerprint });
    return;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  const stored = (await documents.findOne({ _id: 'newest' }))?.fingerprint;
  if (stored === fingerprint) return;
  if (stored !== undefined) requireSecretKey(stored, keys);
  await documents.updateOne({ _id: 'newest' }, { $set: { fingerprint } });
}

/** Throws ConfigError when the fingerprint that a store has is of none of the keys. */
export function requireSecretKey(stored: string, keys: readonly Buffer[]): void {
  if (!keys.map(fingerprintOf).includes(stored)) throw otherKey(stored, keys);
}

/** Tells keys apart, and gives nothing of them away. */
function fingerprintOf(key: Buffer): string {
  return createHash('sha256').update('order-automation fingerprint of a key').update(key).digest('hex').slice(0, 16);
}

function otherKey(stored: string, keys: readonly Buffer[]): ConfigError {
  const problem =
    `does not fit the data of this installation: they were written with the key of fingerprint ${stored}, and the fingerprint of ` +
    `${keys.map(fingerprintOf).join(' and ')} was given. Give the former key, or put it behind the new one. Without it stored secrets cannot be read and the log cannot be proved`;
  return new ConfigError([{ variable: 'SECRET_KEY', problem, example: 'NEW_KEY_IN_BASE64 FORMER_KEY_IN_BASE64' }]);
}
