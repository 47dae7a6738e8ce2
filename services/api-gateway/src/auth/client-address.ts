import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { TLSSocket } from 'node:tls';

/** Where a request comes from, as far as it can be believed. */
export type Client = {
  readonly address: string;
  /** The connection of the client is encrypted, or never leaves this machine. */
  readonly confidential: boolean;
  readonly https: boolean;
};

/**
 * Who is at the other end. Forwarded headers count only as far as `trustedProxies` proxies in front have written them:
 * with n proxies, the n-th address from the right of X-Forwarded-For, and the last X-Forwarded-Proto.
 */
export function clientOf(req: IncomingMessage, trustedProxies: number): Client {
  const peer = plainAddress(req.socket.remoteAddress ?? '');
  const forwarded = trustedProxies > 0 ? listOf(req.headers['x-forwarded-for']) : [];
  const protocol = trustedProxies > 0 ? listOf(req.headers['x-forwarded-proto']).at(-1) : undefined;
  const https = protocol === undefined ? req.socket instanceof TLSSocket : protocol.toLowerCase() === 'https';
  if (forwarded.length === 0) {
    // A proxy that says how it was reached, and not by whom, hides that the client is elsewhere.
    return { address: peer, https, confidential: https || (protocol === undefined && isLoopback(peer)) };
  }
  const named = withoutPort(forwarded.at(-Math.min(trustedProxies, forwarded.length)) ?? '');
  if (isIP(named) === 0) return { address: peer, https, confidential: https };
  return { address: named, https, confidential: https || isLoopback(named) };
}

/** `203.0.113.9` of `203.0.113.9:4711`, `2001:db8::1` of `[2001:db8::1]:4711`, as some proxies write it. */
function withoutPort(text: string): string {
  const bare = /^\[([0-9a-f:.]+)\](?::\d+)?$/i.exec(text)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text)?.[1] ?? text;
  return plainAddress(bare);
}

function listOf(header: string | string[] | undefined): string[] {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '');
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** An IPv4 address mapped into IPv6 is the IPv4 address. */
const plainAddress = (address: string): string => address.toLowerCase().replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '');

export const isLoopback = (address: string): boolean =>
  address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
