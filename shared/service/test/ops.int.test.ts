import { Counter } from 'prom-client';
import { createLogger, createMetrics, createReadiness, metricsOf, type OpsServer, startOps } from '../src';

const readiness = createReadiness();
const registries = ['audit', 'shop'].map((name) => createMetrics(name));
let ops: OpsServer;

beforeAll(async () => {
  for (const registry of registries) new Counter({ name: 'done_total', help: 'Done', registers: [registry] }).inc();
  const log = createLogger({ name: 'test', level: 'silent' });
  ops = await startOps({ host: '127.0.0.1', port: 0, metrics: () => registries.map(metricsOf), readiness, log });
});
afterAll(() => ops.close());

const ask = async (path: string, init?: RequestInit) => {
  const response = await fetch(`http://127.0.0.1:${ops.port}${path}`, init);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};

test('alive, and not ready with each part that is missing', async () => {
  readiness.set('bus', 'no server answers');
  expect(await ask('/healthz')).toMatchObject({ status: 200 });
  const { status, text } = await ask('/readyz');
  expect(status).toBe(503);
  expect(JSON.parse(text)).toEqual({ status: 'not ready', missing: [{ part: 'bus', reason: 'no server answers' }] });
  readiness.set('bus', undefined);
  expect(JSON.parse((await ask('/readyz')).text)).toEqual({ status: 'ready', missing: [] });
});

test('what cannot recover by itself fails the health check, so that a new process is started', async () => {
  const broken = { part: 'bus', reason: 'NATS gave up the connection', permanent: true };
  readiness.probe('bus', () => [broken]);
  const { status, text } = await ask('/healthz');
  expect(status).toBe(503);
  expect(JSON.parse(text)).toEqual({ status: 'broken', broken: [broken] });
  expect((await ask('/readyz')).status).toBe(503);
  readiness.set('bus', undefined);
  expect((await ask('/healthz')).status).toBe(200);
});

test('the metrics of every service, in one text', async () => {
  const { status, type, text } = await ask('/metrics');
  expect(status).toBe(200);
  expect(type).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(text).toContain('done_total{service="audit"} 1\ndone_total{service="shop"} 1\n');
});

test('nothing else is there', async () => {
  const { status, text } = await ask('/');
  expect(status).toBe(404);
  expect(JSON.parse(text)).toMatchObject({ code: 'rest_no_route', data: { status: 404 } });
  expect((await ask('/metrics/../../etc/passwd')).status).toBe(404);
  expect((await ask('/healthz', { method: 'POST' })).status).toBe(405);
});

test('a metric that cannot be read is an error of its own, and health stays', async () => {
  const broken = createMetrics('broken');
  new Counter({
    name: 'broken_total',
    help: 'Broken',
    registers: [broken],
    collect() {
      throw new Error('canary');
    },
  });
  registries.push(broken);
  const { status, text } = await ask('/metrics');
  registries.pop();
  expect(status).toBe(500);
  expect(text).not.toContain('canary');
  expect((await ask('/healthz')).status).toBe(200);
});
