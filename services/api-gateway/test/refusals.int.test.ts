import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { type Ask, adminPassword, asAdmin, basic, type Running, send, startGateway } from './gateway';

describeLanes('refusals of the edge', (lane) => {
  let deps: LaneDeps;
  let running: Running;

  beforeAll(async () => {
    deps = await lane.deps();
    running = await startGateway(deps);
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  const ask = (method: string, path: string, how: Ask = {}) =>
    send(running.base, method, path, { ...how, headers: { ...asAdmin, ...how.headers } });

  test.each([
    ['GET', '/v1/rules?page=1&page=2', {}, 400, 'rest_invalid_param'],
    ['GET', '/v1/rules?page[$ne]=1&per_page=201', {}, 400, 'rest_invalid_param'],
    ['GET', '/v1/audit-log?page=1001', {}, 400, 'rest_invalid_param'],
    ['GET', '/v1/audit-log?ordr_id=1001', {}, 400, 'rest_invalid_param'],
    ['GET', '/v1/secrets?page=1', {}, 400, 'rest_invalid_param'],
    ['POST', '/v1/rules/reorder?preview=true', { json: { ids: [7] } }, 400, 'rest_invalid_param'],
    ['GET', '/v1/audit-log?source=martian', {}, 400, 'rest_invalid_param'],
    ['GET', '/v1/rule/abc', {}, 400, 'rest_invalid_param'],
    ['GET', '/v1/rule/0', {}, 400, 'rest_invalid_param'],
    ['GET', '/v1/rule/99999999999999999999', {}, 400, 'rest_invalid_param'],
    ['GET', '/v1/rule/%zz', {}, 400, 'rest_invalid_param'],
    ['GET', '/v1/rule-builder/search-content', {}, 400, 'missing_source'],
    ['GET', '/v1/rule-builder/search-content?source=produts', {}, 400, 'rest_invalid_param'],
    ['GET', '/v1/rule-builder/search-content?source=products&limit=101', {}, 400, 'rest_invalid_param'],
    ['POST', '/v1/rules', { json: {} }, 400, 'rest_missing_callback_param'],
    ['POST', '/v1/rules', { json: { name: 'x' } }, 400, 'rest_missing_callback_param'],
    ['POST', '/v1/rules', { json: { name: 5, rule: {} } }, 400, 'rest_invalid_param'],
    ['POST', '/v1/rules', {}, 400, 'rest_missing_callback_param'],
    ['PUT', '/v1/rules/7', { json: {} }, 400, 'rest_missing_callback_param'],
    ['PUT', '/v1/rules/7', { json: [] }, 400, 'rest_invalid_param'],
    ['PUT', '/v1/rule/7', { json: 'text' }, 400, 'rest_invalid_param'],
    ['POST', '/pro/v1/debug-rule/test', { json: {} }, 400, 'rest_missing_callback_param'],
    ['POST', '/pro/v1/debug-rule/test', { json: { order_id: 'x', rule_data: {} } }, 400, 'rest_invalid_param'],
    [
      'POST',
      '/v1/rules',
      { raw: '{"name":', headers: { 'content-type': 'application/json' } },
      400,
      'rest_invalid_json',
    ],
    [
      'POST',
      '/v1/rules',
      { raw: 'name=x', headers: { 'content-type': 'text/plain' } },
      415,
      'rest_unsupported_media_type',
    ],
    ['POST', '/v1/rules', { json: { name: 'x'.repeat(2 ** 20) } }, 413, 'rest_body_too_large'],
    ['GET', '/v1/rules/reorder', {}, 405, 'rest_method_not_allowed'],
    ['GET', '/v1/no-such-route', {}, 404, 'rest_no_route'],
    ['GET', '/v1/webhooks/connections', {}, 404, 'rest_no_route'],
    ['POST', '/v1/webhooks/connections', { json: {} }, 404, 'rest_no_route'],
    ['POST', '/v1/webhooks/gateways', { json: {} }, 405, 'rest_method_not_allowed'],
    ['POST', '/v1/webhooks/gateway%73', { json: {} }, 404, 'rest_no_route'],
    ['GET', '/v1/rules?page=0&per_page=x', {}, 400, 'rest_invalid_param'],
    ['PUT', '/v1/rules/7', { json: { enabld: true } }, 400, 'rest_invalid_param'],
    ['GET', '/webhooks/gateways', {}, 404, 'rest_no_route'],
    ['PATCH', '/v1/rules', { json: {} }, 405, 'rest_method_not_allowed'],
    ['DELETE', '/v1/rules', {}, 405, 'rest_method_not_allowed'],
  ] as [string, string, Ask, number, string][])('%s %s %j: %i %s', async (method, path, how, status, code) => {
    const reply = await ask(method, path, how);
    expect(reply).toMatchObject({ status, body: { code, message: expect.any(String), data: { status } } });
    if (status === 405 && path === '/v1/rules') expect(reply.headers.get('allow')).toBe('GET, HEAD, POST');
  });

  test.each([
    ['POST', '/v1/webhooks', { name: 'erp' }],
    ['PUT', '/v1/webhooks/erp', {}],
  ])('%s %s: an unknown name in paths is refused with the nearest', async (method, path, fields) => {
    const reply = await ask(method, path, { json: { ...fields, paths: { ordr: '/a/b', amount: '/sum' } } });
    expect(reply).toMatchObject({
      status: 400,
      body: { data: { violations: [{ path: 'paths.ordr', message: 'is not a known field; did you mean order?' }] } },
    });
  });

  test('what a service throws that is not for the caller is 500 without a word of it', async () => {
    const { peers } = running;
    await peers.leave('rules.rule.list.v1');
    const broken = await deps.bus.respond('rules.rule.list.v1', async () => {
      throw new Error('connection to mongodb://u:p@db failed');
    });
    const reply = await ask('GET', '/v1/rules');
    expect(reply.status).toBeGreaterThanOrEqual(500);
    expect(JSON.stringify(reply.body)).not.toContain('mongodb');
    await broken.close();
  });

  test('a service that is away is 503 within 3 s', async () => {
    await running.peers.leave('shop.order.list.v1');
    const began = Date.now();
    const reply = await ask('GET', '/v1/shop/orders');
    expect(reply).toMatchObject({ status: 503, body: { code: 'svc_unavailable', data: { status: 503 } } });
    expect(reply.headers.get('retry-after')).toBe('1');
    expect(Date.now() - began).toBeLessThan(3000);
  });

  test('a service that is slow is 503 within 3 s', async () => {
    await running.peers.leave('debug.order.search.v1');
    let release: (() => void) | undefined;
    const released = new Promise<{ data: [] }>((resolve) => {
      release = () => resolve({ data: [] });
    });
    const slow = await deps.bus.respond('debug.order.search.v1', () => released);
    const began = Date.now();
    const reply = await ask('GET', '/pro/v1/debug-rule/search-orders');
    expect(reply).toMatchObject({ status: 503, body: { code: 'svc_unavailable' } });
    expect(Date.now() - began).toBeLessThan(3000);
    release?.();
    await slow.close();
  });

  test('an address without its base is answered with the one that was meant', async () => {
    const { body } = await ask('GET', '/webhooks/gateways', {});
    expect(body.message).toBe(
      'There is nothing at this address. Did you mean /v1/webhooks/gateways? GET /docs lists the routes.',
    );
    const pro = await ask('POST', '/debug-rule/test', { json: {} });
    expect(pro.body.message).toContain('Did you mean /pro/v1/debug-rule/test?');
    expect((await ask('GET', '/nothing/here', {})).body.message).not.toContain('Did you mean');
  });

  test('a refusal says how to get what is missing', async () => {
    const login = await ask('GET', '/v1/rules', { headers: basic('admin', adminPassword) });
    expect([login.status, login.body.message]).toEqual([401, expect.stringContaining('application password')]);
    const noNonce = await ask('POST', '/v1/audit-log/retention', { headers: asAdmin, json: {} });
    expect([noNonce.status, noNonce.body.message]).toEqual([401, expect.stringContaining('GET /v1/auth/nonce')]);
  });
});
