import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ServiceError } from '@order-automation/contracts';
import type { Logger } from 'pino';
import { listen } from './listen';
import { type MetricsSource, metricsText } from './metrics';
import type { Readiness } from './readiness';

type OpsOptions = {
  readonly host: string;
  /** 0 = any free port. */
  readonly port: number;
  /** Asked at each scrape, so that a service that starts later is in it. */
  readonly metrics: () => readonly MetricsSource[];
  readonly readiness: Readiness;
  readonly log: Logger;
};

export type OpsServer = { readonly port: number; close(): Promise<void> };

/** `/metrics`, `/healthz` (503 when a part cannot recover without a restart) and `/readyz` (503 and what is missing now), on a port of their own. */
export async function startOps(options: OpsOptions): Promise<OpsServer> {
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 5_000, connectionsCheckingInterval: 1_000 });
  server.on('request', (req: IncomingMessage, res: ServerResponse) => {
    answer(options, req, res).catch((error: unknown) => {
      options.log.error({ err: error, path: req.url }, 'an ops request failed');
      sendError(res, 500, 'svc_internal_error', 'Something went wrong on our side; the log has the details.');
    });
  });
  await listen(server, options.host, options.port, { host: 'OPS_HOST', port: 'OPS_PORT' });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer({ metrics, readiness }: OpsOptions, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const path = req.url?.split('?')[0];
  res.setHeader('Cache-Control', 'no-store');
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    res.setHeader('Allow', 'GET, HEAD');
    return sendError(res, 405, 'rest_method_not_allowed', 'Only GET and HEAD are answered here.');
  }
  if (path === '/healthz') {
    const broken = (await readiness.missing()).filter(({ permanent }) => permanent);
    if (broken.length === 0) return sendJson(res, 200, { status: 'alive' });
    return sendJson(res, 503, { status: 'broken', broken });
  }
  if (path === '/readyz') {
    const missing = await readiness.missing();
    return sendJson(res, missing.length === 0 ? 200 : 503, {
      status: missing.length === 0 ? 'ready' : 'not ready',
      missing,
    });
  }
  if (path !== '/metrics')
    return sendError(res, 404, 'rest_no_route', 'Nothing is here: there are /metrics, /healthz and /readyz.');
  const text = await metricsText(metrics());
  res.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
  res.end(text);
}

/** Section 7 of the specification. */
function sendError(res: ServerResponse, status: number, code: string, message: string): void {
  sendJson(res, status, new ServiceError(status, code, message).body());
}

function sendJson(res: ServerResponse, status: number, body: unknown): void {
  if (res.headersSent) return;
  res.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
