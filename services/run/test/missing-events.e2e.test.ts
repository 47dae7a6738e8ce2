import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { waitFor } from '@order-automation/testing';
import { cardKey, startEventList } from '../../gateway-intake/test/event-list';
import { cardPayment, cardSignature } from './card-webhook';
import { completePaidOrders, importOrders, payableOrders } from './product-client';
import { describeProducts, type Entry, post, postSigned, type Running } from './products';

const orders = 30;
const firstOrder = 7001;
const orderctl = join(__dirname, '../../cli/bin/orderctl.js');

/** A morning on which a third of the webhooks arrives, a third is refused for a wrong secret, and a third never comes. */
describeProducts('payments whose webhooks never arrived', (start) => {
  let running: Running;
  let list: Awaited<ReturnType<typeof startEventList>>;
  beforeAll(async () => {
    list = await startEventList();
    running = await start({ DEMO_SHOP: 'false', GATEWAY_CARD_API: list.url });
    await importOrders(running.client, payableOrders(firstOrder, orders));
  }, 120_000);
  afterAll(async () => {
    await running?.stop();
    list.close();
  }, 60_000);

  const cli = (...args: readonly string[]) => {
    const { PATH = '' } = process.env;
    const { applicationPassword: ORDERCTL_PASSWORD } = running.secrets;
    const env = { PATH, ORDERCTL_URL: running.url, ORDERCTL_USER: 'admin', ORDERCTL_PASSWORD };
    // Not synchronously: this process is the gateway that is asked.
    return new Promise<{ status: number | null; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(process.execPath, [orderctl, ...args], { env }, (_error, stdout, stderr) =>
        resolve({ status: child.exitCode, stdout, stderr }),
      );
      child.stdin?.end(`${cardKey}\n`);
    });
  };
  const entriesOf = async (type: string): Promise<Entry[]> =>
    (await running.client<{ logs: Entry[] }>('GET', `/v1/audit-log?view=flat&event_type=${type}&per_page=200`)).logs;

  test('each is done once in the end, and the log says which had never arrived', async () => {
    const { client } = running;
    await waitFor(() => client('GET', '/v1/rules').catch(() => undefined), { timeout: 60_000 });
    await completePaidOrders(client);
    const created = Math.floor(Date.now() / 1000) - 900;
    for (let each = 0; each < orders; each += 1) {
      const { body } = cardPayment({ key: `lost${each}`, orderId: firstOrder + each, created: created + each });
      list.card.push(JSON.parse(body.toString()));
      if (each % 3 === 0) expect((await postSigned(running, body)).success).toBe(true);
      if (each % 3 !== 1) continue;
      const signature = cardSignature('whsec_of_somebody_else_0123', body, Math.floor(Date.now() / 1000));
      const { answer } = await post(running.url, { body, headers: { 'card-signature': signature } });
      expect(answer.success).toBe(false);
    }

    expect(await cli('reconcile', 'now', 'gateway_card')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('no key'),
    });
    expect(await cli('reconcile', '--since', '1h')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('No gateway has a key'),
    });
    expect(await cli('reconcile', 'key', 'gateway_card')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('…cdef'),
    });
    expect(await cli('reconcile', 'now', 'gateway_card', '--since', '1h')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('20 events had never arrived and were fetched'),
    });
    const done = await waitFor(
      async () => {
        const entries = await entriesOf('process_completed');
        return entries.length >= orders && entries;
      },
      { timeout: 60_000, describe: 'the end of all' },
    );
    expect(new Set(done.map(({ order_id }) => order_id)).size).toBe(orders);
    expect((await cli('reconcile', 'now', 'gateway_card', '--since', '1h')).stdout).toContain('nothing was missing');
    expect((await cli('reconcile', '--since', '1h')).stdout).toMatch(
      /^gateway_card: Asked up to .*nothing was missing/,
    );
    for (let id = firstOrder; id < firstOrder + orders; id += 1) {
      const { status, notes } = await client<{ status: string; notes: { note: string }[] }>(
        'GET',
        `/v1/shop/orders/${id}`,
      );
      expect([id, status, notes.filter(({ note }) => note === 'paid').length]).toEqual([id, 'completed', 1]);
    }
    const received = await entriesOf('webhook_received');
    expect(received.filter(({ summary }) => summary.includes('its webhook had never arrived'))).toHaveLength(20);
    expect((await entriesOf('webhook_recovered')).map(({ summary }) => summary).join()).toMatch(
      /gateway_card was asked what it had sent up to .*: 20 events that had never arrived here were fetched and processed/,
    );
  }, 240_000);
});
