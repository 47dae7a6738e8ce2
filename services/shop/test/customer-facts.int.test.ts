import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { recordedQueries } from '../../../shared/store/test/recorded-queries';
import { openOrders } from '../src/builtin/orders';
import { type Running, save, startListenedShop } from './shop';

describeLanes('shop: facts about customers', (lane) => {
  let deps: LaneDeps;
  let shop: Running;

  beforeAll(async () => {
    deps = await lane.deps();
    shop = await startListenedShop(deps, { demoShop: true });
    const guest = { first_name: 'Gil', last_name: 'Guest', email: 'Gil@Example.com' };
    const orders = [
      { id: 5001, customer_id: 77, status: 'completed' },
      { id: 5002, customer_id: 77, status: 'processing' },
      { id: 5003, customer_id: 77, status: 'cancelled' },
      { id: 5004, customer_id: 0, status: 'completed' },
      { id: 5005, customer_id: 0, status: 'on-hold' },
    ];
    for (const { id, ...fields } of orders) await save(deps.bus, id, { ...fields, billing: guest });
  });
  afterAll(() => shop.service.close());

  const facts = async (order_id: number, customer_id: number, email: string) => {
    const customers = [{ order_id, customer_id, email }];
    return (await deps.bus.request('shop.customer.facts.v1', { customers })).facts[0];
  };

  test('counts the other orders that are processing or completed, by customer id', async () => {
    expect(await facts(5001, 77, '')).toEqual({ role: 'customer', order_count: 1 });
    expect(await facts(5003, 77, '')).toEqual({ role: 'customer', order_count: 2 });
    expect(await facts(9999, 78, 'gil@example.com')).toEqual({ role: 'customer', order_count: 0 });
  });

  test('without an account, by billing e-mail in either case', async () => {
    expect(await facts(5005, 0, 'gil@example.COM')).toEqual({ role: 'guest', order_count: 3 });
    expect(await facts(5004, 0, 'gil@example.com')).toEqual({ role: 'guest', order_count: 2 });
    expect(await facts(5004, 0, '')).toEqual({ role: 'guest', order_count: 0 });
  });

  test('the role is that of the account; the answers keep the order of what was asked', async () => {
    const customers = [25, 21].map((customer_id) => ({ order_id: 1, customer_id, email: '' }));
    const { facts: found } = await deps.bus.request('shop.customer.facts.v1', { customers });
    expect(found.map(({ role }) => role)).toEqual(['wholesale', 'customer']);
  });

  test('counting walks an index', async () => {
    const { store, plans } = recordedQueries(deps.store);
    await (await openOrders(store)).countOfCustomer(77, ['processing', 'completed']);
    expect(await plans()).toMatchObject([{ usesIndex: true }]);
  });
});
