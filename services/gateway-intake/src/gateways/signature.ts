import { timingSafeEqual } from 'node:crypto';
import { type Proof, provedBy, type RawInput, refused } from './adapter';
import { type LiveSecret, liveSecrets, nameOf } from './connection';
import { changedBodies, changedBody, isWorthDiagnosis, signedWithEnded } from './diagnosis';
import { authenticityRefusal, type Refusal } from './refusal';

/** decisions.md section 6: seconds that a signature may be old or early. */
export const tolerance = 300;
const longestHeader = 4096;

/** What the headers of a webhook say of its signature. */
export type Signature = {
  /** Whether this secret made it for this body. Compares in constant time. */
  fits(secret: string, body: Buffer): boolean;
  /** When it was made, in seconds since the epoch, where the sender says so. */
  readonly timestamp?: number;
};

/** The first of these secrets that signed the body: the one that was received, unless another is given. */
export type Signer = (among: readonly LiveSecret[], body?: Buffer) => LiveSecret | undefined;

type Expected = {
  /** Newest first, those included whose time is over: they serve the diagnosis alone. */
  readonly secrets: readonly LiveSecret[];
  readonly noSecret: Refusal;
  readonly mismatch: Refusal;
  /** Reads the headers. */
  read(): Signature | Refusal;
  /** What else may explain a signature that no secret made. */
  otherwise?(signer: Signer): Refusal | undefined;
};

/** Authentic: one of the live secrets signed exactly these bytes within the tolerance. Else the reason, for the log. */
export function verifySignature(
  { body, now }: Pick<RawInput, 'body' | 'now'>,
  expected: Expected,
  context: { readonly withinRate: boolean },
): Proof {
  const { secrets, noSecret, mismatch } = expected;
  if (secrets.length === 0) return refused(noSecret);
  const signature = expected.read();
  if ('code' in signature) return refused(signature);
  const signer: Signer = (among, signed = body) => among.find(({ value }) => signature.fits(value, signed));
  const isExplained = isWorthDiagnosis(body, context);
  const age = signature.timestamp === undefined ? 0 : Math.floor(now / 1000) - signature.timestamp;
  if (Math.abs(age) > tolerance) return refused(expired(age, isExplained ? signer(secrets) : undefined));
  const secret = signer(liveSecrets(secrets, now));
  if (secret) return provedBy(secret);
  return refused((isExplained ? diagnosis(expected, signer, { body, now }) : undefined) ?? mismatch);
}

function expired(age: number, secret: LiveSecret | undefined): Refusal {
  const by = secret ? ` It was signed with ${nameOf(secret)}.` : '';
  const text = `The signature's time is ${Math.abs(age)} s ${age > 0 ? 'old' : 'ahead'}; ${tolerance} s are allowed. Is a clock wrong?${by}`;
  return authenticityRefusal('signature_expired', text);
}

function diagnosis(
  { secrets, otherwise }: Expected,
  signer: Signer,
  { body, now }: Pick<RawInput, 'body' | 'now'>,
): Refusal | undefined {
  const live = liveSecrets(secrets, now);
  const ended = signer(secrets.filter((one) => !live.includes(one)));
  if (ended) return signedWithEnded(ended);
  const other = otherwise?.(signer);
  if (other) return other;
  for (const changed of changedBodies(body)) {
    const secret = signer(live, changed.body);
    if (secret) return changedBody(changed, secret);
  }
  return undefined;
}

/** The one value of a header that may have several names; `name` is what people read. */
export function oneHeader(
  { headers }: Pick<RawInput, 'headers'>,
  names: readonly string[],
  name = names.join(' or '),
): string | Refusal {
  const [value, ...more] = names.flatMap((one) => headers[one] ?? []);
  if (value === undefined) return authenticityRefusal('signature_missing', `There is no ${name} header.`);
  if (more.length > 0) return authenticityRefusal('signature_repeated', `The ${name} header came more than once.`);
  if (value.length > longestHeader)
    return authenticityRefusal('signature_malformed', `The ${name} header is too long.`);
  return value;
}

/** In constant time. */
export function equalBytes(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
