import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type Refusal, untrusted } from '../refusal';
import type { RawInput } from './adapter';

/** decisions.md section 6: seconds that a signature may be old or early. */
export const tolerance = 300;
/** Shorter secrets are refused (decisions.md section 6). */
export const shortestSecret = 16;

const headerNames = ['card-signature', 'stripe-signature'] as const;
const longestHeader = 2048;
const mostSignatures = 16;

export type CardSignature = { readonly timestamp: number; readonly digests: readonly Buffer[] };

/** Keys for these secrets, newest first. Throws when one is shorter than 16 characters. */
export function signingKeys(secrets: readonly string[]): readonly KeyObject[] {
  if (secrets.some((secret) => secret.length < shortestSecret)) {
    throw new Error(`A signing secret must have at least ${shortestSecret} characters`);
  }
  return secrets.map((secret) => createSecretKey(secret, 'utf8'));
}

/** Undefined: one of the keys signed exactly these bytes within the tolerance. Else the reason for the log. */
export function refuseCardSignature(input: RawInput, keys: readonly KeyObject[]): Refusal | undefined {
  const values = headerNames.flatMap((name) => input.headers[name] ?? []);
  if (values.length === 0) return untrusted('signature_missing', 'There is no Card-Signature header.');
  if (values.length > 1) return untrusted('signature_repeated', 'The signature header came more than once.');
  const signature = parseCardSignature(values[0] ?? '');
  if (!signature) return untrusted('signature_malformed', 'The signature header is not "t=<unix seconds>,v1=<hex>".');
  const age = Math.floor(input.now / 1000) - signature.timestamp;
  if (Math.abs(age) > tolerance) {
    return untrusted('signature_expired', `The signature's time is ${Math.abs(age)} s ${age > 0 ? 'old' : 'ahead'}.`);
  }
  return keys.some((key) => matches(key, signature, input.body))
    ? undefined
    : untrusted('signature_mismatch', 'No configured secret made this signature for this body.');
}

/** The form that nearly all have. */
const commonForm = /^t=([1-9]\d{0,11}),v1=([0-9a-f]{64})$/;

/** `t=<unix>,v1=<64 lower-case hex>[,v1=…]`; other schemes are skipped, anything else makes it undefined. */
export function parseCardSignature(header: string): CardSignature | undefined {
  if (header.length > longestHeader) return undefined;
  const [, time, hex] = commonForm.exec(header) ?? [];
  if (time !== undefined && hex !== undefined) return { timestamp: Number(time), digests: [Buffer.from(hex, 'hex')] };
  let timestamp: number | undefined;
  const digests: Buffer[] = [];
  for (const part of header.split(',')) {
    const [, scheme, value] = /^([a-z][a-z0-9]{0,9})=([\x21-\x7e]{1,200})$/.exec(part) ?? [];
    if (scheme === undefined || value === undefined) return undefined;
    if (scheme === 't') {
      if (timestamp !== undefined || !/^[1-9]\d{0,11}$/.test(value)) return undefined;
      timestamp = Number(value);
    } else if (scheme === 'v1') {
      if (digests.length === mostSignatures || !/^[0-9a-f]{64}$/.test(value)) return undefined;
      digests.push(Buffer.from(value, 'hex'));
    }
  }
  return timestamp === undefined || digests.length === 0 ? undefined : { timestamp, digests };
}

function matches(key: KeyObject, signature: CardSignature, body: Buffer): boolean {
  const wanted = createHmac('sha256', key).update(`${signature.timestamp}.`).update(body).digest();
  let found = false;
  for (const digest of signature.digests) {
    if (digest.length === wanted.length && timingSafeEqual(digest, wanted)) found = true;
  }
  return found;
}
