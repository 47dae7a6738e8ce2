import { createHash } from 'node:crypto';

/** An idempotency key from an id that the sender chose. Long or unprintable ids are hashed, and cannot collide with readable ones. */
export const keyOfId = (scope: string, id: string): string =>
  /^[\x21-\x7e]{1,150}$/.test(id) ? `${scope}:${id}` : `${scope}#${sha256(id)}`;

/** decisions.md section 6, "Idempotency": without any id the key is SHA-256 of connection and body. */
export function keyOfBody(scope: string, connection: string | null, body: Buffer): string {
  const hash = createHash('sha256').update(JSON.stringify(connection)).update('\n').update(body);
  return `${scope}@${hash.digest('hex')}`;
}

export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');
