import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { type Ask, addUser, adminPassword, asAdmin, basic, logIn, type Running, send, startGateway } from './gateway';

const rule = {
  trigger: { id: 'order_processing', settings: {} },
  conditions: [],
  primaryAction: null,
  secondaryActions: [],
};

type Needs = 'nobody' | 'anybody' | 'manage_shop' | 'view_shop_reports';
type Row = { needs: Needs; path?: string; json?: unknown; success?: number; error?: [status: number, code: string] };

/** What each route asks, written down a second time: a route without a row fails the test. */
const rows: Record<string, Row> = {
  'GET /v1/rule-builder/components': { needs: 'manage_shop' },
  'GET /v1/rule/:id': { needs: 'manage_shop', path: '/v1/rule/7' },
  'PUT /v1/rule/:id': { needs: 'manage_shop', path: '/v1/rule/7', json: { rule } },
  'POST /v1/rule/:id': { needs: 'manage_shop', path: '/v1/rule/7', json: rule },
  'GET /v1/rules': { needs: 'manage_shop' },
  'POST /v1/rules': { needs: 'manage_shop', json: { name: 'New', rule }, success: 201 },
  'GET /v1/rules/:id': { needs: 'manage_shop', path: '/v1/rules/7' },
  'PUT /v1/rules/:id': { needs: 'manage_shop', path: '/v1/rules/7', json: { enabled: true } },
  'DELETE /v1/rules/:id': { needs: 'manage_shop', path: '/v1/rules/7' },
  'GET /v1/audit-log': { needs: 'view_shop_reports' },
  'GET /v1/audit-log/process/:process_id': { needs: 'view_shop_reports', path: '/v1/audit-log/process/proc_1' },
  'GET /v1/webhooks/health': { needs: 'nobody' },
  'GET /v1/shop/orders': { needs: 'manage_shop' },
  'GET /v1/shop/orders/:id': { needs: 'manage_shop', path: '/v1/shop/orders/1001' },
  'PUT /v1/shop/orders/:id': { needs: 'manage_shop', path: '/v1/shop/orders/1001', json: { status: 'completed' } },
  'POST /v1/shop/import': { needs: 'manage_shop', json: { orders: [] } },
  'POST /v1/auth/login': { needs: 'nobody', json: { username: 'admin', password: adminPassword } },
  'GET /v1/auth/nonce': { needs: 'anybody' },
  'GET /v1/auth/application-passwords': { needs: 'anybody' },
  'POST /v1/auth/application-passwords': { needs: 'anybody', json: { name: 'script' }, success: 201 },
  'DELETE /v1/auth/application-passwords/:id': {
    needs: 'anybody',
    path: '/v1/auth/application-passwords/none',
    error: [404, 'svc_application_password_not_found'],
  },
  'POST /pro/v1/debug-rule/test': { needs: 'manage_shop', json: { order_id: 1001, rule_data: rule } },
  'GET /pro/v1/debug-rule/search-orders': { needs: 'manage_shop' },
  'GET /pro/v1/licence': { needs: 'manage_shop' },
  'POST /v1/auth/logout': { needs: 'anybody' },
};

type Who = {
  name: string;
  headers: Record<string, string>;
  role: 'none' | 'viewer' | 'manager';
  nonce?: 'good' | 'bad';
};

function expected(row: Row, method: string, who: Who): { status: number; code?: string } {
  const success = row.error ? { status: row.error[0], code: row.error[1] } : { status: row.success ?? 200 };
  if (row.needs === 'nobody') return success;
  if (who.role === 'none') return { status: 401, code: 'rest_forbidden' };
  if (who.nonce === 'bad' && method !== 'GET') return { status: 401, code: 'rest_forbidden' };
  if (row.needs === 'manage_shop' && who.role === 'viewer') return { status: 403, code: 'rest_forbidden' };
  return success;
}

describeLanes('every route, for everybody', (lane) => {
  let deps: LaneDeps;
  let running: Running;
  let people: () => Promise<Who[]>;

  beforeAll(async () => {
    deps = await lane.deps();
    running = await startGateway(deps);
    const viewer = await addUser(deps.store, 'viewer', 'shop_viewer');
    const manager = await addUser(deps.store, 'manager', 'shop_manager');
    const others = await logIn(running.base, 'manager');
    people = async () => {
      const { cookie, nonce } = await logIn(running.base);
      const viewing = await logIn(running.base, 'viewer');
      return [
        { name: 'nobody', headers: {}, role: 'none' },
        { name: 'a wrong application password', headers: basic('admin', 'x'.repeat(24)), role: 'none' },
        { name: 'the login password as application password', headers: basic('admin', adminPassword), role: 'none' },
        { name: 'an unknown user', headers: basic('nobody', 'x'.repeat(24)), role: 'none' },
        { name: 'a bearer token', headers: { authorization: 'Bearer abc' }, role: 'none' },
        { name: 'a made-up session', headers: { cookie: cookie.replace(/=.*/, `=${'A'.repeat(43)}`) }, role: 'none' },
        { name: 'a session beside a wrong password', headers: { cookie, ...basic('admin', 'x') }, role: 'none' },
        { name: 'viewer', headers: viewer, role: 'viewer' },
        { name: 'manager', headers: manager, role: 'manager' },
        { name: 'administrator', headers: asAdmin, role: 'manager' },
        { name: 'session without nonce', headers: { cookie }, role: 'manager', nonce: 'bad' },
        {
          name: 'session, nonce of another',
          headers: { cookie, 'x-host-nonce': others.nonce },
          role: 'manager',
          nonce: 'bad',
        },
        { name: 'session, no nonce at all', headers: { cookie, 'x-host-nonce': 'abc' }, role: 'manager', nonce: 'bad' },
        {
          name: "viewer's session",
          headers: { cookie: viewing.cookie, 'x-host-nonce': viewing.nonce },
          role: 'viewer',
          nonce: 'good',
        },
        { name: 'session with nonce', headers: { cookie, 'x-host-nonce': nonce }, role: 'manager', nonce: 'good' },
      ];
    };
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  test('every route has a row, and every row a route', () => {
    expect(running.gateway.routes.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      Object.keys(rows).sort(),
    );
  });

  test.each(Object.entries(rows))('%s', async (route, row) => {
    const [method = '', pattern = ''] = route.split(' ');
    for (const who of await people()) {
      const ask: Ask = { headers: who.headers, ...(row.json === undefined ? {} : { json: row.json }) };
      const { status, body } = await send(running.base, method, row.path ?? pattern, ask);
      const wanted = expected(row, method, who);
      expect({ who: who.name, status, code: body.code }).toEqual({ who: who.name, code: undefined, ...wanted });
      if (wanted.code) expect(body).toMatchObject({ message: expect.any(String), data: { status: wanted.status } });
    }
  });
});
