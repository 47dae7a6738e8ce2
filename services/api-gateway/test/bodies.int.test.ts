import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { asAdmin, type Running, send, startGateway } from './gateway';

const webhooks = '/v1/webhooks/gateway_card';

/** Whether garbage was collected by itself depends on how busy the machine is; what is held does not. */
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describeLanes('bodies that never end', (lane) => {
  let deps: LaneDeps;
  let running: Running;
  const sockets: Socket[] = [];

  beforeAll(async () => {
    deps = await lane.deps();
    running = await startGateway(deps, { INTAKE_BYTES_IN_FLIGHT: '4MiB' });
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await waitFor(async () => (await inFlight()) === 0, { describe: 'no body in memory' });
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  const inFlight = async (): Promise<number> => {
    const name = 'order_automation_edge_body_bytes_in_flight';
    const text = await deps.metrics.getSingleMetricAsString(name);
    return Number(/ (\d+)\s*$/.exec(text)?.[1]);
  };

  /** Begins a request and resolves when all that is given has left. */
  const begin = (path: string, header: string, ...parts: readonly Buffer[]) =>
    new Promise<Socket>((resolve) => {
      const socket = connect(running.gateway.port, '127.0.0.1');
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${header}\r\n\r\n`);
      for (const part of parts) socket.write(part);
      socket.write('', () => resolve(socket));
    });

  test.each([webhooks, '/v1/rules'])(
    'one-byte chunks to %s cost no more memory than their bytes',
    async (path) => {
      const memory = () => {
        collectGarbage();
        const { heapUsed, arrayBuffers } = process.memoryUsage();
        return heapUsed + arrayBuffers;
      };
      const before = memory();
      const chunks = Buffer.from('1\r\nx\r\n'.repeat(10_000));
      await begin(
        path,
        `Authorization: ${asAdmin.authorization}\r\nTransfer-Encoding: chunked`,
        ...Array.from({ length: 10 }, () => chunks),
      );
      await waitFor(async () => (await inFlight()) > 100_000, { timeout: 60_000, describe: '100,000 chunks read' });
      expect(memory() - before).toBeLessThan(10 * 1024 * 1024);
    },
    90_000,
  );

  test('all together hold at most INTAKE_BYTES_IN_FLIGHT; what is larger than the rest is refused, what fits is taken', async () => {
    const some = Buffer.alloc(600_000, 0x20);
    for (let sent = 0; sent < 4; sent += 1) await begin(webhooks, 'Content-Length: 1000000', some);
    await waitFor(async () => (await inFlight()) > 3_600_000, { describe: 'four bodies in memory' });
    const raw = Buffer.alloc(1024 * 1024, 0x20);
    expect((await send(running.base, 'POST', webhooks, { raw: '{}' })).body.success).toBe(true);
    const over = await send(running.base, 'POST', webhooks, { raw });
    expect(over.status).toBe(200);
    expect(over.body).toEqual({
      success: false,
      message: expect.stringContaining('too many are waiting'),
      process_id: expect.stringMatching(/^proc_/),
    });
    const headers = { ...asAdmin, 'content-type': 'application/json' };
    const admin = await send(running.base, 'POST', '/v1/rules', { raw, headers });
    expect(admin).toMatchObject({ status: 503, body: { code: 'svc_unavailable', data: { status: 503 } } });
    expect(admin.headers.get('retry-after')).toBe('1');
  });

  test('a webhook in pieces arrives whole', async () => {
    const socket = await begin(webhooks, 'Content-Length: 300000', Buffer.alloc(100_000, 0x61));
    let answer = '';
    socket.on('data', (data) => {
      answer += String(data);
    });
    socket.write(Buffer.alloc(200_000, 0x62));
    await waitFor(() => answer.includes('"success":true'), { describe: 'the answer' });
    const [webhook] = running.peers.webhooks.slice(-1);
    expect(
      Buffer.from(webhook?.body ?? []).equals(
        Buffer.concat([Buffer.alloc(100_000, 0x61), Buffer.alloc(200_000, 0x62)]),
      ),
    ).toBe(true);
  });
});
