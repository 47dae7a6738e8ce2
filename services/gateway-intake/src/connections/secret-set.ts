import { randomBytes } from 'node:crypto';
import { invalidParameters } from '@order-automation/contracts';
import type { Sealer } from '@order-automation/service';
import { cardGateway } from '../gateways/card/adapter';
import { shortestSecret } from '../gateways/card/signature';
import type { AuthMethod, Connection, LiveSecret } from '../gateways/connection';
import { publicKeyOf, standardKey } from '../gateways/generic/signature';

/** One secret as it is stored. Times are ISO 8601 UTC; `expires_at` null: no end. */
export type StoredSecret = {
  readonly id: string;
  readonly sealed: string;
  readonly last4: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  /** An administrator removed it: it stays for a week, so that the log can name it. */
  readonly removed?: true;
};

export const maxSecrets = 10;
/** Milliseconds for which an ended secret is kept, to name it in the log. */
const keptAfterEnd = 7 * 24 * 3_600_000;

/** A secret as it is stored; `owner` is what it is sealed for. */
export function storedSecret(sealer: Sealer, owner: string, value: string, now: number): StoredSecret {
  return {
    id: `sec_${randomBytes(8).toString('hex')}`,
    sealed: sealer.seal(value, owner),
    last4: value.slice(-4),
    created_at: new Date(now).toISOString(),
    expires_at: null,
  };
}

export const isLiveSecret = ({ expires_at }: StoredSecret, now: number): boolean =>
  expires_at === null || Date.parse(expires_at) > now;

/**
 * The secrets with a new one in front. Those before it count until `end` (milliseconds since the epoch) at most; with null as long as they did.
 * Throws a violation of `secret` when too many would count.
 */
export function withSecret(
  before: readonly StoredSecret[],
  made: StoredSecret,
  end: number | null,
  now: number,
): readonly StoredSecret[] {
  const older = before.map((one) => endedBy(one, end)).filter((one) => isKept(one, now));
  const live = older.filter((one) => isLiveSecret(one, now));
  if (live.length >= maxSecrets)
    throw invalidParameters([{ path: 'secret', message: `there are ${maxSecrets} that count already: remove one` }]);
  return [made, ...older];
}

/** The secrets with this one ended now; undefined when there is none of this id that counts. */
export function withoutSecret(
  before: readonly StoredSecret[],
  id: string,
  now: number,
): { readonly secrets: readonly StoredSecret[]; readonly removed: StoredSecret } | undefined {
  const removed = before.find((one) => one.id === id && one.removed === undefined);
  if (!removed) return undefined;
  const at = new Date(now).toISOString();
  const expires_at = removed.expires_at !== null && removed.expires_at < at ? removed.expires_at : at;
  const secrets = before.map((one) => (one === removed ? { ...one, expires_at, removed: true as const } : one));
  return { secrets: secrets.filter((one) => isKept(one, now)), removed };
}

export function endedBy(secret: StoredSecret, end: number | null): StoredSecret {
  if (end === null) return secret;
  const expires_at = new Date(end).toISOString();
  return secret.expires_at !== null && secret.expires_at < expires_at ? secret : { ...secret, expires_at };
}

const isKept = (secret: StoredSecret, now: number): boolean => isLiveSecret(secret, now - keptAfterEnd);

function liveSecret(stored: StoredSecret, value: string): LiveSecret {
  return {
    id: stored.id,
    value,
    expiresAt: stored.expires_at === null ? null : Date.parse(stored.expires_at),
    ...(stored.removed && { removed: true as const }),
  };
}

/**
 * Decrypts the secrets of an owner. During a rotation of `SECRET_KEY` another instance may re-encrypt a secret with a key that this instance lacks: its
 * cached value stays valid. A secret that was never decrypted is left out. `report` is called once for each.
 */
export function secretOpener(sealer: Sealer, report: (error: unknown, owner: string) => void) {
  const reported = new Set<string>();
  const known = new Map<string, string>();
  return (owner: string, stored: readonly StoredSecret[]): LiveSecret[] =>
    stored.flatMap((one) => {
      const name = `${owner} ${one.id}`;
      try {
        known.set(name, sealer.open(one.sealed, owner));
      } catch (error) {
        if (!reported.has(one.sealed)) report(error, owner);
        reported.add(one.sealed);
      }
      const value = known.get(name);
      return value === undefined ? [] : [liveSecret(one, value)];
    });
}

