import { createHmac, randomBytes } from 'node:crypto';
import type { WooCommerceSettings } from './settings';

/** `signed`: OAuth over https too, for the address as it is or as one of http. */
type Credentials = Pick<WooCommerceSettings, 'key' | 'secret'> & { readonly signed?: 'https' | 'http' | null };
export type SignedCall = { readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** RFC 3986, which OAuth 1.0a signs; stricter than encodeURIComponent. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * The call as WooCommerce lets it in: HTTP Basic over https, OAuth 1.0a without a token over http, where the secret itself must not travel
 * (WooCommerce REST API, "Authentication"). `now` in milliseconds since the epoch.
 */
export function authorized(
  method: string,
  target: URL,
  { key, secret, signed = null }: Credentials,
  now: number,
  nonce = randomBytes(16).toString('hex'),
): SignedCall {
  if (target.protocol === 'https:' && signed === null) {
    const pair = Buffer.from(`${key.reveal()}:${secret.reveal()}`).toString('base64');
    return { url: target.href, headers: { Authorization: `Basic ${pair}` } };
  }
  const parameters = new Map<string, string>([
    ...target.searchParams,
    ['oauth_consumer_key', key.reveal()],
    ['oauth_nonce', nonce],
    ['oauth_signature_method', 'HMAC-SHA256'],
    ['oauth_timestamp', String(Math.floor(now / 1000))],
  ]);
  const url = `${target.origin}${target.pathname}`;
  const signedUrl = signed === 'http' ? url.replace(/^https:/, 'http:') : url;
  const signature = oauthSignature(method, signedUrl, parameters, secret.reveal());
  return { url: `${url}?${joined(parameters)}&oauth_signature=${encode(signature)}`, headers: {} };
}

/** Base64 HMAC-SHA256 over method, address and sorted parameters (RFC 5849 section 3.4, without a token). */
export function oauthSignature(
  method: string,
  url: string,
  parameters: ReadonlyMap<string, string>,
  secret: string,
): string {
  const base = [method, url, joined(parameters)].map(encode).join('&');
  return createHmac('sha256', `${encode(secret)}&`)
    .update(base)
    .digest('base64');
}

function joined(parameters: ReadonlyMap<string, string>): string {
  const pairs = [...parameters].map(([name, value]) => [encode(name), encode(value)] as const);
  const sorted = pairs.sort(([a], [b]) => (a < b ? -1 : 1));
  return sorted.map((pair) => pair.join('=')).join('&');
}
