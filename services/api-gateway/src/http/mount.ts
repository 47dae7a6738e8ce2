import { setTimeout as sleep } from 'node:timers/promises';
import { within } from '@order-automation/bus';
import { type ServiceError, unanswered, unavailable } from '@order-automation/contracts';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { type Access, authorise, type Denial, type Permission } from '../auth/authorise';
import { clientOf } from '../auth/client-address';
import type { Identity } from '../auth/identity';
import type { ApiGatewayConfig } from '../config';
import type { BodyReader } from '../http-server/body-reader';
import { allowLongAnswer } from '../http-server/json-body';
import { executionTime, rowHeaders, sendAnswer } from './answer';
import type { Ask, Call } from './call';
import type { Edge } from './edge';
import { bodyBytes, bodyMiddleware } from './request-body';
import { type Answer, defaultTimeout, type Route, takesTokens } from './route';
import { type StreamPermits, streamPermits, watchPermission } from './stream-permits';
import { type Received, validated } from './validate';

/** What guards every route. */
export type Gate = Settings & { readonly edge: Edge; readonly bodies: BodyReader };
type Settings = Pick<ApiGatewayConfig, 'trustedProxies' | 'corsOrigins'>;

/** Milliseconds. */
const authenticationTimeout = 2_000;
/** What is left of the timeout for the edge's own work when a service does not answer. */
const margin = 300;

type Begun = { readonly started: number; readonly identity: Identity | undefined };
const begun = new WeakMap<Request, Begun>();
type Guarded = Pick<Route, 'method' | 'path' | 'access'>;

/** Mounts the table: who may, then the body, then the answer. The public port has besides the files of `/docs`, and `/mcp`, which calls the table. */
export function routerOf(table: readonly Route[], gate: Gate): Router {
  const router = Router({ caseSensitive: true });
  const permits = streamPermits();
  for (const row of table) {
    const method = row.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    const body = bodyMiddleware(row, gate.bodies);
    router[method](addressOf(row, table), guard(row, gate), ...(body ? [body] : []), answering(row, gate, permits));
  }
  return router;
}

/**
 * The addresses of a row. What stands in the place of the last parameter is no name of another route: `GET /v1/rules/reorder` is not a rule called
 * reorder, but a method that this address does not have.
 */
function addressOf({ path, except = new Set() }: Pick<Route, 'path' | 'except'>, table: readonly Route[]): RegExp {
  const names = [...except, ...siblingsOf(path, table)].map(escaped);
  const others = names.length === 0 ? '' : `(?!(?:${names.join('|')})/?$)`;
  const segments = path.split('/').slice(1);
  const patterns = segments.map((segment, index) => {
    const name = /^\{(\w+)\}$/.exec(segment)?.[1];
    if (name === undefined) return escaped(segment);
    return `${index === segments.length - 1 ? others : ''}(?<${name}>[^/]+)`;
  });
  return new RegExp(`^/${patterns.join('/')}/?$`);
}

