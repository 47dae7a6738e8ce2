import { lanes, waitFor } from '@order-automation/testing';
import { type CuttableProxy, cuttableProxy } from './cuttable-proxy';
import { importOrders, payableOrders } from './product-client';
import { describeProducts, payment, postSigned, type Running } from './products';

const order = 7001;
let next = 0;
const pay = (running: Running) => {
  next += 1;
  return postSigned(running, payment(`out${next}`, order));
};

/** Status, code and milliseconds of an administrator's request. */
async function administrator({
  url,
  secrets,
}: Running): Promise<{ status: number; code: string | undefined; took: number }> {
  const since = performance.now();
  const authorization = `Basic ${Buffer.from(`admin:${secrets.applicationPassword}`).toString('base64')}`;
  const response = await fetch(`${url}/v1/rules`, { headers: { authorization } });
  const { code, data } = (await response.json()) as { code?: string; data?: { status: number } };
  if (code !== undefined) expect(data?.status).toBe(response.status);
  return { status: response.status, code, took: performance.now() - since };
}

async function missingParts(running: Running, service: string): Promise<string[]> {
  const ops = running.product.started.get(service)?.ops;
  const response = await fetch(`http://127.0.0.1:${ops}/readyz`);
  const { missing } = (await response.json()) as { missing: { part: string }[] };
  return missing.map(({ part }) => part);
}

const notesOf = async ({ client }: Running) =>
  (await client<{ notes: unknown[] }>('GET', `/v1/shop/orders/${order}`)).notes.length;

describeProducts('a part is away', (start, mode) => {
  if (mode === 'embedded') {
    it('has no parts that could be away by themselves', async () => {
      const running = await start();
      expect(await missingParts(running, 'embedded')).toEqual([]);
      await running.stop();
    });
    return;
  }

  let running: Running;
  let nats: CuttableProxy;
  let mongodb: CuttableProxy;

  beforeAll(async () => {
    const servers = lanes();
    if (!('uri' in servers.nats) || !('uri' in servers.mongodb)) throw new Error('no servers');
    nats = await cuttableProxy(servers.nats.uri);
    mongodb = await cuttableProxy(servers.mongodb.uri);
    running = await start({ NATS_URL: nats.uri, MONGODB_URI: mongodb.uri });
    await importOrders(running.client, payableOrders(order, 1));
    await running.client('POST', '/v1/rules', {
      name: 'Note',
      enabled: true,
      rule: {
        trigger: { id: 'order_processing', settings: {} },
        conditions: [],
        primaryAction: null,
        secondaryActions: [{ id: 'add_order_note', settings: { note_text: 'paid' } }],
      },
    });
  }, 90_000);
  afterAll(async () => {
    await nats?.restore().catch(() => undefined);
    await mongodb?.restore().catch(() => undefined);
    await running?.stop();
    await nats?.close();
    await mongodb?.close();
  }, 60_000);

  const away: [string, string, () => CuttableProxy][] = [
    ['MongoDB', 'store', () => mongodb],
    ['NATS', 'bus', () => nats],
  ];
  it.each(away)(
    '%s: a webhook is refused truthfully, administrators are answered within 3 s, readiness names it, and all comes back',
    async (_name, part, proxy) => {
      const before = await notesOf(running);
      await proxy().cut();
      const refused = await pay(running);
      expect(refused).toEqual({
        success: false,
        message: expect.any(String),
        process_id: expect.stringMatching(/^proc_/),
      });
      const answer = await administrator(running);
      expect(answer).toMatchObject({ status: 503, code: 'svc_unavailable' });
      expect(answer.took).toBeLessThan(6_000);
      await waitFor(async () => (await missingParts(running, 'gateway-intake')).includes(part));

      await proxy().restore();
      const accepted = await waitFor(async () => ((await pay(running)).success ? 1 : 0), {
        timeout: 45_000,
        every: 200,
        describe: 'an accepted webhook',
      });
      expect(accepted).toBe(1);
      await waitFor(async () => (await notesOf(running)) > before, {
        timeout: 45_000,
        every: 200,
        describe: 'its effect',
      });
      await waitFor(async () => (await missingParts(running, 'gateway-intake')).length === 0, {
        timeout: 45_000,
        every: 200,
      });
    },
    120_000,
  );

  it('the worker stands still: webhooks are accepted and take effect when it goes on', async () => {
    const before = await notesOf(running);
    const pid = running.product.started.get('worker-1')?.pid as number;
    process.kill(pid, 'SIGSTOP');
    try {
      for (let sent = 0; sent < 5; sent += 1) expect(await pay(running)).toMatchObject({ success: true });
    } finally {
      process.kill(pid, 'SIGCONT');
    }
    await waitFor(async () => (await notesOf(running)) === before + 5, {
      timeout: 60_000,
      every: 200,
      describe: 'five effects',
    });
  }, 90_000);

  it('opens its port only when a webhook can be stored', async () => {
    await mongodb.cut();
    const starting = start({ NATS_URL: nats.uri, MONGODB_URI: mongodb.uri, PORT: '18471' });
    const attempts: string[] = [];
    const asking = setInterval(() => {
      fetch('http://127.0.0.1:18471/v1/webhooks/health').then(
        (response) => attempts.push(String(response.status)),
        (error: { cause?: { code?: string } }) => attempts.push(error.cause?.code ?? 'failed'),
      );
    }, 200);
    await waitFor(() => attempts.length >= 15);
    clearInterval(asking);
    expect(new Set(attempts)).toEqual(new Set(['ECONNREFUSED']));
    await mongodb.restore();
    const second = await starting;
    await importOrders(second.client, payableOrders(order, 1));
    expect(await pay(second)).toMatchObject({ success: true });
    await second.stop();
  }, 120_000);
});
