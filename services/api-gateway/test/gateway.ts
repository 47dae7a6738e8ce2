import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { keyRing, parseConfig, type ServiceDeps } from '@order-automation/service';
import type { Store } from '@order-automation/store';
import { type ApiGateway, apiGatewayConfiguration, openApplicationPasswords, openUsers, startApiGateway } from '../src';
import type { Role, Scope } from '../src/auth/identity';
import { keyedHash } from '../src/auth/keys';
import { expectDocumented, rowOf } from './answers';
import { type Peers, startPeers } from './peers';

export const secretKey = Buffer.alloc(32, 7);
export const adminPassword = 'correct horse battery staple';
export const provisioned = 'aB3d EfG7 hIjK 9mNo pQr5 tUvW';

const environment = {
  PORT: '0',
  SECRET_KEY: secretKey.toString('base64'),
  ADMIN_PASSWORD: adminPassword,
  ADMIN_APPLICATION_PASSWORD: provisioned,
  LICENCE_KEY: 'demo',
};

export function configOf(env: Record<string, string | undefined> = {}) {
  return parseConfig(apiGatewayConfiguration, { ...environment, ...env });
}

export type Running = { readonly gateway: ApiGateway; readonly peers: Peers; readonly base: string };

/** The gateway on a free port, with peers that answer for the other services. */
export async function startGateway(
  deps: ServiceDeps,
  env: Record<string, string | undefined> = {},
  present?: Peers,
): Promise<Running> {
  const peers = present ?? (await startPeers(deps.bus));
  const gateway = await startApiGateway(deps, configOf(env));
  return { gateway, peers, base: `http://127.0.0.1:${gateway.port}` };
}

export function basic(user: string, password: string): Record<string, string> {
  return { authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

export const asAdmin = basic('admin', provisioned);

/** A user with a password and an application password, straight into the store. */
export async function addUser(
  store: Store,
  name: string,
  role: Role,
  scope: Scope = 'full',
): Promise<Record<string, string>> {
  const users = await openUsers(store);
  const passwords = await openApplicationPasswords(store);
  const created_at = new Date().toISOString();
  const user = await users.add({
    name,
    email: null,
    role,
    disabled: false,
    password_hash: await hash(adminPassword),
    password_changed_at: 0,
    created_at,
  });
  if (!user) throw new Error(`there is a user ${name} already`);
  const password = randomUUID().replaceAll('-', '').slice(0, 24);
  await passwords.add({
    _id: randomUUID(),
    user_id: user._id,
    name: 'test',
    hash: keyedHash(keyRing([secretKey]), 'application-password').hash(password),
    last4: password.slice(-4),
    scope,
    created_at,
    last_used_at: null,
    provisioned: false,
  });
  return basic(name, password);
}

export type Reply = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> };

export type Ask = {
  readonly headers?: Record<string, string>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is. */
  readonly raw?: string | Uint8Array;
};

/**
 * One HTTP request on a connection of its own (the server, told a time that stands still, would wait for others to become quiet).
 * Every answer must be JSON, carry a request id, and be one that its row documents; pages and streams are cut off when they have begun.
 */
export async function send(base: string, method: string, path: string, ask: Ask = {}): Promise<Reply> {
  const { headers = {}, json, raw } = ask;
  const type = json === undefined ? {} : { 'content-type': 'application/json' };
  const body = json === undefined ? raw : JSON.stringify(json);
  const response = await fetch(`${base}${path}`, {
    method,
    headers: { ...type, ...headers, connection: 'close' },
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  expect(response.headers.get('x-request-id')).toMatch(/./);
  if (/^(application\/x-ndjson|text\/)/.test(response.headers.get('content-type') ?? '')) {
    expect(rowOf(method, path)?.kind).toMatch(/stream|html/);
    await response.body?.cancel();
    return { status: response.status, headers: response.headers, body: {} };
  }
  const text = await response.text();
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const answer = JSON.parse(text === '' ? '{}' : text);
  if (response.ok)
    expect(response.headers.has('etag')).toBe(rowOf(method, path.replace(/^\/automation/, ''))?.etag !== undefined);
  const [asked = ''] = path.split('?');
  expectDocumented(method, asked.replace(/^\/automation/, ''), response.status, answer);
  return { status: response.status, headers: response.headers, body: answer };
}

const maxTries = 10;

/** `send`, again while the database is too busy to answer in time: the stand-in for MongoDB serves every suite that runs beside this one. */
export async function sendWhenAvailable(base: string, method: string, path: string, ask: Ask = {}): Promise<Reply> {
  for (let tries = 1; ; tries += 1) {
    const reply = await send(base, method, path, ask);
    const { part } = (reply.body.data ?? {}) as { part?: unknown };
    if (reply.status !== 503 || part !== 'store' || tries === maxTries) return reply;
  }
}

export type Login = { readonly cookie: string; readonly nonce: string };

export async function logIn(base: string, user = 'admin', password = adminPassword): Promise<Login> {
  const reply = await sendWhenAvailable(base, 'POST', '/v1/auth/login', { json: { username: user, password } });
  if (reply.status !== 200) throw new Error(`login failed: ${JSON.stringify(reply.body)}`);
  return { cookie: String(reply.headers.get('set-cookie')).split(';')[0] ?? '', nonce: String(reply.body.nonce) };
}

/** Headers of the administrator's application password with a nonce of its own. */
export async function asAdminWithNonce(base: string): Promise<Record<string, string>> {
  const { body } = await send(base, 'GET', '/v1/auth/nonce', { headers: asAdmin });
  return { ...asAdmin, 'x-host-nonce': String(body.nonce) };
}
