import { randomBytes } from 'node:crypto';
import { invalidParameters } from '@order-automation/contracts';
import { cardGateway } from '../gateways/card/adapter';
import { shortestSecret } from '../gateways/card/signature';
import type { AuthMethod } from '../gateways/connection';
import { publicKeyOf, standardKey } from '../gateways/generic/signature';
import type { Sealer } from './sealed';
import type { StoredSecret } from './secret-set';

/** decisions.md section 11: any text, spaces included. */
const shortest = 8;
const longest = 500;
/** Bytes of a key of Standard Webhooks. */
const shortestKey = 16;
const longestKey = 256;

/** A new secret, in the form that senders of this method expect. */
export function newSecret(method: AuthMethod): string {
  return method === 'standard_webhooks'
    ? `whsec_${randomBytes(32).toString('base64')}`
    : randomBytes(32).toString('base64url');
}

/** Throws a violation of `secret` when this method cannot work with it. */
export function checkSecret(method: AuthMethod, secret: string, path = 'secret'): void {
  const problem = problemOf(method, secret);
  if (problem) throw invalidParameters([{ path, message: problem }]);
}

function problemOf(method: AuthMethod, secret: string): string | undefined {
  if (secret.length < shortest || secret.length > longest) return `must have ${shortest} to ${longest} characters`;
  if (method === 'bearer' && secret !== secret.trim())
    return 'must not begin or end with white space: headers are trimmed';
  if (method === 'bearer' && /[\0\r\n]/.test(secret)) return 'must have no line breaks: it stands in a header';
  if (method !== 'standard_webhooks') return undefined;
  if (secret.startsWith('whpk_')) return publicKeyOf(secret) ? undefined : 'must be "whpk_" and 32 bytes in base64';
  const bytes = standardKey(secret).length;
  const isBase64 = /^(whsec_)?[A-Za-z0-9+/]+={0,2}$/.test(secret);
  return isBase64 && bytes >= shortestKey && bytes <= longestKey
    ? undefined
    : 'must be "whsec_" and 16 to 256 bytes in base64';
}

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

/** What a connection's secrets are sealed for. */
export function sealedFor(name: string): string {
  return `connection ${name}`;
}

/** A new secret of a gateway, as the gateway itself would make it. */
export function newGatewaySecret(gateway: string): string {
  const value = randomBytes(32).toString('base64url');
  return gateway === cardGateway ? `whsec_${value}` : value;
}

/** Throws a violation of `secret` when a gateway cannot work with it (decisions.md section 6). */
export function checkGatewaySecret(secret: string): void {
  if (secret.length >= shortestSecret && secret.length <= longest) return;
  throw invalidParameters([{ path: 'secret', message: `must have ${shortestSecret} to ${longest} characters` }]);
}
