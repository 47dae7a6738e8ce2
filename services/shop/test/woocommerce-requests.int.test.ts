import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { applySteps, person, save } from './shop';
import { startWooCommerceShop, type WooCommerceShop } from './woocommerce';

/** Longer than the time between two looks. */
const later = 65_000;

describeLanes('shop: woocommerce, how often it is asked', (lane) => {
  let deps: LaneDeps;
  let shop: WooCommerceShop;

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startWooCommerceShop(deps);
    // The last of what is asked for at the start.
    await waitFor(() =>
      shop.server.calls.some(({ path, query }) => path === 'wc/v3/webhooks' && query.get('per_page') === '100'),
    );
  });
  afterAll(() => shop?.close());

  const counted = async (work: () => Promise<unknown>): Promise<number> => {
    const before = shop.server.calls.length;
    await work();
    return shop.server.calls.length - before;
  };
  const changesOf = (id: number) => shop.changes.filter(({ data }) => data.order_id === id).map(({ data }) => data);

  test('events about orders that are not ours: searched for once in an hour, however often they come', async () => {
    const references = Array.from({ length: 50 }, (_, index) => ({
      order_id: String(900_000 + index),
      gateway_ids: [`pi_theirs_${index}`],
      transaction_id: `ch_theirs_${index}`,
    }));
    const resolve = () => deps.bus.request('shop.order.resolve.v1', { references }, { timeout: 20_000 });
    expect((await resolve()).matches.every((match) => match === null)).toBe(true);
    expect(await counted(resolve)).toBeLessThan(5);
    expect(await counted(() => Promise.all([resolve(), resolve(), resolve()]))).toBeLessThan(15);
    deps.clock.advance(2 * 3_600_000);
    expect(await counted(resolve)).toBeGreaterThan(100);
  }, 60_000);

  test('an order that becomes ours wakes what waits for it, by its id and by an id of its payment that comes later', async () => {
    const id = 910_000;
    const reference = { order_id: null, gateway_ids: [], transaction_id: 'pi_later' };
    const resolve = () => deps.bus.request('shop.order.resolve.v1', { references: [reference] }, { timeout: 10_000 });
    expect((await resolve()).matches).toEqual([null]);
    shop.server.putOrder(id, { status: 'pending' });
    deps.clock.advance(later);
    await waitFor(() => changesOf(id).some(({ kind, keys }) => kind === 'created' && keys.includes(`number:${id}`)));
    shop.server.putOrder(id, { transaction_id: 'pi_later' });
    deps.clock.advance(later);
    await waitFor(() =>
      changesOf(id).some(({ kind, keys }) => kind === 'identified' && keys.includes('gateway:pi_later')),
    );
    expect((await resolve()).matches).toEqual([{ order_id: id, by: 'transaction_id' }]);
  });

  // decisions.md, section 4: an event that waits is evaluated when the order gets its transaction, at once.
  test('an id of a payment that a person writes from here is found as soon as it is published', async () => {
    const id = 911_000;
    const reference = { order_id: null, gateway_ids: [], transaction_id: 'pi_written' };
    const resolve = () => deps.bus.request('shop.order.resolve.v1', { references: [reference] }, { timeout: 10_000 });
    shop.server.putOrder(id, { status: 'pending' });
    expect((await resolve()).matches).toEqual([null]);
    const fault = shop.server.fault;
    shop.server.fault = ({ method }) => (method === 'GET' ? { slow: 500 } : undefined);
    const saved = save(deps.bus, id, { transaction_id: 'pi_written' });
    await waitFor(() => changesOf(id).some(({ keys }) => keys.includes('gateway:pi_written')));
    expect((await resolve()).matches).toEqual([{ order_id: id, by: 'transaction_id' }]);
    await saved;
    shop.server.fault = fault;
  });

  test('events that are looked for together find drafts and orders in the trash, which no list of all orders has', async () => {
    const statuses = ['checkout-draft', 'pending', 'trash'];
    const references = statuses.map((status, index) => {
      shop.server.putOrder(930_000 + index, { status: status === 'trash' ? 'pending' : status });
      if (status === 'trash') shop.server.trash(930_000 + index);
      return { order_id: String(930_000 + index), gateway_ids: [], transaction_id: null };
    });
    const resolve = () => deps.bus.request('shop.order.resolve.v1', { references }, { timeout: 10_000 });
    expect((await resolve()).orders.map(({ order }) => order.status)).toEqual(statuses);
    // A shop without drafts refuses their status, which it had a moment ago.
    delete shop.server.statuses['checkout-draft'];
    shop.server.orders.delete(930_000);
    expect((await resolve()).orders.map(({ order }) => order.status)).toEqual(['pending', 'trash']);
    shop.server.statuses['checkout-draft'] = 'Draft';
    deps.clock.advance(10 * 60_000);
  });

  test('an order in a status that searches leave out is in the list, is found with others, and is found when it changes', async () => {
    shop.server.statuses.shelf = 'On the shelf';
    shop.server.hiddenFromAny.push('shelf');
    deps.clock.advance(10 * 60_000);
    const ids = [940_000, 940_001];
    for (const id of ids) shop.server.putOrder(id, { status: 'pending' });
    deps.clock.advance(later);
    await waitFor(() => ids.every((id) => changesOf(id).some(({ kind }) => kind === 'created')));
    shop.server.putOrder(940_001, { status: 'shelf' });
    deps.clock.advance(later);
    await waitFor(() => changesOf(940_001).some(({ to }) => to === 'shelf'));
    const references = ids.map((id) => ({ order_id: String(id), gateway_ids: [], transaction_id: null }));
    const found = await deps.bus.request('shop.order.resolve.v1', { references }, { timeout: 10_000 });
    expect(found.orders.map(({ order }) => order.status)).toEqual(['pending', 'shelf']);
    const listed = (status?: string) =>
      deps.bus.request('shop.order.list.v1', { page: 1, per_page: 5, ...(status && { status }) }, { timeout: 10_000 });
    expect((await listed()).orders.map(({ id }) => id)).toContain(940_001);
    expect((await listed('shelf')).orders.map(({ id }) => id)).toEqual([940_001]);
    expect(await listed('nonsense')).toMatchObject({ orders: [], pagination: { total: 0 } });
  });

  test('orders of one product that come together ask for it once', async () => {
    shop.server.products.push(productOf(601));
    const ids = Array.from({ length: 20 }, (_, index) => 950_000 + index);
    for (const id of ids) shop.server.putOrder(id, { line_items: [lineOf(601)] });
    deps.clock.advance(10 * 60_000);
    const asked = (path: string) => shop.server.calls.filter((call) => call.path === path).length;
    const before = [asked('wc/v3/products'), asked('wc/v3/products/categories')];
    const get = (id: number) => deps.bus.request('shop.order.get.v1', { ids: [id] }, { timeout: 20_000 });
    const answers = await Promise.all(ids.map(get));
    expect(answers.every(({ orders }) => orders[0]?.products[0]?.id === 601)).toBe(true);
    const after = [asked('wc/v3/products'), asked('wc/v3/products/categories')];
    expect(after.map((count, at) => count - (before[at] ?? 0))).toEqual([1, 1]);
  });

  test('a category that is newer than the tree has its parents', async () => {
    const get = async (id: number) => (await deps.bus.request('shop.order.get.v1', { ids: [id] })).orders[0]?.products;
    shop.server.products.push(productOf(602));
    shop.server.putOrder(951_000, { line_items: [lineOf(602)] });
    deps.clock.advance(10 * 60_000);
    await get(951_000);
    shop.server.categories.push(
      ...[611, 612].map((id, at) => ({ id, name: `C${id}`, slug: `c${id}`, parent: at && 611 })),
    );
    shop.server.products.push({ ...productOf(603), categories: [{ id: 612 }] });
    shop.server.putOrder(951_001, { line_items: [lineOf(603)] });
    expect(await get(951_001)).toMatchObject([{ category_ids: [612], parent_category_ids: [611] }]);
  });

  // Lists may have the terms of one language alone: wpml.org/documentation/related-projects/woocommerce-multilingual/using-wordpress-rest-api-woocommerce-multilingual
  test('a category that the tree never has is asked for once', async () => {
    const ids = [621, 622, 623];
    shop.server.products.push(...ids.map((id) => ({ ...productOf(id), categories: [{ id: 699 }] })));
    for (const id of ids) shop.server.putOrder(953_000 + id, { line_items: [lineOf(id)] });
    deps.clock.advance(10 * 60_000);
    const trees = () => shop.server.calls.filter(({ path }) => path === 'wc/v3/products/categories').length;
    const before = trees();
    for (const id of ids) await deps.bus.request('shop.order.get.v1', { ids: [953_000 + id] });
    expect(trees() - before).toBe(2);
  });

  test('facts that become stale while an order waits for another product are read again', async () => {
    const ids = [604, 605];
    shop.server.products.push(...ids.map(productOf));
    for (const [at, products] of [[604], [604, 605], [604]].entries())
      shop.server.putOrder(952_000 + at, { line_items: products.map(lineOf) });
    const get = async (id: number) => (await deps.bus.request('shop.order.get.v1', { ids: [id] })).orders[0]?.products;
    deps.clock.advance(10 * 60_000);
    await get(952_000);
    const isOfSecond = ({ query }: { readonly query: URLSearchParams }) => query.get('include') === '605';
    shop.server.fault = (call) => (isOfSecond(call) ? { slow: 1_000 } : undefined);
    const both = get(952_001);
    await waitFor(() => shop.server.calls.some(isOfSecond));
    deps.clock.advance(10 * 60_000);
    const alone = get(952_002);
    expect((await both)?.map(({ id }) => id)).toEqual(ids);
    expect(await alone).toHaveLength(1);
  });

  test('many orders that changed in the shop are read by a few requests', async () => {
    const ids = Array.from({ length: 90 }, (_, index) => 920_000 + index);
    for (const id of ids) shop.server.putOrder(id, { status: 'pending' });
    const requests = await counted(async () => {
      deps.clock.advance(later);
      await waitFor(() => ids.every((id) => changesOf(id).length === 2), { timeout: 90_000 });
    });
    // One at a time they would be 90 and more; on a slow store the shop is read in more, smaller groups.
    expect(requests).toBeLessThan(lane.name === 'embedded' ? 15 : 85);
  }, 150_000);

  // A clerk who puts hundreds of orders on hold, or a schedule, kept a payment waiting until all of them were changed (seen with WooCommerce 10.0.2).
  test('the order of an event waits for none of the many that are changed for another reason', async () => {
    const [first, many] = [950_000, 40];
    for (let id = first; id <= first + many; id += 1) shop.server.putOrder(id, { status: 'on-hold' });
    const fault = shop.server.fault;
    shop.server.fault = ({ method }) => (method === 'PUT' ? { slow: 100 } : undefined);
    const changed = (order_id: number, event_id: string) => {
      const key = `many-${order_id}`;
      const commands = [{ key, command: { kind: 'add_tag' as const, tag: 'x' } }];
      return applySteps(deps.bus, [{ key, order_id, revision: null, commands, cause: { ...person, event_id } }]);
    };
    let done = 0;
    const others = Array.from({ length: many }, async (_, index) => {
      await changed(first + index, `chg_${index}`);
      done += 1;
    });
    expect(await changed(first + many, 'evt_1')).toMatchObject([{ kind: 'applied' }]);
    expect(done).toBeLessThan(many / 2);
    await Promise.all(others);
    shop.server.fault = fault;
  });
});

const lineOf = (id: number) => ({ id: 1, name: 'Cup', product_id: id, quantity: 1, total: '5.00' });

const productOf = (id: number) => ({
  id,
  name: 'Cup',
  slug: `cup-${id}`,
  sku: `CUP-${id}`,
  type: 'simple',
  status: 'publish',
  categories: [],
  tags: [],
  virtual: false,
  downloadable: false,
});
