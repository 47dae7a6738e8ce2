import type { Query } from './answers';
import { authorized, type SignedCall } from './authorization';
import type { WooCommerceSettings } from './settings';

/** How a shop is reached: below `/wp-json/` or, with plain permalinks, by `?rest_route=`; with the key in the header or signed by it. */
export type Way = { readonly isPlain: boolean; readonly isSigned: boolean };

export const firstWay = ({ address }: Pick<WooCommerceSettings, 'address'>): Way => ({
  isPlain: false,
  isSigned: address.startsWith('http:'),
});

/** What is tried when a shop that has never answered refuses a request, or answers it with something else; null when nothing is left. */
export function nextWay(way: Way, outcome: string, status: number | undefined): Way | null {
  if (outcome === 'unusable' && !way.isPlain) return { ...way, isPlain: true };
  // Some web servers remove the header; WooCommerce takes OAuth 1.0a over https too.
  return status === 401 && !way.isSigned ? { ...way, isSigned: true } : null;
}

export function targetOf(address: string, path: string, query: Query, { isPlain }: Way): URL {
  const target = new URL(isPlain ? `${address}/` : `${address}/wp-json/${path}`);
  if (isPlain) target.searchParams.set('rest_route', `/${path}`);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.set(name, String(value));
  return target;
}

/** Posts are public, and WordPress would take the key for a password of its own. */
export function signedCall(method: string, path: string, target: URL, way: Way, by: Signer): SignedCall {
  return path.startsWith('wc/')
    ? authorized(method, target, { ...by.settings, isSigned: way.isSigned }, by.now)
    : { url: target.href, headers: {} };
}
type Signer = { readonly settings: WooCommerceSettings; readonly now: number };
