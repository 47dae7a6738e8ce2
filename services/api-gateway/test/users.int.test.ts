import { createMetrics } from '@order-automation/service';
import { describeLanes, entriesOfRecords, type LaneDeps, waitFor } from '@order-automation/testing';
import {
  adminPassword,
  asAdmin,
  asAdminWithNonce,
  basic,
  type Login,
  logIn,
  type Running,
  send,
  startGateway,
} from './gateway';

const users = '/v1/auth/users';

describeLanes('users, passwords and sessions', (lane) => {
  let deps: LaneDeps;
  let running: Running;
  let admin: Record<string, string>;

  beforeAll(async () => {
    deps = await lane.deps();
    running = await startGateway(deps);
    admin = await asAdminWithNonce(running.base);
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  const ask = (method: string, path: string, json?: unknown, headers = admin) =>
    send(running.base, method, path, { headers, ...(json === undefined ? {} : { json }) });
  const by = ({ cookie, nonce }: Login) => ({ cookie, 'x-host-nonce': nonce });
  const create = async (username: string, role = 'shop_manager') => {
    const { status, body } = await ask('POST', users, { username, role, password: adminPassword });
    expect(status).toBe(201);
    return String(body.id);
  };
  const recorded = (what: string) =>
    waitFor(
      () =>
        running.peers.entries.some(
          ({ event_type, summary, details }) =>
            /^(account|webhook_settings)_changed$/.test(event_type) &&
            summary === `${details.user} ${details.what}, from 127.0.0.1` &&
            summary.startsWith(what),
        ),
      { describe: `the entry "${what}"` },
    );
  const known = async (headers: Record<string, string>) =>
    (await ask('GET', '/v1/auth/nonce', undefined, headers)).status === 200;

  test('created, listed, read, changed, deleted', async () => {
    const made = await ask('POST', users, { username: 'Berta', role: 'shop_viewer', email: 'berta@shop.example' });
    expect(made.status).toBe(201);
    const { id, password } = made.body;
    expect(made.body).toEqual({
      id: expect.any(String),
      username: 'Berta',
      email: 'berta@shop.example',
      role: 'shop_viewer',
      disabled: false,
      created_at: expect.any(String),
      password: expect.stringMatching(/^.{20}$/),
    });
    expect(made.headers.get('location')).toBe(`${users}/${id}`);
    expect((await logIn(running.base, 'berta', String(password))).nonce).toMatch(/./);
    const again = await ask('POST', users, { username: 'BERTA', role: 'shop_viewer' });
    expect(again).toMatchObject({ status: 409, body: { code: 'svc_user_exists' } });

    const listed = await ask('GET', users);
    expect(listed.body).toMatchObject({
      pagination: { total: 2 },
      users: [{ username: 'admin' }, { username: 'Berta' }],
    });
    expect(JSON.stringify(listed.body)).not.toContain('argon2');
    expect((await ask('PUT', `${users}/${id}`, { role: 'shop_manager', username: 'Bea' })).body).toMatchObject({
      username: 'Bea',
      role: 'shop_manager',
    });
    expect((await ask('GET', `${users}/${id}`)).body).toMatchObject({ username: 'Bea', role: 'shop_manager' });
    expect((await ask('DELETE', `${users}/${id}`)).status).toBe(200);
    expect((await ask('GET', `${users}/${id}`)).body.code).toBe('svc_user_not_found');
    expect((await ask('DELETE', `${users}/${id}`)).status).toBe(404);
    await recorded('admin created user Berta (shop viewer)');
    await recorded('Berta logged in');
    await recorded('admin changed username, role of user Bea');
    await recorded('admin deleted user Bea');
  });

  test.each([
    [{ username: 'x:y', role: 'shop_viewer' }],
    [{ username: 'ok', role: 'king' }],
    [{ username: 'ok', role: 'shop_viewer', password: 'short' }],
    [{ username: 'ok', role: 'shop_viewer', email: 'nobody' }],
    [{ username: 'ok', role: 'shop_viewer', isadmin: true }],
    [{ role: 'shop_viewer' }],
  ])('%j is refused', async (body) => {
    expect((await ask('POST', users, body)).status).toBe(400);
  });

  test('being disabled ends sessions and application passwords at once, and comes back when enabled', async () => {
    const id = await create('carla');
    const session = by(await logIn(running.base, 'carla'));
    const made = await ask('POST', '/v1/auth/application-passwords', { name: 'x' }, session);
    const script = basic('carla', String(made.body.password));
    expect([await known(session), await known(script)]).toEqual([true, true]);
    await ask('PUT', `${users}/${id}`, { disabled: true });
    expect([await known(session), await known(script)]).toEqual([false, false]);
    await expect(logIn(running.base, 'carla')).rejects.toThrow('rest_forbidden');
    await ask('PUT', `${users}/${id}`, { disabled: false });
    expect([await known(session), await known(script)]).toEqual([false, true]);
    await ask('DELETE', `${users}/${id}`);
    expect(await known(script)).toBe(false);
  });

  test('a changed role counts at once', async () => {
    const id = await create('dora', 'administrator');
    const session = by(await logIn(running.base, 'dora'));
    expect((await ask('GET', users, undefined, session)).status).toBe(200);
    await ask('PUT', `${users}/${id}`, { role: 'shop_viewer' });
    expect((await ask('GET', users, undefined, session)).status).toBe(403);
    expect((await ask('GET', '/v1/rules', undefined, session)).status).toBe(403);
  });

  test('the last administrator stays one, also when two act at the same time', async () => {
    const me = String(((await ask('GET', users)).body.users as { id: string; username: string }[])[0]?.id);
    for (const change of [{ disabled: true }, { role: 'shop_manager' }]) {
      const refused = await ask('PUT', `${users}/${me}`, change);
      expect(refused).toMatchObject({ status: 409, body: { code: 'svc_last_administrator' } });
    }
    expect((await ask('DELETE', `${users}/${me}`)).status).toBe(409);
    expect((await ask('GET', `${users}/${me}`)).body).toMatchObject({ role: 'administrator', disabled: false });
    const other = await create('erna', 'administrator');
    const erna = by(await logIn(running.base, 'erna'));
    await Promise.all([
      ask('PUT', `${users}/${me}`, { disabled: true }, erna),
      ask('PUT', `${users}/${other}`, { disabled: true }),
    ]);
    const { body } = await ask('GET', users);
    const left = (body.users as { role: string; disabled: boolean }[] | undefined)?.filter(
      ({ role, disabled }) => role === 'administrator' && !disabled,
    );
    // The one that lost may no longer ask: then the other one is there.
    if (left) expect(left.length).toBeGreaterThan(0);
    else expect((await ask('GET', users, undefined, erna)).status).toBe(200);
    await ask('PUT', `${users}/${me}`, { disabled: false }, erna);
    await ask('PUT', `${users}/${other}`, { disabled: true });
    expect(await known(asAdmin)).toBe(true);
  });

  test('changing the own password wants the present one, and ends the other sessions', async () => {
    await create('frida');
    const [here, elsewhere] = [by(await logIn(running.base, 'frida')), by(await logIn(running.base, 'frida'))];
    const change = (current: string, next = 'another long password', headers = here) =>
      ask('PUT', '/v1/auth/password', { current, new: next }, headers);
    expect((await change(adminPassword, 'another long password', { cookie: here.cookie } as typeof here)).status).toBe(
      401,
    );
    expect((await change('wrong')).status).toBe(401);
    expect((await change(adminPassword, 'short')).status).toBe(400);
    expect((await change(adminPassword)).body).toEqual({ success: true, sessions_ended: 1 });
    expect([await known(here), await known(elsewhere)]).toEqual([true, false]);
    await expect(logIn(running.base, 'frida')).rejects.toThrow('wrong');
    expect((await logIn(running.base, 'frida', 'another long password')).nonce).toMatch(/./);
    const statuses: number[] = [];
    for (let index = 0; index < 4; index += 1) statuses.push((await change('wrong')).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  test('sessions: listed without their secret, ended one by one and all together', async () => {
    await create('gerda');
    const [first, second] = [await logIn(running.base, 'gerda'), await logIn(running.base, 'gerda')];
    const { body } = await ask('GET', '/v1/auth/sessions', undefined, by(first));
    const sessions = body.sessions as { id: string; current: boolean; address: string }[];
    expect(sessions.map(({ current }) => current).sort()).toEqual([false, true]);
    expect(sessions[0]?.address).toBe('127.0.0.1');
    for (const { cookie } of [first, second]) expect(JSON.stringify(body)).not.toContain(cookie.split('=')[1]);
    const other = sessions.find(({ current }) => !current);
    expect((await ask('DELETE', `/v1/auth/sessions/${other?.id}`, undefined, admin)).status).toBe(404);
    expect((await ask('DELETE', `/v1/auth/sessions/${other?.id}`, undefined, by(first))).status).toBe(200);
    expect([await known(by(first)), await known(by(second))]).toEqual([true, false]);
    const third = await logIn(running.base, 'gerda');
    const all = await ask('DELETE', '/v1/auth/sessions', undefined, by(third));
    expect(all.body).toEqual({ success: true, sessions_ended: 2 });
    expect(all.headers.get('set-cookie')).toContain('Max-Age=0');
    expect([await known(by(first)), await known(by(third))]).toEqual([false, false]);
  });

  test('an application password that may only read changes nothing', async () => {
    const made = await ask('POST', '/v1/auth/application-passwords', { name: 'reports', scope: 'read' });
    expect(made.body).toMatchObject({ scope: 'read' });
    const headers = basic('admin', String(made.body.password));
    expect((await ask('GET', '/v1/rules', undefined, headers)).status).toBe(200);
    const { body } = await ask('GET', '/v1/auth/nonce', undefined, headers);
    for (const [method, path] of [
      ['POST', users],
      ['PUT', '/v1/rules/7'],
      ['DELETE', '/v1/rules/7'],
      ['POST', '/v1/auth/application-passwords'],
    ] as const) {
      const refused = await ask(method, path, {}, { ...headers, 'x-host-nonce': String(body.nonce) });
      expect(refused).toMatchObject({ status: 403, body: { code: 'rest_forbidden' } });
    }
  });

  test('what everybody does to credentials and secrets is in the log, with who did it', async () => {
    const made = await ask('POST', '/v1/auth/application-passwords', { name: 'stock' });
    await ask('DELETE', `/v1/auth/application-passwords/${made.body.id}`);
    await ask('PUT', '/v1/secrets/warehouse', {});
    await ask('DELETE', '/v1/secrets/warehouse');
    const session = by(await logIn(running.base));
    await ask('POST', '/v1/auth/logout', undefined, session);
    const last4 = String(made.body.last4);
    await recorded(`admin made the application password "stock" (full, ends in ${last4})`);
    await recorded(`admin deleted the application password "stock" (ends in ${last4})`);
    await recorded('admin created the outbound secret warehouse');
    await recorded('admin deleted the outbound secret warehouse');
    await recorded('admin logged out');
    expect(JSON.stringify(running.peers.entries)).not.toContain(String(made.body.password));
  });

  test('a retention that somebody asks for carries the name', async () => {
    await ask('POST', '/v1/audit-log/retention', { dry_run: false });
    expect(running.peers.asked('audit.retention.run.v1').at(-1)).toMatchObject({ dry_run: false, user: 'admin' });
  });
});

describeLanes('what administrators do while the log is away', (lane) => {
  test('is recorded after the next start', async () => {
    const deps = await lane.deps();
    const first = await startGateway(deps);
    const admin = await asAdminWithNonce(first.base);
    await first.peers.leave('audit.record.v2');
    const made = await send(first.base, 'POST', users, {
      headers: admin,
      json: { username: 'ida', role: 'shop_viewer' },
    });
    expect(made.status).toBe(201);
    await first.gateway.close();
    await deps.bus.respond('audit.record.v2', async ({ records }) => {
      const entries = entriesOfRecords(records);
      first.peers.entries.push(...entries);
      return { recorded: entries.length, duplicates: 0 };
    });
    const second = await startGateway({ ...deps, metrics: createMetrics('next') }, {}, first.peers);
    const entry = await waitFor(() => first.peers.entries.find(({ summary }) => summary.includes('created user ida')));
    expect(entry).toMatchObject({ event_type: 'account_changed', details: { user: 'admin' } });
    await second.gateway.close();
    await deps.close();
  });
});
