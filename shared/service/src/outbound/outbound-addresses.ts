import { BlockList, isIP } from 'node:net';

/** Whether an address (IPv4 or IPv6 text) may be connected to. */
export type AddressCheck = (address: string) => boolean;

/** IANA special-purpose registries: nothing here is a public host. */
const closed4 = openedAddresses(
  `0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24
  192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4
  240.0.0.0/4`.split(/\s+/),
);

/** Only 2000::/3 is public; within it Teredo, documentation and 6to4, which embed or stand for other addresses. */
const closed6 = openedAddresses('::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20'.split(' '));

/** Allows public addresses and the given subnets (`10.1.0.0/16`, `fd00::/8`). Mapped, 6to4 and NAT64 addresses are never public. Throws on a bad subnet. */
export function publicAddresses(allowed: readonly string[] = []): AddressCheck {
  const opened = openedAddresses(allowed);
  return (address) => {
    const family = isIP(address);
    if (family === 0) return false;
    return opened(address) || !(family === 4 ? closed4 : closed6)(address);
  };
}

/** Allows the given subnets alone. Throws on one that is not. */
export function openedAddresses(allowed: readonly string[] = []): AddressCheck {
  const open = new BlockList();
  for (const text of allowed) {
    const subnet = parseSubnet(text);
    if (!subnet) throw new TypeError(`${JSON.stringify(text)} is not an address or a subnet`);
    open.addSubnet(subnet.address, subnet.prefix, subnet.family);
  }
  return (address) => {
    const family = isIP(address);
    return family !== 0 && open.check(address, family === 4 ? 'ipv4' : 'ipv6');
  };
}

/** `address` or `address/prefix`; undefined when it is neither. */
export function parseSubnet(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [, address = '', digits] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const family = isIP(address);
  const widest = family === 4 ? 32 : 128;
  const prefix = digits === undefined ? widest : Number(digits);
  if (family === 0 || prefix > widest) return undefined;
  return { address, prefix, family: family === 4 ? 'ipv4' : 'ipv6' };
}
