import { paginate } from '@order-automation/contracts';
import { describeLanes, type LaneDeps, settableClock } from '@order-automation/testing';
import { askOver } from '../src/http/edge';
import { shownOrder } from '../src/routes/shop/shown-order';
import { type Ask, addUser, asAdmin, type Running, send, startGateway } from './gateway';
import { issueLicence, newLicenceKey } from './licences';
import { order, rule } from './peers';

const pagination = { total: 1, total_pages: 1, current_page: 1, per_page: 20 };

describeLanes('REST at the edge', (lane) => {
  let deps: LaneDeps;
  let running: Running;

  beforeAll(async () => {
    deps = await lane.deps();
    running = await startGateway(deps, { BASE_PATH: '/automation/' });
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  const ask = (method: string, path: string, how: Ask = {}) =>
    send(running.base, method, `/automation${path}`, { ...how, headers: { ...asAdmin, ...how.headers } });
  const last = <T>(list: readonly T[]): T | undefined => list.at(-1);

  test('components carry meta', async () => {
    const { body } = await ask('GET', '/v1/rule-builder/components?rule_id=7');
    expect(body).toEqual({
      triggers: [],
      conditions: [],
      primaryActions: [],
      secondaryActions: [],
      meta: { execution_time: expect.any(Number), timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) },
    });
    expect(last(running.peers.asked('rules.component.list.v1'))).toEqual({ rule_id: 7, edition: 'extended' });
  });

  test('routes that an error names are those of the base path, and an address without it is recognised', async () => {
    const lost = await ask('GET', '/v1/rulez');
    expect(lost.body.message).toContain('GET /automation/docs lists');
    for (const path of ['/rules', '/v1/rules'])
      expect((await send(running.base, 'GET', path)).body.message).toMatch(/mean \/automation\/v1\/rules\?/);
    const unknown = await send(running.base, 'GET', '/automation/v1/rules');
    expect(unknown.body.message).toContain('Log in with POST /automation/v1/auth/login,');
  });

  test.each([
    ['GET', '/v1/webhooks/events?from=2026-05-02&to=2026-05-01', 'from', 'to'],
    ['GET', '/v1/deliveries?from=2026-05-02&to=2026-05-01', 'from', 'to'],
    ['GET', '/v1/audit-log?date_from=2026-05-02&date_to=2026-05-01', 'date_from', 'date_to'],
    ['GET', '/v1/audit-log/export?date_from=2026-05-02&date_to=2026-05-01', 'date_from', 'date_to'],
    ['GET', '/v1/audit-log/stats?from=2026-05-02&to=2026-05-01', 'from', 'to'],
    ['GET', '/v1/audit-log/verify?from_id=20&to_id=10', 'from_id', 'to_id'],
    ['POST', '/v1/webhooks/events/replay', 'filter.from', 'filter.to'],
    ['POST', '/v1/deliveries/resend', 'filter.from', 'filter.to'],
  ])('%s %s: a range that ends before it begins is refused by both names', async (method, path, from, to) => {
    const filter = { from: '2026-05-02T00:00:00Z', to: '2026-05-01T00:00:00Z' };
    const { status, body } = await ask(method, path, method === 'POST' ? { json: { filter } } : {});
    const { violations } = body.data as { violations: { path: string }[] };
    expect([status, violations.map((one) => one.path)]).toEqual([400, [from, to]]);
    const day = await ask('GET', '/v1/webhooks/events?from=2026-05-01&to=2026-05-01');
    expect(day.status).toBe(200);
  });

  test('dead letters are events and deliveries in one list; one kind alone reaches deeper', async () => {
    const both = await ask('GET', '/v1/webhooks/dead-letters?per_page=50');
    const { dead_letters, pagination: all } = both.body as { dead_letters: { kind: string }[]; pagination: unknown };
    const kinds = dead_letters.map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['event', 'delivery']));
    expect(all).toMatchObject({ total: kinds.length });
    expect(last(running.peers.asked('evaluation.delivery.list.v1'))).toMatchObject({ filter: { state: 'failed' } });
    const deliveries = await ask('GET', '/v1/webhooks/dead-letters?kind=delivery&page=1000&per_page=200');
    expect(deliveries.body.dead_letters).toMatchObject([{ kind: 'delivery', via: 'webhook', attempts: 2 }]);
    const deep = await ask('GET', '/v1/webhooks/dead-letters?page=1000&per_page=200');
    expect([deep.status, deep.body.code]).toEqual([400, 'rest_invalid_param']);
  });

  test('the overview has the same dead letters as their list, the hosts of stuck deliveries, and who is paused', async () => {
    const { body } = await ask('GET', '/v1/overview');
    const { body: list } = await ask('GET', '/v1/webhooks/dead-letters?per_page=1');
    expect(body).toMatchObject({
      dead_letters: { total: (list.pagination as { total: number }).total },
      deliveries: {
        pending: 1_370,
        stuck: {
          total: 1_358,
          hosts: [
            { host: 'erp.example.com', total: 1_000 },
            { host: 'crm.example.com', total: 358 },
          ],
        },
      },
      events: {
        unfinished: { total: 3 },
        waiting: 2,
        held: { total: 12, senders: [{ sender: 'generic/erp', total: 12 }] },
      },
      webhooks_missed: 0,
      shop: { connector: 'woocommerce', demonstration: false, problems: ['WooCommerce has not answered yet.'] },
      last_day: { late_payments: 0, mismatches: 0, signed_refused: { total: 0, latest: null } },
      last_hour: { received: 0, actions_done: 0, actions_failed: 0, given_up: 0, webhooks_refused: 0 },
    });
    const { dead_letters } = body as { dead_letters: Record<'total' | 'events' | 'deliveries', number> };
    expect(dead_letters.total).toBe(dead_letters.events + dead_letters.deliveries);
    expect(running.peers.asked('audit.entry.list.v1')).toContainEqual(
      expect.objectContaining({
        filters: expect.objectContaining({ event_type: ['action_executed'], status: ['success'] }),
      }),
    );
  });

  test('first steps are done as the installation says, and stay hidden until somebody wants them back', async () => {
    const { body } = await ask('GET', '/v1/first-steps');
    expect(body).toMatchObject({
      dismissed: false,
      steps: { password: false, sender: true, notification: false, user: false },
    });
    const { test, rule: own } = body.steps as Record<string, unknown>;
    expect([typeof test, typeof own]).toEqual(['boolean', 'boolean']);
    expect(last(running.peers.asked('audit.entry.list.v1'))).toMatchObject({
      filters: { event_type: ['webhook_test'], include_test: true },
    });
    const address = { name: 'On call', kind: 'email', to: 'ops@shop.example' };
    await ask('POST', '/v1/notifications', { json: address });
    await addUser(deps.store, 'vera', 'shop_viewer');
    await ask('PUT', '/v1/first-steps', { json: { dismissed: true } });
    await ask('PUT', '/v1/first-steps', { json: { dismissed: true } });
    expect((await ask('GET', '/v1/first-steps')).body).toMatchObject({
      dismissed: true,
      steps: { notification: true, user: true },
    });
    await ask('PUT', '/v1/first-steps', { json: { dismissed: false } });
    expect((await ask('GET', '/v1/first-steps')).body.dismissed).toBe(false);
  });

  test('filter options name each value in words', async () => {
    const { body } = await ask('GET', '/v1/audit-log/filter-options');
    expect(body.filter_options).toEqual({
      statuses: [{ value: 'success', label: 'Success' }],
      event_types: [{ value: 'rule_evaluation', label: 'Rule evaluation' }],
      sources: [
        { value: 'webhook', label: 'Webhook' },
        { value: 'api', label: 'API' },
      ],
    });
  });

  test('an event holds its payload as rawData of the universal event too', async () => {
    const { body } = await ask('GET', '/v1/webhooks/events/evt_01KF0A2B3C4D5E6F7G8H9J0KMP');
    expect(body.payload).toBeDefined();
    expect((body.universal_event as { rawData?: unknown }).rawData).toEqual(body.payload);
  });

  test('a resend says who asked for it, and previews unless the request says otherwise', async () => {
    expect((await ask('POST', '/v1/deliveries/resend', { json: { filter: { order_id: 1042 } } })).status).toBe(200);
    expect(last(running.peers.asked('evaluation.deliveries.resend.v1'))).toEqual({
      filter: { order_id: 1042 },
      preview: true,
      by: 'admin',
    });
    const one = await ask('POST', '/v1/deliveries/dlv_1/resend');
    expect(one.body).toMatchObject({ resends: 1, resent_by: 'ada' });
    expect(last(running.peers.asked('evaluation.delivery.resend.v1'))).toEqual({ id: 'dlv_1', by: 'admin' });
  });

  // jobs.md, 4: a viewer reads the deliveries; orders and what is personal in them are not theirs to read (decisions.md section 9).
  test('a viewer reads of a delivery neither what was sent and answered nor addresses of people', async () => {
    const viewer = await addUser(deps.store, 'theo', 'shop_viewer');
    const { delivery } = await deps.bus.request('evaluation.delivery.get.v1', { id: 'dlv_1' });
    const reason = 'mail.example answered 550: <ada@shop.example> is unknown.';
    const request = 'To: ada@shop.example\nSubject: Paid\n\nHello Ada';
    const attempts = delivery.attempts.map((attempt) => ({ ...attempt, error: reason }));
    const sent = { ...delivery, kind: 'email' as const, target: 'ada@shop.example', reason, request, attempts };
    await running.peers.leave('evaluation.delivery.get.v1');
    await running.peers.leave('evaluation.delivery.list.v1');
    const responders = [
      await deps.bus.respond('evaluation.delivery.get.v1', async () => ({ delivery: sent })),
      await deps.bus.respond('evaluation.delivery.list.v1', async () => ({
        deliveries: [sent, { ...delivery, target: 'https://erp.example.com/Ada/ada%40shop.example' }],
        pagination: paginate(1, 1, 20),
      })),
    ];
    for (const path of ['/v1/deliveries/dlv_1', '/v1/deliveries']) {
      const [all, masked] = [await ask('GET', path), await ask('GET', path, { headers: viewer })];
      expect(JSON.stringify(all.body)).toContain('ada@shop.example');
      expect(JSON.stringify(masked.body)).not.toMatch(/ada|Ada|down for maintenance/);
      expect(JSON.stringify(masked.body)).toContain('mail.example answered 550');
    }
    for (const responder of responders) await responder.close();
  });

  test('rule data: the four keys, and the version as ETag', async () => {
    const reply = await ask('GET', '/v1/rule/7');
    expect(reply.body).toEqual(rule.rule);
    expect(reply.headers.get('etag')).toBe('"3"');
  });

  test.each(['PUT', 'POST'])('%s /rule/{id} takes both bodies, and says who', async (method) => {
    const audit = { action: 'save', user_context: { user_agent: 'console', page_url: 'https://shop.example/rules' } };
    const wrapped = await ask(method, '/v1/rule/7', {
      json: { rule: rule.rule, audit },
      headers: { 'if-match': '"3"' },
    });
    expect(wrapped.body).toEqual({ success: true, message: 'Saved.', rule_id: 7, audit_logged: true });
    expect(wrapped.headers.get('etag')).toBe('"4"');
    expect(last(running.peers.asked('rules.rule.save.v1'))).toMatchObject({
      id: 7,
      changes: { rule: rule.rule },
      if_match: 3,
      actor: { user: 'admin', action: 'save', user_agent: 'console', page_url: 'https://shop.example/rules' },
    });
    expect((await ask(method, '/v1/rule/7', { json: rule.rule })).status).toBe(200);
    expect(last(running.peers.asked('rules.rule.save.v1'))).toMatchObject({
      changes: { rule: rule.rule },
      if_match: null,
    });
  });

  test('rules: create, list, read, save, delete', async () => {
    const created = await ask('POST', '/v1/rules', { json: { name: 'Seven', rule: rule.rule } });
    expect(created).toMatchObject({ status: 201, body: { success: true, rule_id: 7, rule: { id: 7, version: 3 } } });
    expect(created.headers.get('location')).toBe('/automation/v1/rules/7');
    expect(last(running.peers.asked('rules.rule.create.v1'))?.changes).toEqual({
      name: 'Seven',
      rule: rule.rule,
      enabled: false,
      stop_processing: false,
    });
    const list = await ask('GET', '/v1/rules?enabled=true&trigger=order_processing&search=.*&page=1');
    expect(list.body).toMatchObject({ rules: [{ id: 7 }], pagination });
    expect(last(running.peers.asked('rules.rule.list.v1'))).toEqual({
      enabled: true,
      trigger: 'order_processing',
      search: '.*',
      page: 1,
      per_page: 20,
    });
    expect((await ask('GET', '/v1/rules/7')).body).toEqual({ ...rule });
    expect((await ask('PUT', '/v1/rules/7', { json: { enabled: false } })).status).toBe(200);
    expect(last(running.peers.asked('rules.rule.save.v1'))?.changes).toEqual({ enabled: false });
    expect((await ask('DELETE', '/v1/rules/7', { headers: { 'if-match': '"3"' } })).body).toMatchObject({
      success: true,
    });
  });

  test('If-Match of another version is 412', async () => {
    for (const method of ['PUT', 'DELETE']) {
      const reply = await ask(method, '/v1/rules/7', {
        headers: { 'if-match': '"2"' },
        ...(method === 'PUT' ? { json: { enabled: true } } : {}),
      });
      expect(reply).toMatchObject({ status: 412, body: { code: 'svc_version_conflict', data: { status: 412 } } });
    }
  });

  test('refusals of a service reach the caller unchanged', async () => {
    expect(await ask('GET', '/v1/rule/8')).toMatchObject({ status: 404, body: { code: 'svc_rule_not_found' } });
    const draft = { rule_id: 8, rule: {} };
    expect((await ask('POST', '/v1/rules/arrival-order', { json: { draft } })).body).toMatchObject({
      code: 'svc_rule_not_found',
    });
    expect(await ask('GET', '/v1/audit-log/process/proc_none')).toMatchObject({
      status: 404,
      body: { code: 'svc_process_not_found', data: { status: 404 } },
    });
  });

  test('audit log: filters echoed, meta as documented', async () => {
    const { body } = await ask('GET', '/v1/audit-log?view=flat&source=webhook&order_id=1001&page=2&per_page=50');
    expect(body).toEqual({
      logs: [],
      pagination: expect.objectContaining({ total: 0, current_page: 2, per_page: 50 }),
      filters: { source: 'webhook', order_id: 1001 },
      meta: {
        execution_time: expect.any(Number),
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        consolidated_pagination: false,
        view_mode: 'flat',
        is_truncated: false,
      },
    });
    expect((await ask('GET', '/v1/audit-log')).body).toMatchObject({
      filters: {},
      meta: { view_mode: 'consolidated', consolidated_pagination: true },
    });
    expect((await ask('GET', '/v1/audit-log/process/proc_1')).body).toEqual({
      logs: [],
      pagination: expect.objectContaining({ total: 0, current_page: 1 }),
      meta: { process_id: 'proc_1', execution_time: expect.any(Number) },
    });
  });

  test('shop: list, view, save as the caller, import', async () => {
    expect((await ask('GET', '/v1/shop/orders?status=wc-processing&search=ada')).body).toHaveProperty('orders');
    expect((await ask('GET', '/v1/shop/orders?ids=1001,1002')).body).toHaveProperty('orders');
    const tooMany = Array.from({ length: 101 }, (_, id) => id + 1).join();
    for (const ids of ['1,', '0', 'RE-1', tooMany])
      expect((await ask('GET', `/v1/shop/orders?ids=${ids}`)).status).toBe(400);
    expect((await ask('GET', '/v1/shop/order-numbers')).status).toBe(400);
    expect((await ask('GET', '/v1/shop/order-numbers?number=ada')).body).toEqual({ orders: [] });
    expect((await ask('GET', '/v1/shop/orders/1001')).body).toEqual(
      JSON.parse(JSON.stringify(shownOrder(order, 'UTC'))),
    );
    expect((await ask('PUT', '/v1/shop/orders/1001', { json: { id: 1001, status: 'completed' } })).status).toBe(200);
    expect((await ask('PUT', '/v1/shop/orders/2000', { json: { status: 'completed' } })).status).toBe(201);
    expect(last(running.peers.asked('shop.order.save.v1'))).toMatchObject({
      id: 2000,
      cause: { depth: 0, author: 'admin' },
    });
    expect(await ask('PUT', '/v1/shop/orders/1001', { json: { id: 5 } })).toMatchObject({ status: 400 });
  });

  test('refunds: listed with dates of the shop, made once for an Idempotency-Key, refused with every violation', async () => {
    const listed = await ask('GET', '/v1/shop/orders/1001/refunds');
    expect(listed.body).toMatchObject({
      refunds: [
        { id: 7, date_created: '2026-01-15T10:00:00', date_created_gmt: '2026-01-15T10:00:00' },
        { id: 3, date_created: null, date_created_gmt: null },
      ],
    });
    const refund = (json: unknown, headers = {}) => ask('POST', '/v1/shop/orders/1001/refunds', { json, headers });
    expect((await refund({ amount: '0.10' })).status).toBe(201);
    expect((await refund({ amount: '0.10' }, { 'idempotency-key': 'again' })).status).toBe(200);
    expect(last(running.peers.asked('shop.refund.create.v1'))).toMatchObject({
      order_id: 1001,
      refund: { amount: '0.10', reason: '', line_items: [] },
      key: 'again',
      cause: { depth: 0, author: 'admin' },
    });
    await refund({ amount: '0.10' }, { 'idempotency-key': 'two words' });
    expect(last(running.peers.asked('shop.refund.create.v1'))?.key).toMatch(/^[0-9a-f]{64}$/);
    const wrong = await refund({ amount: '-1', api_refund: true, line_items: [{ id: 1, refund_total: 'x' }] });
    expect(wrong).toMatchObject({ status: 400 });
    const { violations } = (wrong.body as { data: { violations: { path: string }[] } }).data;
    expect(violations.map(({ path }) => path).sort()).toEqual(['amount', 'api_refund', 'line_items.0.refund_total']);
  });

  test('debugging and licence', async () => {
    const { body } = await ask('POST', '/pro/v1/debug-rule/test', { json: { order_id: 1001, rule_data: rule.rule } });
    expect(body).toMatchObject({ success: true, data: { matched: true, order_details: { id: 1001 } } });
    expect((await ask('GET', '/pro/v1/debug-rule/search-orders?search=ada&limit=50')).body).toEqual({
      success: true,
      data: [],
    });
    expect(last(running.peers.asked('debug.order.search.v1'))).toEqual({ search: 'ada', limit: 50 });
    expect((await ask('GET', '/pro/v1/licence')).body).toMatchObject({
      active: true,
      edition: 'extended',
      features: ['rule_debugging'],
      expires_at: null,
      demonstration: true,
    });
  });

  test('health is open, and tells whether webhooks are taken', async () => {
    const healthy = await send(running.base, 'GET', '/automation/v1/webhooks/health');
    expect(healthy).toMatchObject({
      status: 200,
      body: {
        status: 'healthy',
        timestamp: expect.any(String),
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        endpoints: {
          card: `${running.base}/automation/v1/webhooks/gateway_card`,
          wallet: `${running.base}/automation/v1/webhooks/gateway_wallet`,
          generic: `${running.base}/automation/v1/webhooks/generic`,
        },
        adapters: [{ gateway: 'gateway_card', status: 'active' }],
      },
    });
    const asked = running.peers.asked('intake.status.v1').length;
    for (let turn = 0; turn < 5; turn += 1) await send(running.base, 'GET', '/automation/v1/webhooks/health');
    expect(running.peers.asked('intake.status.v1').length).toBeLessThanOrEqual(asked + 1);
  });

  test('health says, once it was seen, that a proxy stands in front which TRUST_PROXY does not know', async () => {
    const told = async () => (await send(running.base, 'GET', '/automation/v1/webhooks/health')).body.warnings;
    expect(await told()).toEqual([]);
    await send(running.base, 'POST', '/automation/v1/webhooks/gateway_card', {
      raw: '{}',
      headers: { 'x-forwarded-for': '203.0.113.5' },
    });
    expect(await told()).toEqual([
      { about: 'TRUST_PROXY', ends_at: null, text: expect.stringContaining('X-Forwarded-For') },
    ]);
  });

  test.each([
    ['GET', '/webhooks/events?gateway=', 'gateway'],
    ['GET', '/webhooks/events?connection=', 'connection'],
    ['GET', '/webhooks/events?process_id=', 'process_id'],
    ['GET', '/deliveries?process_id=', 'process_id'],
  ])('%s %s… of 101 to 200 characters is 400 and names it', async (method, path, name) => {
    const reply = await send(running.base, method, `/automation/v1${path}${'x'.repeat(150)}`, { headers: asAdmin });
    expect(reply).toMatchObject({
      status: 400,
      body: { code: 'rest_invalid_param', data: { violations: [{ path: name }] } },
    });
  });

  test('a limit that the message alone states is 400 too', async () => {
    const ask = askOver(deps.bus);
    const filter = { gateway: 'x'.repeat(150) };
    await expect(ask('intake.event.list.v1', { filter, page: 1, per_page: 1 }, 1_000)).rejects.toMatchObject({
      status: 400,
      data: { violations: [{ path: 'filter.gateway' }] },
    });
  });
});

