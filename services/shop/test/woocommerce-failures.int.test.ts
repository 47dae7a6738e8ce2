import { ServiceError } from '@order-automation/contracts';
import { createLogger } from '@order-automation/service';
import {
  crashingStore,
  describeLanes,
  type Fault,
  type LaneDeps,
  problem,
  startWooCommerce,
  type WooCommerceServer,
  waitFor,
} from '@order-automation/testing';
import { startShop } from '../src';
import { wooCommerceSettings as settingsOf } from '../src/woocommerce/settings';
import { wooCommerceConnector } from '../src/woocommerce/woocommerce-connector';
import { apply, note, status } from './shop';
import { startWooCommerceShop, type WooCommerceShop, wooCommerceSettings } from './woocommerce';

/** Longer than the lease of an order. */
const leaseEnds = 25_000;

describeLanes('shop: woocommerce, what goes wrong', (lane) => {
  let deps: LaneDeps;
  let shop: WooCommerceShop;
  let server: WooCommerceServer;
  let next = 3_000;
  const newOrder = (): number => {
    next += 1;
    server.putOrder(next, { status: 'processing' });
    return next;
  };
  const transitionsOf = (id: number) => server.transitions.filter(({ order_id }) => order_id === id);
  const ownNotes = (id: number) => server.notesOf(id).filter((one) => one.note.startsWith('note '));
  const refusal = async (work: Promise<unknown>): Promise<ServiceError> => {
    const error = await work.then(() => undefined).catch((one: unknown) => one);
    if (!(error instanceof ServiceError)) throw new Error(`no refusal but ${error}`);
    return error;
  };
  /** The stand-in for MongoDB takes a second for each start of a shop: it dies at some of its writes. */
  const step = lane.name === 'embedded' ? 1 : 3;
  /** The fault happens to the first call of that kind alone. */
  const once = (matches: string, fault: Fault): void => {
    let left = 1;
    server.fault = ({ method, path }) => {
      if (left === 0 || !`${method} ${path}`.includes(matches)) return undefined;
      left -= 1;
      return fault;
    };
  };

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startWooCommerceShop(deps);
    server = shop.server;
  });
  afterEach(() => {
    server.fault = () => undefined;
  });
  afterAll(() => shop?.close());

  test.each(['PUT wc/v3/orders', 'POST wc/v3/orders'])(
    '%s is carried out and its answer is lost: done once, told as done',
    async (call) => {
      const id = newOrder();
      const commands = [status(`cut-${id}`, id), note(`cut-n-${id}`, id)];
      once(call, 'cut');
      expect((await refusal(apply(deps.bus, commands))).status).toBe(503);
      // The write may still be going on in the shop: nobody touches the order meanwhile.
      expect((await refusal(apply(deps.bus, commands))).message).toContain('is being changed by another process');
      deps.clock.advance(leaseEnds);
      const { results } = await apply(deps.bus, commands);
      expect(results.map((result) => result.status)).not.toContain('failed');
      expect(results[0]?.changes[0]).toEqual({ field: 'status', from: 'processing', to: 'completed' });
      expect([transitionsOf(id).length, ownNotes(id).length]).toEqual([1, 1]);
      await waitFor(() => shop.changes.some(({ data }) => data.order_id === id && data.to === 'completed'));
    },
  );

  test('a process that dies at any of its writes, and one that goes on: each effect once', async () => {
    for (const stored of lane.name === 'embedded' ? [false, true] : [true]) {
      let writes = 0;
      for (let at = 1, died = true; died; at += step) {
        const id = newOrder();
        const commands = [status(`die-${id}-1`, id), note(`die-${id}-2`, id), status(`die-${id}-3`, id, 'on-hold')];
        const crashing = crashingStore(deps.store, { at, stored });
        const dying = await lane.deps({ store: crashing, clock: deps.clock });
        const victim = await startShop(dying, { demoShop: false, timeZone: 'UTC', ...wooCommerceSettings(server) });
        await apply(dying.bus, commands).catch(() => undefined);
        died = crashing.hasCrashed();
        await victim.close();
        deps.clock.advance(leaseEnds);
        const { results } = await apply(deps.bus, commands);
        expect(results.map((result) => result.status)).not.toContain('failed');
        expect(transitionsOf(id).map(({ to }) => to)).toEqual(['completed', 'on-hold']);
        expect(ownNotes(id)).toHaveLength(1);
        deps.clock.advance(6_000);
        await waitFor(() =>
          ['completed', 'on-hold'].every((to) =>
            shop.changes.some(({ data }) => data.order_id === id && data.to === to),
          ),
        );
        writes = at;
      }
      expect(writes).toBeGreaterThan(4);
    }
  }, 180_000);

  test('a process that dies at any of its writes while it refunds, and a repeat under the key: one refund, published once', async () => {
    let writes = 0;
    for (let at = 1, died = true; died; at += step) {
      const id = newOrder();
      const input = {
        order_id: id,
        refund: { amount: '49.00', reason: '', line_items: [] },
        key: `die-${id}`,
        cause: { process_id: 'proc_person', depth: 0, author: 'ada' },
      };
      const refund = (bus: LaneDeps['bus']) => bus.request('shop.refund.create.v1', input, { timeout: 10_000 });
      const crashing = crashingStore(deps.store, { at, stored: true });
      const dying = await lane.deps({ store: crashing, clock: deps.clock });
      const victim = await startShop(dying, { demoShop: false, timeZone: 'UTC', ...wooCommerceSettings(server) });
      await refund(dying.bus).catch(() => undefined);
      died = crashing.hasCrashed();
      await victim.close();
      deps.clock.advance(leaseEnds);
      const { refund: made } = await refund(deps.bus);
      expect(server.refundsOf(id)).toMatchObject([{ id: made.id, amount: '49.00' }]);
      expect(transitionsOf(id)).toMatchObject([{ to: 'refunded' }]);
      const journal = await deps.store.collection<{ _id: string; order_id: number }>('woocommerce_journal');
      const noted = async () => (await journal.find({ order_id: id }).toArray()).map(({ _id }) => _id);
      // The order, its first status, the refund and the status after it.
      await waitFor(async () => (await noted()).length === 4);
      writes = at;
    }
    expect(writes).toBeGreaterThan(4);
  }, 180_000);

  test('two processes with the same commands for one order: each once', async () => {
    const id = newOrder();
    const other = await lane.deps({ store: deps.store, clock: deps.clock });
    const second = await startShop(other, { demoShop: false, timeZone: 'UTC', ...wooCommerceSettings(server) });
    const commands = ['on-hold', 'processing', 'completed'].map((to) => status(`race-${id}-${to}`, id, to));
    const notes = commands.map(({ key }) => note(`n-${key}`, id));
    const patient = (bus: LaneDeps['bus']) =>
      waitFor(() => apply(bus, [...commands, ...notes]).catch(() => undefined), { timeout: 40_000 });
    const answers = await Promise.all([deps, other, deps, other].map(({ bus }) => patient(bus)));
    expect(answers.flatMap(({ results }) => results.filter((result) => result.status === 'applied'))).toHaveLength(6);
    expect(transitionsOf(id).map(({ to }) => to)).toEqual(['on-hold', 'processing', 'completed']);
    expect(ownNotes(id)).toHaveLength(3);
    await second.close();
  });

  test('429 and 503 with Retry-After: nothing is asked until the time is over', async () => {
    const id = newOrder();
    for (const code of [429, 503]) {
      once('GET wc/v3/orders', { reply: { status: code, body: '', headers: { 'Retry-After': '20' } } });
      expect((await refusal(deps.bus.request('shop.order.view.v1', { id }))).status).toBe(503);
      const before = server.calls.length;
      expect((await refusal(apply(deps.bus, [status(`wait-${code}-${id}`, id)]))).message).toContain('20 s are left');
      expect(server.calls.length).toBe(before);
      deps.clock.advance(21_000);
      expect((await apply(deps.bus, [note(`wait-${code}-${id}`, id)])).results[0]?.status).toBe('applied');
    }
  });

  test('an order that the shop fails on is its own failure; a shop that fails altogether is unavailable', async () => {
    const [poison, healthy] = [newOrder(), newOrder()];
    const critical = {
      reply: problem(500, 'internal_server_error', 'There has been a critical error on this website.'),
    };
    server.fault = ({ path }) => (path.includes(String(poison)) ? critical : undefined);
    const commands = [status(`poison-${poison}`, poison), status(`poison-${healthy}`, healthy)];
    expect(await refusal(apply(deps.bus, commands))).toMatchObject({ status: 502, code: 'svc_shop_failed' });
    // Its neighbour in the batch is done all the same.
    expect(transitionsOf(healthy)).toHaveLength(1);
    server.fault = () => critical;
    expect((await refusal(apply(deps.bus, commands))).status).toBe(503);
  });

  test('what WooCommerce refuses fails with its words, and the next command goes on', async () => {
    const id = newOrder();
    const message = 'Invalid parameter(s): status';
    once('PUT', { reply: problem(400, 'rest_invalid_param', message, { params: {} }) });
    const { results } = await apply(deps.bus, [status(`refused-${id}`, id), note(`after-${id}`, id)]);
    expect(results.map((result) => [result.status, result.message])).toEqual([
      ['failed', `WooCommerce refused it: ${message}`],
      ['applied', 'A note was added.'],
    ]);
  });
});

