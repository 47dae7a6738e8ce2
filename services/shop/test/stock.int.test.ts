import { crashingStore, describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { startShop } from '../src';
import { openProducts } from '../src/builtin/products';
import { openStockroom } from '../src/builtin/stock';
import { apply, importAll, type Running, save, startListenedShop, status, view } from './shop';

const orderMark = { key: '_order_stock_reduced', value: 'yes' };
const allStock = { update_stock: true };

describeLanes('shop: stock', (lane) => {
  let deps: LaneDeps;
  let shop: Running;
  const quantityOf = async (id: number) =>
    (await (await openProducts(deps.store)).byIds([id]))[0]?.product.stock_quantity;
  const newProduct = (id: number, stock: number) =>
    importAll(deps.bus, 'product', [{ id, name: `Product ${id}`, manage_stock: true, stock_quantity: stock }]);

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startListenedShop(deps);
  });
  afterAll(() => shop.service.close());

  test('an order reduces a product once, however many orders come between two tries', async () => {
    await newProduct(60, 10_000);
    const products = await openProducts(deps.store);
    const stockroom = await openStockroom(deps.store, products);
    const items = [{ product_id: 60, quantity: 1 }];
    // A tenth of a second each on the stand-in for MongoDB.
    const orders = lane.name === 'embedded' ? 502 : 52;
    for (let order = 1; order <= orders; order += 1) await stockroom.reduce(order, items);
    await stockroom.reduce(1, items);
    expect(await quantityOf(60)).toBe(10_000 - orders);
  });

  test('two stockrooms and the same orders at once: each order once', async () => {
    await newProduct(61, 1000);
    const rooms = await Promise.all([1, 2].map(async () => openStockroom(deps.store, await openProducts(deps.store))));
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
        const dying = await openStockroom(crashing, await openProducts(crashing));
        await dying.reduce(order, items).catch(() => undefined);
        died = crashing.hasCrashed();
        const next = await openStockroom(deps.store, await openProducts(deps.store));
        await next.reduce(order + 2000, items);
        await next.reduce(order, items);
        expect([at, stored, await quantityOf(62)]).toEqual([at, stored, 94]);
      }
    }
  });

  test('reduced stock is a fact of the order, written with the status', async () => {
    await newProduct(63, 10);
    const line_items = [{ product_id: 63, quantity: 1, total: '1.00' }];
    await save(deps.bus, 63, { status: 'processing', line_items });
    await apply(deps.bus, [status('stock-fact', 63, 'completed', allStock)]);
    expect((await view(deps.bus, 63)).meta_data).toContainEqual(orderMark);
    await save(deps.bus, 63, { status: 'processing', meta_data: [] });
    const { results } = await apply(deps.bus, [status('stock-again', 63, 'completed', allStock)]);
    expect(results[0]?.message).toBe('Status changed from processing to completed. Stock had been reduced before.');
    expect(await quantityOf(63)).toBe(9);
  });

  test('an order whose stock its shop has reduced is not reduced again', async () => {
    await newProduct(64, 10);
    const line_items = [{ product_id: 64, quantity: 1, total: '1.00' }];
    await save(deps.bus, 64, { status: 'processing', line_items, meta_data: [orderMark] });
    const { results } = await apply(deps.bus, [status('stock-before', 64, 'completed', allStock)]);
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
});
