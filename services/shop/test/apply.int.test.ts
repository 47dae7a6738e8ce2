import { type KeyedCommand, message } from '@order-automation/contracts';
import type { Store } from '@order-automation/store';
import { crashingStore, describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { startShop } from '../src';
import { openProducts } from '../src/builtin/products';
import { openStockLedger } from '../src/builtin/stock-ledger';
import { apply, importAll, note, type Running, save, startListenedShop, status, view } from './shop';

const product = (id: number, stock: number | null) => ({
  id,
  name: `Product ${id}`,
  manage_stock: stock !== null,
  stock_quantity: stock,
});

const productsOf = async (store: Store) => openProducts(store, await openStockLedger(store));

describeLanes('shop: apply', (lane) => {
  let deps: LaneDeps;
  let shop: Running;
  let next = 100;
  const newOrder = async (fields = {}) => {
    next += 1;
    await save(deps.bus, next, { status: 'processing', ...fields });
    return next;
  };

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startListenedShop(deps);
  });
  afterAll(() => shop.service.close());

  test('64 notes on many orders, results in order, notes newest first, ids unique', async () => {
    const orders = [await newOrder(), await newOrder()];
    const commands = Array.from({ length: 64 }, (_, index) => note(`many-${index}`, orders[index % 2] as number));
    const { results } = await apply(deps.bus, commands);
    expect(results.map(({ key }) => key)).toEqual(commands.map(({ key }) => key));
    expect(new Set(results.map((result) => result.status))).toEqual(new Set(['applied']));
    const { notes } = await view(deps.bus, orders[0] as number);
    expect(notes.map(({ note: text }) => text)).toEqual(
      Array.from({ length: 32 }, (_, index) => `note many-${62 - index * 2}`),
    );
    expect(notes[0]).toMatchObject({ author: 'rule 7', customer_note: false });
  });

  test('an order whose number begins like that of another has notes of its own', async () => {
    for (const id of [7, 70, 71, 8]) await save(deps.bus, id, { status: 'processing' });
    await apply(
      deps.bus,
      [7, 70, 71, 8].map((id) => note(`of-${id}`, id)),
    );
    for (const id of [7, 70, 71, 8]) {
      expect((await view(deps.bus, id)).notes.map(({ note: text }) => text)).toEqual([`note of-${id}`]);
    }
  });

  test('a repeated key is answered with the first result and has no effect', async () => {
    const id = await newOrder();
    const first = await apply(deps.bus, [note('twice-n', id, 'first text'), status('twice-s', id)]);
    const again = await apply(deps.bus, [note('twice-n', id, 'second text'), status('twice-s', id)], true);
    expect(again.results).toEqual(first.results.map((result) => ({ ...result, status: 'already_applied' })));
    expect(again.orders[0]?.order.status).toBe('completed');
    expect((await view(deps.bus, id)).notes.map(({ note: text }) => text)).toEqual(['first text']);
  });

  test('one key twice in a batch, an unknown order, a status that is none, the status that is', async () => {
    const id = await newOrder();
    const { results } = await apply(deps.bus, [
      note('dup', id),
      note('dup', id),
      note('lost', 999_999),
      status('lost-s', 999_999),
      status('odd', id, 'bogus'),
      status('same', id, 'wc-processing'),
    ]);
    expect(results.map((result) => result.status)).toEqual([
      'applied',
      'already_applied',
      'failed',
      'failed',
      'failed',
      'unchanged',
    ]);
    expect(results[2]?.message).toBe('Order 999999 does not exist.');
  });

  test('an order that did not exist is found once it does', async () => {
    const id = next + 50_000;
    const first = await apply(deps.bus, [note('early', id)]);
    await save(deps.bus, id, { status: 'processing' });
    const second = await apply(deps.bus, [note('late', id), note('never', id + 1)]);
    const statuses = [...first.results, ...second.results].map((result) => result.status);
    expect(statuses).toEqual(['failed', 'applied', 'failed']);
  });

  test('commands of one order run in sequence, and the order after all of them is returned', async () => {
    const id = await newOrder({ line_items: [{ product_id: 424242, quantity: 1, total: '1.00' }] });
    const { results, orders } = await apply(
      deps.bus,
      [status('seq-1', id, 'on-hold'), status('seq-2', id, 'completed'), note('seq-3', id)],
      true,
    );
    expect(results.flatMap(({ changes }) => changes.filter(({ field }) => field === 'status'))).toEqual([
      { field: 'status', from: 'processing', to: 'on-hold' },
      { field: 'status', from: 'on-hold', to: 'completed' },
    ]);
    expect(orders).toHaveLength(1);
    expect(orders[0]?.order).toMatchObject({ id, status: 'completed', date_completed: expect.any(String) });
    expect(orders[0]?.products).toEqual([]);
  });

  test('a key means the first time also after the status was changed back by a person', async () => {
    const id = await newOrder();
    await apply(deps.bus, [status('back', id)]);
    await save(deps.bus, id, { status: 'processing' });
    const { results } = await apply(deps.bus, [status('back', id)]);
    expect(results[0]?.status).toBe('already_applied');
    expect((await view(deps.bus, id)).status).toBe('processing');
  });

  test('many callers with the same keys and with different ones on one order: each key once', async () => {
    const id = await newOrder();
    const other = await lane.deps({ store: deps.store });
    const second = await startShop(other, { demoShop: false, timeZone: 'UTC' });
    const keys = Array.from({ length: 8 }, (_, index) => `race-${index}`);
    const calls = [...keys, ...keys, ...keys].map((key, index) => {
      const { bus } = index % 2 === 0 ? deps : other;
      const to = Number(key.at(-1)) % 2 === 0 ? 'on-hold' : 'processing';
      return apply(bus, [status(key, id, to), note(`n-${key}`, id)]);
    });
    const answers = await Promise.all(calls);
    for (const [position, kind] of ['status', 'note'].entries()) {
      const firsts = answers
        .map(({ results }) => results[position])
        .filter((result) => result?.status !== 'already_applied');
      expect([kind, firsts.map((result) => result?.key).sort()]).toEqual([
        kind,
        keys.map((key) => (kind === 'note' ? `n-${key}` : key)),
      ]);
    }
    expect((await view(deps.bus, id)).notes).toHaveLength(keys.length);
    await second.close();
  });

  test('a status command for an order that has left the expected status is stale and changes nothing', async () => {
    const id = await newOrder({ status: 'cancelled' });
    const decided = { ...status('stale-1', id, 'completed'), expected: { status: 'wc-pending' } };
    const { results } = await apply(deps.bus, [decided]);
    expect(results).toMatchObject([
      { status: 'stale', message: 'The order has become cancelled meanwhile; nothing was changed.', changes: [] },
    ]);
    await save(deps.bus, id, { status: 'pending' });
    const second = await apply(deps.bus, [decided, { ...decided, key: 'stale-2' }]);
    expect(second.results.map((result) => result.status)).toEqual(['applied', 'unchanged']);
  });

  test('a meta field and a tag are set once, and one that is there already is reported', async () => {
    const id = await newOrder({ meta_data: [{ key: 'colour', value: 'red' }] });
    const of = (key: string, command: KeyedCommand['command']): KeyedCommand => ({ ...note(key, id), command });
    const { results } = await apply(deps.bus, [
      of('meta-1', { kind: 'set_meta', key: 'colour', value: 'blue' }),
      of('meta-2', { kind: 'set_meta', key: 'size', value: 'L' }),
      of('meta-3', { kind: 'set_meta', key: 'size', value: 'L' }),
      of('tag-1', { kind: 'add_tag', tag: 'vip' }),
      of('tag-1', { kind: 'add_tag', tag: 'vip' }),
      of('tag-2', { kind: 'add_tag', tag: 'vip' }),
    ]);
    expect(results.map(({ status, changes }) => [status, changes])).toEqual([
      ['applied', [{ field: 'meta_data.colour', from: 'red', to: 'blue' }]],
      ['applied', [{ field: 'meta_data.size', from: null, to: 'L' }]],
      ['unchanged', []],
      ['applied', [{ field: 'tags', from: null, to: 'vip' }]],
      ['already_applied', [{ field: 'tags', from: null, to: 'vip' }]],
      ['unchanged', []],
    ]);
    const { meta_data, tags } = await view(deps.bus, id);
    expect([meta_data, tags]).toEqual([
      [
        { key: 'colour', value: 'blue' },
        { key: 'size', value: 'L' },
      ],
      ['vip'],
    ]);
  });

  test('an order remembers its commands by key, and its document stays small', async () => {
    const id = await newOrder();
    const keys = Array.from({ length: 120 }, (_, index) => `long-${index}`);
    for (const key of keys)
      await apply(deps.bus, [status(key, id, Number(key.slice(5)) % 2 ? 'on-hold' : 'processing')]);
    const orders = await deps.store.collection<{ _id: number; applied: unknown[] }>('orders');
    expect((await orders.findOne({ _id: id }))?.applied.length).toBeLessThan(50);
    const { results } = await apply(
      deps.bus,
      keys.map((key) => status(key, id, 'failed')),
    );
    expect(new Set(results.map((result) => result.status))).toEqual(new Set(['already_applied']));
    expect((await view(deps.bus, id)).status).toBe('on-hold');
  });

  test('stock of managed products goes down once an order, however often it is asked for', async () => {
    const products = [product(1, 10), product(2, 3), product(3, null)];
    await importAll(deps.bus, 'product', products);
    const id = await newOrder({
      line_items: [
        { product_id: 1, quantity: 4, total: '1.00' },
        { product_id: 2, quantity: 3, total: '1.00' },
        { product_id: 3, quantity: 1, total: '1.00' },
      ],
    });
    await Promise.all([1, 2, 3].map(() => apply(deps.bus, [status('stock', id, 'completed', { update_stock: true })])));
    await apply(deps.bus, [status('stock-2', id, 'processing', { update_stock: true })]);
    const stored = await (await productsOf(deps.store)).byIds([1, 2, 3]);
    const stock = stored.map(({ product: { id: key, stock_quantity, stock_status } }) => [
      key,
      stock_quantity,
      stock_status,
    ]);
    expect(stock.sort()).toEqual([
      [1, 6, 'instock'],
      [2, 0, 'outofstock'],
      [3, null, 'instock'],
    ]);
  });

  test('a change is published once, again when nobody reports it done, and never after', async () => {
    const id = await newOrder();
    await waitFor(() => shop.changes.some(({ data }) => data.order_id === id));
    await apply(deps.bus, [status('tell', id)]);
    const mine = () => shop.changes.filter(({ data }) => data.order_id === id && data.to === 'completed');
    const change = (await waitFor(() => mine()[0])).data;
    expect(change).toMatchObject({ kind: 'status_changed', from: 'processing', cause: { depth: 1, author: 'rule 7' } });
    deps.clock.advance(6_000);
    await waitFor(() => mine().length > 1);
    expect(mine().map(({ id: messageId }) => messageId)).toEqual([change.change_id, change.change_id]);
    const at = '2026-01-15T10:00:00.000Z';
    const done = (event_id: string) => {
      const none: number[] = [];
      const report = {
        outcome: 'success',
        order_id: id,
        at,
        rules: none,
        matched: none,
      } as const;
      const events = [{ event_id, origin: 'shop' as const, ...report }];
      return message('evaluation.events-done.v1', { events }, { now: deps.clock.now() });
    };
    const published = shop.changes.filter(({ data }) => data.order_id === id).map(({ data }) => data.change_id);
    await deps.bus.publish([...new Set(published)].map(done));
    const orders = await deps.store.collection<{ _id: number; outbox: unknown[]; due?: number }>('orders');
    await waitFor(async () => (await orders.findOne({ _id: id }))?.outbox.length === 0);
    expect(await orders.findOne({ _id: id })).not.toHaveProperty('due');
  });

  test('a process that dies at any of its writes, and one that goes on with the same commands: each effect once', async () => {
    // The stand-in for MongoDB takes a second for each start of a shop.
    for (const stored of lane.name === 'embedded' ? [false, true] : [true]) {
      let writes = 0;
      for (let at = 1, died = true; died; at += 1) {
        const products = [product(50, 10)];
        await importAll(deps.bus, 'product', products);
        const id = await newOrder({ line_items: [{ product_id: 50, quantity: 2, total: '1.00' }] });
        const commands = [
          status(`die-${id}-1`, id, 'completed', { update_stock: true }),
          note(`die-${id}-2`, id),
          status(`die-${id}-3`, id, 'on-hold'),
        ];
        const healthy = await lane.deps({ store: deps.store });
        const crashing = crashingStore(deps.store, { at: at + startWrites, stored });
        const dying = await lane.deps({ store: crashing });
        const victim = await startShop(dying, { demoShop: false, timeZone: 'UTC' });
        await apply(dying.bus, commands).catch(() => undefined);
        died = crashing.hasCrashed();
        await victim.close();
        await healthy.close();

        const { results } = await apply(deps.bus, commands);
        expect(results.map((result) => result.status)).not.toContain('failed');
        deps.clock.advance(6_000);
        const orders = await deps.store.collection<{ _id: number; stock: { state: string } }>('orders');
        await waitFor(async () => (await orders.findOne({ _id: id }))?.stock.state === 'done');
        const order = await view(deps.bus, id);
        expect([order.status, order.notes.length]).toEqual(['on-hold', 1]);
        const [kept] = await (await productsOf(deps.store)).byIds([50]);
        expect(kept?.product.stock_quantity).toBe(8);
        await waitFor(() =>
          ['completed', 'on-hold'].every((to) =>
            shop.changes.some(({ data }) => data.order_id === id && data.kind === 'status_changed' && data.to === to),
          ),
        );
        writes = at;
      }
      expect(writes).toBeGreaterThan(4);
    }
  });
});

/** Writes of a start, which makes its counters. */
const startWrites = 3;
