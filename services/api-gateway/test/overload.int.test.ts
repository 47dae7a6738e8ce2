import { setTimeout as delay } from 'node:timers/promises';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { asAdmin, type Running, send, startGateway } from './gateway';
import { accepted } from './peers';

/** Requests to one service: 100 are in flight, 500 wait, the rest is refused at once. */
const many = 650;

describeLanes('more requests than the services behind can answer', (lane) => {
  let deps: LaneDeps;
  let running: Running;

  beforeAll(async () => {
    deps = await lane.deps();
    running = await startGateway(deps);
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  const metric = async (name: string): Promise<number> => {
    const text = await deps.metrics.getSingleMetricAsString(`order_automation_edge_${name}`);
    return Number(/peer="shop"[^}]*\} (\d+)/.exec(text)?.[1] ?? 0);
  };

  test('admin routes answer 503 with Retry-After within 3 s; those that get their turn in time are answered', async () => {
    const { peers, base } = running;
    await peers.leave('shop.order.list.v1');
    // However slowly they come on a busy machine, some find others before them.
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow = await deps.bus.respond('shop.order.list.v1', async ({ page, per_page }) => {
      await held;
      const pagination = { total: 0, total_pages: 0, current_page: page, per_page, start_item: 0, end_item: 0 };
      return { orders: [], pagination: { ...pagination, has_previous: false, has_next: false } };
    });
    // The password is looked up once, and not in each of the requests.
    await send(base, 'GET', '/v1/auth/nonce', { headers: asAdmin });
    const asked = Array.from({ length: many }, async () => {
      const began = performance.now();
      const reply = await send(base, 'GET', '/v1/shop/orders', { headers: asAdmin });
      return { reply, took: performance.now() - began };
    });
    await waitFor(async () => (await metric('requests_waiting')) > 0, { describe: 'requests that wait' });
    goOn();
    const answers = await Promise.all(asked);
    await slow.close();
    const refused = answers.filter(({ reply }) => reply.status === 503);
    expect(answers.filter(({ reply }) => ![200, 503].includes(reply.status))).toEqual([]);
    expect(answers.length - refused.length).toBeGreaterThan(100);
    for (const { reply } of refused) {
      expect(reply.body).toMatchObject({ code: 'svc_unavailable', data: { status: 503 } });
      expect(reply.headers.get('retry-after')).toBe('1');
    }
    // 3 s, and what as many clients in this process cost on a busy machine.
    expect(Math.max(...refused.map(({ took }) => took), 0)).toBeLessThan(8_000);
    expect([await metric('requests_waiting'), await metric('requests_in_flight')]).toEqual([0, 0]);
  });

  test('webhooks wait until intake has stored them, however many; none is answered false', async () => {
    running.peers.intake.receive = async (webhook) => {
      await delay(100);
      return accepted(webhook);
    };
    const answers = await Promise.all(
      Array.from({ length: many }, (_, id) =>
        send(running.base, 'POST', '/v1/webhooks/gateway_card', { raw: JSON.stringify({ id }) }),
      ),
    );
    expect(answers.filter(({ body }) => body.success !== true)).toEqual([]);
    expect(new Set(answers.map(({ body }) => body.process_id)).size).toBe(many);
  });
});