describeLanes('addresses', (lane) => {
  test('are whole, and begin with PUBLIC_URL where it is set', async () => {
    const deps = await lane.deps();
    const running = await startGateway(deps, { PUBLIC_URL: 'https://automation.shop.example/' });
    const { body } = await send(running.base, 'GET', '/v1/webhooks/gateways', { headers: asAdmin });
    const [gateway] = Object.values(body.gateways as Record<string, Record<string, unknown>>);
    expect(gateway?.webhook_url).toBe(`https://automation.shop.example/v1/webhooks/${gateway?.name}`);
    expect(gateway?.test_url).toBe(`https://automation.shop.example/v1/webhooks/test/${gateway?.name}`);
    const health = await send(running.base, 'GET', '/v1/webhooks/health');
    expect(health.body.endpoints).toMatchObject({ card: 'https://automation.shop.example/v1/webhooks/gateway_card' });
    await running.gateway.close();
    await deps.close();
  });
});

describeLanes('a licence that expires while the gateway runs', (lane) => {
  test('ends saves of the extended edition, and each refusal says when it expired', async () => {
    const clock = settableClock();
    const deps = await lane.deps({ clock });
    const { privateKey, publicKeys } = await newLicenceKey();
    const exp = Math.floor(clock.now() / 1000) + 3_600;
    const expired = new Date(exp * 1000).toISOString();
    const claims = { edition: 'extended', features: ['rule_debugging'], licensee: 'Acme Ltd', exp } as const;
    const LICENCE_KEY = await issueLicence(privateKey, { ...claims, features: [...claims.features] });
    const running = await startGateway(deps, { LICENCE_KEY, LICENCE_PUBLIC_KEYS: JSON.stringify(publicKeys) });
    const ask = (method: string, path: string, json?: unknown) =>
      send(running.base, method, path, { headers: asAdmin, ...(json === undefined ? {} : { json }) });
    const licence = async () => (await ask('GET', '/pro/v1/licence')).body;
    const create = () => ask('POST', '/v1/rules', { name: 'Seven', rule: rule.rule });
    expect(await licence()).toMatchObject({ active: true, edition: 'extended', expires_at: expired });
    expect(await create()).toMatchObject({ status: 201 });

    clock.set(exp * 1000);
    expect(await licence()).toMatchObject({
      active: false,
      edition: 'default',
      licensee: 'Acme Ltd',
      expires_at: expired,
    });
    await create();
    const asked = running.peers.asked('rules.rule.create.v1').map(({ edition }) => edition);
    expect(asked).toEqual(['extended', 'default']);
    const search = await ask('GET', '/pro/v1/debug-rule/search-orders');
    expect(search).toMatchObject({ status: 403, body: { code: 'svc_licence_required' } });
    expect(search.body.message).toContain(`The licence of Acme Ltd expired on ${expired}`);
    expect((await ask('GET', '/v1/overview')).body.warnings).toEqual([
      { about: 'licence', ends_at: expired, text: expect.stringContaining(`The licence ended on ${expired}.`) },
    ]);
    await running.gateway.close();
    await deps.close();
  });
});

