import type { Order } from '@order-automation/contracts';
import { waitFor } from '@order-automation/testing';
import { presets } from '../../gateway-intake/src/presets';
import { signedSample } from '../../gateway-intake/test/preset-vectors';
import { importOrders, payableOrders } from './product-client';
import { type Answer, describeProducts, type Running } from './products';

const connecting = [...presets.values()].filter(({ gateway }) => gateway === undefined);
const firstOrder = 8001;

/** Each preset as a shop owner uses it: its connection, its sample signed as the sender signs, and the order that it is about. */
describeProducts('senders by preset', (start) => {
  let running: Running;
  beforeAll(async () => {
    running = await start({ DEMO_SHOP: 'false' });
    const orders = payableOrders(firstOrder, connecting.length).map((order, index) => {
      const { amount, currency } = connecting[index]?.sample?.reads ?? {};
      return { ...order, total: amount ?? '29.00', currency: currency ?? 'EUR' };
    });
    await importOrders(running.client, orders);
    const rule = {
      trigger: { id: 'payment_complete', settings: {} },
      conditions: [],
      primaryAction: { id: 'change_status_to_completed', settings: {} },
      secondaryActions: [],
    };
    await running.client('POST', '/v1/rules', { name: 'Complete', enabled: true, rule });
    const ofPaystack = {
      ...rule,
      conditions: [{ id: 'source_gateway', settings: { gateways: ['generic/paystack'] } }],
      secondaryActions: [{ id: 'add_order_tag', settings: { tag: 'paid by Paystack' } }],
    };
    await running.client('POST', '/v1/rules', { name: 'Tag', enabled: true, rule: ofPaystack });
  }, 180_000);
  afterAll(() => running?.stop(), 60_000);

  test.each(connecting.map((preset, index) => [preset.id, preset, firstOrder + index] as const))(
    '%s: a good signature moves the order, a copy is a duplicate, a bad one is refused',
    async (id, preset, order) => {
      const { url, client } = running;
      const secret = preset.vector?.secret;
      const { connection } = await client<{ connection: { url: string } }>('POST', '/v1/webhooks', {
        ...{ name: id, preset: id, secret },
      });
      const sample = signedSample(preset, order, { now: Date.now(), url: connection.url });
      const send = async ({ headers, body }: typeof sample): Promise<Answer> => {
        const answer = await fetch(`${url}/v1/webhooks/generic/${id}`, {
          ...{ method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body },
        });
        return (await answer.json()) as Answer;
      };
      const forged = Object.entries(sample.headers).map(([name, text]) => [name, text.replaceAll(/[0-9]/g, '7')]);
      const bad = { headers: Object.fromEntries(forged), body: sample.body.replaceAll('29', '28') };
      expect(await send(bad)).toMatchObject({ success: false });
      expect(await send(sample)).toMatchObject({ success: true });
      expect(await send(sample)).toMatchObject({ success: true, duplicate: true });
      expect(await client('GET', `/v1/webhooks/${id}`)).toMatchObject({
        counts: { accepted: 1, duplicates: 1, refused: 1 },
      });
      if (preset.sample?.reads.type !== 'payment_completed') return;
      await waitFor(
        async () => (await client<{ status: string }>('GET', `/v1/shop/orders/${order}`)).status === 'completed',
        { timeout: 30_000, describe: `order ${order}, paid by ${id}` },
      );
    },
    60_000,
  );

  test('a rule for one sender leaves the payments of the others alone', async () => {
    const paid = firstOrder + connecting.findIndex(({ id }) => id === 'paystack');
    const orders = await Promise.all(
      connecting.map((_, index) => running.client<Order>('GET', `/v1/shop/orders/${firstOrder + index}`)),
    );
    expect(orders.filter(({ tags }) => tags?.includes('paid by Paystack')).map(({ id }) => id)).toEqual([paid]);
    expect(orders.filter(({ status }) => status === 'completed').length).toBeGreaterThan(10);
  });
});
