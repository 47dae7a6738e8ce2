import {
  type OrderContext,
  orderSchema,
  paginate,
  type RequestInput,
  type RequestType,
} from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { oldRunsFilter, startProDebug, type TestRunDocument, testRunIndexes } from '../src';

const time = '2026-01-05T23:30:09.000Z';
const orderOf = (id: number, overrides: Record<string, unknown> = {}): OrderContext => ({
  order: orderSchema.parse({
    id,
    number: String(id),
    status: 'processing',
    currency: 'EUR',
    total: '49.00',
    date_created: time,
    date_modified: time,
    billing: { first_name: 'Ada', last_name: `Example ${id}`, email: 'ada@example.com' },
    shipping: {},
    line_items: [{ product_id: 11, quantity: 1 }],
    ...overrides,
  }),
  products: [{ id: 11, name: 'E-book', type: 'simple', category_ids: [], tag_ids: [] }],
});
const rule = (amount: unknown): unknown => ({
  trigger: { id: 'order_processing', settings: {} },
  conditions: [
    { id: 'order_total', settings: { operator: '>', amount } },
    { id: 'product_type', settings: { types: ['simple'] } },
  ],
  primaryAction: { id: 'change_status_to_completed', settings: {} },
  secondaryActions: [],
});

describeLanes('pro-debug', (lane) => {
  const orders = [orderOf(7), orderOf(8, { status: 'completed', total: '90.00' })];
  let opened: LaneDeps;
  let service: Service;
  let asked: { type: string; input: unknown }[];

  const request = <T extends RequestType>(type: T, input: RequestInput<T>) => opened.bus.request(type, input);
  const run = (order_id: number, rule_data: unknown, edition: 'default' | 'extended' = 'extended') =>
    request('debug.rule.test.v1', { order_id, rule_data, edition });

  /** The shop as its contract says, with every way in which it can be asked to change an order. */
  const openShop = async () => {
    const note = <Input>(type: string, input: Input): Input => {
      asked.push({ type, input });
      return input;
    };
    await opened.bus.respond('shop.order.get.v1', async (input) => {
      const { ids } = note('get', input);
      return { orders: orders.filter(({ order }) => ids.includes(order.id)) };
    });
    await opened.bus.respond('shop.order.list.v1', async (input) => {
      note('list', input);
      const found = orders.map(({ order }) => order);
      return { orders: found.slice(0, input.per_page), pagination: paginate(found.length, input.page, input.per_page) };
    });
    await opened.bus.respond('shop.order.apply.v1', async (input) => {
      note('apply', input);
      return { results: [], orders: [] };
    });
    await opened.bus.respond('shop.record.delete.v1', async (input) => {
      note('delete', input);
      return { deleted: true };
    });
  };

  beforeEach(async () => {
    opened = await lane.deps();
    asked = [];
    await openShop();
    service = await startProDebug(opened, { extensions: [], timeZone: 'UTC' });
  });
  afterEach(async () => {
    await service.close();
    await opened.close();
  });

  test('a rule that does not match: every condition, the trigger, and the smallest change', async () => {
    const { data } = await run(7, rule(50));
    expect(data).toMatchObject({
      matched: false,
      trigger: { id: 'order_processing', would_fire: true },
      conditions: [
        { id: 'order_total', result: 'fail', expected: 'more than 50.00', actual: '49.00' },
        { id: 'product_type', result: 'pass' },
      ],
      would_run: [],
      suggestions: ['order total is 49.00, the rule needs more than 50.00'],
      order_details: { id: 7, status: 'processing', total: '49.00', currency: 'EUR' },
    });
  });

  test('a rule that matches says what it would run, changes nothing, and is recorded', async () => {
    const { data } = await run(7, rule(10));
    expect(data.would_run).toMatchObject([
      { id: 'change_status_to_completed', changes: [{ field: 'status', from: 'processing', to: 'completed' }] },
    ]);
    expect(asked.map(({ type }) => type)).toEqual(['get']);
    const runs = await opened.store.collection<TestRunDocument>('test_runs', testRunIndexes);
    const [recorded] = await runs.find({ order_id: 7 }).toArray();
    expect(recorded).toMatchObject({ matched: true, would_fire: true, would_run: ['change_status_to_completed'] });
    expect(recorded?.rule.conditions[0]?.settings).toEqual({ operator: 'gt', amount: 10 });
    expect(JSON.stringify(recorded)).not.toContain('ada@example.com');
  });

  test('an order that is past processing would not fire the trigger', async () => {
    expect((await run(8, rule(10))).data).toMatchObject({ matched: true, trigger: { would_fire: false } });
  });

  test.each([
    [7, rule(10), 'default', 403, 'svc_licence_required'],
    [7, rule('ten'), 'extended', 400, 'svc_validation_failed'],
    [7, {}, 'extended', 400, 'rest_missing_callback_param'],
    [404, rule(10), 'extended', 404, 'svc_order_not_found'],
  ] as const)('order %s, %j, edition %s: %s %s, nothing recorded', async (id, data, edition, status, code) => {
    await expect(run(id, data, edition)).rejects.toMatchObject({ status, code });
    const runs = await opened.store.collection<TestRunDocument>('test_runs', testRunIndexes);
    expect(await runs.countDocuments({})).toBe(0);
  });

  test('orders are searched by the shop and summed up', async () => {
    const { data } = await request('debug.order.search.v1', { search: ' ada ', limit: 1 });
    expect(data).toMatchObject([
      {
        id: 7,
        total_formatted: '€49.00',
        customer: 'Ada Example 7',
        date: 'Jan 5, 2026',
        date_full: '2026-01-05 23:30:09',
      },
    ]);
    expect(asked).toEqual([{ type: 'list', input: { search: 'ada', page: 1, per_page: 1 } }]);
    await request('debug.order.search.v1', { limit: 50 });
    expect(asked[1]?.input).toEqual({ page: 1, per_page: 50 });
  });

  test('removing old runs walks an index', async () => {
    const runs = await opened.store.collection<TestRunDocument>('test_runs', testRunIndexes);
    expect((await opened.store.explain(runs, oldRunsFilter(1))).usesIndex).toBe(true);
  });
});
