import { parsedUrl } from '@order-automation/contracts';

/**
 * An address of a site as it is compared: host and folder, without `www.`, port, scheme and slash at the end. Null where the text is no address. PHP writes
 * `/` as `\/` in JSON.
 */
export function siteOf(address: string): string | null {
  const text = address.trim().replaceAll('\\/', '/');
  const url = parsedUrl(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`);
  const host = url?.hostname.replace(/\.$/, '').replace(/^www\./, '');
  return host ? host + url?.pathname.toLowerCase().replace(/\/+$/, '') : null;
}

export const sitesOf = (...addresses: readonly (string | undefined)[]): string[] => [
  ...new Set(addresses.flatMap((address) => (address === undefined ? [] : (siteOf(address) ?? [])))),
];

/** WordPress may stand in a folder of the site that it serves: one address within the other is the same site. */
const isWithin = (inner: string, outer: string): boolean => inner === outer || inner.startsWith(`${outer}/`);

/** Why an event with this address is of another shop, as one in the folder beside it is; null where it is not, or where nobody knows. */
export function otherSite(site_url: string | undefined, sites: readonly string[]): string | null {
  const site = site_url === undefined ? null : siteOf(site_url);
  if (site === null || sites.length === 0) return null;
  if (sites.some((own) => isWithin(own, site) || isWithin(site, own))) return null;
  return `The event is of the shop at ${site.slice(0, 200)}; this shop is at ${sites.join(' and ')}.`;
}
