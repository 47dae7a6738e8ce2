import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { type Client, createClient } from '../src/client';
import { asAdmin, type Running, startGateway } from './gateway';

describeLanes('the typed client', (lane) => {
  let deps: LaneDeps;
  let running: Running;
  let api: Client;

  beforeAll(async () => {
    deps = await lane.deps();
    running = await startGateway(deps);
    api = createClient({ base: running.base, headers: { ...asAdmin, connection: 'close' } });
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  test('what a row says is what a caller may write and gets to read', async () => {
    const listed = await api('GET /v1/rules', { query: { enabled: true, per_page: 5 } });
    if (!listed.ok) throw new Error(listed.body.message);
    const [first] = listed.body.rules;
    expect(first?.rule.trigger.id).toBe('order_processing');
    expect(listed.body.pagination.per_page).toBe(5);

    const changed = await api('PUT /v1/rules/{id}', { params: { id: 7 }, body: { enabled: false } });
    expect(changed).toMatchObject({ ok: true, status: 200, body: { rule: { version: 4 } } });
    expect(await api('GET /v1/auth/nonce')).toMatchObject({ ok: true, body: { nonce: expect.any(String) } });
    const absent = await api('GET /v1/rules/{id}', { params: { id: 8 } });
    expect(absent).toMatchObject({ ok: false, status: 404, body: { code: 'svc_rule_not_found' } });
  });

  test('what no row says does not compile', () => {
    const wrong = [
      // @ts-expect-error there is no such path
      () => api('GET /v1/rulez'),
      // @ts-expect-error the path does not have this method
      () => api('DELETE /v1/rules'),
      // @ts-expect-error the path has a parameter
      () => api('GET /v1/rules/{id}'),
      // @ts-expect-error misspelt
      () => api('PUT /v1/rules/{id}', { params: { id: 7 }, body: { enabld: true } }),
      // @ts-expect-error no filter of this name
      () => api('GET /v1/rules', { query: { colour: 'red' } }),
    ];
    expect(wrong).toHaveLength(5);
  });
});
