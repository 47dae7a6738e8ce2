import { parsedUrl } from '@order-automation/contracts';

/** The host of an address, as it is compared: without `www.`, port, scheme and path. Null where the text is no address. PHP writes `/` as `\/` in JSON. */
export function hostOf(address: string): string | null {
  const text = address.trim().replaceAll('\\/', '/');
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const host = parsedUrl(url)
    ?.hostname.replace(/\.$/, '')
    .replace(/^www\./, '');
  return host || null;
}

export const hostsOf = (...addresses: readonly (string | undefined)[]): string[] => [
  ...new Set(addresses.flatMap((address) => (address === undefined ? [] : (hostOf(address) ?? [])))),
];

/** Why an event with this address is of another shop; null where it is not, or where nobody knows. */
export function otherSite(site_url: string | undefined, hosts: readonly string[]): string | null {
  const host = site_url === undefined ? null : hostOf(site_url);
  if (host === null || hosts.length === 0 || hosts.includes(host)) return null;
  return `The event is of the shop at ${host.slice(0, 200)}; this shop is at ${hosts.join(' and ')}.`;
}
