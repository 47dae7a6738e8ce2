import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { createLogger, createOutbound, type Outbound, type OutboundOptions } from '../src';

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

const log = createLogger({ name: 'test', level: 'silent' });
const made: Outbound[] = [];
let server: Server;
let handle: Handler;
let requests: string[];

function outbound(options: Partial<OutboundOptions> = {}): Outbound {
  const it = createOutbound({ log, allow: ['127.0.0.1'], timeout: 2_000, ...options });
  made.push(it);
  return it;
}

beforeAll(async () => {
  server = createServer((req, res) => {
    requests.push(`${req.method} ${req.url}`);
    handle(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
beforeEach(() => {
  requests = [];
  handle = (_req, res) => res.end('ok');
});
afterAll(async () => {
  for (const it of made) it.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});
const port = () => (server.address() as AddressInfo).port;
const url = (path = '/', host = '127.0.0.1') => `http://${host}:${port()}${path}`;

test('what is sent arrives, what is answered comes back', async () => {
  handle = (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      res.writeHead(404, {
        'x-seen': String(req.headers['idempotency-key']),
        'x-length': String(req.headers['content-length']),
        'x-agent': String(req.headers['user-agent']),
      });
      res.end(Buffer.concat(chunks));
    });
  };
  const answer = await outbound().request(url('/a?b=c'), {
    method: 'POST',
    headers: { 'Idempotency-Key': 'k1' },
    body: 'grüße',
  });
  expect(answer).toMatchObject({
    status: 404,
    headers: { 'x-seen': 'k1', 'x-length': '7', 'x-agent': 'order-automation' },
  });
  expect(answer.body.toString()).toBe('grüße');
  expect(requests).toEqual(['POST /a?b=c']);
});

test('an address says by itself whether it is never called', () => {
  const calls = outbound({ allow: ['10.1.0.0/16'], allowHosts: ['erp.internal'] });
  const reasons = (urls: string[]) => urls.map((url) => calls.refusal(url)?.code ?? null);
  expect(reasons(['https://shop.example/x', 'http://erp.internal/', 'http://10.1.2.3/', 'https://10.1.2.3/'])).toEqual([
    null,
    null,
    null,
    null,
  ]);
  expect(
    reasons(['https://10.2.0.1/', 'http://shop.example/', 'https://[::1]/', 'ftp://x/', 'https://a:b@x/']),
  ).toEqual(['address_refused', 'address_refused', 'address_refused', 'invalid_url', 'invalid_url']);
});

test('a redirect is an answer, and not followed', async () => {
  handle = (_req, res) => res.writeHead(302, { location: url('/secret') }).end();
  expect((await outbound().request(url('/start'))).status).toBe(302);
  expect(requests).toEqual(['GET /start']);
});

test.each([
  ['an address', '127.0.0.1'],
  ['a name', 'localhost'],
  ['a number', '2130706433'],
  ['a short form', '127.1'],
  ['octal', '0177.0.0.1'],
  ['mapped', '[::ffff:127.0.0.1]'],
  ['IPv6 loopback', '[::1]'],
  ['any', '0.0.0.0'],
])('nothing private is called: %s', async (_name, host) => {
  await expect(outbound({ allow: [] }).request(url('/', host))).rejects.toMatchObject({
    name: 'OutboundError',
    code: 'address_refused',
  });
  expect(requests).toEqual([]);
});

test.each(['ftp://example.com/', 'file:///etc/passwd', 'http://user:pw@example.com/', 'nonsense', '', 'http://'])(
  '%p is not called',
  async (text) => {
    await expect(outbound().request(text)).rejects.toMatchObject({ code: 'invalid_url' });
  },
);

test('an answer that is too large is cut off', async () => {
  handle = (_req, res) => {
    const more = () => {
      while (res.write(Buffer.alloc(65_536)));
    };
    res.on('drain', more);
    more();
  };
  await expect(outbound().request(url())).rejects.toMatchObject({ code: 'too_large' });
});

/** A CDN gives a compressed answer to everybody; WordPress that is being debugged has 24 KB of headers. */
test('compressed answers are read, as far as they are not too large, and headers of 100 KB', async () => {
  const body = Buffer.from('x'.repeat(500_000));
  for (const [encoding, sent] of [
    ['gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
  ] as const) {
    handle = (_req, res) => res.writeHead(200, { 'content-encoding': encoding }).end(sent);
    expect((await outbound().request(url())).body.equals(body)).toBe(true);
    await expect(outbound({ maxBytes: 1_000 }).request(url())).rejects.toMatchObject({ code: 'too_large' });
    expect((await outbound({ maxBytes: 1_000, truncate: true }).request(url())).body).toHaveLength(1_000);
    handle = (_req, res) => res.writeHead(200, { 'content-encoding': encoding }).end(sent.subarray(0, -9));
    await expect(outbound().request(url())).rejects.toMatchObject({ code: 'network' });
  }
  handle = (_req, res) => res.writeHead(200, { 'x-wp-doingitwrong': 'x'.repeat(100_000) }).end('ok');
  expect((await outbound().request(url())).body.toString()).toBe('ok');
});

test('a server that says nothing, or stops in the middle, is given up in time', async () => {
  handle = () => undefined;
  await expect(outbound({ timeout: 100 }).request(url())).rejects.toMatchObject({ code: 'timeout' });
  handle = (_req, res) => res.write('half');
  await expect(outbound({ timeout: 100 }).request(url())).rejects.toMatchObject({ code: 'timeout' });
});

test('a server that is away or hangs up is a network error with its reason, and without its address', async () => {
  handle = (req) => req.socket.destroy();
  const failure = await outbound()
    .request(url())
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'network', message: 'The host could not be reached (ECONNRESET).' });
  expect(String(failure)).not.toContain('127.0.0.1');
});

test('a call that a person asks for is made although its host is left alone, and lets others pass when it succeeds', async () => {
  const it = outbound({ breakerReset: 60_000 });
  handle = (_req, res) => res.writeHead(503).end();
  for (let call = 0; call < 5; call += 1) await it.request(url());
  expect((await it.request(url(), { isTrial: true })).status).toBe(503);
  await expect(it.request(url())).rejects.toMatchObject({ code: 'circuit_open' });
  handle = (_req, res) => res.end('back');
  expect((await it.request(url(), { isTrial: true })).status).toBe(200);
  expect((await it.request(url())).status).toBe(200);
});

test('a host that fails is left alone, tried again later, and no other host with it', async () => {
  const it = outbound({ breakerReset: 50 });
  handle = (_req, res) => res.writeHead(503).end();
  for (let call = 0; call < 5; call += 1) expect((await it.request(url())).status).toBe(503);
  await expect(it.request(url())).rejects.toMatchObject({ code: 'circuit_open' });
  expect(requests).toHaveLength(5);

  const other = createServer((_req, res) => res.end('other'));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  expect((await it.request(`http://127.0.0.1:${(other.address() as AddressInfo).port}/`)).status).toBe(200);
  other.closeAllConnections();
  other.close();

  handle = (_req, res) => res.end('back');
  const deadline = Date.now() + 5_000;
  let answer: string | undefined;
  while (answer === undefined && Date.now() < deadline) {
    answer = await it.request(url()).then(
      ({ body }) => body.toString(),
      () => new Promise((resolve) => setImmediate(resolve, undefined)),
    );
  }
  expect(answer).toBe('back');
  expect((await it.request(url())).status).toBe(200);
});

test('a client error is no failure of the host', async () => {
  const it = outbound();
  handle = (_req, res) => res.writeHead(400).end();
  for (let call = 0; call < 12; call += 1) expect((await it.request(url())).status).toBe(400);
});
