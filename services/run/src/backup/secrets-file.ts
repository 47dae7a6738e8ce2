import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';

export const encryptedSecretsName = 'generated.env.encrypted';
export const shortestPassphrase = 12;

const form = 'order-automation-secrets-v1';
/** 64 MiB and a quarter of a second for each guess. */
const cost = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

/** Encrypts a text under a passphrase: scrypt, AES-256-GCM. */
export function encryptSecrets(text: string, passphrase: string): string {
  const [salt, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', scryptSync(passphrase, salt, 32, cost), iv).setAAD(Buffer.from(form));
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${[form, ...[salt, iv, cipher.getAuthTag(), sealed].map((part) => part.toString('base64'))].join('\n')}\n`;
}

/** Throws when the passphrase is another one or the text was changed. */
export function decryptSecrets(encrypted: string, passphrase: string): string {
  const [name, ...parts] = encrypted.trim().split('\n');
  const [salt, iv, tag, sealed] = parts.map((part) => Buffer.from(part, 'base64'));
  if (name !== form || !salt || !iv || !tag || !sealed) throw new Error('The encrypted secrets are of no known form.');
  try {
    const decipher = createDecipheriv('aes-256-gcm', scryptSync(passphrase, salt, 32, cost), iv, { authTagLength: 16 })
      .setAAD(Buffer.from(form))
      .setAuthTag(tag);
    return Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
  } catch {
    throw new Error('BACKUP_PASSPHRASE does not open the secrets of this backup.');
  }
}
