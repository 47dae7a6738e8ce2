import { secret } from '@order-automation/service';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { startShop } from '../src';
import type { SeenDocument } from '../src/woocommerce/seen';
import { type Running, startListenedShop } from './shop';
import { approve, problem, startWooCommerce, type WooCommerceServer, wooCommerceKey } from './woocommerce-server';

const public_url = 'https://automation.example';
const deliver_to = `${public_url}/v1/webhooks/gateway_shop`;
const keys = { consumer_key: wooCommerceKey.key, consumer_secret: wooCommerceKey.secret };
const settings = { secretKey: secret([Buffer.alloc(32, 7)]), outboundAllow: { hosts: ['127.0.0.1'], subnets: [] } };
const timeout = { timeout: 60_000 };

describeLanes('shop: connected by an administrator', (lane) => {
  let deps: LaneDeps;
  let running: Running;
  let server: WooCommerceServer;
  /** Secrets that intake made and has. */
  let secrets: Map<string, string>;
  /** When they end. */
  let until: string | null;
  /** What happens while intake makes one. */
  let meanwhile: () => Promise<unknown>;

  beforeEach(async () => {
    deps = await lane.deps();
    secrets = new Map();
    meanwhile = async () => undefined;
    until = null;
    const shown = (id: string) => ({
      id,
      last4: 'sec1',
      source: 'api' as const,
      since: null,
      until,
      last_used_at: null,
    });
    await deps.bus.respond('intake.secret.list.v1', async () => ({ secrets: [...secrets.keys()].map(shown) }));
    await deps.bus.respond('intake.secret.add.v1', async () => {
      const id = `sec_${secrets.size + 1}`;
      secrets.set(id, `secret of intake ${id}`);
      await meanwhile();
      return { ...shown(id), until: null, secret: secrets.get(id) ?? null, older: [] };
    });
    await deps.bus.respond('intake.secret.remove.v1', async ({ id }) => {
      secrets.delete(id);
      return { deleted: true as const };
    });
    server = await startWooCommerce({ now: deps.clock.now });
    running = await startListenedShop(deps, { demoShop: true, settings });
  });
  afterEach(async () => {
    await running.service.close();
    await server.close();
  });

  const connect = (given: object = {}) =>
    deps.bus.request(
      'shop.connection.connect.v1',
      { address: server.url, ...keys, public_url, by: 'ada', ...given },
      timeout,
    );
  const shopOf = ({ bus } = deps) => bus.request('shop.connection.get.v1', { public_url }, timeout);
  const numbersOf = async ({ bus } = deps) => {
    const { orders } = await bus.request('shop.order.list.v1', { page: 1, per_page: 50 }, timeout);
    return orders.map(({ id }) => id);
  };
  const statesOf = (check: { lines: readonly { name: string; state: string }[] } | null) =>
    Object.fromEntries((check?.lines ?? []).map(({ name, state }) => [name, state]));

  test('pasted keys: its orders at once, three webhooks with a secret of intake, a line for all that was tried', async () => {
    expect(await shopOf()).toMatchObject({ connector: 'builtin', source: 'default', demonstration: true });
    server.putOrder(70, { status: 'processing' });
    const shop = await connect();
    expect(shop).toMatchObject({
      connector: 'woocommerce',
      source: 'settings',
      demonstration: false,
      address: server.url,
    });
    expect(shop).toMatchObject({ key_last4: 'cdef', connected_by: 'ada' });
    expect(await numbersOf()).toEqual([70]);
    expect(server.webhooks.map(({ topic, delivery_url, secret: sent }) => [topic, delivery_url, sent])).toEqual([
      ['order.created', deliver_to, secrets.get('sec_1')],
      ['order.updated', deliver_to, secrets.get('sec_1')],
      ['order.deleted', deliver_to, secrets.get('sec_1')],
    ]);
    expect(statesOf(shop.check)).toEqual({
      ...{ rest_api: 'ok', clock: 'ok', https: 'warning', statuses: 'ok', webhooks: 'ok' },
      ...{ 'read orders': 'ok', 'change orders': 'ok', 'write notes': 'ok' },
      ...{ 'read products': 'ok', 'read customers': 'ok', 'read webhooks': 'ok' },
    });
    expect([...server.orders.keys()]).toEqual([70]);
    await waitFor(() =>
      running.entries.some(({ summary }) => summary === `ada connected the WooCommerce shop at ${server.url}`),
    );
  });

  test('what is stored and told has neither key nor secret, and a check makes no further webhook', async () => {
    const shop = await connect();
    const again = await deps.bus.request('shop.connection.check.v1', { public_url, by: 'ada' }, timeout);
    expect([server.webhooks.length, secrets.size]).toEqual([3, 1]);
    const stored = await (await deps.store.collection('shop_connection')).find({}).toArray();
    for (const text of [shop, again, stored, running.entries].map((one) => JSON.stringify(one)))
      expect(text).not.toMatch(/ck_0123|cs_fedc|secret of intake/);
  });

  test('a webhook that is switched off or was removed is there again after a check, at an address that changed', async () => {
    await connect();
    server.webhooks.splice(0, 1);
    Object.assign(server.webhooks[0] ?? {}, { status: 'disabled' });
    const moved = 'https://moved.example';
    await deps.bus.request('shop.connection.check.v1', { public_url }, timeout);
    expect(server.webhooks.map(({ topic, status }) => `${topic} ${status}`).sort()).toEqual([
      'order.created active',
      'order.deleted active',
      'order.updated active',
    ]);
    await deps.bus.request('shop.connection.check.v1', { public_url: moved }, timeout);
    expect(server.webhooks.map(({ delivery_url }) => delivery_url)).toEqual(
      Array(3).fill(`${moved}/v1/webhooks/gateway_shop`),
    );
  });

  test.each(['was removed', 'ends'])('webhooks whose secret %s sign with another one after a check', async (how) => {
    await connect();
    if (how === 'ends') until = '2026-12-01T00:00:00.000Z';
    else secrets.set('sec_of_a_person', 'another secret').delete('sec_1');
    await deps.bus.request('shop.connection.check.v1', { public_url }, timeout);
    expect(server.webhooks.map(({ secret: sent }) => sent)).toEqual(Array(3).fill('secret of intake sec_2'));
    until = null;
    await deps.bus.request('shop.connection.check.v1', { public_url }, timeout);
    expect([server.webhooks.length, secrets.size]).toEqual([3, 2]);
    const { notice } = await deps.bus.request('shop.connection.disconnect.v1', { public_url }, timeout);
    expect([notice !== '', server.webhooks, secrets.has('sec_2')]).toEqual([true, [], false]);
  });

  test('a connection that is changed while its webhooks are made leaves no secret and no webhook', async () => {
    const stored = await deps.store.collection<{ _id: string; version: number }>('shop_connection');
    meanwhile = () => stored.updateOne({ _id: 'shop' }, { $set: { version: 99 } });
    const { check } = await connect();
    expect(statesOf(check)).toMatchObject({ webhooks: 'warning', 'read orders': 'ok' });
    expect([server.webhooks, secrets.size]).toEqual([[], 0]);
    meanwhile = async () => undefined;
    await deps.bus.request('shop.connection.check.v1', { public_url }, timeout);
    expect([server.webhooks.length, secrets.size]).toEqual([3, 1]);
  });

  test('a disconnected shop keeps nothing of ours, and the orders from before are here again', async () => {
    const before = await numbersOf();
    await connect();
    const { notice, ...shop } = await deps.bus.request(
      'shop.connection.disconnect.v1',
      { public_url, by: 'ada' },
      timeout,
    );
    expect(shop).toMatchObject({ connector: 'builtin', source: 'default', demonstration: true, check: null });
    expect(notice).toContain('ends in cdef');
    expect([server.webhooks, secrets.size, await numbersOf()]).toEqual([[], 0, before]);
    await expect(deps.bus.request('shop.connection.check.v1', { public_url }, timeout)).rejects.toMatchObject({
      code: 'svc_shop_not_connected',
    });
  });

  test('a shop that is away is disconnected all the same, and the answer says what is left there', async () => {
    await connect();
    await server.close();
    const { notice } = await deps.bus.request('shop.connection.disconnect.v1', { public_url }, timeout);
    expect(notice).toContain(`remove the webhooks to ${deliver_to}`);
    expect(await shopOf()).toMatchObject({ connector: 'builtin' });
  });

  test.each([
    [
      'a secret that is not the one of the key',
      { consumer_secret: 'cs_wrong_wrong' },
      'consumer_key',
      'refuses the key',
    ],
    ['an address with a password', { address: 'https://a:b@shop.example' }, 'address', 'must not hold a user'],
    ['another scheme', { address: 'file:///etc/passwd' }, 'address', 'must begin with https'],
    ['a private address', { address: 'https://10.0.0.7' }, 'address', 'not a public one'],
    [
      'http to a host that is not allowed',
      { address: 'http://shop.example' },
      'address',
      'must begin with https://, because others',
    ],
  ])('%s is refused in words, and the shop stays the one it was', async (_title, given, path, words) => {
    const refusal = await connect(given).catch((error: unknown) => error);
    expect(refusal).toMatchObject({
      status: 400,
      data: { violations: [{ path, message: expect.stringContaining(words) }] },
    });
    expect(await shopOf()).toMatchObject({ connector: 'builtin' });
    expect(server.webhooks).toEqual([]);
  });

  test('a key that may only read is refused with what it lacks', async () => {
    await server.close();
    server = await startWooCommerce({ now: deps.clock.now, key: { ...wooCommerceKey, write: false } });
    const refusal = await connect().catch((error: unknown) => error);
    expect(JSON.stringify((refusal as { data: unknown }).data)).toContain('The key may not change orders.');
    expect(JSON.stringify((refusal as { data: unknown }).data)).toContain('Read/Write');
  });

  test('a key that may not touch webhooks, plain permalinks and a clock that is wrong are connected, and said', async () => {
    await server.close();
    const now = () => deps.clock.now() + 5 * 60_000;
    server = await startWooCommerce({ now, key: { ...wooCommerceKey, forbidden: ['webhooks'] } });
    server.plainPermalinks = true;
    const shop = await connect({ public_url: null });
    expect(statesOf(shop.check)).toMatchObject({
      rest_api: 'warning',
      clock: 'warning',
      'read webhooks': 'warning',
      webhooks: 'warning',
    });
    // So a shop answers too whose address was copied from a page of it, and one whose web server rewrites no addresses.
    expect(shop.check?.lines[0]?.text).toBe(`The REST API answers, but not below ${server.url}/wp-json.`);
    const checked = await deps.bus.request('shop.connection.check.v1', { public_url }, timeout);
    expect(statesOf(checked.check)).toMatchObject({ webhooks: 'warning' });
  });

  test('keys by the shop itself: they count once, in time, with the right nonce and permission', async () => {
    const ask = async () => {
      const input = { address: server.url, public_url, by: 'ada' };
      return (await deps.bus.request('shop.connection.authorize.v1', input, timeout)).authorize_url;
    };
    const posted: Record<string, unknown>[] = [];
    const receive = async (given: object = {}) => {
      const { user_id, key_permissions, consumer_key, consumer_secret } = posted[0] as Record<string, string>;
      const fields = { nonce: user_id ?? '', permissions: key_permissions ?? '', consumer_key, consumer_secret };
      const input = { ...fields, ...given } as {
        nonce: string;
        permissions: string;
        consumer_key: string;
        consumer_secret: string;
      };
      return deps.bus.request('shop.connection.receive-keys.v1', input, timeout);
    };
    const back = await approve(await ask(), wooCommerceKey, async (url, body) => {
      expect(url).toBe(`${public_url}/v1/shop/connection/keys`);
      posted[0] = body;
      await expect(receive({ nonce: 'guessed' })).rejects.toMatchObject({ code: 'svc_authorization_not_found' });
      await receive();
      return 200;
    });
    expect(back).toMatch(/^https:\/\/automation\.example\/settings\?part=shop&success=1&user_id=/);
    expect(await shopOf()).toMatchObject({ source: 'settings', address: server.url, connected_by: 'ada', check: null });
    await expect(receive()).rejects.toMatchObject({ status: 404 });
    await deps.bus.request('shop.connection.check.v1', { public_url }, timeout);
    expect(server.webhooks).toHaveLength(3);

    await approve(await ask(), wooCommerceKey, async (_url, body) => {
      posted[0] = body;
      await expect(receive({ permissions: 'read' })).rejects.toMatchObject({ status: 400 });
      return 200;
    });
    await approve(await ask(), wooCommerceKey, async (_url, body) => {
      posted[0] = body;
      deps.clock.advance(15 * 60_000);
      await expect(receive()).rejects.toMatchObject({ code: 'svc_authorization_not_found' });
      return 200;
    });
  });

  test('another instance uses it too, and one that starts later', async () => {
    const other = await lane.deps({ store: deps.store, bus: deps.bus });
    const second = await startShop(other, { demoShop: true, timeZone: 'UTC', ...settings });
    server.putOrder(70, { status: 'processing' });
    await connect();
    // Either instance may answer: all of them have to.
    await waitFor(async () => {
      const answers = await Promise.all(Array.from({ length: 8 }, () => numbersOf()));
      return answers.every((numbers) => numbers.join() === '70');
    }, timeout);
    await second.close();
    await running.service.close();
    running = await startListenedShop(await lane.deps({ store: deps.store }), { demoShop: true, settings });
    expect(await numbersOf(running.deps)).toEqual([70]);
  });

  test('what was noted of one shop says nothing about the next', async () => {
    const seen = await deps.store.collection<SeenDocument>('woocommerce_seen');
    await connect();
    // An order that was there before is not new.
    server.putOrder(70, { status: 'processing' });
    // A read that differs is not looked at while the look before is not over: the next one is.
    const seenAs = (status: string) =>
      waitFor(async () => {
        await deps.bus.request('shop.order.get.v1', { ids: [70] }, timeout);
        return (await seen.find({}).toArray())[0]?.status === status;
      }, timeout);
    await seenAs('processing');
    const next = await startWooCommerce({ now: deps.clock.now });
    await connect({ address: next.url });
    expect([server.webhooks.length, next.webhooks.length]).toEqual([0, 3]);
    next.putOrder(70, { status: 'completed' });
    await seenAs('completed');
    await next.close();
    const changesOf = (kind: string) => running.changes.filter(({ data }) => data.kind === kind);
    // Each shop has an order 70 of its own.
    await waitFor(() => new Set(changesOf('created').map(({ id }) => id)).size === 2, timeout);
    expect(changesOf('status_changed').filter(({ data }) => data.from !== null)).toEqual([]);
  });

  test('the environment wins, and the answer says so', async () => {
    const fixed = await lane.deps();
    const service = await startShop(fixed, { demoShop: false, timeZone: 'UTC', ...settings, connector: 'builtin' });
    const input = { address: server.url, ...keys, public_url };
    await expect(fixed.bus.request('shop.connection.connect.v1', input, timeout)).rejects.toMatchObject({
      status: 409,
      code: 'svc_set_by_environment',
    });
    expect(await shopOf(fixed)).toMatchObject({ connector: 'builtin', source: 'environment' });
    await service.close();
  });

  // A fatal error of a plugin is a 500 of every request (WP_Fatal_Error_Handler; seen with WooCommerce 10.0.2), which no address and no firewall mends.
  test('the check of a shop in which a plugin fails says where its errors stand', async () => {
    await connect();
    const message = '<p>There has been a critical error on this website.</p>';
    server.fault = () => ({ reply: problem(500, 'internal_server_error', message) });
    const { check } = await deps.bus.request('shop.connection.check.v1', { public_url }, timeout);
    const cure = expect.stringContaining('WooCommerce, Status, Logs');
    expect(check?.lines).toEqual([{ name: 'rest_api', state: 'failed', text: 'WooCommerce answered 500.', cure }]);
  });

  test('a shop that fails while its webhooks are made is connected, and what failed is a line with a cure', async () => {
    server.fault = ({ method, path }) =>
      method === 'POST' && path === 'wc/v3/webhooks' ? { reply: problem(400, 'refused', 'No.') } : undefined;
    const shop = await connect();
    expect(statesOf(shop.check)).toMatchObject({ webhooks: 'warning', rest_api: 'ok' });
  });
});
