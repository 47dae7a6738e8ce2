import { createHash, createHmac, createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { Context, Proof, RawInput } from '../adapter';
import { type Connection, liveSecrets, nameOf } from '../connection';
import { authenticityRefusal, ofKnownSender, type Refusal } from '../refusal';
import { equalBytes, maxOtherConnections, oneHeader, type Signature, type Signer, verifySignature } from '../signature';
import { hmacHeaders, hmacSignature } from './hmac';

const maxSignatures = 16;

/** What serves the diagnosis of a refusal alone. */
type Diagnosing = Pick<Context, 'otherConnections' | 'withinRate'>;

const noSecret = authenticityRefusal('no_live_secret', 'The secret of the connection is missing or has ended.');
const tokenMismatch = (what: string) =>
  authenticityRefusal('token_mismatch', `The ${what} not the one of this connection.`);
const mismatches = {
  bearer: tokenMismatch('bearer token is'),
  token: tokenMismatch('token in the header is'),
  basic: tokenMismatch('user or the password is'),
} as const;
const mismatch = authenticityRefusal(
  'signature_mismatch',
  'No secret of the connection made this signature: the sender signs with another, or the body was changed.',
);

/** Judges a webhook by the method of its connection, and by no other (decisions.md section 6). */
export function verifyConnection(input: RawInput, connection: Connection, diagnosing: Diagnosing): Proof {
  const { auth_method: method, secrets, tolerance } = connection;
  if (method === 'none') return { kind: 'unauthenticated' };
  const unknown = { ...mismatches, hmac: mismatch, standard_webhooks: mismatch }[method];
  const expected = {
    secrets,
    noSecret,
    ...(tolerance !== undefined && { tolerance }),
    mismatch: liveSecrets(secrets, input.now).length === 0 ? noSecret : unknown,
    read: () => readers[method](input, connection),
    otherwise: (signer: Signer) => ofOtherConnection(signer, method, diagnosing),
  };
  return verifySignature(input, expected, diagnosing);
}

function ofOtherConnection(
  signer: Signer,
  method: Connection['auth_method'],
  { otherConnections }: Diagnosing,
): Refusal | undefined {
  const others = otherConnections().filter(({ auth_method }) => auth_method === method);
  for (const { name, secrets } of others.slice(0, maxOtherConnections)) {
    const secret = signer(secrets);
    const text = secret && `The secret of another connection was used: ${nameOf(secret)} of ${name}.`;
    if (text) return ofKnownSender(authenticityRefusal('other_connection', text));
  }
  return undefined;
}

/** The secret itself stands in a header. */
function secretIn(input: RawInput, header: string, form: RegExp, name: string): Signature | Refusal {
  const value = oneHeader(input, [header]);
  if (typeof value === 'object') return value;
  const token = form.exec(value)?.[1];
  if (token === undefined) return authenticityRefusal('signature_malformed', `The ${name}.`);
  // A header is read as Latin-1: these are the bytes that came.
  const bytes = Buffer.from(token, header === 'authorization' && form === basicForm ? 'base64' : 'latin1');
  return { fits: (secret) => equalBytes(hashOf(bytes), hashOf(Buffer.from(secret))) };
}

/** The scheme in any case, then blanks (RFC 9110, sections 11.1 and 11.4). */
const basicForm = /^Basic +([A-Za-z0-9+/]+={0,2})$/i;

const readers = {
  hmac: hmacSignature,
  bearer: (input: RawInput) =>
    secretIn(input, 'authorization', /^Bearer +(\S.*)$/i, 'Authorization header is not "Bearer <token>"'),
  token: (input: RawInput, { hmac_header: header }: Connection) =>
    secretIn(input, header, /^(.+)$/, `${header} header is empty`),
  basic: (input: RawInput) =>
    secretIn(input, 'authorization', basicForm, 'Authorization header is not "Basic <user:password in base64>"'),
  standard_webhooks: standardSignatures,
} as const;

const hashOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest();

/** https://www.standardwebhooks.com: `v1` is HMAC-SHA256 with a `whsec_` secret, `v1a` Ed25519 with a `whpk_` public key. */
function standardSignatures(input: RawInput, { hmac_header: header }: Connection): Signature | Refusal {
  const family = familyOf(header);
  const found = ['id', 'timestamp', 'signature'].map((name) => oneHeader(input, [`${family}-${name}`]));
  const refusal = found.find((one) => typeof one === 'object');
  if (refusal) return refusal;
  const [id = '', time = '', list = ''] = found as string[];
  const signatures = list.split(' ').map((one) => standardSignature.exec(one));
  if (!/^[\x21-\x2d\x2f-\x7e]{1,255}$/.test(id))
    return authenticityRefusal(
      'signature_malformed',
      `The ${family}-id header is empty, too long, or holds a full stop or white space.`,
    );
  if (!/^[1-9]\d{0,11}$/.test(time) || signatures.length > maxSignatures || !signatures.some(Boolean))
    return authenticityRefusal(
      'signature_malformed',
      `The ${family}-timestamp or ${family}-signature header is malformed.`,
    );
  const made = signatures.flatMap((one) =>
    one ? [{ scheme: one[1] ?? one[3], bytes: Buffer.from(one[2] ?? one[4] ?? '', 'base64') }] : [],
  );
  return {
    timestamp: Number(time),
    fits: (secret, body) => {
      const content = Buffer.concat([Buffer.from(`${id}.${time}.`), body]);
      if (secret.startsWith(publicPrefix)) {
        const key = publicKeyOf(secret);
        return made.some(
          ({ scheme, bytes }) => scheme === 'v1a' && key !== undefined && verify(null, content, key, bytes),
        );
      }
      const wanted = createHmac('sha256', standardKey(secret)).update(content).digest();
      return made.some(({ scheme, bytes }) => scheme === 'v1' && equalBytes(bytes, wanted));
    },
  };
}

/** Svix sends the same scheme under its own name (https://docs.svix.com/receiving/verifying-payloads/how-manual). */
export const familyOf = (header: string): string => (header === 'svix-signature' ? 'svix' : 'webhook');

/** With its padding. The id holds no full stop, which separates it from the time in what is signed. */
const standardSignature = /^(?:(v1),([A-Za-z0-9+/]{43}=)|(v1a),([A-Za-z0-9+/]{86}==))$/;
const secretPrefix = 'whsec_';
const publicPrefix = 'whpk_';

/** The bytes of a `whsec_` secret; a secret without the prefix is base64 too. */
export const standardKey = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64');

/** The key behind `whpk_…`; undefined when it is none. */
export function publicKeyOf(text: string): KeyObject | undefined {
  const bytes = Buffer.from(text.slice(publicPrefix.length), 'base64');
  if (!text.startsWith(publicPrefix) || bytes.length !== 32) return undefined;
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' });
}

/** The headers by which a sender with this secret proves a body; undefined for a public key, with which nothing can be signed. */
export function signedHeaders(
  connection: Connection,
  secret: string | undefined,
  { body, id, now }: { readonly body: Buffer; readonly id: string; readonly now: number },
): Record<string, string[]> | undefined {
  const { auth_method: method, hmac_header: header } = connection;
  if (method === 'none') return {};
  if (secret === undefined || secret.startsWith(publicPrefix)) return undefined;
  if (method === 'bearer') return { authorization: [`Bearer ${secret}`] };
  if (method === 'basic') return { authorization: [`Basic ${Buffer.from(secret).toString('base64')}`] };
  if (method === 'token') return { [header]: [secret] };
  if (method === 'hmac') return hmacHeaders(connection, secret, { body, id, now });
  const time = String(Math.floor(now / 1000));
  const digest = createHmac('sha256', standardKey(secret)).update(`${id}.${time}.`).update(body).digest('base64');
  const family = familyOf(header);
  return { [`${family}-id`]: [id], [`${family}-timestamp`]: [time], [`${family}-signature`]: [`v1,${digest}`] };
}
