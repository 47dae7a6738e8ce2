import type { OrderReference } from '@order-automation/contracts';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { crashingStore } from '../../../shared/store/test/crashing-store';
import type { QueryPlan } from '../../../shared/store/test/explain';
import { recordedQueries } from '../../../shared/store/test/recorded-queries';
import { startShop } from '../src';
import type { OrderDocument } from '../src/builtin/order-document';
import { openOrderNotes } from '../src/builtin/order-notes';
import { openOrders } from '../src/builtin/orders';
import { openStockLedger } from '../src/builtin/stock-ledger';
import { importAll, person, type Running, save, startListenedShop, view } from './shop';

/** SecantusDB sorts what MongoDB reads in the order of a compound index behind an equality. */
const walksIndex = ({ usesIndex, engine, detail }: QueryPlan): boolean =>
  usesIndex || (engine === 'secantus' && detail === 'SORT < FETCH < IXSCAN');

const reference = (overrides: Partial<OrderReference>): OrderReference => ({
  gateway_ids: [],
  order_id: null,
  transaction_id: null,
  ...overrides,
});

describeLanes('shop: orders', (lane) => {
  let deps: LaneDeps;
  let shop: Running;
  let auditIsThere = true;

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startListenedShop(deps, { demoShop: true, audit: () => auditIsThere });
  });
  afterAll(() => shop.service.close());

  const list = (query: { status?: string; search?: string; page?: number; per_page?: number }) =>
    deps.bus.request('shop.order.list.v1', { page: 1, per_page: 20, ...query });
  const ids = async (query: Parameters<typeof list>[0]) => (await list(query)).orders.map(({ id }) => id);

  test('the demonstration shop is there, once, and no rule hears of it', async () => {
    const { orders, pagination } = await list({ per_page: 5, page: 2 });
    expect(orders.map(({ id }) => id)).toEqual([1011, 1010, 1009, 1008, 1007]);
    expect(pagination).toMatchObject({ total: 16, total_pages: 4, current_page: 2, start_item: 6, end_item: 10 });
    const again = await startShop(await lane.deps({ store: deps.store }), { demoShop: true, timeZone: 'UTC' });
    expect((await list({})).pagination.total).toBe(16);
    await again.close();
    expect(shop.changes.filter(({ data }) => data.kind === 'created' && data.order_id <= 1016)).toEqual([]);
  });

  test.each<[string, { status?: string; search?: string }, number[]]>([
    ['by status with prefix', { status: 'wc-processing' }, [1003, 1002, 1001]],
    ['by number', { search: '#1005' }, [1005]],
    ['by first name in any case', { search: 'CHIYO' }, [1005]],
    ['by whole name', { search: 'ada lind' }, [1009, 1008, 1001]],
    ['without accents', { search: 'ozturk' }, [1011, 1003]],
    ['by e-mail', { search: 'bruno.kessler@example.com' }, [1007, 1002]],
    ['by status and name', { search: 'bruno', status: 'on-hold' }, [1007]],
    ['a pattern is plain text', { search: '.*' }, []],
    ['an operator is plain text', { search: '{"$ne":""}' }, []],
    ['a status nobody has', { status: 'two words' }, []],
  ])('lists %s', async (_, query, expected) => {
    expect(await ids(query)).toEqual(expected);
  });

  test('resolves a batch, with the facts about products', async () => {
    const { matches, orders } = await deps.bus.request('shop.order.resolve.v1', {
      references: [
        reference({ gateway_ids: ['evt', 'pi_demo_1001'], order_id: '999' }),
        reference({ order_id: '1002' }),
        reference({ transaction_id: 'WTX1003' }),
        reference({ order_id: '7' }),
        reference({ gateway_ids: ['ch_demo_1001'] }),
      ],
    });
    expect(matches).toEqual([
      { order_id: 1001, by: 'gateway_id' },
      { order_id: 1002, by: 'order_id' },
      { order_id: 1003, by: 'transaction_id' },
      null,
      { order_id: 1001, by: 'gateway_id' },
    ]);
    expect(orders.map(({ order }) => order.id)).toEqual([1001, 1002, 1003]);
    expect(orders[0]?.products[0]).toEqual({
      id: 101,
      name: 'House Blend, 250 g',
      type: 'simple',
      category_ids: [11],
      tag_ids: [33],
      virtual: false,
      downloadable: false,
    });
  });

  test('a product that is written is fresh at once here, and within a second elsewhere', async () => {
    const other = await lane.deps({ store: deps.store });
    const second = await startShop(other, { demoShop: false, timeZone: 'UTC' });
    const typeSeen = async ({ bus }: LaneDeps) => {
      const { orders } = await bus.request('shop.order.get.v1', { ids: [1002, 1002, 5] });
      return orders.map(({ products }) => products[0]?.type);
    };
    expect(await typeSeen(other)).toEqual(['simple']);
    const products = [{ id: 114, name: 'Barista Course, online', type: 'course' }];
    await importAll(deps.bus, 'product', products);
    expect(await typeSeen(deps)).toEqual(['course']);
    other.clock.advance(1_001);
    expect(await typeSeen(other)).toEqual(['course']);
    await second.close();
  });

  test('an order is created and changed; rules hear of it and the log says who it was', async () => {
    const created = await save(deps.bus, 2001, {
      status: 'wc-pending',
      total: '10',
      transaction_id: 'tx-2001',
      extra: { a: 1 },
    });
    expect([created.created, created.order.status, created.order.total]).toEqual([true, 'pending', '10.00']);
    const changed = await save(deps.bus, 2001, { status: 'processing' });
    expect([changed.created, changed.order.date_paid !== null, changed.order.extra]).toEqual([false, true, { a: 1 }]);
    const mine = () => shop.changes.filter(({ data }) => data.order_id === 2001).map(({ data }) => data);
    await waitFor(() => mine().length === 3);
    expect(mine().map(({ kind, from, to, cause }) => [kind, from, to, cause])).toEqual([
      ['created', null, 'pending', person],
      ['status_changed', null, 'pending', person],
      ['status_changed', 'pending', 'processing', person],
    ]);
    await waitFor(() => shop.entries.filter(({ order_id }) => order_id === 2001).length === 2);
    expect(
      shop.entries
        .filter(({ order_id }) => order_id === 2001)
        .map(({ event_type, summary, source, process_id }) => [event_type, summary, source, process_id]),
    ).toEqual([
      ['order_created', 'Order 2001 was created with status pending by ada.', 'manual', 'proc_person'],
      ['order_status_changed', 'Order 2001 changed from pending to processing by ada.', 'manual', 'proc_person'],
    ]);
  });

  test('what it is found by follows the order', async () => {
    await save(deps.bus, 2002, { transaction_id: 'tx-old', billing: { first_name: 'Gustav' } });
    await save(deps.bus, 2002, { transaction_id: 'tx-new', billing: { first_name: 'Hedda' } });
    const find = async (id: string) =>
      (await deps.bus.request('shop.order.resolve.v1', { references: [reference({ gateway_ids: [id] })] })).matches[0];
    expect([await find('tx-old'), await find('tx-new')]).toEqual([null, { order_id: 2002, by: 'gateway_id' }]);
    expect([await ids({ search: 'gustav' }), await ids({ search: 'hedda' })]).toEqual([[], [2002]]);
  });

  test('many change the payment of orders at once: each order is found by what it carries in the end, and by nothing else', async () => {
    const rounds = lane.name === 'embedded' ? 40 : 4;
    for (let round = 0; round < rounds; round += 1) {
      const id = 2_100 + round;
      const payments = ['a', 'b', 'c', 'a', 'b'].map((name) => `tx-${id}-${name}`);
      await save(deps.bus, id, { transaction_id: payments[0] });
      await Promise.all(payments.map((transaction_id) => save(deps.bus, id, { transaction_id })));
      const { transaction_id: carried } = await view(deps.bus, id);
      const references = payments.map((one) => reference({ transaction_id: one }));
      const { matches } = await deps.bus.request('shop.order.resolve.v1', { references });
      expect(matches.map((match) => match?.order_id)).toEqual(
        payments.map((one) => (one === carried ? id : undefined)),
      );
    }
  }, 60_000);

  test('saves at once take away and give back what it was found by: it is found by what it carries', async () => {
    for (let id = 2_200; id < 2_210; id += 1) {
      await save(deps.bus, id, { transaction_id: `tx-back-${id}` });
      await Promise.all(['away', 'back'].map((what) => save(deps.bus, id, { transaction_id: `tx-${what}-${id}` })));
      const carried = (await view(deps.bus, id)).transaction_id;
      const references = ['away', 'back'].map((what) => reference({ gateway_ids: [`tx-${what}-${id}`] }));
      const { matches } = await deps.bus.request('shop.order.resolve.v1', { references });
      const found = references.map(({ gateway_ids }) => (gateway_ids[0] === carried ? id : undefined));
      expect(matches.map((match) => match?.order_id)).toEqual(found);
    }
  }, 60_000);

  test('orders that an earlier version stored are found by what they carry, once two instances have opened', async () => {
    const own = await lane.deps();
    const earlier = await own.store.collection<OrderDocument>('orders');
    const { keys: _, ...stored } = (await (await openOrders(deps.store)).documents.findOne({ _id: 1001 })) ?? {};
    const document = stored as OrderDocument;
    const ids = Array.from({ length: 450 }, (_value, at) => at + 1);
    await earlier.insertMany(
      ids.map((id) => ({
        ...document,
        _id: id,
        order: { ...document.order, id, number: String(id), transaction_id: `tx-${id}`, meta_data: [] },
      })),
    );
    const earlierKeys = await own.store.collection<{ _id: string; key: string }>('order_keys');
    await earlierKeys.insertOne({ _id: 'word:ada|1', key: 'word:ada' });
    const instances = await Promise.all([openOrders(own.store), openOrders(own.store)]);
    await Promise.all(instances.map((orders) => orders.fillKeys()));
    for (const orders of instances) {
      expect((await orders.byKeys(['gateway:tx-1', 'gateway:tx-450'])).map(({ _id }) => _id)).toEqual([1, 450]);
      expect((await orders.idsBeginning('word:ada', 1_000)).length).toBe(ids.length);
      expect((await orders.byIds([7]))[0]).toMatchObject({ order: { id: 7 }, applied: document.applied });
    }
    expect(await earlierKeys.countDocuments({})).toBe(0);
    const revs = (await earlier.find({}).toArray()).map(({ rev }) => rev);
    await instances[0]?.fillKeys();
    expect((await earlier.find({}).toArray()).map(({ rev }) => rev)).toEqual(revs);
  }, 60_000);

  test('a search finds the very id first, then the number or payment, then what begins with the text', async () => {
    const billing = { first_name: 'Ingrid', last_name: 'Åberg', email: 'ingrid@harbour.example' };
    await save(deps.bus, 2021, { number: 'RE-5', billing, transaction_id: 'pi_3MtwBwLkdIwHu7ix' });
    await save(deps.bus, 2022, { number: '2021', billing, meta_data: [{ key: '_charge_id', value: 'ch_Q1' }] });
    await save(deps.bus, 2023, { number: 'RE-55', billing, status: 'on-hold' });
    await save(deps.bus, 20_210, { billing: { first_name: 'Ola', email: 're-5@harbour.example' } });
    expect(await ids({ search: '2021' })).toEqual([2021, 2022, 20_210]);
    expect(await ids({ search: ' #2021 ' })).toEqual([2021, 2022, 20_210]);
    expect(await ids({ search: 'RE-5' })).toEqual([2021, 20_210, 2023]);
    expect(await ids({ search: 're-5' })).toEqual([20_210, 2023, 2021]);
    expect(await ids({ search: 'pi_3MtwBwLkdIwHu7ix' })).toEqual([2021]);
    expect(await ids({ search: 'ch_Q1' })).toEqual([2022]);
    expect(await ids({ search: 'ch_Q' })).toEqual([]);
    for (const search of ['ingrid aberg', 'Åberg', 'aberg ing', 'Ingrid@Harbour.example', 'ingrid@'])
      expect(await ids({ search })).toEqual([2023, 2022, 2021]);
    expect(await ids({ search: 'ingrid', status: 'on-hold' })).toEqual([2023]);
    expect(await list({ search: 'ingrid', per_page: 2, page: 2 })).toMatchObject({
      orders: [{ id: 2021 }],
      pagination: { total: 3, total_pages: 2, current_page: 2 },
    });
  });

  test('an order is found by its number; what is an id as well is ambiguous', async () => {
    await save(deps.bus, 2011, { number: 'A-77' });
    await save(deps.bus, 2012, { number: '990077' });
    await save(deps.bus, 2013, { number: '2011' });
    const references = ['#A-77', '990077', '2011', 'A-78', '#'].map((order_id) => reference({ order_id }));
    const { matches } = await deps.bus.request('shop.order.resolve.v1', { references });
    expect(matches.map((match) => match?.order_id ?? null)).toEqual([2011, 2012, null, null, null]);
  });

  test('a save that changes nothing says nothing', async () => {
    await save(deps.bus, 2003, { status: 'on-hold' });
    const changes = () => shop.changes.filter(({ data }) => data.order_id === 2003).length;
    await waitFor(() => changes() === 2);
    const before = await view(deps.bus, 2003);
    expect((await save(deps.bus, 2003, { status: 'wc-on-hold', number: '2003' })).order).toEqual(before);
    expect(changes()).toBe(2);
  });

  test('ten at once create one order, which is published once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => save(deps.bus, 2004, { status: 'processing' })));
    expect(answers.filter(({ created }) => created)).toHaveLength(1);
    await waitFor(() => shop.changes.some(({ data }) => data.order_id === 2004));
    const orders = await openOrders(deps.store);
    expect((await orders.byIds([2004]))[0]?.outbox.map(({ kind }) => kind)).toEqual(['created', 'status_changed']);
  });

  test('an order that another instance has changed meanwhile is changed as it then is', async () => {
    await save(deps.bus, 2007, { customer_note: 'first' });
    const [here, there] = [await openOrders(deps.store), await openOrders(deps.store)];
    const noting = (from: string, to: string) => (document: OrderDocument) => {
      const { customer_note } = document.order;
      if (customer_note === to) return document;
      if (customer_note !== from) throw new Error(`the note is ${customer_note}`);
      return { ...document, order: { ...document.order, customer_note: to } };
    };
    await here.byIds([2007]);
    await there.edit([2007], noting('first', 'second'));
    const edited = await here.edit([2007], noting('second', 'third'));
    expect(edited.get(2007)).toMatchObject({ order: { customer_note: 'third' }, revision: 2 });
    await expect(there.edit([2007], noting('second', 'fourth'))).rejects.toThrow('the note is third');
    await here.edit([2007], (document) => ({ ...document, attempt: 7 }));
    expect((await there.byIds([2007]))[0]).toMatchObject({ order: { customer_note: 'third' }, attempt: 7 });
  });

  test('entries wait for a log that is away', async () => {
    auditIsThere = false;
    await save(deps.bus, 2005, { status: 'processing' });
    const outbox = await deps.store.collection<{ _id: string }>('audit_outbox');
    expect(await outbox.countDocuments({})).toBe(1);
    auditIsThere = true;
    await waitFor(async () => {
      deps.clock.advance(10_000);
      return (await outbox.countDocuments({})) === 0;
    });
    expect(shop.entries.filter(({ order_id }) => order_id === 2005).map(({ uid }) => uid)).toHaveLength(1);
  });

  test('a shop that dies at any write of a save: an order that was stored is published and in the log', async () => {
    const orders = await openOrders(deps.store);
    // A victim is to die at its own writes, not at those of a hand-over that is due.
    await waitFor(async () => (await orders.due(deps.clock.now(), 1)).length === 0);
    const startWrites = 1;
    let stored = 0;
    for (let at = 1, died = true; died; at += 1) {
      const id = 2_300 + at;
      const crashing = crashingStore(deps.store, { at: startWrites + Math.ceil(at / 2), stored: at % 2 === 0 });
      const dying = await lane.deps({ store: crashing, clock: deps.clock });
      const victim = await startShop(dying, { demoShop: false, timeZone: 'UTC' });
      await save(dying.bus, id, { status: 'processing' }).catch(() => undefined);
      died = crashing.hasCrashed();
      await victim.close();
      await dying.close();
      if ((await orders.byIds([id])).length === 0) continue;
      stored += 1;
      deps.clock.advance(11_000);
      await waitFor(() => shop.changes.some(({ data }) => data.order_id === id && data.kind === 'created'));
      await waitFor(() => shop.entries.some(({ order_id }) => order_id === id));
      const uids = shop.entries.filter(({ order_id }) => order_id === id).map(({ uid }) => uid);
      expect([at, new Set(uids).size]).toEqual([at, 1]);
    }
    expect(stored).toBeGreaterThan(2);
  });

  test('seeding that died at any write is finished by the next start', async () => {
    for (let at = 1, died = true; died; at += 1) {
      const store = await lane.store();
      const crashing = crashingStore(store, { at, stored: at % 2 === 0 });
      const dying = await lane.deps({ store: crashing });
      const victim = await startShop(dying, { demoShop: true, timeZone: 'UTC' }).catch(() => undefined);
      died = crashing.hasCrashed();
      await victim?.close();
      const next = await lane.deps({ store });
      const service = await startShop(next, { demoShop: true, timeZone: 'UTC' });
      const { pagination } = await next.bus.request('shop.order.list.v1', { page: 1, per_page: 1 });
      const { matches } = await next.bus.request('shop.order.resolve.v1', {
        references: [reference({ gateway_ids: ['pi_demo_1001'] })],
      });
      expect([at, pagination.total, matches[0]?.order_id]).toEqual([at, 16, 1001]);
      await service.close();
      await next.close();
    }
  });

  test('a shop that is not empty is not seeded', async () => {
    const other = await lane.deps();
    const first = await startShop(other, { demoShop: false, timeZone: 'UTC' });
    await save(other.bus, 1, {});
    await first.close();
    const second = await lane.deps({ store: other.store });
    const service = await startShop(second, { demoShop: true, timeZone: 'UTC' });
    expect((await second.bus.request('shop.order.list.v1', { page: 1, per_page: 1 })).pagination.total).toBe(1);
    await service.close();
  });

  test('a refund that a PUT adds is published once, if it has an id; those of a new order are not', async () => {
    const old = { id: 1, total: '-2.00' };
    await save(deps.bus, 4711, { status: 'completed', total: '49.00', refunds: [old] });
    await save(deps.bus, 4711, { refunds: [old, { total: '-3.00' }, { id: 2, reason: 'Dent', total: '-4.00' }] });
    const own = () => shop.refunds.filter(({ order_id }) => order_id === 4711);
    await waitFor(() => own().length > 0);
    await save(deps.bus, 4711, { refunds: [old, { id: 2, total: '-4.00' }], customer_note: 'sent again' });
    expect(own()).toMatchObject([{ refund_id: 2, amount: '4.00', cause: { author: 'ada' } }]);
    const { refunds } = await deps.bus.request('shop.refund.list.v1', { order_id: 4711 });
    expect(refunds.map(({ id, amount, date_created }) => [id, amount, date_created])).toEqual([
      [2, '4.00', null],
      [1, '2.00', null],
    ]);
  });

  test('every named query walks an index', async () => {
    const { store, plans } = recordedQueries(deps.store);
    const orders = await openOrders(store);
    await orders.byIds([1001, 1002]);
    await orders.page({ status: 'processing' }, 0, 5);
    await orders.count({ from: '2026-11-30T00:00:00.000Z', to: '2026-12-01T00:00:00.000Z' });
    await orders.due(Date.now() - 400 * 24 * 60 * 60_000, 5);
    await orders.byKeys(['a', 'b']);
    await orders.newestWith('word:a', 5);
    await orders.countOfCustomer(21, ['processing']);
    await orders.idsBeginning('word:a', 5);
    await orders.countAmong([1001, 1002], ['processing']);
    await orders.fillKeys();
    const ledger = await openStockLedger(store);
    await ledger.numbered(101, 1);
    await ledger.add({ product_id: 1_019, order_id: 1, number: 1, quantity: 1 }, 'plans');
    await ledger.lastNumbers([1_019, 1_020]);
    await (await openOrderNotes(store)).ofOrder(1001);
    const all = await plans();
    expect(all.length).toBeGreaterThan(14);
    // SecantusDB scans for a range of `_id`, for a range in an array, for `_id` beside another condition, and for several values of the first field of an index of two; MongoDB and
    // SQLite walk the index.
    const isHard = ({ _id, keys, product_id }: { _id?: unknown; keys?: object; product_id?: unknown }, many: boolean) =>
      (typeof _id === 'object' && (many || !Object.hasOwn(Object(_id), '$in'))) ||
      Object.hasOwn(Object(keys), '$elemMatch') ||
      typeof product_id === 'object';
    const scans = all.filter(
      (plan) =>
        !walksIndex(plan) && !(plan.engine === 'secantus' && isHard(plan.filter, Object.keys(plan.filter).length > 1)),
    );
    expect(scans).toEqual([]);
  });
});
