import { timingSafeEqual } from 'node:crypto';
import { type Proof, provedBy, type RawInput, refused } from './adapter';
import { type LiveSecret, liveSecrets, nameOf } from './connection';
import { authenticityRefusal, ofKnownSender, type Refusal } from './refusal';

/** decisions.md section 6: seconds that a signature may be old or early. */
export const tolerance = 300;
const longestHeader = 4096;
/** What is said of a signature where nothing explains it. */
export const unknownSecret =
  'No secret that is entered here made this signature: the sender signs with another secret, or the body was changed on its way.';

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
  /** Seconds that a signed time may be old or early. */
  readonly tolerance?: number;
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
  const { secrets, noSecret, mismatch, tolerance: allowed = tolerance } = expected;
  if (secrets.length === 0) return refused(noSecret);
  const signature = expected.read();
  if ('code' in signature) return refused(signature);
  const signer: Signer = (among, signed = body) => among.find(({ value }) => signature.fits(value, signed));
  const isExplained = isWorthDiagnosis(body, context);
  const age = signature.timestamp === undefined ? 0 : Math.floor(now / 1000) - signature.timestamp;
  if (Math.abs(age) > allowed) return refused(expired(age, allowed, isExplained ? signer(secrets) : undefined));
  const secret = signer(liveSecrets(secrets, now));
  if (secret) return provedBy(secret);
  return refused((isExplained ? diagnosis(expected, signer, { body, now }) : undefined) ?? mismatch);
}

function expired(age: number, allowed: number, secret: LiveSecret | undefined): Refusal {
  const by = secret ? ` It was signed with ${nameOf(secret)}.` : '';
  const text = `The signature's time is ${Math.abs(age)} s ${age > 0 ? 'old' : 'ahead'}; ${allowed} s are allowed. Is a clock wrong?${by}`;
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
export const equalBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b);

function signedWithEnded(secret: LiveSecret): Refusal {
  const at = new Date(secret.expiresAt ?? 0).toISOString();
  const end = secret.removed ? `was removed on ${at}` : `ended on ${at}`;
  return ofKnownSender(authenticityRefusal('secret_expired', `It was signed with ${nameOf(secret)} that ${end}.`));
}

/** The refusal of a body that is not the one that was signed; `secret` is the one that signed it. */
const changedBody = ({ text }: Pick<ChangedBody, 'text'>, secret: LiveSecret): Refusal =>
  ofKnownSender(authenticityRefusal('body_changed', `${text} It was signed with ${nameOf(secret)}.`));

/** A body as the sender may have signed it, and what happened to it if it was that one. */
type ChangedBody = { readonly body: Buffer; readonly text: string };

/** Larger bodies are not worth what the diagnosis costs, and neither are further connections. */
const longestBody = 64 * 1024;
export const maxOtherConnections = 3;

/** Whether the reason of a refusal is looked for. */
export const isWorthDiagnosis = (body: Buffer, { withinRate }: { readonly withinRate: boolean }): boolean =>
  withinRate && body.length <= longestBody;

const somebody = 'Something between the sender and us (a proxy, a plugin, a framework) changes bodies.';

/** What becomes of a body on its way, undone, to diagnose a signature that does not match. Nothing that only matches one of these is accepted. */
export function changedBodies(body: Buffer): ChangedBody[] {
  const text = body.toString('utf8');
  const changed: ChangedBody[] = [];
  const add = (candidate: string, what: string): void => {
    if (candidate !== text)
      changed.push({ body: Buffer.from(candidate), text: `The signature fits the body ${what}. ${somebody}` });
  };
  add(text.replace(/^\ufeff/, ''), 'without its byte order mark');
  add(text.trim(), 'after trimming white space');
  add(`${text}\n`, 'with a line break at its end');
  add(text.replaceAll('\r\n', '\n'), 'with other line breaks');
  add(serialised(text) ?? text, 'when it is serialised again without white space');
  return changed;
}

function serialised(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}
