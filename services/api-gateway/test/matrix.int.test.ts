import { describeLanes, type LaneDeps } from '@order-automation/testing';
import { table } from '../src/routes';
import { errorCodes } from '../src/routes/error-codes';
import type { Route } from '../src/routes/route';
import { exampleAddress, exampleAsk } from './examples';
import {
  addUser,
  adminPassword,
  asAdmin,
  asAdminWithNonce,
  basic,
  logIn,
  type Running,
  send,
  startGateway,
} from './gateway';

const rows: readonly Route[] = table;

type Who = {
  name: string;
  headers: Record<string, string>;
  role: 'none' | 'viewer' | 'manager' | 'administrator';
  nonce?: 'good' | 'bad';
  readOnly?: true;
};

type Denial = { status: number; code: string };

/** What the access of a row owes this caller; undefined: the request goes on. */
function denial({ access, method }: Route, who: Who): Denial | undefined {
  if (access === 'open') return undefined;
  if (who.role === 'none') return { status: 401, code: 'rest_forbidden' };
  const nonceNeeded = access.nonce === 'always' || (who.nonce !== undefined && method !== 'GET');
  if (nonceNeeded && who.nonce !== 'good') return { status: 401, code: 'rest_forbidden' };
  const forbidden = { status: 403, code: 'rest_forbidden' };
  if (who.readOnly && method !== 'GET') return forbidden;
  if (access.needs === 'manage_shop' && who.role === 'viewer') return forbidden;
  if (access.needs === 'administrator' && who.role !== 'administrator') return forbidden;
  return undefined;
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
    const readOnly = await addUser(deps.store, 'reader', 'administrator', 'read');
    const others = await logIn(running.base, 'manager');
    people = async () => {
      const { cookie, nonce } = await logIn(running.base);
      const viewing = await logIn(running.base, 'viewer');
      const session = (name: string, given: Record<string, string>, good: boolean): Who => ({
        name,
        headers: { cookie, ...given },
        role: 'administrator',
        nonce: good ? 'good' : 'bad',
      });
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
        { name: 'administrator', headers: asAdmin, role: 'administrator' },
        { name: 'an administrator who may only read', headers: readOnly, role: 'administrator', readOnly: true },
        session('session without nonce', {}, false),
        session('session, nonce of another', { 'x-host-nonce': others.nonce }, false),
        session('session, no nonce at all', { 'x-host-nonce': 'abc' }, false),
        {
          name: "viewer's session",
          headers: { cookie: viewing.cookie, 'x-host-nonce': viewing.nonce },
          role: 'viewer',
          nonce: 'good',
        },
        session('session with nonce', { 'x-host-nonce': nonce }, true),
        {
          name: 'administrator with a nonce',
          headers: await asAdminWithNonce(running.base),
          role: 'administrator',
          nonce: 'good',
        },
      ];
    };
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  test.each(rows.map((row): [string, Route] => [`${row.method} ${row.path}`, row]))('%s', async (_name, row) => {
    // Each row sends wrong application passwords, of which an address has 20 a minute.
    deps.clock.advance(60_000);
    for (const who of await people()) {
      const ask = exampleAsk(row, who.headers);
      const { status, body } = await send(running.base, row.method, exampleAddress(row), ask);
      const wanted = denial(row, who);
      if (wanted) {
        expect({ who: who.name, status, code: body.code }).toEqual({ who: who.name, ...wanted });
        expect(body).toMatchObject({ message: expect.any(String), data: { status } });
      } else {
        const known = status in row.answers || (row.errors ?? []).some((code) => status in errorCodes[code]);
        expect({ who: who.name, status, known }).toEqual({ who: who.name, status, known: true });
      }
    }
  });
});
