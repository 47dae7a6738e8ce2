import { errorBodySchema } from '@order-automation/contracts';
import { createLogger, createMetrics, metricsOf, metricsText } from '@order-automation/service';
import { waitFor } from '@order-automation/testing';
import type { HttpServer } from '../src/http-server/server';
import { lines, prototypes, startServer, urlOf } from './http-server';
import { rawRequest } from './raw-http';

const metrics = createMetrics('test');
let server: HttpServer;

beforeAll(async () => {
  server = await startServer({ metrics });
});
afterAll(() => server.close());
beforeEach(() => {
  lines.length = 0;
});

const ask = async (path: string, init: RequestInit = {}) => {
  const response = await fetch(urlOf(path, server), init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) as unknown };
};
async function expectError(answer: Awaited<ReturnType<typeof ask>>, status: number, code: string) {
  const body = errorBodySchema.parse(answer.json());
  expect({ status: answer.status, code: body.code, data: body.data.status }).toEqual({ status, code, data: status });
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.headers.get('x-request-id')).toMatch(/^req_[0-9A-Z]{26}$/);
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.text).not.toMatch(/canary|inner|somebody|node_modules/);
  return body;
}

test('a route answers with the prototypes preset and security headers, and without what gives us away', async () => {
  const answer = await ask('/v1/items/7?a=1&a=2&b[c]=3');
  expect(answer.json()).toMatchObject({ id: '7', query: { a: ['1', '2'], 'b[c]': '3' }, path: '/items/7' });
  expect(prototypes).toEqual(new Set([true]));
  expect(answer.headers.get('x-powered-by')).toBeNull();
  expect(answer.headers.get('etag')).toBeNull();
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
  expect(answer.headers.get('content-security-policy')).not.toContain('unsafe');
  expect(answer.headers.get('x-frame-options')).toBe('DENY');
});

test('a sane request id is kept, another one replaced', async () => {
  const ids = await Promise.all(
    ['abc-1.2:3', 'a b', 'x'.repeat(129), ''].map(async (id) =>
      (await ask('/fast', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id'),
    ),
  );
  expect(ids[0]).toBe('abc-1.2:3');
  for (const id of ids.slice(1)) expect(id).toMatch(/^req_/);
  expect((await ask('/v1/items/1', { headers: { 'X-Request-Id': 'mine' } })).json()).toMatchObject({
    id_header: 'mine',
  });
});

test('the fast path answers before express; what it throws is answered too', async () => {
  const answer = await ask('/fast');
  expect(answer.json()).toEqual({ fast: true });
  expect(answer.headers.get('content-security-policy')).toBeNull();
  await expectError(await ask('/fast-fails'), 500, 'svc_internal_error');
  expect(lines.join('')).toContain('canary');
});

test('no route and no such method', async () => {
  await expectError(await ask('/v1/nothing'), 404, 'rest_no_route');
  await expectError(await ask('/'), 404, 'rest_no_route');
  await expectError(await ask('/v1/items/1/more'), 404, 'rest_no_route');
  const refused = await ask('/v1/items/1', { method: 'POST' });
  await expectError(refused, 405, 'rest_method_not_allowed');
  expect(refused.headers.get('allow')).toBe('DELETE, GET, HEAD, PUT');
});

test('errors: known ones as they are, unknown ones without a word', async () => {
  await expectError(await ask('/v1/fail/known'), 409, 'svc_conflict');
  await expectError(await ask('/v1/fail/bus'), 503, 'svc_unavailable');
  await expectError(await ask('/v1/items/%E0%A4%A'), 400, 'rest_invalid_param');
  expect(lines).toHaveLength(0);
  const failed = await ask('/v1/fail/else');
  await expectError(failed, 500, 'svc_internal_error');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'error',
    request_id: failed.headers.get('x-request-id'),
    route: '/fail/:how',
    err: { message: 'canary in /home/somebody/file.ts' },
  });
});

test('an answer that breaks after it has begun does not look whole', async () => {
  await expect(fetch(urlOf('/v1/late', server)).then((response) => response.text())).rejects.toThrow();
  expect(lines.join('')).toContain('canary');
});

