import { randomBytes } from 'node:crypto';
import { invalidParameters } from '@order-automation/contracts';
import { cardGateway } from '../gateways/card/adapter';
import { shortestSecret } from '../gateways/card/signature';
import type { AuthMethod } from '../gateways/connection';
import { publicKeyOf, standardKey } from '../gateways/generic/signature';

/** What the secrets of one sender look like. */
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

export function connectionSecrets(method: AuthMethod): SecretForm {
  return {
    make: () => {
      if (method === 'none')
        throw invalidParameters([{ path: 'auth_method', message: 'is "none": there is no secret to rotate' }]);
      const bytes = randomBytes(32);
      return method === 'standard_webhooks' ? `whsec_${bytes.toString('base64')}` : bytes.toString('base64url');
    },
    problem: (secret) => problemOf(method, secret),
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

function problemOf(method: AuthMethod, secret: string): string | undefined {
  if (method === 'none') return 'cannot stand beside the method "none"';
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