/** `reorder` of `/v1/rules/reorder`, for `/v1/rules/{id}`. */
function siblingsOf(path: string, table: readonly Route[]): string[] {
  const folder = /^(.*\/)\{\w+\}$/.exec(path)?.[1];
  if (folder === undefined) return [];
  const below = table.filter((row) => row.path.startsWith(folder)).map((row) => row.path.slice(folder.length));
  return [...new Set(below.filter((name) => name !== '' && !/[/{]/.test(name)))];
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

function guard(row: Route, gate: Gate): RequestHandler {
  const headers = new Map(Object.entries(rowHeaders(row, gate.edge.basePath)));
  return async (req, res, next) => {
    const started = performance.now();
    res.setHeaders(headers);
    res.locals.route = row.path;
    begun.set(req, { started, identity: await permitted(row, gate, req) });
    next();
  };
}

/** The caller of a route that is not open; throws when the caller may not. */
export async function permitted(row: Guarded, gate: Gate, req: Request): Promise<Identity | undefined> {
  if (row.access === 'open') return undefined;
  const permission = await permissionOf(row, row.access, gate, req);
  if (!('denial' in permission)) return permission.identity;
  throw denied(gate.edge, `${row.method} ${row.path}`, permission.denial, clientOf(req, gate.trustedProxies).address);
}

async function permissionOf(row: Guarded, access: Access, gate: Gate, req: Request): Promise<Permission> {
  const { accounts, licence } = gate.edge;
  const known = accounts.authenticate(req, { client: clientOf(req, gate.trustedProxies), tokens: takesTokens(row) });
  const authentication = await within(authenticationTimeout, known, () => unavailable('store'));
  const nonceHolds = (identity: Identity) => accounts.nonceHolds(identity, req.get('x-host-nonce'));
  return authorise({ access, method: row.method, authentication, licence, nonceHolds });
}

/** A stream ends when its caller may no longer read it: the user, the session or the password is gone, or was changed. */
function guardStream(row: Route, gate: Gate, permits: StreamPermits, req: Request, res: Response): void {
  const { access } = row;
  const identity = begun.get(req)?.identity;
  if (row.kind !== 'stream' || access === 'open' || !identity) return;
  const release = permits.open(identity.userId);
  const stillPermitted = async (): Promise<void> => {
    const permission = await permissionOf(row, access, gate, req);
    if ('denial' in permission) throw permission.denial.error;
  };
  const stop = watchPermission(stillPermitted, () => res.destroy());
  res.once('close', () => {
    stop();
    release();
  });
}

function denied(edge: Edge, what: string, { error, reason, identity }: Denial, address: string): ServiceError {
  edge.telemetry.denied(reason);
  if (!['no_credentials', 'session_ended', 'no_licence'].includes(reason)) {
    edge.security.refused({ reason, what, user: identity?.name ?? null, address });
  }
  return error;
}

function answering(row: Route, gate: Gate, permits: StreamPermits): RequestHandler {
  return async (req, res) => {
    const received = validated(row, req);
    guardStream(row, gate, permits, req, res);
    const ended = new AbortController();
    res.once('close', () => ended.abort());
    const by = begun.get(req) as Begun;
    const answer = await handled(row, gate, req, { ...by, ...received, signal: ended.signal });
    await sendAnswer(row, req, res, answer);
  };
}

/** What the handler answers within the timeout of its route. `started` is by the clock of `performance.now`. */
export function handled(
  row: Route,
  gate: Gate,
  req: Request,
  { params, query, body, ...by }: Begun & Received & Pick<Call, 'signal'>,
): Promise<Answer> {
  const timeout = row.timeout ?? defaultTimeout;
  allowLongAnswer(req, timeout + margin);
  const call = { ...callOf(row, gate, req, by), params, query, body };
  return within(timeout, row.handle(call, gate.edge), () => unanswered('backend'));
}

function callOf(
  row: Route,
  { edge, bodies, trustedProxies }: Gate,
  req: Request,
  { started, identity, signal }: Begun & Pick<Call, 'signal'>,
): Omit<Call, 'params' | 'query' | 'body'> {
  const timeout = row.timeout ?? defaultTimeout;
  const elapsed = () => performance.now() - started;
  const ask: Ask = (type, input) => edge.ask(type, input, Math.max(1, timeout - margin - elapsed()));
  return {
    identity,
    bytes: () => bodyBytes(req, row.rawBody?.maxBytes ?? 0),
    hold: (bytes) => roomFor(bodies, bytes),
    header: (name) => req.get(name),
    client: clientOf(req, trustedProxies),
    elapsed: () => executionTime(elapsed()),
    ask,
    answer: async (type, input) => ({ body: await ask(type, input) }),
    signal,
  };
}

const roomEvery = 50;

async function roomFor(bodies: BodyReader, bytes: number): Promise<() => void> {
  for (;;) {
    const release = bodies.charge(bytes);
    if (release) return release;
    await sleep(roomEvery);
  }
}
