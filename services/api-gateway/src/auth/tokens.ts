import { createHash, createPublicKey, type KeyObject, randomUUID } from 'node:crypto';
import { type Clock, derivedSigningKey, type KeyRing, perKey } from '@order-automation/service';
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  type JSONWebKeySet,
  type JWTPayload,
  type JWTVerifyOptions,
  jwtVerify,
  SignJWT,
} from 'jose';
import { parseDocument } from 'yaml';
import { type Scope, scopeSchema } from './identity';

/** Whom a token names: a user of ours by id, or by name where another issuer vouches for it. */
export type TokenSubject = {
  readonly tokenId: string;
  readonly scope: Scope;
  readonly user:
    | { readonly id: string /** As it was when the token was issued. */; readonly passwordChangedAt: number }
    | { readonly name: string };
};

export type TokenRequest = {
  readonly userId: string;
  readonly passwordChangedAt: number;
  readonly scope: Scope;
  /** Seconds, at most `longestLife`. */
  readonly life: number;
};

export type ForeignIssuer = { readonly issuer: string; readonly audience: string; readonly keys: JSONWebKeySet };

/** Seconds. */
export const longestLife = 3600;
const ourName = 'order-automation';
const ourType = 'at+jwt';
/** Characters of the longest token that is looked at. */
const longestToken = 8_192;
const form = /^[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]{2,}\.[A-Za-z0-9_-]{2,}$/;
const foreignAlgorithms = ['EdDSA', 'ES256', 'PS256', 'RS256'];
/** Seconds by which the clock of an issuer may be ahead of ours. */
const clockTolerance = 5;

type SigningKey = { readonly id: string; readonly privateKey: KeyObject; readonly publicKey: KeyObject };

/**
 * Tokens for the extended routes (decisions.md section 9): signed with Ed25519 keys that follow from SECRET_KEY, so that every instance has
 * them and a new SECRET_KEY in front of the old one rotates them. Only what is listed here is accepted: nothing in a token chooses how it is checked.
 */
export function tokenAuthority(secretKeys: KeyRing, clock: Clock, foreign?: ForeignIssuer) {
  const { all, active } = perKey(secretKeys, signingKey);
  const keys = new Map(all.map((key) => [key.id, key]));
  const foreignKeys = foreign && createLocalJWKSet(foreign.keys);

  const verified = async (token: string): Promise<TokenSubject | undefined> => {
    const header = decodeProtectedHeader(token);
    if (!Object.keys(header).every((name) => plainNames.has(name))) return undefined;
    const currentDate = new Date(clock.now());
    const own = keys.get(header.kid ?? '');
    if (own) return ours((await jwtVerify(token, own.publicKey, { ...ourRules, currentDate })).payload);
    if (!foreign || !foreignKeys) return undefined;
    const rules = { ...foreignRules, issuer: foreign.issuer, audience: foreign.audience, currentDate };
    return theirs((await jwtVerify(token, foreignKeys, rules)).payload);
  };
  return {
    issue: (request: TokenRequest) => issue(active(), request, clock.now()),
    /** Undefined when the token is not one that counts, whatever is wrong with it. */
    verify: async (token: string): Promise<TokenSubject | undefined> => {
      if (token.length > longestToken || !form.test(token)) return undefined;
      const subject = await verified(token).catch(() => undefined);
      return subject && !saysTwice(token) ? subject : undefined;
    },
  };
}

const ourRules: JWTVerifyOptions = {
  algorithms: ['EdDSA'],
  issuer: ourName,
  audience: ourName,
  typ: ourType,
  requiredClaims: ['sub', 'jti', 'iat', 'nbf', 'exp', 'scope', 'password_changed_at'],
  maxTokenAge: longestLife,
};

const foreignRules: JWTVerifyOptions = {
  algorithms: foreignAlgorithms,
  requiredClaims: ['sub', 'iat', 'exp'],
  maxTokenAge: longestLife,
  clockTolerance,
};

function issue({ id, privateKey }: SigningKey, request: TokenRequest, now: number): Promise<string> {
  const seconds = Math.floor(now / 1000);
  return new SignJWT({ scope: request.scope, password_changed_at: request.passwordChangedAt })
    .setProtectedHeader({ alg: 'EdDSA', kid: id, typ: ourType })
    .setIssuer(ourName)
    .setAudience(ourName)
    .setSubject(request.userId)
    .setJti(randomUUID())
    .setIssuedAt(seconds)
    .setNotBefore(seconds)
    .setExpirationTime(seconds + request.life)
    .sign(privateKey);
}

/** A header says no more than which key and algorithm: nothing that brings keys of its own, and nothing critical. */
const plainNames = new Set(['alg', 'kid', 'typ', 'x5t', 'x5t#S256']);

function ours({ sub, jti, scope, password_changed_at, aud }: JWTPayload): TokenSubject | undefined {
  const read = scopeSchema.safeParse(scope);
  if (!read.success || typeof sub !== 'string' || typeof jti !== 'string') return undefined;
  if (typeof aud !== 'string' || typeof password_changed_at !== 'number') return undefined;
  return { tokenId: jti, scope: read.data, user: { id: sub, passwordChangedAt: password_changed_at } };
}

function theirs({ sub, jti, exp, iat }: JWTPayload): TokenSubject | undefined {
  if (typeof sub !== 'string' || sub === '' || exp === undefined || iat === undefined) return undefined;
  if (exp - iat > longestLife) return undefined;
  return { tokenId: typeof jti === 'string' ? jti.slice(0, 100) : 'foreign', scope: 'full', user: { name: sub } };
}

/** Whether header or claims have a name twice, which two readers may read differently. */
function saysTwice(token: string): boolean {
  return token
    .split('.', 2)
    .map((part) => Buffer.from(part, 'base64url').toString())
    .some((text) => parseDocument(text, { schema: 'json', uniqueKeys: true }).errors.length > 0);
}

function signingKey(secretKey: Buffer): SigningKey {
  const privateKey = derivedSigningKey(secretKey, 'token');
  const publicKey = createPublicKey(privateKey);
  const bytes = publicKey.export({ format: 'der', type: 'spki' });
  return { id: createHash('sha256').update(bytes).digest('base64url').slice(0, 22), privateKey, publicKey };
}
