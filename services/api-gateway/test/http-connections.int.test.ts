import { Agent, request as httpRequest } from 'node:http';
import { errorBodySchema } from '@order-automation/contracts';
import { waitFor } from '@order-automation/testing';
import { readBody } from '../src/http-server/json-body';
import { bodies, startServer, state, urlOf } from './http-server';
import { parseAnswer, rawConnection, rawRequest } from './raw-http';

test('a client that dawdles gets an answer that says so', async () => {
  const impatient = await startServer({
    limits: { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 },
  });
  const head = await rawRequest(impatient.port, 'GET /fast HTTP/1.1\r\nHost');
  const upload = (start: string) =>
    `${start} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\nabc`;
  const long = await rawConnection(impatient.port);
  long.socket.write(upload('POST /v1/uploads'));
  const body = await rawRequest(impatient.port, upload('PUT /v1/items/1'));
  long.socket.write('defghij');
  await waitFor(() => long.received().includes('{"bytes":10}'), { describe: 'the answer to a long upload' });
  long.socket.destroy();
  await impatient.close();
  expect(head.status).toBe(408);
  expect(errorBodySchema.parse(JSON.parse(head.body)).code).toBe('rest_request_timeout');
  expect(body.status).toBe(408);
});

test('an answer may take longer than a connection may be idle', async () => {
  const server = await startServer({ limits: { idleTimeout: 100 } });
  state.held = new Promise((resolve) => void setTimeout(resolve, 500));
  const answer = await fetch(urlOf('/v1/slow', server));
  expect(await answer.json()).toEqual({ slow: true });
  await server.close();
});

test('closing finishes what is in flight, on kept-alive connections too, and takes nothing new', async () => {
  const closing = await startServer();
  let reached: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    reached = resolve;
  });
  let release: () => void = () => undefined;
  state.held = new Promise((resolve) => {
    release = resolve;
  });
  state.hold = reached;
  state.closed = false;
  const idle = await rawConnection(closing.port);
  const slow = fetch(urlOf('/v1/slow', closing));
  await arrived;
  const done = closing.close();
  expect(state.closed).toBe(true);
  expect(closing.close()).toBe(done);
  await expect(fetch(urlOf('/fast', closing))).rejects.toThrow();
  release();
  const answer = await slow;
  expect(await answer.json()).toEqual({ slow: true });
  expect(answer.headers.get('connection')).toBe('close');
  await done;
  await idle.ended;
});

test('no request of a client that keeps its connections is aborted by closing', async () => {
  const closing = await startServer();
  const agent = new Agent({ keepAlive: true, maxSockets: 20 });
  const statuses: (number | string)[] = [];
  const one = () =>
    new Promise<number | string>((resolve) => {
      const req = httpRequest({ port: closing.port, path: '/fast', agent }, (res) => {
        res.resume().on('end', () => resolve(res.statusCode ?? 0));
      });
      req.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'error'));
      req.end();
    });
  let going = true;
  const clients = Array.from({ length: 20 }, async () => {
    while (going) {
      const status = await one();
      statuses.push(status);
      if (status === 'ECONNREFUSED') return;
    }
  });
  while (statuses.length < 300) await one();
  await closing.close();
  going = false;
  await Promise.all(clients);
  agent.destroy();
  expect(statuses.filter((status) => status !== 200 && status !== 'ECONNREFUSED')).toEqual([]);
  expect(statuses).toContain('ECONNREFUSED');
});

test('while it drains it answers and accepts, and each answer ends its connection', async () => {
  const draining = await startServer();
  const kept = await rawConnection(draining.port);
  const request = 'GET /fast HTTP/1.1\r\nHost: x\r\n\r\n';
  kept.socket.write(request);
  await waitFor(() => kept.received().includes('200 OK'), { describe: 'the first answer' });
  expect(kept.received()).toMatch(/connection: keep-alive/i);
  draining.drain();
  kept.socket.write(request);
  await kept.ended;
  expect(kept.received()).toMatch(/200 OK.*200 OK.*connection: close/is);
  const fresh = await fetch(urlOf('/fast', draining));
  expect([fresh.status, fresh.headers.get('connection')]).toEqual([200, 'close']);
  await draining.close();
});

test('a request that arrived while the process was busy is answered, though its connection looks quiet', async () => {
  const closing = await startServer();
  const { socket, received } = await rawConnection(closing.port);
  const request = 'GET /fast HTTP/1.1\r\nHost: x\r\n\r\n';
  socket.write(request);
  await waitFor(() => received().includes('200 OK'), { describe: 'the first answer' });
  const done = closing.close();
  socket.write(request);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
  await done;
  await waitFor(() => received().split('200 OK').length === 3, { describe: 'the second answer' });
});

test('what does not end is cut off when the grace is over', async () => {
  const closing = await startServer({ limits: { closeGrace: 300 } });
  state.held = new Promise(() => undefined);
  let reached: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => {
    reached = resolve;
  });
  state.hold = reached;
  const stuck = fetch(urlOf('/v1/slow', closing)).catch(() => 'cut');
  await arrived;
  await closing.close();
  expect(await stuck).toBe('cut');
});

test('a taken port is refused', async () => {
  const server = await startServer();
  await expect(startServer({ port: server.port })).rejects.toThrow(/is in use by another process/);
  await server.close();
});

test('a client that goes away while it sends ends its body with an error', async () => {
  let failed: (error: unknown) => void = () => undefined;
  const failure = new Promise((resolve) => {
    failed = resolve;
  });
  const other = await startServer({
    fast: (req) => {
      readBody(bodies, req, 1000).catch(failed);
      client.socket.destroy();
      return true;
    },
  });
  const client = await rawConnection(other.port);
  client.socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
  expect(await failure).toMatchObject({ code: 'rest_body_incomplete' });
  await other.close();
});

test('connections beyond the limit are closed at once, and there is room again when one ends', async () => {
  const small = await startServer({ limits: { maxConnections: 2 } });
  const [first] = [await rawConnection(small.port), await rawConnection(small.port)];
  const third = await rawConnection(small.port);
  expect(await third.ended).toBe('');
  first.socket.destroy();
  await first.ended;
  await waitFor(async () => (await fetch(urlOf('/fast', small)).catch(() => undefined))?.status === 200, {
    describe: 'room for one more',
  });
  await small.close();
});

test('a client that never sends a word is not kept for ever', async () => {
  const impatient = await startServer({ limits: { headersTimeout: 100, connectionsCheckingInterval: 20 } });
  const { ended } = await rawConnection(impatient.port);
  expect(parseAnswer(await ended).status).toBe(408);
  await impatient.close();
});
