import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { openOrders } from '../src/builtin/orders';
import { importAll, person, type Running, startListenedShop, view } from './shop';

const isAbout = (id: string, event_type: string, details: unknown): boolean =>
  event_type === 'shop_imported' && (details as { import_id?: string }).import_id === id;

describeLanes('shop: import', (lane) => {
  let deps: LaneDeps;
  let shop: Running;

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startListenedShop(deps);
  });
  afterAll(() => shop.service.close());

  const send = (id: string, after: number, lines: string[], over: object = {}) =>
    deps.bus.request(
      'shop.import.v2',
      { id, after, lines, broken: [], digest: `${after}`, last: false, events: true, cause: person, ...over },
      { timeout: 20_000 },
    );
  const line = (type: string, data: object) => JSON.stringify({ type, data });

  test('good lines are written, each bad one is reported with its number', async () => {
    const { progress, refusals } = await send('mixed', 0, [
      line('product', { id: 1, name: 'Tea', categories: [{ id: 5, name: 'Hot drinks' }] }),
      'not JSON',
      '',
      line('planet', { id: 1 }),
      line('product', { id: 2 }),
      line('order', { id: 4001, status: 'completed', total: '5.00' }),
      line('order', { id: 4002, status: 'nowhere', total: '5.001' }),
      line('customer', { email: 'no-id@example.com' }),
      'null',
    ]);
    expect(refusals.map(({ line: at, reason }) => [at, reason])).toEqual([
      [2, 'is not valid JSON'],
      [4, expect.stringContaining('"type" must be one of order, product')],
      [5, expect.stringContaining('name')],
      [7, expect.stringMatching(/^status: must be one of /)],
      [8, expect.stringContaining('data.id must be')],
      [9, expect.stringContaining('"type"')],
    ]);
    expect(progress).toMatchObject({ state: 'running', lines: 9, imported: 2, refused: 6 });
    expect((await view(deps.bus, 4001)).status).toBe('completed');
    const { results } = await deps.bus.request('shop.search.v1', { source: 'categories', search: 'hot', limit: 5 });
    expect(results[0]).toMatchObject({ value: '5', meta: { slug: 'hot-drinks', count: 1 } });
  });

  test('an id is read as a whole number, text or not; a line whose id is none is refused, and the others are written', async () => {
    const { progress, refusals } = await send('ids', 0, [
      ...['x', '1.5', '1e3', '0x10', '', '-3', 0].map((id) => line('order', { id })),
      line('product', { id: 'tea', name: 'Tea' }),
      line('order', { id: '4020', customer_note: 'text' }),
      line('order', { id: 4020, customer_note: 'number' }),
      line('order', { id: ' 4020 ', customer_note: 'spaces' }),
    ]);
    expect(refusals.map(({ line: at }) => at)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect([...new Set(refusals.map(({ reason }) => reason))]).toEqual([
      'data.id must be a positive whole number: the record is created or changed by it',
    ]);
    expect(progress).toMatchObject({ lines: 11, imported: 3, refused: 8 });
    expect((await view(deps.bus, 4020)).customer_note).toBe('spaces');
  });

  test('a number that is too large for a database is refused with its place, and the other lines are written', async () => {
    const { progress, refusals } = await send('large-numbers', 0, [
      '{"type":"order","data":{"id":4030,"meta_data":[{"key":"score","value":1e400}]}}',
      '{"type":"order","data":{"id":4031,"plugin":{"low":-1e400}}}',
      '{"type":"order","data":{"id":1e400}}',
      '{"type":"product","data":{"id":30,"name":"Tea","plugin":[1e400]}}',
      '{"type":"product","data":{"id":31,"name":"Tea","categories":[{"id":1e400,"name":"Hot drinks"}]}}',
      '{"type":"customer","data":{"id":30,"points":1e400}}',
      '{"type":"role","data":{"key":"seller","name":"Seller","level":1e400}}',
      line('order', { id: 4032, meta_data: [{ key: 'score', value: 1e300 }] }),
    ]);
    expect(refusals.map(({ line: at, reason }) => [at, reason])).toEqual([
      [1, 'meta_data.0.value: is too large a number'],
      [2, 'plugin.low: is too large a number'],
      [3, expect.stringContaining('data.id must be a positive whole number')],
      [4, 'plugin.0: is too large a number'],
      [5, expect.stringContaining('categories.0.id: is too large a number')],
      [6, 'points: is too large a number'],
      [7, 'level: is too large a number'],
    ]);
    expect(progress).toMatchObject({ lines: 8, imported: 1, refused: 7 });
  });

  test('the later line of a record wins, in one batch too', async () => {
    const lines = [1, 2, 3].map((n) => line('order', { id: 4010, customer_note: `note ${n}` }));
    expect((await send('twice', 0, lines)).progress.imported).toBe(3);
    expect((await view(deps.bus, 4010)).customer_note).toBe('note 3');
  });

  test('it goes on where it was; another sender, or a line that was skipped, is refused', async () => {
    await send('steps', 0, [line('tag', { id: 1, name: 'A' })]);
    await expect(send('steps', 0, [line('tag', { id: 1, name: 'B' })])).rejects.toMatchObject({
      status: 409,
      code: 'svc_import_conflict',
      data: { lines: 1 },
    });
    await expect(send('steps', 5, [])).rejects.toMatchObject({ status: 409 });
    await send('steps', 1, [line('tag', { id: 2, name: 'C' })], { last: true, digest: 'end' });
    const { progress } = await deps.bus.request('shop.import.get.v1', { id: 'steps' });
    expect(progress).toMatchObject({ state: 'done', lines: 2, imported: 2, digest: 'end' });
    expect(await deps.bus.request('shop.import.get.v1', { id: 'nothing' })).toEqual({ progress: null });
    const both = await Promise.allSettled([1, 2].map(() => send('race', 0, [line('tag', { id: 3, name: 'D' })])));
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('orders as other shops export them, and as this one shows them, are imported', async () => {
    const value = { '1.3': 'Ada', $x: 1 };
    const order = {
      id: 4300,
      status: 'on-hold',
      currency: 'USDT',
      total: '0.123456',
      customer_note: 'x'.repeat(11_000),
      line_items: [{ id: 1, product_id: 1, quantity: 0.5, meta_data: [{ id: 1, key: 'form', value }] }],
      meta_data: Array.from({ length: 1_200 }, (_, at) => ({
        id: at + 1,
        key: at < 800 ? '_log' : `_k${at}`,
        value: 'v',
      })),
    };
    const mark = String.fromCharCode(0xfeff);
    const { refusals } = await send('other-shops', 0, [
      mark + line('order', order),
      line('product', { id: 77, name: 'Cup', plugin: value }),
    ]);
    expect(refusals).toEqual([]);
    const shown = await view(deps.bus, 4300);
    expect(shown).toMatchObject(order);
    const again = await send('again', 0, [line('order', { ...shown, id: 4301, number: '4301' })]);
    expect([again.refusals, await view(deps.bus, 4301)]).toMatchObject([[], { ...order, id: 4301 }]);
    const product = { type: 'product' as const, id: '77' };
    expect((await deps.bus.request('shop.record.get.v1', product)).record).toMatchObject({ plugin: value });
  });

  test('orders reach rules and log, unless they are history', async () => {
    await importAll(deps.bus, 'order', [{ id: 4100, status: 'processing' }]);
    await importAll(deps.bus, 'order', [{ id: 4101, status: 'processing' }], false);
    await importAll(deps.bus, 'order', [{ id: 4101, status: 'completed' }], false);
    await waitFor(() => shop.changes.filter(({ data }) => data.order_id === 4100).length === 2);
    await waitFor(() => shop.entries.some(({ order_id }) => order_id === 4100));
    const orders = await openOrders(deps.store);
    const [history] = await orders.byIds([4101]);
    expect(history).toMatchObject({ order: { status: 'completed' }, outbox: [] });
    expect(history).not.toHaveProperty('due');
    expect(shop.changes.filter(({ data }) => data.order_id === 4101)).toEqual([]);
  });

  test('a finished import is logged once: by whom, how many of which type, how many refused', async () => {
    const lines = [
      line('product', { id: 61, name: 'Jug' }),
      line('product', { id: 62, name: 'Cup' }),
      line('order', { id: 4201 }),
    ];
    await send('told', 0, [...lines, 'not JSON']);
    await send('told', 4, [], { last: true });
    await send('told', 4, [], { last: true });
    const entries = () => shop.entries.filter(({ event_type, details }) => isAbout('told', event_type, details));
    await waitFor(() => entries().length > 0);
    expect(new Set(entries().map(({ uid }) => uid)).size).toBe(1);
    expect(entries()[0]).toMatchObject({
      status: 'warning',
      process_id: person.process_id,
      summary: `${person.author} imported a file of 4 lines into the shop (product: 2, order: 1); 1 line was refused.`,
      details: { user: person.author, lines: 4, imported: 3, refused: 1 },
    });
    const { progress } = await deps.bus.request('shop.import.get.v1', { id: 'told' });
    expect(progress).toMatchObject({ state: 'done', lines: 4 });
  });

  test('20,000 lines', async () => {
    const count = lane.name === 'embedded' ? 20_000 : 1_000;
    const lines = Array.from({ length: count }, (_, n) =>
      n % 10 === 0
        ? line('product', { id: 50_000 + n, name: `Thing ${n}`, sku: `T-${n}` })
        : line('order', { id: 50_000 + n, status: 'completed', total: '5.00', transaction_id: `tx-${n}` }),
    );
    for (let after = 0; after < count; after += 500) {
      const last = after + 500 >= count;
      await send('many', after, lines.slice(after, after + 500), { last, events: false });
    }
    const { progress } = await deps.bus.request('shop.import.get.v1', { id: 'many' });
    expect(progress).toMatchObject({ state: 'done', lines: count, imported: count, refused: 0, refusals: [] });
    const products = { source: 'products' as const, search: `thing ${count - 10}`, limit: 5 };
    expect((await deps.bus.request('shop.search.v1', products)).results[0]?.value).toBe(String(50_000 + count - 10));
    const { orders, pagination } = await deps.bus.request('shop.order.list.v1', {
      status: 'completed',
      page: 1,
      per_page: 3,
    });
    expect(orders.map(({ id }) => id)).toEqual([1, 2, 3].map((back) => 50_000 + count - back));
    expect(pagination.total).toBe((count / 10) * 9 + 2);
  });
});