describeLanes('shop: woocommerce, a shop that cannot be used', (lane) => {
  const lines: string[] = [];
  const log = createLogger({
    name: 'test',
    level: 'debug',
    destination: { write: (line: string) => void lines.push(line) },
  });

  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0).reverse()) await one.close();
  });
  const startServer: typeof startWooCommerce = async (options) => {
    const server = await startWooCommerce(options);
    opened.push(server);
    return server;
  };
  const connect = async (server: Pick<WooCommerceServer, 'url' | 'key'>, timeout = 15_000) => {
    const deps = await lane.deps();
    const connector = await wooCommerceConnector({ ...deps, log }, settingsOf(wooCommerceSettings(server)), timeout);
    opened.push(connector);
    return connector;
  };

  test.each([
    [
      'a wrong secret',
      { key: 'ck_0123456789abcdef', secret: 'cs_wrong_wrong_wrong' },
      'WOOCOMMERCE_KEY and WOOCOMMERCE_SECRET',
    ],
    [
      'a wrong key',
      { key: 'ck_wrong_wrong_wrong', secret: 'cs_fedcba9876543210' },
      'WOOCOMMERCE_KEY and WOOCOMMERCE_SECRET',
    ],
  ])('%s: said once, without the secret, until it is mended', async (_title, key, words) => {
    const server = await startServer();
    lines.length = 0;
    const connector = await connect({ url: server.url, key });
    await expect(connector.get({ ids: [1, 2] })).rejects.toMatchObject({ status: 503 });
    await waitFor(async () => (await connector.problems())[0]?.includes(words));
    await expect(connector.get({ ids: [1, 2] })).rejects.toMatchObject({ status: 503 });
    expect(lines.filter((line) => line.includes('WooCommerce cannot be used'))).toHaveLength(1);
    expect(lines.join('')).not.toMatch(/wrong_wrong|fedcba/);
  });

  test('a key that may only read: reads work, a command says what is missing', async () => {
    const server = await startServer({
      key: { key: 'ck_0123456789abcdef', secret: 'cs_fedcba9876543210', write: false },
    });
    server.putOrder(1, { status: 'processing' });
    const connector = await connect(server);
    expect((await connector.get({ ids: [1] })).orders).toHaveLength(1);
    const refused = connector.apply({ commands: [status('read-only', 1)], return_orders: false });
    await expect(refused).rejects.toThrow('does not have write permissions');
  });

  test.each([
    [
      'a redirect',
      { status: 301, body: '', headers: { Location: 'https://www.shop.example/' } },
      'set WOOCOMMERCE_URL',
    ],
    ['a page instead of an answer', { status: 200, body: '<html>Maintenance</html>' }, 'not JSON'],
    ['no REST API', { status: 404, body: '<h1>Not found</h1>' }, 'no WooCommerce REST API v3'],
    ['an error of the server before it', { status: 502, body: '' }, 'answered 502'],
  ])('%s', async (_title, reply, words) => {
    const server = await startServer();
    server.fault = () => ({ reply });
    const connector = await connect(server);
    await expect(connector.get({ ids: [1] })).rejects.toMatchObject({ status: 503 });
    expect((await connector.problems()).join()).toContain(words);
    server.fault = () => undefined;
    await waitFor(async () => (await connector.problems()).length === 0);
  });

  test('a shop that does not answer: unavailable after the time limit, and a write is not repeated meanwhile', async () => {
    const server = await startServer();
    server.putOrder(1, { status: 'processing' });
    const connector = await connect(server, 300);
    server.fault = ({ method }) => (method === 'PUT' ? 'hang' : undefined);
    const commands = [status('slow', 1)];
    await expect(connector.apply({ commands, return_orders: false })).rejects.toThrow('No answer within 300 ms');
    server.fault = () => undefined;
    await expect(connector.apply({ commands, return_orders: false })).rejects.toThrow('being changed');
    expect(server.transitions).toEqual([]);
  });

  test('nobody there: not ready, and the start is not held up', async () => {
    const connector = await connect({
      url: 'http://127.0.0.1:9',
      key: { key: 'ck_0123456789', secret: 'cs_0123456789' },
    });
    await waitFor(async () => (await connector.problems()).join().includes('cannot be reached'));
  });
});
