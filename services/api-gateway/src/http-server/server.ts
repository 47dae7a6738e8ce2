import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceError } from '@order-automation/contracts';
import { type Clock, listen } from '@order-automation/service';
import express, { type Express } from 'express';
import helmet from 'helmet';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import { answerBrokenRequest, chooseRequestId, requestIdOf, sendError } from './answers';
import { trackConnections } from './connections';
import { crossOrigin, securityHeaders } from './headers';
import { limitArrival } from './json-body';
import { errorHandler, measureRequests, noRoute } from './routes';

/** Milliseconds and counts; what a client may ask of the server (reliability.md). */
const httpLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Of requests whose handler reads the body as it arrives (`allowLongUpload`). */
  uploadTimeout: 6 * 60 * 60_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
  /** A connection on which nothing moves either way; event streams send something more often. */
  idleTimeout: 120_000,
  maxHeaderBytes: 16 * 1024,
  maxHeaders: 100,
  maxConnections: 2_000,
  closeGrace: 8_000,
} as const;

export type HttpOptions = {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  readonly log: Logger;
  readonly metrics: Registry;
  readonly clock: Clock;
  /** Mounts routers (`express.Router()`, never sub-apps: those cost the prototype preset). `closing` aborts when the server begins to close. */
  readonly mount: (app: Express, closing: AbortSignal) => void;
  /** Looks at a request before express; true = it answers this one itself, with its `X-Request-Id`, also its own later errors (`sendError`). */
  readonly fast?: (req: IncomingMessage, res: ServerResponse, requestId: string) => boolean;
  /** What a browser that asks for HTML gets at an address that is not there. */
  readonly notFoundPage?: () => string | undefined;
  /** What stands before the routes that errors name. */
  readonly basePath?: string;
  /** Origins of other sites whose pages may read answers. Default: none. */
  readonly corsOrigins?: readonly string[];
  readonly limits?: Partial<Record<keyof typeof httpLimits, number>>;
};

export type HttpServer = Awaited<ReturnType<typeof startHttp>>;

/** The public HTTP server: request ids, limits, security headers, the documented shape for every error, 404 and 405. Rejects when the address is taken. */
export async function startHttp(options: HttpOptions) {
  const { log, clock, fast } = options;
  const limits = { ...httpLimits, ...options.limits };
  const closing = new AbortController();
  const app = createApp(options, closing.signal);
  const server = createPresetServer(app, limits);
  const connections = trackConnections(server, clock);

  const receive = (req: IncomingMessage, res: ServerResponse): void => {
    if (req.url !== undefined) req.url = originForm(req.url);
    const requestId = chooseRequestId(req.headers['x-request-id'], clock.now());
    connections.track(res);
    if (log.isLevelEnabled('debug')) logAccess(log, clock, res, requestId);
    try {
      if (req.headers.host === undefined && req.httpVersion === '1.1') throw noHost;
      if (fast?.(req, res, requestId)) return;
      limitArrival(req, res, limits.requestTimeout);
      res.setHeader('X-Request-Id', requestId);
      app(req, res);
    } catch (error) {
      if (!res.headersSent) res.setHeader('X-Request-Id', requestId);
      if (sendError(res, error)) log.error({ err: error, request_id: requestIdOf(res) }, 'a request failed');
    }
  };
  server.on('request', receive);
  // An expectation that nobody knows may be ignored (RFC 9110, 10.1.1): no webhook is lost for it.
  server.on('checkExpectation', receive);
  server.on('clientError', (error, socket) => answerBrokenRequest(error, socket, clock.now()));
  await listen(server, options.host, options.port);
  return {
    port: (server.address() as AddressInfo).port,
    /** Goes on answering, and ends each connection with its next answer, so that clients open another one elsewhere. */
    drain: connections.drain,
    /** Stops accepting and finishes what is in flight, for at most `closeGrace` milliseconds. Idempotent. */
    close: () => {
      closing.abort();
      return connections.close(limits.closeGrace);
    },
  };
}

const noHost = new ServiceError(400, 'rest_bad_request', 'The request has no Host header.');

/** One line a request, at `debug`. Without the query: people search for names and addresses. */
function logAccess(log: Logger, clock: Clock, res: ServerResponse, requestId: string): void {
  const started = clock.now();
  const { method, url } = res.req;
  // Express takes the mounted part away from `url` meanwhile.
  const path = url?.split('?', 1)[0]?.slice(0, 300);
  res.once('close', () => {
    const duration_ms = clock.now() - started;
    log.debug({ request_id: requestId, method, path, status: res.statusCode, duration_ms }, 'request');
  });
}

/** `/v1/rules` of `http://host/v1/rules`, which a client may send instead (RFC 9112, 3.2.2). */
function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(target)?.[1];
  if (rest === undefined) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function createApp(options: HttpOptions, closing: AbortSignal): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.set('query parser', 'simple');
  app.use(measureRequests(options.metrics));
  app.use(helmet(securityHeaders));
  if (options.corsOrigins?.length) app.use(crossOrigin(options.corsOrigins));
  options.mount(app, closing);
  app.use(noRoute(app, options.notFoundPage, options.basePath));
  app.use(errorHandler(options.log, options.basePath));
  return app;
}

/** A server whose requests and responses have express's prototypes, so that express need not change each of them (expressjs/express#5998). */
function createPresetServer(app: Express, limits: Record<keyof typeof httpLimits, number>): Server {
  const Req = presetClass(IncomingMessage, app.request);
  const Res = presetClass(ServerResponse, app.response);
  const server = createServer({
    IncomingMessage: Req,
    ServerResponse: Res,
    requireHostHeader: false,
    headersTimeout: limits.headersTimeout,
    requestTimeout: limits.uploadTimeout,
    connectionsCheckingInterval: limits.connectionsCheckingInterval,
    keepAliveTimeout: limits.keepAliveTimeout,
    maxHeaderSize: limits.maxHeaderBytes,
  });
  server.maxHeadersCount = limits.maxHeaders;
  server.maxConnections = limits.maxConnections;
  server.setTimeout(limits.idleTimeout);
  return server;
}

/**
 * Node's own constructors are functions and are called as such: `Reflect.construct` makes a request five times as dear (20 us of CPU with
 * neither, 26 with this, 130 with that, for node:http answering 200). Inheriting from the constructor tells V8 how many properties
 * to make room for: without, a response has so many outside the object that it becomes a dictionary (another 4 us).
 */
function presetClass<C extends typeof IncomingMessage | typeof ServerResponse>(base: C, prototype: object): C {
  const construct = base as unknown as (this: object, first: unknown, second: unknown) => void;
  function Preset(this: object, first: unknown, second: unknown): void {
    construct.call(this, first, second);
  }
  Preset.prototype = prototype;
  Object.setPrototypeOf(Preset, base);
  return Preset as unknown as C;
}
