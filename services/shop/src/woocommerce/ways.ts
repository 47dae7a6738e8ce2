import type { Call, FailureFacts, Method } from './answers';
import { authorized, type SignedCall } from './authorization';
import type { WooCommerceSettings } from './settings';

/**
 * How a shop is reached: below `/wp-json/`, or what a plugin made of it (`prefix`), or, with plain permalinks, by `?rest_route=`; with the key in the header or signed by it; with the methods
 * PUT and DELETE or, where the server blocks them, with POST and `?_method=`, which WordPress reads too. `signed`: for the address as it is, or with http.
 */
export type Way = {
  readonly prefix: string;
  readonly isPlain: boolean;
  readonly isPosted: boolean;
  readonly signed: 'https' | 'http' | null;
};

export const firstWay = ({ address }: Pick<WooCommerceSettings, 'address'>): Way => ({
  prefix: 'wp-json',
  isPlain: false,
  isPosted: false,
  signed: address.startsWith('http:') ? 'http' : null,
});

export const sentAs = (method: Method, { isPosted }: Way): Method =>
  isPosted && (method === 'PUT' || method === 'DELETE') ? 'POST' : method;

/** What is tried when a shop refuses a request, or answers it with something else, and null when nothing is left. `isKnown`: it has answered others. */
export function nextWay(
  way: Way,
  method: Method,
  { outcome, status, isDoubtful, prefix }: Pick<FailureFacts, 'outcome' | 'status' | 'isDoubtful' | 'prefix'>,
  isKnown: boolean,
): Way | null {
  if (isDoubtful && !way.isPosted && method !== 'POST') return { ...way, isPosted: true };
  if (isKnown) return null;
  if (prefix !== undefined && prefix !== way.prefix) return { ...way, prefix };
  // Some web servers remove the header; WooCommerce takes OAuth 1.0a over https too. Behind a proxy where https ends, WordPress may know http alone (is_ssl()).
  if (status === 401 && way.signed !== 'http') return { ...way, signed: way.signed === null ? 'https' : 'http' };
  return outcome === 'unusable' && !way.isPlain ? { ...way, isPlain: true } : null;
}

/** WooCommerce looks at a key only where the address, as it is written, has this in it (https://github.com/woocommerce/woocommerce/issues/41191). */
const ownPath = ({ prefix }: Way): string => `${prefix}/wc/`;

export function targetOf(address: string, { method, path, query }: Call, way: Way): URL {
  const target = new URL(way.isPlain ? `${address}/index.php` : `${address}/${way.prefix}/${path}`);
  if (way.isPlain) target.search = String(new URLSearchParams({ rest_route: `/${path}`, via: ownPath(way) }));
  if (sentAs(method, way) !== method) target.searchParams.set('_method', method);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.set(name, String(value));
  return target;
}

/** Posts are public, and WordPress would take the key for a password of its own. */
export function signedCall(method: string, path: string, target: URL, way: Way, by: Signer): SignedCall {
  if (!path.startsWith('wc/')) return { url: target.href, headers: {} };
  const { url, headers } = authorized(method, target, { ...by.settings, signed: way.signed }, by.now);
  return { url: url.replace(encodeURIComponent(ownPath(way)), ownPath(way)), headers };
}
type Signer = { readonly settings: WooCommerceSettings; readonly now: number };
