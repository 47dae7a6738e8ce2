import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '@order-automation/contracts';
import { createLogger, openOutbox } from '@order-automation/service';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { crashingStore } from '../../../shared/store/test/crashing-store';
import { startShop } from '../src';
import { shopTelemetry } from '../src/telemetry';
import { wooCommerceClient } from '../src/woocommerce/client';
import { wooCommerceSettings as settingsOf } from '../src/woocommerce/settings';
import { wooCommerceConnector } from '../src/woocommerce/woocommerce-connector';
import { apply, applySteps, asSteps, note, resultsOf, status, step } from './shop';
import { startWooCommerceShop, type WooCommerceShop, wooCommerceSettings } from './woocommerce';
import {
  type Call,
  type Fault,
  problem,
  type Reply,
  startWooCommerce,
  type WooCommerceServer,
} from './woocommerce-server';
import { answerOf } from './woocommerce-server/routes';

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
  const completed = { kind: 'set_status', status: 'completed', send_emails: false, update_stock: false } as const;
  const said = (text: string) => ({ kind: 'add_note', note: text, customer_note: false }) as const;
  /** The stand-in for MongoDB takes a second for each start of a shop: it dies at some of its writes. */
  const stride = lane.name === 'embedded' ? 1 : 6;
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

  const cuts: [string, Fault][] = [
    ['after it was carried out', 'cut'],
    ['before it was carried out', 'cut_before'],
    ['before it is carried out all the same', { cut_early: 1_000 }],
  ];
  test.each(['PUT wc/v3/orders', 'POST wc/v3/orders'].flatMap((call) => cuts.map((cut) => [call, ...cut] as const)))(
    '%s: the connection ends %s: done once, at once, told as done',
    async (call, _title, fault) => {
      const id = newOrder();
      once(call, fault);
      const [answer] = await applySteps(deps.bus, [step(`cut-${id}`, id, null, completed, said(`note ${id}`))]);
      const results = answer && 'results' in answer ? answer.results : [];
      expect([answer?.kind, ...results.map((result) => result.status)]).toEqual(['applied', 'applied', 'applied']);
      expect(results[0]?.changes[0]).toEqual({ field: 'status', from: 'processing', to: 'completed' });
      expect([transitionsOf(id).length, ownNotes(id).length]).toEqual([1, 1]);
      await waitFor(() => shop.changes.some(({ data }) => data.order_id === id && data.to === 'completed'));
    },
  );

  // OrdersTableDataStore::persist_save writes the row of an order before its fields, WC_Order::save acts on the new status after both.
  test.each<[string, (id: number, call: Call) => Reply]>([
    ['it ends with nothing', (_, call) => ({ ...answerOf(call, server), status: 200, body: '' })],
    [
      'it fails before the fields of the order are stored',
      (id) => {
        server.putOrder(id, { status: 'completed' });
        return problem(500, 'internal_server_error', 'There has been a critical error on this website.');
      },
    ],
  ])('PHP breaks off in the middle of a save, %s: done once, and the entry says to look', async (_title, answer) => {
    const id = newOrder();
    let isFirst = true;
    server.fault = (call) => {
      if (call.method !== 'PUT' || !call.path.endsWith(`/${id}`) || !isFirst) return undefined;
      isFirst = false;
      return { reply: answer(id, call) };
    };
    const [done] = await applySteps(deps.bus, [step(`broken-${id}`, id, null, completed, said(`note ${id}`))]);
    const results = done && 'results' in done ? done.results : [];
    expect(results.map((result) => result.status)).toEqual(['applied', 'applied']);
    expect(results[0]?.message).toContain('see whether the stock was changed and its e-mails were sent');
    expect([transitionsOf(id).length, ownNotes(id).length]).toEqual([1, 1]);
  });

  test('a write is lost and nobody can look what has become of it: nobody else touches the order meanwhile, the same step goes on', async () => {
    const id = newOrder();
    const commands = [completed, said(`note ${id}`)];
    let isCut = false;
    server.fault = ({ method }) => {
      if (isCut) return 'cut_before';
      isCut = method === 'POST';
      return isCut ? 'cut' : undefined;
    };
    const [lost] = await applySteps(deps.bus, [step(`lost-${id}`, id, null, ...commands)]);
    expect(lost).toMatchObject({ kind: 'unavailable', about: 'shop', retry_after_ms: expect.any(Number) });
    server.fault = () => undefined;
    const again = await waitFor(async () => {
      const [answer] = await applySteps(deps.bus, [step(`lost-${id}`, id, 'another', ...commands)]);
      return answer && 'results' in answer && answer;
    });
    expect(again.results.map((result) => [result.status, result.changes.length > 0])).toEqual([
      ['already_applied', true],
      ['already_applied', true],
    ]);
    expect([transitionsOf(id).length, ownNotes(id).length]).toEqual([1, 1]);
  });

  test('one order that the shop fails on does not keep the others of its batch from it', async () => {
    const ids = Array.from({ length: 8 }, newOrder);
    const [poison = 0] = ids;
    const reply = problem(500, 'internal_server_error', 'There has been a critical error on this website.');
    server.fault = ({ method, path }) => (method === 'PUT' && path.endsWith(`/${poison}`) ? { reply } : undefined);
    const steps = ids.map((id) => step(`batch-${id}`, id, null, completed, said(`note ${id}`)));
    const answers = await applySteps(deps.bus, steps);
    expect(answers.map(({ kind }) => kind)).toEqual(['unavailable', ...Array(7).fill('applied')]);
    expect(answers[0]).toMatchObject({ about: 'order', reason: expect.stringContaining('other requests work') });
    server.fault = () => undefined;
    expect((await applySteps(deps.bus, steps)).map(({ kind }) => kind)).toEqual([
      'applied',
      ...Array(7).fill('repeated'),
    ]);
    expect(ids.map((id) => [transitionsOf(id).length, ownNotes(id).length])).toEqual(ids.map(() => [1, 1]));
  });

  test('what WooCommerce refuses of a step fails with its words, and the rest is carried out', async () => {
    const id = newOrder();
    const refuse = { reply: problem(400, 'rest_invalid_param', 'Invalid parameter(s): status', { params: {} }) };
    server.fault = ({ method, body }) => (method === 'PUT' && body.status !== undefined ? refuse : undefined);
    const [answer] = await applySteps(deps.bus, [
      step(`refused-${id}`, id, null, completed, { kind: 'add_tag', tag: 'vip' }, said('note after')),
    ]);
    const results = answer && 'results' in answer ? answer.results : [];
    expect(results.map((result) => [result.status, result.message])).toEqual([
      ['failed', 'WooCommerce refused it: Invalid parameter(s): status'],
      ['applied', 'The tag "vip" was added.'],
      ['applied', 'A note was added.'],
    ]);
  });

  /** https://github.com/woocommerce/woocommerce-android/issues/9674: servers refuse PUT, and take the same as a POST. */
  test('a server that blocks PUT: the order is changed by POST, and later ones at once', async () => {
    const blocked = { reply: { status: 405, body: '<title>405 Not Allowed</title>' } };
    server.fault = ({ sentAs }) => (sentAs === 'PUT' ? blocked : undefined);
    server.calls.length = 0;
    for (const id of [newOrder(), newOrder()]) {
      const [answer] = await applySteps(deps.bus, [step(`blocked-${id}`, id, null, completed)]);
      expect([answer?.kind, transitionsOf(id).length]).toEqual(['applied', 1]);
    }
    const writes = server.calls.filter(({ method, path }) => method === 'PUT' && !path.endsWith('/0'));
    expect(writes.map(({ sentAs }) => sentAs)).toEqual(['PUT', 'POST', 'POST']);
  });

  /** https://docs.wpsimplepay.com/articles/406-403-not-acceptable-modsecurity/, and docs/guide/woocommerce.md: the action fails, the log names the page. */
  test.each([403, 404, 406, 413])(
    'a firewall that answers words of a rule with a page (%i): they fail alone, for good, and the page is named',
    async (status) => {
      const id = newOrder();
      const page = { reply: { status, body: '<title>Not Acceptable!</title>' } };
      server.fault = ({ method, body }) =>
        method !== 'GET' && JSON.stringify(body ?? '').includes('FROM teas') ? page : undefined;
      const field = { kind: 'set_meta', key: 'remark', value: 'SELECT name FROM teas' } as const;
      const [answer] = await applySteps(deps.bus, [
        step(`firewall-${status}`, id, null, completed, field, said('SELECT name FROM teas'), said('note after')),
      ]);
      const results = answer && 'results' in answer ? answer.results : [];
      expect(results.map((result) => result.status)).toEqual(['applied', 'failed', 'failed', 'applied']);
      for (const { message } of results.slice(1, 3)) expect(message).toContain('"Not Acceptable!"');
      expect([transitionsOf(id).length, ownNotes(id).length]).toEqual([1, 1]);
    },
  );

  test('a firewall that answers a status with a page: it is tried again, and others go on', async () => {
    const id = newOrder();
    const page = { reply: { status: 403, body: '<title>Just a moment...</title>' } };
    server.fault = ({ path, body }) => (path.endsWith(`/${id}`) && body?.status !== undefined ? page : undefined);
    const held = step(`firewall-status-${id}`, id, null, completed, said('note once'));
    const [answer] = await applySteps(deps.bus, [held]);
    expect(answer).toMatchObject({ kind: 'unavailable', about: 'order', reason: expect.stringContaining('moment') });
    const [other] = await applySteps(deps.bus, [step(`firewall-other-${id}`, newOrder(), null, completed)]);
    expect(other?.kind).toBe('applied');
    server.fault = () => undefined;
    expect((await applySteps(deps.bus, [held]))[0]?.kind).toBe('applied');
    expect([transitionsOf(id).length, ownNotes(id).length]).toEqual([1, 1]);
  });

  test('a step takes four requests: the order, its change, and each note', async () => {
    const id = newOrder();
    await deps.bus.request('shop.order.get.v1', { ids: [id] });
    await waitFor(() => shop.changes.some(({ data }) => data.order_id === id));
    server.calls.length = 0;
    await applySteps(deps.bus, [
      step(`few-${id}`, id, null, completed, { kind: 'add_tag', tag: 'vip' }, said('note 1'), said('note 2')),
    ]);
    const own = server.calls.filter(({ path, query }) => `${path} ${query.get('include')}`.includes(String(id)));
    expect(own.map(({ method }) => method)).toEqual(['GET', 'PUT', 'POST', 'POST']);
  });

  test('a shop that fails on a read, or asks for a short pause, is asked again', async () => {
    const id = newOrder();
    for (const [at, fault] of [
      'cut_before' as const,
      { reply: problem(500, 'internal_server_error', 'A critical error.') },
      { reply: { status: 502, body: '' } },
      { reply: { status: 429, body: '', headers: { 'Retry-After': '1' } } },
    ].entries()) {
      once('GET wc/v3/orders', fault);
      expect((await apply(deps.bus, [note(`read-${at}-${id}`, id)]))[0]?.status).toBe('applied');
    }
    once('PUT', { reply: { status: 429, body: '', headers: { 'Retry-After': '1' } } });
    expect((await apply(deps.bus, [status(`turned-${id}`, id)]))[0]?.status).toBe('applied');
    expect(transitionsOf(id)).toHaveLength(1);
  });

  test('a process that dies at any of its writes, and one that goes on: each effect once', async () => {
    for (const stored of lane.name === 'embedded' ? [false, true] : [true]) {
      let writes = 0;
      for (let at = 1, died = true; died; at += stride) {
        const id = newOrder();
        const held = { ...completed, status: 'on-hold' };
        const dies = step(`die-${id}`, id, null, completed, said('note once'), held);
        const crashing = crashingStore(deps.store, { at, stored });
        const dying = await lane.deps({ store: crashing, clock: deps.clock });
        const settings = { demoShop: false, timeZone: 'UTC', ...wooCommerceSettings(server) };
        const victim = await startShop(dying, settings).catch(() => undefined);
        await applySteps(dying.bus, [dies]).catch(() => undefined);
        died = crashing.hasCrashed();
        await victim?.close();
        deps.clock.advance(leaseEnds);
        const [answer] = await applySteps(deps.bus, [dies]);
        const results = answer && 'results' in answer ? answer.results : [];
        expect(results.map((result) => result.status)).toEqual(Array(3).fill(expect.stringMatching('applied')));
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

  test('a process that dies at any of its writes while it makes an order of a draft: created once, in its status once', async () => {
    let writes = 0;
    for (let at = 1, died = true; died; at += stride) {
      const id = newOrder();
      server.putOrder(id, { status: 'checkout-draft' });
      const dies = step(`die-draft-${id}`, id, null, completed);
      const crashing = crashingStore(deps.store, { at, stored: true });
      const dying = await lane.deps({ store: crashing, clock: deps.clock });
      const settings = { demoShop: false, timeZone: 'UTC', ...wooCommerceSettings(server) };
      const victim = await startShop(dying, settings).catch(() => undefined);
      await applySteps(dying.bus, [dies]).catch(() => undefined);
      died = crashing.hasCrashed();
      await victim?.close();
      deps.clock.advance(leaseEnds);
      const [answer] = await applySteps(deps.bus, [dies]);
      expect(answer?.kind).toMatch(/applied|repeated/);
      deps.clock.advance(6_000);
      const published = () => [
        ...new Map(shop.changes.filter(({ data }) => data.order_id === id).map(({ data }) => [data.change_id, data])),
      ];
      const kinds = () => published().map(([, { kind, to }]) => `${kind} ${to}`);
      await waitFor(() => ['created completed', 'status_changed completed'].every((one) => kinds().includes(one)));
      expect(kinds().filter((one) => !one.startsWith('identified'))).toHaveLength(2);
      writes = at;
    }
    expect(writes).toBeGreaterThan(3);
  }, 180_000);

  // WooCommerce answers a refund that the gateway does not allow with 500 and `"data": 500`, a bare number
  // (class-wc-rest-order-refunds-v2-controller.php: new WP_Error('woocommerce_rest_cannot_create_order_refund', …, 500)).
  test('a refund that WooCommerce refuses is a refusal that says why, and the shop is not away', async () => {
    const body = { code: 'woocommerce_rest_cannot_create_order_refund', message: 'Card says no.', data: 500 };
    server.fault = ({ method, path }) =>
      method === 'POST' && path.endsWith('/refunds')
        ? { reply: { status: 500, body: JSON.stringify(body) } }
        : undefined;
    for (let turn = 0; turn < 8; turn += 1) {
      const id = newOrder();
      const refund = { amount: '9.00', reason: '', line_items: [] };
      const cause = { process_id: 'proc_person', depth: 0, author: 'ada' } as const;
      const input = { order_id: id, refund, key: `refused-${id}`, cause };
      const error = await refusal(deps.bus.request('shop.refund.create.v1', input, { timeout: 10_000 }));
      expect([error.status, JSON.stringify(error.data)]).toEqual([400, expect.stringContaining('Card says no.')]);
      expect(server.refundsOf(id)).toEqual([]);
    }
    const id = newOrder();
    const [answer] = await applySteps(deps.bus, [step(`after-refused-${id}`, id, null, completed)]);
    expect(answer?.kind).toBe('applied');
  });

  test('a process that dies at any of its writes while it refunds, and a repeat under the key: one refund, published once', async () => {
    let writes = 0;
    for (let at = 1, died = true; died; at += stride) {
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
      const settings = { demoShop: false, timeZone: 'UTC', ...wooCommerceSettings(server) };
      const victim = await startShop(dying, settings).catch(() => undefined);
      await refund(dying.bus).catch(() => undefined);
      died = crashing.hasCrashed();
      await victim?.close();
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
    const steps = ['on-hold', 'processing', 'completed'].map((to) =>
      step(`race-${id}-${to}`, id, null, { ...completed, status: to }, said(`note ${to}`)),
    );
    const patient = (bus: LaneDeps['bus']) =>
      waitFor(
        async () => {
          const answers = await applySteps(bus, steps).catch(() => []);
          return answers.length > 0 && answers.every(({ kind }) => kind !== 'unavailable') && answers;
        },
        { timeout: 40_000 },
      );
    const answers = await Promise.all([deps, other, deps, other].map(({ bus }) => patient(bus)));
    expect(answers.flat().filter(({ kind }) => kind !== 'applied' && kind !== 'repeated')).toEqual([]);
    expect(transitionsOf(id).map(({ to }) => to)).toEqual(['on-hold', 'processing', 'completed']);
    expect(ownNotes(id)).toHaveLength(3);
    await second.close();
  });

  test('429 and 503 with Retry-After: nothing is asked until the time is over', async () => {
    const id = newOrder();
    for (const code of [429, 503]) {
      once('GET wc/v3/orders', { reply: { status: code, body: '', headers: { 'Retry-After': '20' } } });
      expect((await refusal(deps.bus.request('shop.order.view.v1', { id }, { timeout: 30_000 }))).status).toBe(503);
      const before = server.calls.length;
      const refused = await refusal(apply(deps.bus, [status(`wait-${code}-${id}`, id)]));
      expect([refused.message, refused.data.retry_after_ms]).toEqual([
        // WordPress says ten minutes during maintenance of seconds: a 503 is believed for 15 s.
        expect.stringContaining(`asks to wait ${code === 503 ? 15 : 20} s`),
        expect.any(Number),
      ]);
      expect(server.calls.length).toBe(before);
      deps.clock.advance(21_000);
      expect((await apply(deps.bus, [note(`wait-${code}-${id}`, id)]))[0]?.status).toBe('applied');
    }
  });

  test('an order that the shop fails on is its own failure; a shop that fails altogether is unavailable', async () => {
    const [poison, healthy] = [newOrder(), newOrder()];
    const critical = {
      reply: problem(500, 'internal_server_error', 'There has been a critical error on this website.'),
    };
    server.fault = ({ path, query }) =>
      path.includes(String(poison)) || query.get('include')?.includes(String(poison)) ? critical : undefined;
    const commands = [status(`poison-${poison}`, poison), status(`poison-${healthy}`, healthy)];
    expect(await refusal(apply(deps.bus, commands))).toMatchObject({ status: 502 });
    // Its neighbour in the batch is done all the same.
    expect(transitionsOf(healthy)).toHaveLength(1);
    server.fault = () => critical;
    expect((await refusal(apply(deps.bus, commands))).status).toBe(503);
    server.fault = () => undefined;
    await waitFor(() => apply(deps.bus, [note(`back-${healthy}`, healthy)]).catch(() => undefined));
  });

  test('what WooCommerce refuses fails with its words, and the next command goes on', async () => {
    const id = newOrder();
    const message = 'Invalid parameter(s): status';
    once('PUT', { reply: problem(400, 'rest_invalid_param', message, { params: {} }) });
    const results = await apply(deps.bus, [status(`refused-${id}`, id), note(`after-${id}`, id)]);
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
  /** For the shop that was connected last. */
  let later: (milliseconds: number) => void;
  const connect = async (server: Pick<WooCommerceServer, 'url' | 'key'>, timeout = 15_000) => {
    const deps = await lane.deps();
    const outbox = await openOutbox(deps);
    const parts = { ...deps, log, outbox, telemetry: shopTelemetry({ ...deps, log }) };
    const connector = await wooCommerceConnector(parts, settingsOf(wooCommerceSettings(server)), timeout);
    opened.push(outbox, connector);
    later = (milliseconds) => deps.clock.advance(milliseconds);
    return connector;
  };

  test.each([
    [
      'a wrong secret',
      { key: 'ck_0123456789abcdef', secret: 'cs_wrong_wrong_wrong' },
      'refuses the key and its secret',
    ],
    ['a wrong key', { key: 'ck_wrong_wrong_wrong', secret: 'cs_fedcba9876543210' }, 'refuses the key and its secret'],
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
    const { results } = await connector.apply({ steps: asSteps([status('read-only', 1)]) });
    expect(() => resultsOf(results)).toThrow('does not have write permissions');
  });

  test.each([
    [
      'a redirect',
      { status: 301, body: '', headers: { Location: 'https://www.shop.example/' } },
      'connect the shop by the address that it leads to',
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

  test('a shop that does not answer: unavailable after the time limit, and the write is repeated when it can no longer happen', async () => {
    const server = await startServer();
    server.putOrder(1, { status: 'processing' });
    const connector = await connect(server, 300);
    server.fault = ({ method }) => (method === 'PUT' ? 'hang' : undefined);
    const steps = asSteps([status('slow', 1)]);
    const answer = connector.apply({ steps });
    await waitFor(() => server.calls.some(({ method }) => method === 'PUT'));
    expect((await answer).results).toMatchObject([{ kind: 'unavailable', about: 'shop' }]);
    expect(server.calls.filter(({ method }) => method === 'PUT').length).toBeLessThan(5);
    server.fault = () => undefined;
    await waitFor(async () => (await connector.apply({ steps })).results[0]?.kind !== 'unavailable', {
      timeout: 40_000,
    });
    expect(server.transitions).toHaveLength(1);
  }, 60_000);

  test('a shop that goes away while many wait for it: told within seconds, though nobody asks how it is', async () => {
    const [server, deps] = [await startServer(), await lane.deps()];
    let isLost = false;
    const shopLost = (): void => {
      isLost = true;
    };
    const telemetry = { ...shopTelemetry(deps), shopLost };
    const settings = settingsOf(wooCommerceSettings(server));
    const client = wooCommerceClient({ settings, clock: deps.clock, log: deps.log, telemetry, timeout: 1_000 });
    await client.get('wc/v3/orders');
    await server.close();
    let isOver = false;
    const asking = Array.from({ length: 20 }, async () => {
      while (!isOver) await client.get('wc/v3/orders').catch(() => delay(20));
    });
    const passing = setInterval(() => deps.clock.advance(50), 50);
    await waitFor(() => isLost, { timeout: 15_000 }).finally(() => clearInterval(passing));
    isOver = true;
    await Promise.all(asking);
    client.close();
  }, 30_000);

  /** Settings, Permalinks, "Plain": https://developer.wordpress.org/rest-api/extending-the-rest-api/routes-and-endpoints/#permalinks */
  test('permalinks that become plain while the service runs: the shop is found again, without a restart', async () => {
    const server = await startServer();
    server.putOrder(1, { status: 'processing' });
    const connector = await connect(server);
    expect((await connector.get({ ids: [1] })).orders).toHaveLength(1);
    server.plainPermalinks = true;
    await waitFor(async () => (await connector.get({ ids: [1] }).catch(() => null))?.orders.length === 1);
    later(30_000);
    await waitFor(async () => (await connector.problems()).length === 0);
  });

  /** The filter `rest_url_prefix`, as in https://github.com/woocommerce/wc-api-php/pull/50; where it is: https://developer.wordpress.org/rest-api/using-the-rest-api/discovery/ */
  test('a plugin moves the REST API while the service runs: it is found by what WordPress says, without a restart', async () => {
    const server = await startServer();
    server.putOrder(1, { status: 'processing' });
    const connector = await connect(server);
    expect((await connector.get({ ids: [1] })).orders).toHaveLength(1);
    server.prefix = 'backend-api';
    await waitFor(async () => (await connector.get({ ids: [1] }).catch(() => null))?.orders.length === 1);
    later(30_000);
    await waitFor(async () => (await connector.problems()).length === 0);
  });

  test('nobody there: not ready, and the start is not held up', async () => {
    const connector = await connect({
      url: 'http://127.0.0.1:9',
      key: { key: 'ck_0123456789', secret: 'cs_0123456789' },
    });
    await waitFor(async () => (await connector.problems()).join().includes('cannot be reached'));
  });
});
