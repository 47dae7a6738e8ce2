import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { maxStreamsOfUser } from '../src/http/stream-permits';
import { addUser, asAdmin, asAdminWithNonce, logIn, type Running, send, startGateway } from './gateway';

const path = '/v1/audit-log/stream';

describeLanes('streams', (lane) => {
  let deps: LaneDeps;
  let running: Running;
  let leaving: AbortController;

  beforeAll(async () => {
    deps = await lane.deps();
    running = await startGateway(deps);
  });
  beforeEach(() => {
    leaving = new AbortController();
  });
  afterEach(() => leaving.abort());
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  /** An open stream; `isOver` once the server has ended it. */
  const open = async (headers: Record<string, string>) => {
    const answer = await fetch(`${running.base}${path}`, { headers, signal: leaving.signal });
    let isOver = false;
    const reading = async () => {
      const reader = answer.body?.getReader();
      while (reader && !(await reader.read()).done);
    };
    void reading()
      .catch(() => undefined)
      .then(() => {
        isOver = true;
      });
    return { status: answer.status, isOver: () => isOver };
  };
  const passes = (milliseconds: number) => {
    deps.clock.advance(milliseconds);
  };

  test('a stream ends within seconds when its session has ended, and another goes on', async () => {
    const [ended, staying] = [await logIn(running.base), await logIn(running.base)];
    const streams = [await open({ cookie: ended.cookie }), await open({ cookie: staying.cookie })];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    const headers = { cookie: ended.cookie, 'x-host-nonce': ended.nonce };
    expect((await send(running.base, 'POST', '/v1/auth/logout', { headers })).status).toBe(200);
    await waitFor(() => streams[0]?.isOver() === true, { describe: 'the end of the stream' });
    expect(streams[1]?.isOver()).toBe(false);
  });

  test('a stream ends within seconds when its user is disabled', async () => {
    const viewer = await addUser(deps.store, 'viewer', 'shop_viewer');
    const stream = await open(viewer);
    expect(stream.status).toBe(200);
    const admin = await asAdminWithNonce(running.base);
    const { body } = await send(running.base, 'GET', '/v1/auth/users', { headers: admin });
    const { id } =
      (body.users as { id: string; username: string }[]).find(({ username }) => username === 'viewer') ?? {};
    await send(running.base, 'PUT', `/v1/auth/users/${id}`, { headers: admin, json: { disabled: true } });
    passes(4_000);
    await waitFor(stream.isOver, { describe: 'the end of the stream' });
  });

  test('a stream ends within seconds when its application password is deleted', async () => {
    const admin = await asAdminWithNonce(running.base);
    const passwords = '/v1/auth/application-passwords';
    const made = await send(running.base, 'POST', passwords, { headers: admin, json: { name: 'live log' } });
    const login = Buffer.from(`admin:${made.body.password}`).toString('base64');
    const streams = [await open({ authorization: `Basic ${login}` }), await open(asAdmin)];
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    await send(running.base, 'DELETE', `${passwords}/${made.body.id}`, { headers: admin });
    await waitFor(() => streams[0]?.isOver() === true, { describe: 'the end of the stream' });
    expect(streams[1]?.isOver()).toBe(false);
  });

  // docs/guide/read-the-log.md: a reader that reconnects misses none; one that heard nothing for an hour begins at that hour (WHATWG HTML, 9.2.6: an id alone is kept).
  test('a quiet stream says where a reconnect begins', async () => {
    const answer = await fetch(`${running.base}${path}`, {
      headers: { ...asAdmin, 'last-event-id': '7' },
      signal: leaving.signal,
    });
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
    expect((await reader?.read())?.value).toBe('retry: 2000\n\n');
    passes(16_000);
    expect((await reader?.read())?.value).toMatch(/^id: \d+\n\n$/);
  });

  test(`a user has ${maxStreamsOfUser} streams at most; one that ends makes room`, async () => {
    const streams = await Promise.all(Array.from({ length: maxStreamsOfUser }, () => open(asAdmin)));
    expect(streams.every(({ status }) => status === 200)).toBe(true);
    const refused = await send(running.base, 'GET', path, { headers: asAdmin });
    expect(refused).toMatchObject({ status: 429, body: { code: 'svc_too_many_streams' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    leaving.abort();
    leaving = new AbortController();
    await waitFor(async () => (await open(asAdmin)).status === 200);
  });
});
