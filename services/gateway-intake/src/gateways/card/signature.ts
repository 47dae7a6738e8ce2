import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Proof, provedBy, type RawInput, refused } from '../adapter';
import { type LiveSecret, liveSecrets, nameOf } from '../connection';
import { changedBodies, changedBody, isWorthDiagnosis, signedWithEnded } from '../diagnosis';
import { type Refusal, untrusted } from '../refusal';

/** decisions.md section 6: seconds that a signature may be old or early. */
export const tolerance = 300;
/** Shorter secrets are refused (decisions.md section 6). */
export const shortestSecret = 16;

const headerNames = ['card-signature', 'stripe-signature'] as const;
const longestHeader = 2048;
const maxSignatures = 16;

export type CardSignature = { readonly timestamp: number; readonly digests: readonly Buffer[] };

const noSecret = untrusted(
  'no_secret_configured',
  'No signing secret is configured (GATEWAY_CARD_SECRETS, or a secret of the gateway): every card webhook is refused.',
);

const mismatch = untrusted('signature_mismatch', 'No configured secret made this signature for this body.');

/** Authentic: one of the live secrets signed exactly these bytes within the tolerance. Else the reason, for the log. */
export function verifyCardSignature(
  input: RawInput,
  secrets: readonly LiveSecret[],
  context: { readonly diagnose: boolean },
): Proof {
  if (secrets.length === 0) return refused(noSecret);
  const values = headerNames.flatMap((name) => input.headers[name] ?? []);
  if (values.length === 0) return refused(untrusted('signature_missing', 'There is no Card-Signature header.'));
  if (values.length > 1) return refused(untrusted('signature_repeated', 'The signature header came more than once.'));
  const signature = parseCardSignature(values[0] ?? '');
  if (!signature)
    return refused(untrusted('signature_malformed', 'The signature header is not "t=<unix seconds>,v1=<hex>".'));
  const age = Math.floor(input.now / 1000) - signature.timestamp;
  const live = liveSecrets(secrets, input.now);
  const signer = (among: readonly LiveSecret[], body = input.body): LiveSecret | undefined =>
    among.find(({ value }) => matches(value, signature, body));
  const isExplained = isWorthDiagnosis(input.body, context);
  if (Math.abs(age) > tolerance) {
    const secret = isExplained ? signer(secrets) : undefined;
    const by = secret ? ` It was signed with ${nameOf(secret)}.` : '';
    const text = `The signature's time is ${Math.abs(age)} s ${age > 0 ? 'old' : 'ahead'}; ${tolerance} s are allowed. Is a clock wrong?${by}`;
    return refused(untrusted('signature_expired', text));
  }
  const secret = signer(live);
  if (secret) return provedBy(secret);
  return refused(isExplained ? diagnosis(input.body, signer, { secrets, live }) : mismatch);
}

type Signer = (among: readonly LiveSecret[], body?: Buffer) => LiveSecret | undefined;
type Known = { readonly secrets: readonly LiveSecret[]; readonly live: readonly LiveSecret[] };

function diagnosis(body: Buffer, signer: Signer, { secrets, live }: Known): Refusal {
  const ended = signer(secrets.filter((one) => !live.includes(one)));
  if (ended) return signedWithEnded(ended);
  for (const changed of changedBodies(body)) {
    const secret = signer(live, changed.body);
    if (secret) return changedBody(changed, secret);
  }
  return mismatch;
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

function digestOf(secret: string, timestamp: number, body: Buffer): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

function matches(secret: string, signature: CardSignature, body: Buffer): boolean {
  const wanted = digestOf(secret, signature.timestamp, body);
  let found = false;
  for (const digest of signature.digests) {
    if (digest.length === wanted.length && timingSafeEqual(digest, wanted)) found = true;
  }
  return found;
}
