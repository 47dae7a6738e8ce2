import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** `write: false` is a key with the permission Read, `read: false` one with Write alone; `manager: false` is the key of a customer. */
export type Key = {
  readonly key: string;
  readonly secret: string;
  readonly write?: boolean;
  readonly read?: boolean;
  readonly manager?: boolean;
  /** Parts of the API that the user of the key may not use: `webhooks`, `customers`, `products`. */
  readonly forbidden?: readonly string[];
};
export type Access = {
  readonly isSecure: boolean;
  readonly keys: readonly Key[];
  readonly usedNonces: Set<string>;
  readonly now: number;
  readonly prefix: string;
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
  const query = url.searchParams;
  // https://github.com/woocommerce/woocommerce/issues/41191: below `?rest_route=` the key is not looked at without it.
  if (!req.url?.includes(`${access.prefix}/wc/`)) return anonymous;
  const used = keyIn(req, query);
  const known = access.keys.find((one) => one.key === used) ?? access.keys[0];
  if (!known) return anonymous;
  const { key, secret, write = true, read = true, manager = true, forbidden = [] } = known;
  const method = req.method ?? 'GET';
  const isBasic = access.isSecure && !query.has('oauth_consumer_key');
  const refused = isBasic ? basic(req, query, key, secret) : oauth(method, url, access, known);
  if (refused) return refused;
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method);
  if (!(isRead ? read : write))
    return refusal(`The API key provided does not have ${isRead ? 'read' : 'write'} permissions.`);
  const resource = /wc\/v3\/(\w+)/.exec(decodeURIComponent(url.href))?.[1] ?? '';
  if (!manager || forbidden.includes(resource))
    return { ...anonymous, status: 403, code: `woocommerce_rest_cannot_${isRead ? 'view' : 'edit'}` };
  return null;
}

const anonymous: Refusal = {
  status: 401,
  code: 'woocommerce_rest_cannot_view',
  message: 'Sorry, you cannot list resources.',
};

/** The key that a call names, however it does. */
function keyIn(req: IncomingMessage, query: URLSearchParams): string | undefined {
  const header = /^Basic (.+)$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
  const [user] = Buffer.from(header, 'base64').toString().split(':');
  return query.get('oauth_consumer_key') ?? query.get('consumer_key') ?? user;
}

function basic(req: IncomingMessage, query: URLSearchParams, key: string, secret: string): Refusal | null {
  const header = /^Basic (.+)$/.exec(req.headers.authorization ?? '')?.[1] ?? '';
  const [user, ...rest] = Buffer.from(header, 'base64').toString().split(':');
  const [givenKey, givenSecret] = [query.get('consumer_key') ?? user, query.get('consumer_secret') ?? rest.join(':')];
  if (givenKey !== key) return anonymous;
  return givenSecret === secret ? null : refusal('Consumer secret is invalid.');
}

function oauth(method: string, url: URL, { usedNonces, now }: Access, { key, secret }: Key): Refusal | null {
  const given = new Map(url.searchParams);
  if (!given.has('oauth_consumer_key')) return anonymous;
  if (given.get('oauth_consumer_key') !== key) return refusal('Consumer key is invalid.');
  const signature = given.get('oauth_signature');
  given.delete('oauth_signature');
  const names = [...given.keys()].sort();
  const parameters = names.map((name) => `${encode(name)}=${encode(given.get(name) ?? '')}`).join('&');
  // check_oauth_signature() takes the address of the site for that of the front page, which has no slash at its end.
  const base = [method, `${url.origin}${url.pathname.replace(/^\/$/, '')}`, parameters].map(encode).join('&');
  if (signature !== createHmac('sha256', `${secret}&`).update(base).digest('base64'))
    return refusal('Invalid signature - provided signature does not match.');
  const nonce = given.get('oauth_nonce') ?? '';
  if (Math.abs(now / 1000 - Number(given.get('oauth_timestamp'))) > 15 * 60) return refusal('Invalid timestamp.');
  if (usedNonces.has(nonce)) return refusal('Invalid nonce - nonce has already been used.');
  usedNonces.add(nonce);
  return null;
}
