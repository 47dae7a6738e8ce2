import type { Store } from '@order-automation/store';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { crashingStore } from '../../../shared/store/test/crashing-store';
import { startShop } from '../src';
import { openProducts } from '../src/builtin/products';
import { openStockLedger } from '../src/builtin/stock-ledger';
import { stockReducer } from '../src/builtin/stock-reducer';
import { apply, importAll, person, type Running, save, startListenedShop, status, view } from './shop';

const orderMark = { key: '_order_stock_reduced', value: 'yes' };
const allStock = { update_stock: true };

const productsOf = async (store: Store) => openProducts(store, await openStockLedger(store));
const roomOf = async (store: Store) => stockReducer(await openStockLedger(store), await productsOf(store));

describeLanes('shop: stock', (lane) => {
  let deps: LaneDeps;
  let shop: Running;
  const quantityOf = async (id: number) =>
    (await (await productsOf(deps.store)).byIds([id]))[0]?.product.stock_quantity;
  const newProduct = (id: number, stock: number) =>
    importAll(deps.bus, 'product', [{ id, name: `Product ${id}`, manage_stock: true, stock_quantity: stock }]);

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startListenedShop(deps);
  });
  afterAll(() => shop.service.close());

  test('an order reduces a product once, however many orders come between two tries', async () => {
    await newProduct(60, 10_000);
    const room = await roomOf(deps.store);
    const items = [{ product_id: 60, quantity: 1 }];
    // A tenth of a second each on the stand-in for MongoDB.
    const orders = lane.name === 'embedded' ? 502 : 52;
    for (let order = 1; order <= orders; order += 1) await room.reduce(order, items);
    await room.reduce(1, items);
    expect(await quantityOf(60)).toBe(10_000 - orders);
  });

  test('two stockrooms and the same orders at once: each order once', async () => {
    await newProduct(61, 1000);
    const rooms = await Promise.all([1, 2].map(() => roomOf(deps.store)));
    const orders = Array.from({ length: 20 }, (_, index) => index + 1);
    const reduceAll = rooms.map((room) =>
      Promise.all(orders.map((order) => room.reduce(order, [{ product_id: 61, quantity: 2 }]))),
    );
    await Promise.all(reduceAll);
    expect(await quantityOf(61)).toBe(1000 - 40);
  });

  test('one that dies at any of its writes: the next reduction finishes its work', async () => {
    // The stand-in for MongoDB is slow in making collections.
    for (const stored of lane.name === 'embedded' ? [false, true] : [true]) {
      for (let at = 1, died = true; died; at += 1) {
        await newProduct(62, 100);
        const crashing = crashingStore(deps.store, { at, stored });
        const order = 1000 + at + (stored ? 500 : 0);
        const items = [{ product_id: 62, quantity: 3 }];
        const dying = await roomOf(crashing);
        await dying.reduce(order, items).catch(() => undefined);
        died = crashing.hasCrashed();
        const next = await roomOf(deps.store);
        await next.reduce(order + 2000, items);
        await next.reduce(order, items);
        expect([at, stored, await quantityOf(62)]).toEqual([at, stored, 94]);
      }
    }
  });

  const put = (id: number, fields: Record<string, unknown>) =>
    deps.bus.request(
      'shop.record.put.v1',
      { type: 'product', id: String(id), fields, cause: person },
      { timeout: 20_000 },
    );
  const remove = (id: number) =>
    deps.bus.request('shop.record.delete.v1', { type: 'product', id: String(id), cause: person });

  test('a product that is deleted and made again has the stock that it is given, and orders reduce it from there', async () => {
    await newProduct(66, 500);
    const room = await roomOf(deps.store);
    for (let order = 1; order <= 30; order += 1) await room.reduce(order, [{ product_id: 66, quantity: 1 }]);
    expect(await quantityOf(66)).toBe(470);
    await remove(66);
    await room.reduce(31, [{ product_id: 66, quantity: 1 }]);
    await put(66, { name: 'Again', manage_stock: true, stock_quantity: 500 });
    await room.reduce(32, [{ product_id: 66, quantity: 1 }]);
    await room.reduce(5, [{ product_id: 66, quantity: 1 }]);
    expect(await quantityOf(66)).toBe(499);
    await remove(66);
    await newProduct(66, 100);
    await room.reduce(33, [{ product_id: 66, quantity: 1 }]);
    expect(await quantityOf(66)).toBe(99);
  });

  test('a product is renamed again and again while orders reduce its stock: no reduction is undone, no name lost', async () => {
    await newProduct(67, 1_000);
    const room = await roomOf(deps.store);
    const orders = Array.from({ length: 60 }, (_, index) => index + 1);
    const names = Array.from({ length: 20 }, (_, index) => `Name ${index}`);
    await Promise.all([
      ...orders.map((order) => room.reduce(order, [{ product_id: 67, quantity: 3 }])),
      ...names.map((name, index) => put(67, { name, [`field_${index}`]: index })),
    ]);
    const [document] = await (await productsOf(deps.store)).byIds([67]);
    expect(document?.product.stock_quantity).toBe(1_000 - 180);
    expect(names.filter((_, index) => document?.product[`field_${index}`] !== index)).toEqual([]);
  });

  test('reduced stock is a fact of the order, written with the status', async () => {
    await newProduct(63, 10);
    const line_items = [{ product_id: 63, quantity: 1, total: '1.00' }];
    await save(deps.bus, 63, { status: 'processing', line_items });
    await apply(deps.bus, [status('stock-fact', 63, 'completed', allStock)]);
    expect((await view(deps.bus, 63)).meta_data).toContainEqual(orderMark);
    await save(deps.bus, 63, { status: 'processing', meta_data: [] });
    const results = await apply(deps.bus, [status('stock-again', 63, 'completed', allStock)]);
    expect(results[0]?.message).toBe('Status changed from processing to completed. Stock had been reduced before.');
    expect(await quantityOf(63)).toBe(9);
  });

  test('an order whose stock its shop has reduced is not reduced again', async () => {
    await newProduct(64, 10);
    const line_items = [{ product_id: 64, quantity: 1, total: '1.00' }];
    await save(deps.bus, 64, { status: 'processing', line_items, meta_data: [orderMark] });
    const results = await apply(deps.bus, [status('stock-before', 64, 'completed', allStock)]);
    expect(results[0]?.message).toContain('Stock had been reduced before.');
    expect(await quantityOf(64)).toBe(10);
  });

  test('a shop that dies between reducing and confirming reduces once after its restart', async () => {
    await newProduct(65, 10);
    await save(deps.bus, 65, { status: 'processing', line_items: [{ product_id: 65, quantity: 1, total: '1.00' }] });
    const startAndEdit = 3;
    const crashing = crashingStore(deps.store, { at: startAndEdit + 4, stored: false });
    const dying = await lane.deps({ store: crashing });
    const victim = await startShop(dying, { demoShop: false, timeZone: 'UTC' });
    await apply(dying.bus, [status('die-65', 65, 'completed', allStock)]).catch(() => undefined);
    expect([crashing.hasCrashed(), await quantityOf(65)]).toEqual([true, 9]);
    await victim.close();
    deps.clock.advance(6_000);
    const orders = await deps.store.collection<{ _id: number; stock: { state: string } }>('orders');
    await waitFor(async () => (await orders.findOne({ _id: 65 }))?.stock.state === 'done');
    expect(await quantityOf(65)).toBe(9);
  });

  /**
   * As WooCommerce does (wc-stock-functions.php: reduce on completed, processing, on-hold; increase on cancelled, pending; `_reduced_stock` once), with
   * the stock of a variation or that of its parent (get_stock_managed_by_id).
   */
  test('stock is taken once and put back once, and again, by variation or parent, halves included', async () => {
    await importAll(deps.bus, 'product', [
      { id: 70, name: 'Shirt', type: 'variable', manage_stock: true, stock_quantity: 10 },
      { id: 71, name: 'Shirt red', type: 'variation', parent_id: 70, manage_stock: true, stock_quantity: 4 },
      { id: 72, name: 'Shirt blue', type: 'variation', parent_id: 70, manage_stock: 'parent' },
      { id: 73, name: 'Shirt green', type: 'variation', parent_id: 70, manage_stock: false },
      { id: 74, name: 'Cloth', manage_stock: true, stock_quantity: 0.5 },
    ]);
    const line = (product_id: number, variation_id: number, quantity: number) => ({
      product_id,
      variation_id,
      quantity,
    });
    const line_items = [line(70, 71, 1), line(70, 72, 2), line(70, 73, 1), line(74, 0, 0.5)];
    await save(deps.bus, 70, { status: 'pending', line_items, total: '1.00' });
    const all = async () => [await quantityOf(70), await quantityOf(71), await quantityOf(74)];
    const to = async (name: string, wanted: string) =>
      (await apply(deps.bus, [status(`move-${name}`, 70, wanted, allStock)]))[0]?.message ?? '';
    const before = [10, 4, 0.5];
    const after = [7, 3, 0];
    expect([await to('a', 'cancelled'), await all()]).toEqual(['Status changed from pending to cancelled.', before]);
    expect([await to('b', 'on-hold'), await all()]).toEqual([expect.stringContaining('was reduced'), after]);
    expect([await to('c', 'completed'), await all()]).toEqual([expect.stringContaining('reduced before'), after]);
    expect([await to('d', 'refunded'), await all()]).toEqual(['Status changed from completed to refunded.', after]);
    expect([await to('e', 'cancelled'), await all()]).toEqual([expect.stringContaining('was put back'), before]);
    expect((await view(deps.bus, 70)).meta_data).not.toContainEqual(orderMark);
    expect([await to('f', 'pending'), await all()]).toEqual(['Status changed from cancelled to pending.', before]);
    expect([await to('g', 'processing'), await all()]).toEqual([expect.stringContaining('was reduced'), after]);
    expect([await to('h', 'pending'), await all()]).toEqual([expect.stringContaining('was put back'), before]);
    const [cloth] = await (await productsOf(deps.store)).byIds([74]);
    expect(cloth?.product.stock_status).toBe('instock');
  });

  test('a status that a person or another system saves moves the stock as one that a rule sets, once', async () => {
    await newProduct(76, 10);
    const line_items = [{ product_id: 76, quantity: 2, total: '1.00' }];
    const to = async (wanted: string) => {
      await save(deps.bus, 76, { status: wanted });
      await save(deps.bus, 76, { status: wanted, customer_note: wanted });
      return quantityOf(76);
    };
    await save(deps.bus, 76, { status: 'pending', line_items });
    expect([await to('processing'), await to('completed'), await to('cancelled')]).toEqual([8, 8, 10]);
    await apply(deps.bus, [status('rule-76', 76, 'completed', allStock)]);
    expect([await quantityOf(76), await to('cancelled'), await to('refunded')]).toEqual([8, 10, 10]);
    await save(deps.bus, 77, { status: 'processing', line_items });
    expect(await quantityOf(76)).toBe(10);
  });

  test('an order whose stock another shop has reduced puts it back here', async () => {
    await newProduct(75, 9);
    const line_items = [{ product_id: 75, quantity: 1, total: '1.00' }];
    await save(deps.bus, 75, { status: 'processing', line_items, meta_data: [orderMark] });
    await apply(deps.bus, [status('back-75', 75, 'cancelled', allStock)]);
    expect(await quantityOf(75)).toBe(10);
  });

  // WooCommerce's REST API leaves the mark out of `meta_data`: `_order_stock_reduced` is an internal meta key (class-wc-order-data-store-cpt.php).
  test('an order that is history has been through the stock of its shop', async () => {
    await newProduct(78, 10);
    const statuses = { 781: 'processing', 782: 'completed', 783: 'on-hold', 784: 'pending', 785: 'failed' };
    const line_items = [{ product_id: 78, quantity: 1, total: '1.00' }];
    const history = Object.entries(statuses).map(([id, kept]) => ({ id: Number(id), status: kept, line_items }));
    await importAll(deps.bus, 'order', history, false);
    const to = async (id: number, wanted: string) => {
      await apply(deps.bus, [status(`history-${id}-${wanted}`, id, wanted, allStock)]);
      return quantityOf(78);
    };
    expect([await to(781, 'completed'), await to(782, 'on-hold'), await to(783, 'processing')]).toEqual([10, 10, 10]);
    expect([await to(782, 'cancelled'), await to(782, 'completed')]).toEqual([11, 10]);
    expect([await to(784, 'completed'), await to(785, 'processing')]).toEqual([9, 8]);
    await importAll(deps.bus, 'order', [{ id: 785, status: 'cancelled' }], false);
    expect([await quantityOf(78), await to(785, 'completed')]).toEqual([8, 7]);
  });
});
