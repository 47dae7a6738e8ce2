import { isUtf8 } from 'node:buffer';

export type BasicCredentials = { readonly user: string; readonly password: string };

const longestHeader = 1000;

/** Reads `Authorization: Basic …` (RFC 7617, UTF-8); undefined when it is anything else or malformed. */
export function parseBasic(header: string): BasicCredentials | undefined {
  if (header.length > longestHeader) return undefined;
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const bytes = Buffer.from(encoded, 'base64');
  if (!isUtf8(bytes)) return undefined;
  const [, user, password] = /^([^:\0]+):([^\0]*)$/.exec(new TextDecoder().decode(bytes)) ?? [];
  return user === undefined || password === undefined ? undefined : { user, password };
}

/** The token of `Authorization: Bearer …` (RFC 6750); undefined when it is another scheme. */
export const parseBearer = (header: string): string | undefined => /^Bearer +([^\s]+)$/i.exec(header)?.[1];

export const sessionCookie = 'order_automation_session';

/** The session token of a Cookie header; undefined when there is none, or more than one (somebody planted one). */
export function sessionTokenOf(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${sessionCookie}=`))
    .map((pair) => pair.slice(sessionCookie.length + 1));
  const [token] = values;
  return values.length === 1 && token !== undefined && /^[A-Za-z0-9_-]{43}$/.test(token) ? token : undefined;
}

export type CookieOptions = { readonly path: string; readonly secure: boolean; readonly maxAgeSeconds: number };

/** The Set-Cookie value of a session; an age of 0 removes it. */
export function sessionCookieHeader(token: string, { path, secure, maxAgeSeconds }: CookieOptions): string {
  const secured = secure ? '; Secure' : '';
  return `${sessionCookie}=${token}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secured}`;
}
