import { createHmac } from 'node:crypto';
import type { Context, Proof, RawInput } from '../adapter';
import type { LiveSecret } from '../connection';
import { authenticityRefusal, type Refusal } from '../refusal';
import { equalBytes, oneHeader, type Signature, unknownSecret, verifySignature } from '../signature';

/** Shorter secrets are refused (decisions.md section 6). */
export const shortestSecret = 16;

const headerNames = ['card-signature', 'stripe-signature'] as const;
const longestHeader = 2048;
const maxSignatures = 16;

export type CardSignature = { readonly timestamp: number; readonly digests: readonly Buffer[] };

export const noSecret = authenticityRefusal(
  'no_secret_configured',
  'Every webhook of the card gateway is refused until its signing secret is entered: “New secret” under Connections.',
);
const malformed = authenticityRefusal(
  'signature_malformed',
  'The signature header is malformed: the card gateway writes "t=<seconds>,v1=<signature>".',
);
const mismatch = authenticityRefusal('signature_mismatch', unknownSecret);

export function verifyCardSignature(
  input: RawInput,
  secrets: readonly LiveSecret[],
  context: Pick<Context, 'withinRate'>,
): Proof {
  return verifySignature(input, { secrets, noSecret, mismatch, read: () => readSignature(input) }, context);
}

function readSignature(input: RawInput): Signature | Refusal {
  const value = oneHeader(input, headerNames, 'Card-Signature');
  if (typeof value === 'object') return value;
  const signature = parseCardSignature(value);
  if (!signature) return malformed;
  const { timestamp, digests } = signature;
  return {
    timestamp,
    fits: (secret, body) => {
      const wanted = digestOf(secret, timestamp, body);
      return digests.filter((digest) => equalBytes(digest, wanted)).length > 0;
    },
  };
}

/** `t=<unix>,v1=<64 lower-case hex>[,v1=…]`; other schemes are skipped, anything else makes it undefined. */
export function parseCardSignature(header: string): CardSignature | undefined {
  if (header.length > longestHeader) return undefined;
  let timestamp: number | undefined;
  const digests: Buffer[] = [];
  for (const part of header.split(',')) {
    const [, scheme, value] = /^([a-z][a-z0-9]{0,9})=([\x21-\x7e]{1,200})$/.exec(part) ?? [];
    if (scheme === undefined || value === undefined) return undefined;
    if (scheme === 't') {
      if (timestamp !== undefined || !/^[1-9]\d{0,11}$/.test(value)) return undefined;
      timestamp = Number(value);
    } else if (scheme === 'v1') {
      if (digests.length === maxSignatures || !/^[0-9a-f]{64}$/.test(value)) return undefined;
      digests.push(Buffer.from(value, 'hex'));
    }
  }
  return timestamp === undefined || digests.length === 0 ? undefined : { timestamp, digests };
}

/** The header of a webhook that is sent at `now` (milliseconds since the epoch). */
export function cardSignatureHeader(secret: string, body: Buffer, now: number): string {
  const timestamp = Math.floor(now / 1000);
  return `t=${timestamp},v1=${digestOf(secret, timestamp, body).toString('hex')}`;
}

const digestOf = (secret: string, timestamp: number, body: Buffer): Buffer =>
  createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