describeLanes('the default edition', (lane) => {
  let deps: LaneDeps;
  let running: Running;
  beforeAll(async () => {
    deps = await lane.deps();
    running = await startGateway(deps, { LICENCE_KEY: undefined });
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  test('refuses the extended routes, and says what it is', async () => {
    for (const [method, path] of [
      ['GET', '/pro/v1/debug-rule/search-orders'],
      ['POST', '/pro/v1/debug-rule/test'],
    ] as const) {
      const reply = await send(running.base, method, path, { headers: asAdmin });
      expect(reply).toMatchObject({ status: 403, body: { code: 'svc_licence_required', data: { status: 403 } } });
      expect(await send(running.base, method, path)).toMatchObject({ status: 401 });
    }
    const { body } = await send(running.base, 'GET', '/pro/v1/licence', { headers: asAdmin });
    expect(body).toMatchObject({ active: false, edition: 'default', features: [], expires_at: null });
    await send(running.base, 'GET', '/v1/rule-builder/components', { headers: asAdmin });
    expect(running.peers.asked('rules.component.list.v1')).toEqual([{ rule_id: null, edition: 'default' }]);
  });
});

/* A shop sends "Order updated" for every change of an order (woocommerce.com/document/webhooks): that is no gateway that says what is paid. */
describeLanes('The first steps beside a shop that is connected', (lane) => {
  test.each([
    ['gateway_shop', false],
    ['gateway_card', true],
  ])('an event of %s: a gateway is connected: %s', async (sender, isDone) => {
    const deps = await lane.deps();
    const { gateway, peers, base } = await startGateway(deps);
    const { gateways } = await deps.bus.request('intake.gateway.list.v1', {});
    for (const type of ['intake.gateway.list.v1', 'intake.connection.list.v1', 'audit.entry.list.v1'] as const)
      await peers.leave(type);
    const [one] = gateways;
    const last_event_at = '2026-01-15T10:00:00.000Z';
    const shown = one ? [{ ...one, name: sender, last_event_at }] : [];
    await deps.bus.respond('intake.gateway.list.v1', async () => ({ gateways: shown }));
    await deps.bus.respond('intake.connection.list.v1', async () => ({ connections: [] }));
    const { body } = await send(base, 'GET', '/v1/first-steps', { headers: asAdmin });
    expect(body.steps).toMatchObject({ sender: isDone, test: isDone ? true : null });
    await gateway.close();
    await deps.close();
  });
});

describeLanes('The edge beside services that hang', (lane) => {
  test('what they would say is missing from the overview and the first steps, and nothing else', async () => {
    const deps = await lane.deps();
    const { gateway, peers, base } = await startGateway(deps);
    const hung = new Promise<never>((_, reject) => setTimeout(() => reject(new Error('too late')), 6_000));
    hung.catch(() => undefined);
    for (const type of ['evaluation.figures.get.v1', 'audit.entry.list.v1'] as const) {
      await peers.leave(type);
      await deps.bus.respond(type, () => hung);
    }
    const read = (path: string) => send(base, 'GET', path, { headers: asAdmin });
    const [overview, steps] = await Promise.all([read('/v1/overview'), read('/v1/first-steps')]);
    expect(overview).toMatchObject({
      status: 200,
      body: { deliveries: null, dead_letters: { total: null }, last_hour: null, events: { unfinished: { total: 3 } } },
    });
    expect(steps).toMatchObject({ status: 200, body: { steps: { sender: true } } });
    await gateway.close();
    await deps.close();
  });
});
