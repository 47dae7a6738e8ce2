import { ServiceError } from '@order-automation/contracts';
import type { ErrorRequestHandler, Express, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { Histogram, type Registry } from 'prom-client';
import { requestIdOf, sendError } from './answers';

type Layer = {
  readonly route?: { readonly methods: Readonly<Record<string, boolean>> };
  readonly handle: { readonly stack?: readonly Layer[] };
  match(path: string): { readonly path: string } | false;
};

/** The methods that some route of this path takes, in capitals; empty when there is no such path. */
export function allowedMethods(stack: readonly Layer[], path: string): string[] {
  const methods = new Set(methodsAt(stack, path));
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods].sort();
}

function methodsAt(stack: readonly Layer[], path: string): string[] {
  return stack.flatMap((layer) => {
    const { stack: inner = [] } = layer.handle;
    const match = (layer.route || inner.length > 0) && layer.match(path);
    if (!match) return [];
    const own = Object.keys(layer.route?.methods ?? {}).filter((method) => method !== '_all');
    return [...own.map((method) => method.toUpperCase()), ...methodsAt(inner, path.slice(match.path.length) || '/')];
  });
}

/** The last handler: 405 `rest_method_not_allowed` with `Allow` where the path exists, else 404: `notFoundPage` for browsers, or `rest_no_route`. */
export function noRoute(app: Express, notFoundPage?: () => string | undefined, basePath = ''): RequestHandler {
  return (req, res) => {
    const allowed = allowedMethods(app.router.stack as unknown as Layer[], req.path);
    if (allowed.length === 0) {
      const page = req.method === 'GET' && req.accepts(['json', 'html']) === 'html' ? notFoundPage?.() : undefined;
      if (page === undefined) throw noRouteAt(req.path, app.router.stack as unknown as Layer[], basePath);
      res.status(404).vary('Accept').set('Cache-Control', 'no-store').type('html').send(page);
      return;
    }
    res.setHeader('Allow', allowed.join(', '));
    throw new ServiceError(405, 'rest_method_not_allowed', `The method ${req.method} is not allowed here.`, {
      allow: allowed,
    });
  };
}

/** Base addresses of the interface, which callers forget. */
const bases = ['/v1', '/pro/v1', ''];

function noRouteAt(path: string, stack: readonly Layer[], basePath: string): ServiceError {
  const meant = bases
    .map((base) => basePath + base + path)
    .find((address) => allowedMethods(stack, address).length > 0);
  const hint = meant === undefined ? '' : ` Did you mean ${meant.slice(0, 200)}?`;
  return new ServiceError(404, 'rest_no_route', `There is nothing at this address.${hint} GET /docs lists the routes.`);
}

/** Answers every error in the documented shape. What nobody foresaw goes to the log, and never to the caller. */
export function errorHandler(log: Logger, basePath?: string): ErrorRequestHandler {
  return (error, req, res, _next) => {
    const unexpected = sendError(res, error, basePath);
    if (unexpected)
      log.error(
        { err: error, request_id: requestIdOf(res), method: req.method, route: req.route?.path },
        'a request failed',
      );
  };
}

/** `order_automation_http_request_seconds` by method, route and status. A route says its name in `res.locals.route`: the path with its parameters' names. */
export function measureRequests(metrics: Registry): RequestHandler {
  const histogram = new Histogram({
    name: 'order_automation_http_request_seconds',
    help: 'Seconds from the first byte of a request to the end of its answer, without the webhook routes',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.01, 0.05, 0.25, 1, 2.5],
    registers: [metrics],
  });
  return (req, res, next) => {
    const started = process.hrtime.bigint();
    res.once('finish', () => {
      const route = typeof res.locals.route === 'string' ? res.locals.route : 'none';
      histogram.observe(
        { method: req.method, route, status: res.statusCode },
        Number(process.hrtime.bigint() - started) / 1e9,
      );
    });
    next();
  };
}
