import { type ServiceError, unavailable } from '@order-automation/contracts';
import type { BodyReader } from '@order-automation/service/http';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { authorise, type Denial } from '../auth/authorise';
import { clientOf } from '../auth/client';
import type { Identity } from '../auth/identity';
import { rowHeaders, sendAnswer } from './answer';
import type { Edge } from './edge';
import { bodyBytes, bodyMiddleware } from './request-body';
import { type Call, defaultPatience, type Headers, type Route, takesTokens } from './route';
import { validated } from './validate';

/** Who stands before the routes. */
export type Gate = { readonly edge: Edge; readonly bodies: BodyReader; readonly trustedProxies: number };

/** Milliseconds. */
const authenticationPatience = 2_000;
/** What is left of the patience for the edge's own work when a service does not answer. */
const margin = 300;

type Begun = { readonly started: number; readonly identity: Identity | undefined };
const begun = new WeakMap<Request, Begun>();

/** Mounts the table: who may, then the body, then the answer. Nothing else is mounted on the public port. */
export function routerOf(table: readonly Route[], gate: Gate): Router {
  const router = Router({ caseSensitive: true });
  for (const row of table) {
    const method = row.method.toLowerCase() as 'get' | 'post' | 'put' | 'patch' | 'delete';
    const body = bodyMiddleware(row, gate.bodies);
    router[method](expressPath(row), guard(row, gate), ...(body ? [body] : []), answering(row, gate));
  }
  return router;
}

/** `/v1/rules/{id}` in express's own notation. */
function expressPath({ path, except }: Pick<Route, 'path' | 'except'>): string | RegExp {
  if (!except) return path.replaceAll(/\{(\w+)\}/g, ':$1');
  const last = `(?!(?:${[...except].join('|')})/?$)`;
  return new RegExp(`^${path.replaceAll(/\{(\w+)\}$/g, `${last}(?<$1>[^/]+)`)}/?$`);
}

function guard(row: Route, gate: Gate): RequestHandler {
  const headers = rowHeaders(row, gate.edge.basePath);
  return async (req, res, next) => {
    const started = performance.now();
    setHeaders(res, headers);
    res.locals.route = row.path;
    begun.set(req, { started, identity: await permitted(row, gate, req) });
    next();
  };
}

function setHeaders(res: Response, headers: Headers): void {
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
}

/** The caller of a route that is not open; throws when the caller may not. */
async function permitted({ access, method, path }: Route, gate: Gate, req: Request): Promise<Identity | undefined> {
  if (access === 'open') return undefined;
  const { accounts, licence } = gate.edge;
  const client = clientOf(req, gate.trustedProxies);
  const known = accounts.authenticate(req, { client, tokens: takesTokens(path) });
  const authentication = await within(authenticationPatience, known, 'store');
  const nonceHolds = (identity: Identity) => accounts.nonceHolds(identity, req.get('x-host-nonce'));
  const extended = licence.edition === 'extended';
  const permission = authorise({ access, method: req.method, authentication, extended, nonceHolds });
  if ('denial' in permission) throw denied(gate.edge, `${method} ${path}`, permission.denial, client.address);
  return permission.identity;
}

function denied(edge: Edge, what: string, { error, reason, identity }: Denial, address: string): ServiceError {
  edge.telemetry.denied(reason);
  if (reason !== 'no_credentials' && reason !== 'no_licence') {
    edge.security.refused({ reason, what, user: identity?.name ?? null, address });
  }
  return error;
}

function answering(row: Route, gate: Gate): RequestHandler {
  const patience = row.patience ?? defaultPatience;
  return async (req, res) => {
    const { params, query, body } = validated(row, req);
    const call = { ...callOf(row, gate, req, res), params, query, body };
    const answer = await within(patience, row.handle(call, gate.edge), 'backend');
    await sendAnswer(row, req, res, answer);
  };
}

function callOf(
  row: Route,
  { edge, trustedProxies }: Gate,
  req: Request,
  res: Response,
): Omit<Call, 'params' | 'query' | 'body'> {
  const { started, identity } = begun.get(req) ?? { started: performance.now(), identity: undefined };
  const patience = row.patience ?? defaultPatience;
  const ended = new AbortController();
  res.once('close', () => ended.abort());
  const elapsed = () => performance.now() - started;
  return {
    identity,
    bytes: () => bodyBytes(req, row.rawBody?.maxBytes ?? 0),
    header: (name) => req.get(name),
    client: clientOf(req, trustedProxies),
    elapsed,
    ask: (type, input) => edge.ask(type, input, Math.max(1, patience - margin - elapsed())),
    signal: ended.signal,
  };
}

/** The outcome of the work, or 503 when it takes longer than `patience` milliseconds; the work itself is not stopped. */
async function within<T>(patience: number, work: Promise<T>, part: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(unavailable(part)), patience);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
