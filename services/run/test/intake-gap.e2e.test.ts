import { setTimeout as delay } from 'node:timers/promises';
import { lanes, waitFor } from '@order-automation/testing';
import { type CuttableProxy, cuttableProxy } from './cuttable-proxy';
import { importOrders, payableOrders } from './product-client';
import { type Answer, describeProducts, payment, postSigned, type Running } from './products';

const firstOrder = 7001;
/** Webhooks a second: GAP_RATE=50 for the whole proof, on a quiet machine. */
const rate = Number(process.env.GAP_RATE ?? 10);
const seconds = 8;

describeProducts('a gap between edge and intake', (start, mode) => {
  if (mode === 'embedded') {
    it('is none where both are one process', async () => {
      const running = await start();
      expect(await postSigned(running, payment('gap', firstOrder))).toMatchObject({ success: true });
      await running.stop();
    });
    return;
  }

  let running: Running;
  let nats: CuttableProxy;
  let next = 0;

  beforeAll(async () => {
    const servers = lanes();
    if (!('uri' in servers.nats)) throw new Error('no NATS');
    nats = await cuttableProxy(servers.nats.uri);
    running = await start({ NATS_URL: nats.uri });
    await importOrders(running.client, payableOrders(firstOrder, 2 * rate * seconds));
  }, 90_000);
  afterAll(async () => {
    await nats?.restore().catch(() => undefined);
    await running?.stop();
    await nats?.close();
  }, 60_000);

  /** Sends at the rate, and lets it happen after a second. */
  async function sendThrough(happen: () => Promise<void>): Promise<Answer[]> {
    const answers: Promise<Answer>[] = [];
    const happening = delay(1_000).then(happen);
    const began = performance.now();
    for (let sent = 0; sent < rate * seconds; sent += 1) {
      answers.push(postSigned(running, payment(`gap${next}`, firstOrder + next)));
      next += 1;
      await delay(Math.max(0, began + (1_000 * (sent + 1)) / rate - performance.now()));
    }
    await happening;
    return Promise.all(answers);
  }

  it.each<[string, () => Promise<void>]>([
    [
      'the only intake is killed',
      async () => {
        process.kill(running.product.started.get('gateway-intake')?.pid as number, 'SIGKILL');
      },
    ],
    [
      'NATS is unavailable for 5 s',
      async () => {
        await nats.cut();
        await delay(5_000);
        await nats.restore();
      },
    ],
  ])(
    '%s: no webhook is refused, and each is an event',
    async (_what, happen) => {
      const answers = await sendThrough(happen);
      const { missed } = await running.client<{ missed: unknown[] }>('GET', '/v1/webhooks/missed');
      expect([answers.filter(({ success }) => !success), missed]).toEqual([[], []]);
      for (const { process_id } of answers)
        await waitFor(
          async () => {
            const path = `/v1/webhooks/events?process_id=${process_id}`;
            const { events } = await running.client<{ events: unknown[] }>('GET', path);
            return events.length === 1;
          },
          { timeout: 30_000, describe: process_id },
        );
    },
    120_000,
  );
});
