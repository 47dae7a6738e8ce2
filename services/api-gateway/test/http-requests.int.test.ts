import { waitFor } from '@order-automation/testing';
import type { HttpServer } from '../src/http-server/server';
import { startServer, urlOf } from './http-server';
import { parseAnswer, rawConnection, rawRequest } from './raw-http';

const site = 'https://admin.example.com';
let server: HttpServer;

beforeAll(async () => {
  server = await startServer({ corsOrigins: [site] });
});
afterAll(() => server.close());

test.each(['/fast', '/v1/items/7?a=1'])('an absolute-form address is the same as %s', async (path) => {
  for (const target of [path, `http://shop.example${path}`, `HTTPS://127.0.0.1:1${path}`]) {
    const { status } = await rawRequest(server.port, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect([target, status]).toEqual([target, 200]);
  }
});

test.each(['*', 'http://shop.example', 'http://shop.example?a=1', '//fast'])(
  '%s is no route, and no crash',
  async (target) => {
    const { status, body } = await rawRequest(
      server.port,
      `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect({ status, code: JSON.parse(body).code }).toEqual({ status: 404, code: 'rest_no_route' });
  },
);

test('an expectation that nobody knows does not keep a request from being answered', async () => {
  const request =
    'POST /fast-body HTTP/1.1\r\nHost: x\r\nExpect: something\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc';
  expect(await rawRequest(server.port, request)).toMatchObject({ status: 200, body: '{"bytes":3}' });
});

test('a 404 to a request without a body keeps the connection; one with a body on its way ends it', async () => {
  const { socket, received, ended } = await rawConnection(server.port);
  const answers = () => received().split('HTTP/1.1 ').length - 1;
  for (let sent = 1; sent <= 3; sent += 1) {
    socket.write('GET /nothing HTTP/1.1\r\nHost: x\r\n\r\n');
    await waitFor(() => answers() === sent, { describe: `answer ${sent}` });
  }
  expect(parseAnswer(received()).headers).toMatchObject({ 'cache-control': 'no-store', connection: 'keep-alive' });
  socket.write('POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nabc');
  expect((await ended).toLowerCase()).toContain('connection: close');
});

const from = (origin: string, init: RequestInit = {}) =>
  fetch(urlOf('/v1/items/7', server), { ...init, headers: { origin, ...init.headers } });

test('CORS: a configured origin reads answers and errors, another one does not', async () => {
  const ours = await from(site);
  expect(ours.headers.get('access-control-allow-origin')).toBe(site);
  expect(ours.headers.get('access-control-allow-credentials')).toBeNull();
  expect(ours.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
  expect(ours.headers.get('vary')).toContain('Origin');
  for (const origin of ['https://admin.example.com.evil.example', 'http://admin.example.com', 'null', 'https://x']) {
    expect((await from(origin)).headers.get('access-control-allow-origin')).toBeNull();
  }
  const asked = { 'access-control-request-method': 'PUT', 'access-control-request-headers': 'authorization' };
  const preflight = await from(site, { method: 'OPTIONS', headers: asked });
  expect(preflight.status).toBe(204);
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Authorization');
  expect(preflight.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
  expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT');
});

test('CORS is off unless it is configured', async () => {
  const closed = await startServer();
  const headers = { origin: site, 'access-control-request-method': 'PUT' };
  const answers = [
    await fetch(urlOf('/v1/items/7', closed), { headers }),
    await fetch(urlOf('/v1/items/7', closed), { method: 'OPTIONS', headers }),
  ];
  await closed.close();
  for (const answer of answers) expect(answer.headers.get('access-control-allow-origin')).toBeNull();
});