/** The secrets, encrypted with the active key; undefined when all were. A secret that no key decrypts stays as it is. */
export function sealedAgain(
  sealer: Sealer,
  owner: string,
  secrets: readonly StoredSecret[],
): readonly StoredSecret[] | undefined {
  const again = secrets.map((one) => {
    if (!sealer.isOld(one.sealed)) return one;
    try {
      return { ...one, sealed: sealer.seal(sealer.open(one.sealed, owner), owner) };
    } catch {
      return one;
    }
  });
  return again.some((one, index) => one !== secrets[index]) ? again : undefined;
}

export type SecretForm = {
  /** A new secret, as the sender itself would make it. */
  make(): string;
  /** What is wrong with a secret that was given; undefined when it can be worked with. */
  problem(secret: string): string | undefined;
};

/** decisions.md section 11: any text, spaces included. */
const shortest = 8;
const longest = 500;
/** Bytes of a key of Standard Webhooks. */
const shortestKey = 16;
const longestKey = 256;

/** `encoding`: how a secret's text becomes the key of an HMAC. */
export function connectionSecrets(method: AuthMethod, encoding: Connection['secret_encoding'] = 'text'): SecretForm {
  return {
    make: () => {
      if (method === 'none')
        throw invalidParameters([{ path: 'auth_method', message: 'is "none": there is no secret to rotate' }]);
      const bytes = randomBytes(32);
      if (method === 'standard_webhooks') return `whsec_${bytes.toString('base64')}`;
      if (method === 'basic') return `shop:${bytes.toString('base64url')}`;
      return bytes.toString(method === 'hmac' && encoding !== 'text' ? encoding : 'base64url');
    },
    problem: (secret) =>
      problemOf(method, secret) ?? (method === 'hmac' ? encodingProblem(encoding, secret) : undefined),
  };
}

/** decisions.md section 6. */
export function gatewaySecretsOf(gateway: string): SecretForm {
  return {
    make: () => `${gateway === cardGateway ? 'whsec_' : ''}${randomBytes(32).toString('base64url')}`,
    problem: ({ length }) =>
      length < shortestSecret || length > longest ? `must have ${shortestSecret} to ${longest} characters` : undefined,
  };
}

/** Throws a violation of `path` when the sender cannot work with this secret. */
export function checkSecret({ problem }: SecretForm, secret: string, path = 'secret'): void {
  const message = problem(secret);
  if (message !== undefined) throw invalidParameters([{ path, message }]);
}

const encodedForms = { hex: /^(?:[0-9a-fA-F]{2}){8,}$/, base64: /^[A-Za-z0-9+/]{11,}={0,2}$/ } as const;

function encodingProblem(encoding: NonNullable<Connection['secret_encoding']>, secret: string): string | undefined {
  if (encoding === 'text' || encodedForms[encoding].test(secret)) return undefined;
  return encoding === 'hex' ? 'must be hexadecimal digits' : 'must be base64';
}

function problemOf(method: AuthMethod, secret: string): string | undefined {
  if (method === 'none') return 'cannot stand beside the method "none"';
  if (secret.length < shortest || secret.length > longest) return `must have ${shortest} to ${longest} characters`;
  const isInHeader = method === 'bearer' || method === 'token';
  if (isInHeader && secret !== secret.trim()) return 'must not begin or end with white space: headers are trimmed';
  if (isInHeader && /[\0\r\n]/.test(secret)) return 'must have no line breaks: it stands in a header';
  if (method === 'basic' && !/^[^:]+:/.test(secret)) return 'must be the user and the password with a colon between';
  if (method !== 'standard_webhooks') return undefined;
  if (secret.startsWith('whpk_')) return publicKeyOf(secret) ? undefined : 'must be "whpk_" and 32 bytes in base64';
  const bytes = standardKey(secret).length;
  const isBase64 = /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(secret);
  return isBase64 && bytes >= shortestKey && bytes <= longestKey
    ? undefined
    : 'must be "whsec_" and 16 to 256 bytes in base64';
}
