import { message } from '@order-automation/contracts';
import type { Store } from '@order-automation/store';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { crashingStore } from '../../../shared/store/test/crashing-store';
import { startShop } from '../src';
import { openProducts } from '../src/builtin/products';
import { openStockLedger } from '../src/builtin/stock-ledger';
import type { KeyedCommand } from '../src/orders/commands';
import {
  apply,
  applySteps,
  asSteps,
  importAll,
  note,
  type Running,
  resultsOf,
  save,
  startListenedShop,
  status,
  step,
  view,
} from './shop';

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
    const results = await apply(deps.bus, commands);
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
    const again = await apply(deps.bus, [note('twice-n', id, 'second text'), status('twice-s', id)]);
    expect(again).toEqual(first.map((result) => ({ ...result, status: 'already_applied' })));
    expect((await view(deps.bus, id)).notes.map(({ note: text }) => text)).toEqual(['first text']);
  });

  test('one key twice in a batch, a status that is none, the status that is', async () => {
    const id = await newOrder();
    const results = await apply(deps.bus, [
      note('dup', id),
      note('dup', id),
      status('odd', id, 'bogus'),
      status('same', id, 'wc-processing'),
    ]);
    expect(results.map((result) => result.status)).toEqual(['applied', 'already_applied', 'failed', 'unchanged']);
  });

  test('an order that did not exist is found once it does', async () => {
    const id = next + 50_000;
    const early = step('early', id, null, { kind: 'add_tag', tag: 'x' });
    expect(await applySteps(deps.bus, [early])).toEqual([{ kind: 'missing' }]);
    await save(deps.bus, id, { status: 'processing' });
    const again = await applySteps(deps.bus, [early, { ...early, order_id: id + 1 }]);
    expect(again.map(({ kind }) => kind)).toEqual(['applied', 'missing']);
  });

  test('commands of one order run in sequence, and the order after all of them is returned', async () => {
    const id = await newOrder({ line_items: [{ product_id: 424242, quantity: 1, total: '1.00' }] });
    const commands = [status('seq-1', id, 'on-hold'), status('seq-2', id, 'completed'), note('seq-3', id)];
    const [answer] = await applySteps(deps.bus, [step('seq', id, null, ...commands.map(({ command }) => command))]);
    const { results, context } = answer?.kind === 'applied' ? answer : { results: [], context: undefined };
    expect(results.flatMap(({ changes }) => changes.filter(({ field }) => field === 'status'))).toEqual([
      { field: 'status', from: 'processing', to: 'on-hold' },
      { field: 'status', from: 'on-hold', to: 'completed' },
    ]);
    expect(context?.order).toMatchObject({ id, status: 'completed', date_completed: expect.any(String) });
    expect(context?.products).toEqual([]);
  });

  test('a draft that is paid is created then, which is one entry of the log', async () => {
    const id = await newOrder({ status: 'checkout-draft' });
    const [answer] = await applySteps(deps.bus, asSteps([status('draft', id)]));
    if (answer?.kind !== 'applied') throw new Error(answer?.kind);
    expect(answer.changes.map(({ kind }) => kind)).toEqual(['created', 'status_changed']);
    expect(answer.entries.map(({ event_type }) => event_type)).toEqual(['order_created']);
  });

  test('a key means the first time also after the status was changed back by a person', async () => {
    const id = await newOrder();
    await apply(deps.bus, [status('back', id)]);
    await save(deps.bus, id, { status: 'processing' });
    const results = await apply(deps.bus, [status('back', id)]);
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
        .map((results) => results[position])
        .filter((result) => result?.status !== 'already_applied');
      expect([kind, firsts.map((result) => result?.key).sort()]).toEqual([
        kind,
        keys.map((key) => (kind === 'note' ? `n-${key}` : key)),
      ]);
    }
    expect((await view(deps.bus, id)).notes).toHaveLength(keys.length);
    await second.close();
  });

  test('a meta field and a tag are set once, and one that is there already is reported', async () => {
    const id = await newOrder({ meta_data: [{ key: 'colour', value: 'red' }] });
    const of = (key: string, command: KeyedCommand['command']): KeyedCommand => ({ ...note(key, id), command });
    const results = await apply(deps.bus, [
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
    const results = await apply(
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

  test('an order without products moves no stock, and the log does not say so (decisions.md section 12)', async () => {
    const id = await newOrder({ line_items: [] });
    const [paid] = await apply(deps.bus, [status('none', id, 'completed', { update_stock: true })]);
    const [back] = await apply(deps.bus, [status('none-2', id, 'cancelled', { update_stock: true })]);
    expect([paid?.message, back?.message].join()).not.toMatch(/stock/i);
  });

  test('a change is published once, again when nobody reports it done, and never after', async () => {
    const id = await newOrder();
    await waitFor(() => shop.changes.some(({ data }) => data.order_id === id));
    await save(deps.bus, id, { status: 'completed' });
    const mine = () => shop.changes.filter(({ data }) => data.order_id === id && data.to === 'completed');
    const change = (await waitFor(() => mine()[0])).data;
    expect(change).toMatchObject({ kind: 'status_changed', from: 'processing', cause: { depth: 0, author: 'ada' } });
    deps.clock.advance(6_000);
    await waitFor(() => mine().length > 1);
    expect(mine().map(({ id: messageId }) => messageId)).toEqual([change.change_id, change.change_id]);
    // As a clock has put it off that ran ahead and was put right.
    const before = mine().length;
    const ahead = await deps.store.collection<{ _id: number; due?: number }>('orders');
    await waitFor(async () => {
      // The hand-over before may write its own time after ours.
      await ahead.updateOne({ _id: id }, { $set: { due: deps.clock.now() + 400 * 24 * 60 * 60_000 } });
      return mine().length > before;
    });
    const at = '2026-01-15T10:00:00.000Z';
    const done = (event_id: string) => {
      const none: number[] = [];
      const report = { outcome: 'success', order_id: id, at, rules: none, matched: none } as const;
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

        const answers = await applySteps(deps.bus, asSteps(commands));
        expect(resultsOf(answers).map((result) => result.status)).not.toContain('failed');
        const changes = answers.flatMap((answer) => ('changes' in answer ? answer.changes : []));
        expect(changes.map((change) => 'to' in change && change.to)).toEqual(['completed', 'on-hold']);
        deps.clock.advance(6_000);
        const orders = await deps.store.collection<{ _id: number; stock: { state: string } }>('orders');
        await waitFor(async () => (await orders.findOne({ _id: id }))?.stock.state === 'done');
        const order = await view(deps.bus, id);
        expect([order.status, order.notes.length]).toEqual(['on-hold', 1]);
        const [kept] = await (await productsOf(deps.store)).byIds([50]);
        expect(kept?.product.stock_quantity).toBe(8);
        writes = at;
      }
      expect(writes).toBeGreaterThan(4);
    }
  });
});

/** Writes of a start, which makes its counters and opens its outbox. */
const startWrites = 3;
