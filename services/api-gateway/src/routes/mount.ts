import { type ServiceError, unavailable } from '@order-automation/contracts';
import { type BodyReader, jsonBody, sendJson } from '@order-automation/service/http';
import { type Request, type RequestHandler, Router } from 'express';
import type { Accounts } from '../auth/accounts';
import { authorise, type Denial } from '../auth/authorise';
import { clientOf } from '../auth/client';
import type { Identity } from '../auth/identity';
import type { SecurityLog } from '../security-log';
import type { Telemetry } from '../telemetry';
import type { Answer, Call, Route } from './route';

export type Gate = {
  readonly accounts: Accounts;
  readonly security: SecurityLog;
  readonly telemetry: Telemetry;
  readonly extended: boolean;
  readonly bodies: BodyReader;
  readonly trustedProxies: number;
};

/** Milliseconds: no caller waits longer than 3 s for the news that a part is away. */
const authenticationPatience = 2_000;
const handlingPatience = 2_800;

const identities = new WeakMap<Request, Identity>();

/** Makes express routes of ours: who may, then the body, then the answer. */
export function routerOf(routes: readonly Route[], gate: Gate): Router {
  const router = Router({ caseSensitive: true });
  for (const route of routes) {
    const method = route.method.toLowerCase() as 'get' | 'post' | 'put' | 'delete';
    const handlers: RequestHandler[] = [guard(route, gate)];
    if (route.method !== 'GET') handlers.push(jsonBody(gate.bodies, route.maxBody));
    router[method](route.path, ...handlers, answering(route, gate));
  }
  return router;
}

function guard(route: Route, gate: Gate): RequestHandler {
  return async (req, res, next) => {
    res.locals.started = performance.now();
    if (!route.open) {
      const { access } = route;
      const client = clientOf(req, gate.trustedProxies);
      const authentication = await within(authenticationPatience, gate.accounts.authenticate(req, client), 'store');
      const nonceHolds = (identity: Identity) => gate.accounts.nonceHolds(identity, req.get('x-host-nonce'));
      const { extended } = gate;
      const permission = authorise({ access, method: req.method, authentication, extended, nonceHolds });
      if ('denial' in permission) throw denied(gate, route, permission.denial, client.address);
      identities.set(req, permission.identity);
    }
    next();
  };
}

function denied(gate: Gate, route: Route, { error, reason, identity }: Denial, address: string): ServiceError {
  gate.telemetry.denied(reason);
  if (reason !== 'no_credentials' && reason !== 'no_licence') {
    gate.security.refused({ reason, what: `${route.method} ${route.path}`, user: identity?.name ?? null, address });
  }
  return error;
}

function answering(route: Route, gate: Gate): RequestHandler {
  return async (req, res) => {
    const call = callOf(req, Number(res.locals.started), gate);
    const { status = 200, body, headers = {} } = await within(handlingPatience, handled(route, call, req), 'backend');
    res.setHeader('Cache-Control', 'no-store');
    for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
    sendJson(res, status, body);
  };
}

function handled(route: Route, call: Call, req: Request): Promise<Answer> {
  if (route.open) return route.handle(call);
  const identity = identities.get(req);
  if (!identity) throw new Error('a guarded route was reached by nobody');
  return route.handle({ ...call, identity });
}

function callOf(req: Request, started: number, gate: Gate): Call {
  return {
    params: req.params,
    query: req.query,
    body: req.body,
    header: (name) => req.get(name),
    client: clientOf(req, gate.trustedProxies),
    elapsed: () => performance.now() - started,
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
