import { request } from 'node:http';
import { ServiceError } from '@order-automation/contracts';
import { systemClock } from '@order-automation/service';
import { waitFor } from '@order-automation/testing';
import pino from 'pino';
import { Registry } from 'prom-client';
import { z } from 'zod';
import type { Edge } from '../src/http/edge';
import { routerOf } from '../src/http/mount';
import { reply, route } from '../src/http/route';
import { bodyReader } from '../src/http-server/body-reader';
import { type HttpServer, startHttp } from '../src/http-server/server';

/** Rows of every kind, open to all: what follows from a row besides access. */
const row = { tag: 'Rules', access: 'open' } as const;
let stopped = false;

const rows = [
  route('PATCH /v1/things/{id}', 'A row of the test', {
    ...row,
    params: z.object({ id: z.string().max(5) }),
    body: z.strictObject({ name: z.string() }),
    yaml: true,
    answers: { 200: z.unknown(), 201: z.unknown() },
    handle: async ({ params, body }) =>
      params.id === 'new' ? reply(201, { params, body }) : { body: { params, body } },
  }),
  route('GET /v1/things/{id}', 'A row of the test', {
    ...row,
    answers: { 200: z.unknown() },
    handle: async () => ({ body: { version: 3 }, headers: { ETag: '"3"' } }),
  }),
  route('GET /v1/counted/{id}', 'A row of the test', {
    ...row,
    etag: 'version',
    answers: { 200: z.unknown() },
    handle: async () => ({ body: { version: 3, runs: 1 }, headers: { ETag: '"3"' } }),
  }),
  route('POST /v1/import', 'A row of the test', {
    ...row,
    rawBody: { types: ['application/x-ndjson'], maxBytes: 100 },
    answers: { 200: z.object({ bytes: z.int() }) },
    handle: async ({ bytes }) => {
      let size = 0;
      for await (const chunk of bytes()) size += chunk.length;
      return { body: { bytes: size } };
    },
  }),
  route('GET /v1/export', 'A row of the test', {
    ...row,
    kind: 'stream',
    produces: ['application/x-ndjson'],
    answers: { 200: z.custom<AsyncIterable<string>>() },
    handle: async ({ signal }) => ({ body: endless(signal) }),
  }),
  route('GET /v1/broken-export', 'A row of the test', {
    ...row,
    kind: 'stream',
    answers: { 200: z.custom<AsyncIterable<string>>() },
    handle: async () => ({ body: refusing() }),
  }),
  route('GET /page', 'A row of the test', {
    ...row,
    kind: 'html',
    answers: { 200: z.string() },
    handle: async () => ({ body: '<p>ü</p>' }),
  }),
  route('GET /v1/slow', 'A row of the test', {
    ...row,
    timeout: 50,
    answers: { 200: z.unknown() },
    handle: () => new Promise<never>(() => undefined),
  }),
] as const;

async function* endless(signal: AbortSignal): AsyncGenerator<string> {
  try {
    while (!signal.aborted) yield `${'x'.repeat(10_000)}\n`;
  } finally {
    stopped = true;
  }
}

// biome-ignore lint/correctness/useYield: it is refused before its first piece
async function* refusing(): AsyncGenerator<string> {
  throw new ServiceError(404, 'svc_rule_not_found', 'There is no such rule.');
}

