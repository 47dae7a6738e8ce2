import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { startWooCommerceShop, type WooCommerceShop } from './woocommerce';
import { problem } from './woocommerce-server';

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

  test('events that are looked for together find drafts and orders in the trash, which no list of all orders has', async () => {
    const statuses = ['checkout-draft', 'pending', 'trash'];
    const references = statuses.map((status, index) => {
      shop.server.putOrder(930_000 + index, { status: status === 'trash' ? 'pending' : status });
      if (status === 'trash') shop.server.trash(930_000 + index);
      return { order_id: String(930_000 + index), gateway_ids: [], transaction_id: null };
    });
    const resolve = () => deps.bus.request('shop.order.resolve.v1', { references }, { timeout: 10_000 });
    expect((await resolve()).orders.map(({ order }) => order.status)).toEqual(statuses);
    // A shop without drafts does not know their status.
    shop.server.fault = ({ query }) =>
      query.get('status')?.includes('draft')
        ? { reply: problem(400, 'rest_invalid_param', 'Invalid parameter(s): status') }
        : undefined;
    expect((await resolve()).orders.map(({ order }) => order.status)).toEqual(['pending', 'trash']);
    shop.server.fault = () => undefined;
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
});
