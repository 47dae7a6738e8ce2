import {
  type AuditEntry,
  awaitingPayment,
  type OrderContext,
  orderSchema,
  paginate,
  type RequestInput,
  type RequestType,
  type RuleRecord,
} from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { buildRule, buildRuleData, describeLanes, type LaneDeps } from '@order-automation/testing';
import { explain } from '../../../shared/store/test/explain';
import { startProDebug, type TestRunDocument, testRunIndexes } from '../src';

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

const outcomeEntry = (process_id: string, type: string, gateway: string | null): AuditEntry => ({
  id: 1,
  timestamp: time,
  status: 'info',
  event_type: 'process_completed',
  source: 'webhook',
  summary: 'It was evaluated.',
  order_id: 7,
  process_id,
  rule_id: null,
  duration_ms: null,
  is_test: false,
  is_debug: false,
  parent_id: null,
  details: { outcome: 'no_match', event: { id: 'evt_1', type, gateway } },
});

describeLanes('pro-debug', (lane) => {
  const orders = [orderOf(7), orderOf(8, { status: 'completed', total: '90.00' })];
  let opened: LaneDeps;
  let service: Service;
  let asked: { type: string; input: unknown }[];
  let saved: RuleRecord[] = [];
  let logged: AuditEntry[] = [];
  let revision = 0;
  let read: RuleRecord[] | null = null;

  const request = <T extends RequestType>(type: T, input: RequestInput<T>) => opened.bus.request(type, input);
  const run = (order_id: number, rule_data: unknown, edition: 'default' | 'extended' = 'extended') =>
    request('debug.rule.test.v1', { order_id, rule_data, edition });

  const enabled = () => saved.filter((one) => one.enabled);

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
    await opened.bus.respond('shop.order.apply.v2', async (input) => {
      note('apply', input);
      return { results: [] };
    });
    await opened.bus.respond('rules.active-versions.v1', async ({ since }) => {
      if (read !== saved) revision += 1;
      read = saved;
      return {
        revision,
        versions: since === revision ? [] : enabled().map(({ id, version }) => ({ id, version })),
        next: null,
      };
    });
    await opened.bus.respond('rules.records.v1', async ({ ids }) => {
      const rules = saved.filter(({ id }) => ids.includes(id));
      return { rules, missing: ids.filter((id) => !rules.some((one) => one.id === id)) };
    });
    await opened.bus.respond('rules.version.get.v1', async ({ versions }) => {
      const isSaved = (one: RuleRecord, { id, version }: (typeof versions)[number]) =>
        one.id === id && one.version === version;
      const rules = versions.flatMap((name) => saved.find((one) => isSaved(one, name)) ?? []);
      return { rules, missing: versions.filter((name) => !saved.some((one) => isSaved(one, name))) };
    });
    await opened.bus.respond('rules.rule.list.v1', async ({ page, per_page }) => {
      const rules = saved.filter((one) => !one.enabled);
      return { rules, pagination: paginate(rules.length, page, per_page) };
    });
    await opened.bus.respond('audit.process.get.v1', async ({ process_id, page, per_page }) => {
      const logs = logged.filter((one) => one.process_id === process_id);
      return { logs, pagination: paginate(logs.length, page, per_page) };
    });
    await opened.bus.respond('shop.record.delete.v1', async (input) => {
      note('delete', input);
      return { deleted: true };
    });
  };

  beforeEach(async () => {
    opened = await lane.deps();
    asked = [];
    saved = [];
    logged = [];
    await openShop();
    service = await startProDebug(opened, { extensions: [], timeZone: 'UTC', awaitingPayment });
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

  test('an order that is past processing does not match, and the suggestion says what would make it', async () => {
    const { data } = await run(8, rule(10));
    expect(data).toMatchObject({ matched: false, trigger: { would_fire: false }, would_run: [] });
    expect(data.changes).toMatchObject([{ field: 'order.status', from: 'completed' }]);
  });

  test('a saved rule, and an event for the conditions about it', async () => {
    const conditions = [
      { id: 'event_type', settings: { event_types: ['payment_completed'] } },
      { id: 'source_gateway', settings: { gateways: ['gateway_card'] } },
    ];
    saved = [buildRule({ id: 3, rule: buildRuleData({ conditions }) })];
    const test = (over: Partial<RequestInput<'debug.rule.test.v1'>>) =>
      request('debug.rule.test.v1', { order_id: 7, rule_id: 3, edition: 'extended', ...over });
    const paid = await test({ event_type: 'payment_intent.succeeded' });
    expect(paid.data).toMatchObject({
      matched: true,
      event: { type: 'payment_completed', gateway: 'gateway_card' },
      conditions: [{ result: 'pass' }, { result: 'pass' }],
    });
    const failed = await test({ event_type: 'payment_failed', gateway: 'gateway_wallet' });
    expect(failed.data).toMatchObject({ matched: false, trigger: { would_fire: false }, would_run: [] });
    logged = [outcomeEntry('proc_1', 'payment.card.charge_succeeded', 'gateway_card')];
    expect((await test({ process_id: 'proc_1' })).data).toMatchObject({ matched: true });
    await expect(test({ rule_id: 9 })).rejects.toMatchObject({ status: 404, code: 'svc_rule_not_found' });
    await expect(test({ process_id: 'proc_9' })).rejects.toMatchObject({ status: 409 });
  });

  test('every rule at once: verdicts in order of running, what stopped what, disabled ones by request', async () => {
    const conditions = [{ id: 'order_total', settings: { operator: 'gt', amount: 50 } }];
    const data = (over: Parameters<typeof buildRuleData>[0]) => buildRuleData({ conditions: [], ...over });
    saved = [
      buildRule({ id: 1, position: 1, rule: data({ conditions }) }),
      buildRule({ id: 2, position: 2, rule: data({}), stop_processing: true }),
      buildRule({ id: 3, position: 3, rule: data({}) }),
      buildRule({ id: 4, position: 4, rule: data({ trigger: { id: 'dispute_opened', settings: {} } }) }),
      buildRule({ id: 5, position: 5, rule: data({}), enabled: false }),
    ];
    const explain = async (over: Partial<RequestInput<'debug.order.explain.v1'>> = {}) => {
      const page = { include_disabled: false, page: 1, per_page: 50, edition: 'extended' } as const;
      return (await request('debug.order.explain.v1', { order_id: 7, ...page, ...over })).data;
    };
    const paid = { event_type: 'payment_intent.succeeded' };
    const all = await explain({ ...paid, include_disabled: true });
    expect(all.counts).toEqual({ runs: 1, no_match: 1, stopped: 1, not_listening: 1, disabled: 1, error: 0 });
    expect(all.rules.map(({ rule_id, verdict, stopped_by }) => [rule_id, verdict, stopped_by])).toEqual([
      [2, 'runs', null],
      [1, 'no_match', null],
      [3, 'stopped', 2],
      [4, 'not_listening', null],
      [5, 'disabled', null],
    ]);
    expect(all.rules[1]).toMatchObject({
      first_failing: { id: 'order_total', expected: 'more than 50.00', actual: '49.00' },
      changes: [{ field: 'order.total', from: '49.00', to: '50.01' }],
    });
    expect(all.rules[3]).toMatchObject({
      listens_to: ['dispute_opened'],
      reason: expect.stringContaining('does not set it off'),
    });
    const matching = await explain({ verdict: 'runs' });
    expect(matching.rules.map(({ rule_id }) => rule_id)).toEqual([2, 4]);
    saved = saved.map((rule) => (rule.id === 2 ? { ...rule, version: 2, stop_processing: false } : rule));
    expect((await explain(paid)).counts).toMatchObject({ runs: 2, stopped: 0 });
    await expect(explain({ edition: 'default' })).rejects.toMatchObject({ code: 'svc_licence_required' });
    await expect(explain({ order_id: 404 })).rejects.toMatchObject({ code: 'svc_order_not_found' });
  });

  test('of what happened: a rule that stopped another, one that does not listen, one that was disabled then', async () => {
    const data = (id: string) => buildRuleData({ conditions: [], trigger: { id, settings: {} } });
    const old = '2026-01-01T00:00:00.000Z';
    const made = { created_at: old, updated_at: old };
    saved = [
      buildRule({ ...made, id: 1, position: 1, rule: data('payment_complete'), stop_processing: true }),
      buildRule({ ...made, id: 2, position: 2, rule: data('payment_complete') }),
      buildRule({ ...made, id: 3, position: 3, rule: data('dispute_opened') }),
      buildRule({ ...made, id: 4, position: 4, rule: data('payment_complete'), enabled: false }),
      buildRule({ id: 5, position: 5, created_at: '2026-06-01T00:00:00.000Z', updated_at: '2026-06-01T00:00:00.000Z' }),
    ];
    const outcome = outcomeEntry('proc_1', 'payment.card.payment_intent_succeeded', 'gateway_card');
    const details = { rule: { id: 1, name: 'First', version: 1 }, conditions: [], stop_processing: true };
    const ran = { ...outcome, id: 2, event_type: 'rule_evaluation', status: 'success', rule_id: 1, details } as const;
    logged = [ran, outcome];
    const page = { include_disabled: true, page: 1, per_page: 50, edition: 'extended' } as const;
    const { data: explained } = await request('debug.order.explain.v1', { process_id: 'proc_1', ...page });
    expect(
      explained.rules.map(({ rule_id, verdict, stopped_by, recorded }) => [rule_id, verdict, stopped_by, recorded]),
    ).toEqual([
      [1, 'runs', null, true],
      [2, 'stopped', 1, false],
      [3, 'not_listening', null, false],
      [4, 'disabled', null, false],
    ]);
    expect(explained.rules[2]?.reason).toContain('it listens to dispute_opened');
  });

  test('of what happened: the event, not what its rules changed; a rule before the one that stopped was not stopped by it', async () => {
    const old = '2026-01-01T00:00:00.000Z';
    const made = { created_at: old, updated_at: old };
    const data = buildRuleData({ conditions: [], trigger: { id: 'order_processing', settings: {} } });
    saved = [
      buildRule({ ...made, id: 1, position: 1, rule: data }),
      buildRule({ ...made, id: 2, position: 2, rule: data, stop_processing: true }),
      buildRule({ ...made, id: 3, position: 3, rule: data }),
    ];
    const of = outcomeEntry('proc_1', 'payment.card.payment_intent_succeeded', 'gateway_card');
    const outcome = { ...of, details: { ...of.details, outcome: 'success' } };
    const details = { rule: { id: 2, name: 'Stop', version: 1 }, conditions: [], stop_processing: true };
    const ran = { ...outcome, id: 2, event_type: 'rule_evaluation', status: 'success', rule_id: 2, details } as const;
    const echo = outcomeEntry('proc_1', 'order_status_completed', null);
    logged = [ran, outcome, { ...echo, id: 3, details: { ...echo.details, outcome: 'no_rules', chain: [2] } }];
    const page = { include_disabled: true, page: 1, per_page: 50, edition: 'extended' } as const;
    const { data: explained } = await request('debug.order.explain.v1', { process_id: 'proc_1', ...page });
    expect(explained.event).toMatchObject({ type: 'payment_completed' });
    const said = new Map(explained.rules.map((one) => [one.rule_id, one]));
    expect([1, 2, 3].map((id) => said.get(id)?.stopped_by)).toEqual([null, null, 2]);
    expect(said.get(1)?.reason).toContain('its trigger did not fire for the order as it was then');
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
    expect((await explain(opened.store, runs, { at: { $lt: 1 } })).usesIndex).toBe(true);
  });
});
