import { generateKeyPairSync, sign } from 'node:crypto';
import type { LaneDeps } from '@order-automation/testing';
import type { Route } from '../src/http/route';
import {
  addUser,
  adminPassword,
  asAdmin,
  asAdminWithNonce,
  basic,
  type Login,
  logIn,
  type Running,
  send,
} from './gateway';

/** Everybody who may come to a route, and what each may get. */
export type Who = {
  readonly name: string;
  readonly headers: Record<string, string>;
  readonly role: 'none' | 'viewer' | 'manager' | 'administrator';
  /** Of sessions, and of others who send one. */
  readonly nonce?: 'good' | 'bad';
  readonly readOnly?: true;
  /** A token counts below `/pro/v1` alone. */
  readonly token?: true;
};

export type Denied = { readonly status: 401 | 403; readonly code: 'rest_forbidden' };
const unknown: Denied = { status: 401, code: 'rest_forbidden' };
const forbidden: Denied = { status: 403, code: 'rest_forbidden' };

/** What the access of a row owes this caller; undefined: the request goes on. */
export function denial(
  { access, method, path }: Pick<Route, 'access' | 'method' | 'path'>,
  who: Who,
): Denied | undefined {
  if (access === 'open') return undefined;
  const takesTokens = path.startsWith('/pro/') || access.extended !== undefined;
  if (who.role === 'none' || (who.token && !takesTokens)) return unknown;
  const changes = method !== 'GET';
  const nonceNeeded = access.nonce === 'always' || (who.nonce !== undefined && changes);
  if (nonceNeeded && who.nonce !== 'good') return unknown;
  if (who.readOnly && changes) return forbidden;
  if (access.needs === 'manage_shop' && who.role === 'viewer') return forbidden;
  if (access.needs === 'administrator' && who.role !== 'administrator') return forbidden;
  return undefined;
}

const issuer = 'https://login.example.com';
const audience = 'order-automation';
const { publicKey, privateKey } = generateKeyPairSync('ed25519');
/** Configuration by which the gateway believes the tokens of another issuer. */
export const foreignIssuer = {
  JWT_ISSUER: issuer,
  JWT_JWKS: JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'k1' }] }),
};

function foreignToken(claims: object, key = privateKey): string {
  const parts = [{ alg: 'EdDSA', kid: 'k1' }, claims].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  const input = parts.join('.');
  return `${input}.${sign(null, Buffer.from(input), key).toString('base64url')}`;
}

const bearer = (token: unknown): Record<string, string> => ({ authorization: `Bearer ${token}` });

/**
 * Makes the users, and gives what each of them sends to one route. Sessions come before the application passwords of the same users, which may
 * end them.
 */
export async function invite({ store, clock }: LaneDeps, { base }: Running): Promise<() => Promise<Who[]>> {
  const viewer = await addUser(store, 'viewer', 'shop_viewer');
  const manager = await addUser(store, 'manager', 'shop_manager');
  const readOnly = await addUser(store, 'reader', 'administrator', 'read');
  const disabled = await addUser(store, 'former', 'administrator');
  const formerly = await logIn(base, 'former');
  await disable(base, 'former');
  const others = await logIn(base, 'manager');
  return async () => [
    ...strangers(),
    { name: 'a disabled user', headers: disabled, role: 'none' },
    { name: 'the session of a disabled user', headers: sent(formerly), role: 'none' },
    ...(await sessions(base, others.nonce)),
    { name: 'viewer', headers: viewer, role: 'viewer' },
    { name: 'manager', headers: manager, role: 'manager' },
    { name: 'administrator', headers: asAdmin, role: 'administrator' },
    { name: 'an administrator who may only read', headers: readOnly, role: 'administrator', readOnly: true },
    { name: 'administrator with a nonce', headers: await asAdminWithNonce(base), role: 'administrator', nonce: 'good' },
    ...(await tokens(base, clock.now())),
  ];
}

async function disable(base: string, username: string): Promise<void> {
  const headers = await asAdminWithNonce(base);
  const { body } = await send(base, 'GET', '/v1/auth/users?per_page=200', { headers });
  const user = (body.users as { id: string; username: string }[]).find((one) => one.username === username);
  await send(base, 'PUT', `/v1/auth/users/${user?.id}`, { headers, json: { disabled: true } });
}

function strangers(): Who[] {
  return [
    { name: 'nobody', headers: {}, role: 'none' },
    { name: 'a wrong application password', headers: basic('admin', 'x'.repeat(24)), role: 'none' },
    { name: 'the login password as application password', headers: basic('admin', adminPassword), role: 'none' },
    { name: 'an unknown user', headers: basic('nobody', 'x'.repeat(24)), role: 'none' },
    { name: 'a made-up token', headers: bearer('abc'), role: 'none' },
  ];
}

const sent = ({ cookie, nonce }: Login) => ({ cookie, 'x-host-nonce': nonce });

async function sessions(base: string, noncesOfAnother: string): Promise<Who[]> {
  const { cookie, nonce } = await logIn(base);
  const viewing = await logIn(base, 'viewer');
  const managing = await logIn(base, 'manager');
  const own = { headers: { cookie }, role: 'administrator', nonce: 'bad' } as const;
  return [
    { name: 'a made-up session', headers: { cookie: cookie.replace(/=.*/, `=${'A'.repeat(43)}`) }, role: 'none' },
    { name: 'a session beside a wrong password', headers: { cookie, ...basic('admin', 'x') }, role: 'none' },
    { ...own, name: 'session without nonce' },
    { ...own, name: 'session, nonce of another', headers: { cookie, 'x-host-nonce': noncesOfAnother } },
    { ...own, name: 'session, no nonce at all', headers: { cookie, 'x-host-nonce': 'abc' } },
    { name: "viewer's session", headers: sent(viewing), role: 'viewer', nonce: 'good' },
    { name: "viewer's session without nonce", headers: { cookie: viewing.cookie }, role: 'viewer', nonce: 'bad' },
    { name: "manager's session", headers: sent(managing), role: 'manager', nonce: 'good' },
    { ...own, name: 'session with nonce', headers: sent({ cookie, nonce }), nonce: 'good' },
  ];
}

async function tokens(base: string, now: number): Promise<Who[]> {
  const admin = await asAdminWithNonce(base);
  const issued = async (scope: string) => {
    const { body } = await send(base, 'POST', '/v1/auth/token', { headers: admin, json: { scope } });
    return bearer(body.access_token);
  };
  const iat = Math.floor(now / 1000);
  const claims = { iss: issuer, aud: audience, sub: 'manager', iat, exp: iat + 300 };
  const stranger = generateKeyPairSync('ed25519').privateKey;
  const of = (name: string, headers: Record<string, string>): Who => ({ name, headers, role: 'none' });
  return [
    { name: 'a token of ours', headers: await issued('full'), role: 'administrator', token: true },
    {
      name: 'a token that may only read',
      headers: await issued('read'),
      role: 'administrator',
      token: true,
      readOnly: true,
    },
    { name: 'a token of the other issuer', headers: bearer(foreignToken(claims)), role: 'manager', token: true },
    of('an expired token', bearer(foreignToken({ ...claims, iat: iat - 600, exp: iat - 300 }))),
    of('a token for another audience', bearer(foreignToken({ ...claims, aud: 'somebody-else' }))),
    of('a token of an issuer nobody knows', bearer(foreignToken({ ...claims, iss: 'https://evil.example' }))),
    of('a token signed by somebody else', bearer(foreignToken(claims, stranger))),
    of('a token of a user nobody has', bearer(foreignToken({ ...claims, sub: 'unknown-user' }))),
  ];
}