const put = (body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
  ask('/v1/items/1', { method: 'PUT', body, headers: { 'Content-Type': 'application/json', ...headers } });

test('JSON bodies: taken, absent, and refused in the documented shape', async () => {
  expect((await put('{"a":[1]}', { 'Content-Type': 'application/json; charset=UTF-8' })).json()).toEqual({
    body: { a: [1] },
  });
  expect((await put('[]', { 'Content-Type': 'application/merge-patch+json' })).json()).toEqual({ body: [] });
  expect((await ask('/v1/items/1', { method: 'PUT' })).json()).toEqual({ body: null });
  await expectError(await put('{'), 400, 'rest_invalid_json');
  await expectError(await put(Buffer.from([0x22, 0xc3, 0x22])), 400, 'rest_invalid_json');
  await expectError(await put(`${'['.repeat(65)}${']'.repeat(65)}`), 400, 'rest_invalid_json');
  await expectError(await put('{}', { 'Content-Type': 'text/plain' }), 415, 'rest_unsupported_media_type');
  await expectError(
    await put('{}', { 'Content-Type': 'application/json; charset=utf-16' }),
    415,
    'rest_unsupported_media_type',
  );
  await expectError(await put('{}', { 'Content-Encoding': 'gzip' }), 415, 'rest_unsupported_media_type');
  await expectError(await put('x'.repeat(1001)), 413, 'rest_body_too_large');
  await expectError(await put('x'.repeat(3_000_000)), 413, 'rest_body_too_large');
});

test('a body of unknown length is cut off at the limit, and the sender gets to see why', async () => {
  const chunk = `${(50_000).toString(16)}\r\n${'x'.repeat(50_000)}\r\n`;
  const head =
    'PUT /v1/items/1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const answer = await rawRequest(server.port, head, ...Array.from({ length: 200 }, () => chunk));
  expect(answer.status).toBe(413);
  expect(answer.headers.connection).toBe('close');
});

test('a body of a gigabyte is refused before it is sent', async () => {
  const head =
    'PUT /v1/items/1 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\n\r\n';
  expect((await rawRequest(server.port, head)).status).toBe(413);
});

test('a body in one piece or in many is the same', async () => {
  const answer = await ask('/fast-body', { method: 'POST', body: 'y'.repeat(2_000_000) });
  expect(answer.json()).toEqual({ bytes: 2_000_000 });
});

test.each([
  ['not HTTP', 'hello\r\n\r\n', 400, 'rest_bad_request'],
  ['no host', 'GET /fast HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'rest_bad_request'],
  ['headers without end', `GET /fast HTTP/1.1\r\nHost: x\r\nX-A: ${'a'.repeat(20_000)}`, 431, 'rest_headers_too_large'],
  [
    'two lengths',
    'POST /fast HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    400,
    'rest_bad_request',
  ],
])('%s is answered and the connection closed', async (_name, text, status, code) => {
  const answer = await rawRequest(server.port, text);
  expect(answer.status).toBe(status);
  expect(errorBodySchema.parse(JSON.parse(answer.body))).toMatchObject({ code, data: { status } });
  expect(answer.headers['x-request-id']).toMatch(/^req_/);
});

test('requests are measured by the name of their route, and a flood of paths makes no flood of labels', async () => {
  await Promise.all(Array.from({ length: 50 }, (_value, index) => ask(`/V1/items/${index}`)));
  const text = await metricsText([metricsOf(metrics)]);
  expect(text).toMatch(
    /order_automation_http_request_seconds_count\{service="test",method="GET",route="\/v1\/items\/\{id\}",status="200"\} 5\d/,
  );
  expect(text).toContain('route="none",status="404"');
  expect(text).toContain('route="/v1/fail/{how}",status="503"');
  expect(text).not.toContain('/items/49');
});

test('at debug every request is a line of the log, without its query', async () => {
  const written: string[] = [];
  const destination = { write: (line: string) => void written.push(line) };
  const log = createLogger({ name: 'access', level: 'debug', destination });
  const talkative = await startServer({ log, metrics: createMetrics('access') });
  await fetch(`http://127.0.0.1:${talkative.port}/v1/items/7?search=ada%40example.com`, {
    headers: { connection: 'close', 'x-request-id': 'seen_1' },
  });
  await waitFor(() => written.some((line) => line.includes('"msg":"request"')));
  const line = written.find((text) => text.includes('"msg":"request"')) ?? '';
  expect(JSON.parse(line)).toMatchObject({ request_id: 'seen_1', method: 'GET', path: '/v1/items/7', status: 200 });
  expect(line).not.toContain('ada');
  await talkative.close();
});
