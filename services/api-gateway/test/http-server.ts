import { BusError } from '@order-automation/bus';
import { ServiceError } from '@order-automation/contracts';
import { createLogger, createMetrics, systemClock } from '@order-automation/service';
import { type Express, Router } from 'express';
import type { DestinationStream } from 'pino';
import { requestIdOf, sendJson } from '../src/http-server/answers';
import { bodyReader } from '../src/http-server/body-reader';
import { allowLongAnswer, allowLongUpload, parsedBody, readBody } from '../src/http-server/json-body';
import { type HttpServer, startHttp } from '../src/http-server/server';

/** What was logged. */
export const lines: string[] = [];
const destination: DestinationStream = { write: (line) => void lines.push(line) };
/** Whether requests and responses came with the prototypes of the application. */
export const prototypes = new Set<boolean>();
/** What the slow route does, and whether the server has said that it closes. */
export const state = { hold: (): void => undefined, held: Promise.resolve() as Promise<void>, closed: false };

/** Shared by every server here. */
export const bodies = bodyReader({ maxBytesInFlight: 16 * 1024 * 1024 });

function itemsRouter(): Router {
  const router = Router();
  router.get('/items/:id', (req, res) => {
    const app = req.app as Express;
    res.locals.route = '/v1/items/{id}';
    prototypes.add(Object.getPrototypeOf(req) === app.request && Object.getPrototypeOf(res) === app.response);
    res.json({ id: req.params.id, query: req.query, id_header: requestIdOf(res), path: req.path, ip: req.ip });
  });
  router.put('/items/:id', parsedBody(bodies, 1000), (req, res) => res.json({ body: req.body ?? null }));
  router.post('/uploads', async (req, res) => {
    allowLongUpload(req);
    let bytes = 0;
    for await (const chunk of req) bytes += (chunk as Buffer).length;
    res.json({ bytes });
  });
  router.delete('/items/:id', (_req, res) => res.status(204).end());
  router.get('/fail/:how', (req, res) => {
    res.locals.route = '/v1/fail/{how}';
    if (req.params.how === 'bus') throw new BusError('timeout', 'canary at nats://inner');
    if (req.params.how === 'known') throw new ServiceError(409, 'svc_conflict', 'Not now.');
    throw new Error('canary in /home/somebody/file.ts');
  });
  router.get('/late', async (_req, res) => {
    res.write('begun');
    await Promise.resolve();
    throw new Error('canary');
  });
  router.get('/slow', async (req, res) => {
    allowLongAnswer(req, 5_000);
    state.hold();
    await state.held;
    sendJson(res, 200, { slow: true });
  });
  return router;
}

/** A server with routes of every kind, on a free port. */
export function startServer(extra: Partial<Parameters<typeof startHttp>[0]> = {}): Promise<HttpServer> {
  return startHttp({
    host: '127.0.0.1',
    port: 0,
    log: createLogger({ name: 'test', level: 'info', destination }),
    metrics: createMetrics('other'),
    clock: systemClock,
    mount: (app, closing) => {
      app.use('/v1', itemsRouter());
      closing.addEventListener('abort', () => {
        state.closed = true;
      });
    },
    fast: (req, res, requestId) => {
      if (req.url === '/fast') {
        res.setHeader('X-Request-Id', requestId);
        sendJson(res, 200, { fast: true });
        return true;
      }
      if (req.url === '/fast-fails') throw new Error('canary');
      if (req.url === '/fast-body') {
        readBody(bodies, req, 10_000_000).then(
          ({ body, release }) => {
            release();
            sendJson(res, 200, { bytes: body.length });
          },
          () => sendJson(res, 400, {}),
        );
        return true;
      }
      return false;
    },
    ...extra,
  });
}

export const urlOf = (path: string, { port }: HttpServer): string => `http://127.0.0.1:${port}${path}`;