describe('what follows from a row', () => {
  let server: HttpServer;
  let base: string;

  beforeAll(async () => {
    const edge = { basePath: '' } as Edge;
    const bodies = bodyReader({ maxBytesInFlight: 2 ** 20 });
    const router = routerOf(rows, { edge, bodies, trustedProxies: 0, corsOrigins: [] });
    const log = pino({ level: 'silent' });
    const mount = (app: { use(path: string, handler: typeof router): unknown }) => void app.use('/', router);
    server = await startHttp({ host: '127.0.0.1', port: 0, log, metrics: new Registry(), clock: systemClock, mount });
    base = `http://127.0.0.1:${server.port}`;
  });
  afterAll(() => server.close());

  const ask = (method: string, path: string, body?: string, headers: Record<string, string> = {}) =>
    fetch(`${base}${path}`, {
      method,
      headers: { ...headers, connection: 'close' },
      ...(body !== undefined && { body }),
    });
  const json = { 'content-type': 'application/json' };
  const yaml = { 'content-type': 'application/yaml; charset=utf-8' };

  test('JSON and YAML say the same', async () => {
    const parsed = { params: { id: 'a' }, body: { name: 'Ada' } };
    expect(await (await ask('PATCH', '/v1/things/a', '{"name":"Ada"}', json)).json()).toEqual(parsed);
    expect(await (await ask('PATCH', '/v1/things/a', 'name: Ada', yaml)).json()).toEqual(parsed);
    expect((await ask('PATCH', '/v1/things/new', 'name: Ada', yaml)).status).toBe(201);
  });

  test('a type that is neither is refused with both (decisions.md section 3)', async () => {
    const answer = await ask('PATCH', '/v1/things/a', 'name: Ada', { 'content-type': 'text/plain' });
    const message = 'The body must be sent as Content-Type: application/json or application/yaml.';
    expect([answer.status, await answer.json()]).toEqual([415, expect.objectContaining({ message })]);
  });

  test.each([
    ['name: [', 'rest_invalid_yaml'],
    ['name: a\nname: b', 'rest_invalid_yaml'],
    [
      'a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b]\nname: [*c,*c,*c,*c,*c]',
      'rest_invalid_yaml',
    ],
    ['name: !!js/function x', 'rest_invalid_yaml'],
    ['nmae: x', 'rest_invalid_param'],
  ])('the YAML %j is refused: %s', async (body, code) => {
    const answer = await ask('PATCH', '/v1/things/a', body, yaml);
    expect([answer.status, await answer.json()]).toEqual([400, expect.objectContaining({ code })]);
  });

  test('If-None-Match of the version that is there: 304 without a body', async () => {
    const known = await ask('GET', '/v1/things/a', undefined, { 'if-none-match': 'W/"2", "3"' });
    expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', '"3"']);
    expect((await ask('GET', '/v1/things/a', undefined, { 'if-none-match': '"2"' })).status).toBe(200);
    const counted = await ask('GET', '/v1/counted/a', undefined, { 'if-none-match': '"3"' });
    expect([counted.status, await counted.json()]).toEqual([200, { version: 3, runs: 1 }]);
  });

  test('every answer forbids to be stored and links to its documentation, refusals too', async () => {
    for (const answer of [await ask('GET', '/v1/things/a'), await ask('PATCH', '/v1/things/a', '{', json)]) {
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.headers.get('link')).toMatch(/^<\/docs#(get|patch)-v1-things-id>; rel="service-doc"$/);
      expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
    }
  });

  test('a raw body is read by the handler, up to its limit', async () => {
    const lines = { 'content-type': 'application/x-ndjson' };
    expect(await (await ask('POST', '/v1/import', '{}\n{}\n', lines)).json()).toEqual({ bytes: 6 });
    expect((await ask('POST', '/v1/import', '{}', json)).status).toBe(415);
    expect((await ask('POST', '/v1/import', 'x'.repeat(101), lines)).status).toBe(413);
    expect(await chunked(server.port, '/v1/import', 200)).toBe(413);
  });

  test('a stream is read as fast as the client likes, and ends when it leaves', async () => {
    const leaving = new AbortController();
    const answer = await fetch(`${base}/v1/export`, { signal: leaving.signal });
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson');
    const { value } = (await answer.body?.getReader().read()) ?? {};
    expect(value?.length).toBeGreaterThan(0);
    leaving.abort();
    await waitFor(() => stopped, { describe: 'the stream to be ended' });
    expect((await ask('HEAD', '/v1/export')).status).toBe(200);
  });

  test('a stream that is refused before its first piece is answered as a refusal', async () => {
    const answer = await ask('GET', '/v1/broken-export');
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({ code: 'svc_rule_not_found' }),
    ]);
  });

  test('a page may take nothing from elsewhere', async () => {
    const answer = await ask('GET', '/page');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none';\s*script-src 'self'/);
    expect(await answer.text()).toBe('<p>ü</p>');
  });

  test('an answer that comes too late is 503; other methods are 405', async () => {
    expect((await ask('GET', '/v1/slow')).status).toBe(503);
    const other = await ask('DELETE', '/v1/things/a');
    expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH']);
  });
});

/** The status of a request whose body has no announced length. */
function chunked(port: number, path: string, bytes: number): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' };
    const sending = request({ port, path, method: 'POST', headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    sending.on('error', reject);
    sending.end('x'.repeat(bytes));
  });
}
