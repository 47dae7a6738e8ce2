import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** `write: false` is a key with the permission Read. */
export type Key = { readonly key: string; readonly secret: string; readonly write?: boolean };
export type Access = {
  readonly isSecure: boolean;
  readonly key: Key;
  readonly usedNonces: Set<string>;
  readonly now: number;
};
export type Refusal = { readonly status: number; readonly code: string; readonly message: string };

const refusal = (message: string): Refusal => ({ status: 401, code: 'woocommerce_rest_authentication_error', message });
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Who is let in, as class-wc-rest-authentication.php decides it: over TLS by the query string or HTTP Basic too, else by OAuth 1.0a. Basic over plain
 * HTTP is not looked at: such a call is anonymous.
 */
export function accessOf(req: IncomingMessage, url: URL, access: Access): Refusal | null {
  const { key, secret, write = true } = access.key;
  const query = url.searchParams;
  const method = req.method ?? 'GET';
  const isBasic = access.isSecure && !query.has('oauth_consumer_key');
  const refused = isBasic ? basic(req, query, key, secret) : oauth(method, url, access);
  if (refused) return refused;
  if (!write && !['GET', 'HEAD', 'OPTIONS'].includes(method))
    return refusal('The API key provided does not have write permissions.');
  return null;
}

const anonymous: Refusal = {
  status: 401,
  code: 'woocommerce_rest_cannot_view',
  message: 'Sorry, you cannot list resources.',
};

function basic(req: IncomingMessage, query: URLSearchParams, key: string, secret: string): Refusal | null {
  const header = /^Basic (.+)$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
  const [user, ...rest] = Buffer.from(header, 'base64').toString().split(':');
  const [givenKey, givenSecret] = [query.get('consumer_key') ?? user, query.get('consumer_secret') ?? rest.join(':')];
  if (givenKey !== key) return anonymous;
  return givenSecret === secret ? null : refusal('Consumer secret is invalid.');
}

function oauth(method: string, url: URL, { key: { key, secret }, usedNonces, now }: Access): Refusal | null {
  const given = new Map(url.searchParams);
  if (!given.has('oauth_consumer_key')) return anonymous;
  if (given.get('oauth_consumer_key') !== key) return refusal('Consumer key is invalid.');
  const signature = given.get('oauth_signature');
  given.delete('oauth_signature');
  const names = [...given.keys()].sort();
  const parameters = names.map((name) => `${encode(name)}=${encode(given.get(name) ?? '')}`).join('&');
  const base = [method, `${url.origin}${url.pathname}`, parameters].map(encode).join('&');
  if (signature !== createHmac('sha256', `${secret}&`).update(base).digest('base64'))
    return refusal('Invalid signature - provided signature does not match.');
  const nonce = given.get('oauth_nonce') ?? '';
  if (Math.abs(now / 1000 - Number(given.get('oauth_timestamp'))) > 15 * 60) return refusal('Invalid timestamp.');
  if (usedNonces.has(nonce)) return refusal('Invalid nonce - nonce has already been used.');
  usedNonces.add(nonce);
  return null;
}
