import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import type { SavedFilterDocument } from '../src';
import { type Ask, addUser, asAdmin, type Running, sendWhenAvailable as send, startGateway } from './gateway';

const address = '/v1/audit-log/filters';
type Saved = { readonly id: string; readonly name: string; readonly mine: boolean };

describeLanes('saved filters of the log', (lane) => {
  let deps: LaneDeps;
  let running: Running;
  let viewer: Record<string, string>;

  beforeAll(async () => {
    deps = await lane.deps();
    running = await startGateway(deps);
    viewer = await addUser(deps.store, 'vera', 'shop_viewer');
  });
  afterAll(async () => {
    await running.gateway.close();
    await deps.close();
  });

  /** With a nonce of the caller's own, which changes of the log want from everybody. */
  const as = async (who: Record<string, string>, method: string, path: string, json?: unknown) => {
    const { body } = await send(running.base, 'GET', '/v1/auth/nonce', { headers: who });
    const ask: Ask = { headers: { ...who, 'x-host-nonce': String(body.nonce) } };
    return send(running.base, method, path, json === undefined ? ask : { ...ask, json });
  };
  const save = async (who: Record<string, string>, body: Record<string, unknown>): Promise<string> => {
    const reply = await as(who, 'POST', address, body);
    expect(reply.status).toBe(201);
    return String(reply.body.id);
  };
  const namesSeenBy = async (who: Record<string, string>) => {
    const { body } = await as(who, 'GET', address);
    return (body.filters as Saved[]).map(({ name, mine }) => `${name}${mine ? '' : ' (of another)'}`);
  };
  const lastListed = () => running.peers.asked('audit.entry.list.v1').at(-1)?.filters;

  test('is used with the parameters beside it, by the list, the export and the stream', async () => {
    const filter = { status: ['error', 'warning'], order_id: 1001, include_test: true, date_from: '2026-02-01' };
    const reply = await as(viewer, 'POST', address, { name: 'Failures of 1001', filter });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        name: 'Failures of 1001',
        owner: 'vera',
        mine: true,
        shared: false,
        filter: { ...filter, date_from: '2026-02-01T00:00:00.000Z' },
      },
    });
    const id = String(reply.body.id);
    const listed = await as(viewer, 'GET', `/v1/audit-log?filter=${id}&order_id=7&source=webhook`);
    const inForce = { status: ['error', 'warning'], order_id: 7, source: 'webhook' };
    expect(listed.body.filters).toEqual({ ...inForce, date_from: '2026-02-01T00:00:00.000Z' });
    expect(lastListed()).toMatchObject({ include_test: true, order_id: [7], source: ['webhook'] });
    await as(viewer, 'GET', `/v1/audit-log?filter=${id}&include_test=false`);
    expect(lastListed()).toMatchObject({ include_test: false, order_id: [1001], status: ['error', 'warning'] });
    await as(viewer, 'GET', `/v1/audit-log/export?filter=${id}`);
    expect(lastListed()).toMatchObject({ order_id: [1001] });
    await as(viewer, 'GET', `/v1/audit-log/stream?filter=${id}&status=info`);
    const filters = await waitFor(
      () =>
        running.peers.asked('audit.entry.scan.v1').find(({ filters: { status } }) => status?.includes('info'))?.filters,
    );
    expect(filters).toMatchObject({ order_id: [1001], status: ['info'] });
  });

  test('a view of orders or events keeps what its address has, and filters no log', async () => {
    const view = { page: 'events', query: { state: 'waiting', gateway: 'gateway_card' } };
    const id = await save(viewer, { name: 'What waits', filter: {}, view });
    const { body } = await as(viewer, 'GET', address);
    expect((body.filters as { id: string }[]).find((one) => one.id === id)).toMatchObject({ filter: {}, view });
    expect((await as(viewer, 'GET', `/v1/audit-log?filter=${id}`)).body.filters).toEqual({});
    const other = { name: 'x', filter: {}, view: { ...view, page: 'users' } };
    expect((await as(viewer, 'POST', address, other)).status).toBe(400);
    expect((await as(viewer, 'DELETE', `${address}/${id}`)).status).toBe(200);
  });

  test('belongs to its user until it is shared, which takes manage_shop', async () => {
    const own = await save(viewer, { name: 'mine', filter: { status: 'error' } });
    expect(await as(asAdmin, 'GET', `/v1/audit-log?filter=${own}`)).toMatchObject({
      status: 404,
      body: { code: 'svc_filter_not_found' },
    });
    for (const [method, json] of [['PUT', { name: 'x' }], ['DELETE']] as const)
      expect((await as(asAdmin, method, `${address}/${own}`, json)).status).toBe(404);
    expect((await as(viewer, 'POST', address, { name: 'ours', shared: true, filter: {} })).status).toBe(403);
    expect((await as(viewer, 'PUT', `${address}/${own}`, { shared: true })).status).toBe(403);
    const ours = await save(asAdmin, { name: 'Ours', shared: true, filter: { event_type: 'dead_lettered' } });
    expect(await namesSeenBy(viewer)).toEqual(expect.arrayContaining(['mine', 'Ours (of another)']));
    expect((await as(viewer, 'GET', `/v1/audit-log?filter=${ours}`)).body.filters).toEqual({
      event_type: 'dead_lettered',
    });
    expect((await as(viewer, 'DELETE', `${address}/${ours}`)).status).toBe(403);
    const changed = await as(asAdmin, 'PUT', `${address}/${ours}`, { shared: false, filter: { rule_id: [3, 4] } });
    expect(changed.body).toMatchObject({ name: 'Ours', shared: false, filter: { rule_id: [3, 4] } });
    expect(await namesSeenBy(viewer)).not.toContain('Ours (of another)');
    expect((await as(asAdmin, 'DELETE', `${address}/${ours}`)).body).toEqual({ success: true, id: ours });
    expect((await as(asAdmin, 'DELETE', `${address}/${ours}`)).status).toBe(404);
  });

  test('has a name that its user has once; its parameters are those of the list; 100 are enough', async () => {
    const owner = await addUser(deps.store, 'otto', 'shop_manager');
    const id = await save(owner, { name: 'Errors', filter: { status: 'error' } });
    const other = await save(owner, { name: 'Others', filter: {} });
    const taken = { status: 409, body: { code: 'svc_filter_exists' } };
    expect(await as(owner, 'POST', address, { name: 'ERRORS', filter: {} })).toMatchObject(taken);
    expect(await as(owner, 'PUT', `${address}/${other}`, { name: 'errors' })).toMatchObject(taken);
    expect((await as(owner, 'PUT', `${address}/${id}`, { name: 'ERRORS' })).body.name).toBe('ERRORS');
    expect((await as(owner, 'POST', address, { name: 'x', filter: { ordr_id: 1 } })).body).toMatchObject({
      code: 'rest_invalid_param',
      data: { violations: [{ path: 'filter.ordr_id', message: 'is not a known field; did you mean order_id?' }] },
    });
    const documents = await deps.store.collection<SavedFilterDocument>('saved_filters');
    const one = await documents.findOne({ _id: id });
    if (!one) throw new Error('not stored');
    await documents.insertMany(
      Array.from({ length: 98 }, (_, n) => ({ ...one, _id: `${id}-${n}`, name_key: `n${n}` })),
    );
    expect(await as(owner, 'POST', address, { name: 'one more', filter: {} })).toMatchObject({
      status: 400,
      body: { code: 'svc_too_many_filters' },
    });
  });

  test('goes with its user unless it is shared', async () => {
    const leaving = await addUser(deps.store, 'lena', 'shop_manager');
    const own = await save(leaving, { name: 'private of lena', filter: {} });
    const shared = await save(leaving, { name: 'shared by lena', shared: true, filter: {} });
    const { body } = await as(asAdmin, 'GET', '/v1/auth/users?per_page=200');
    const lena = (body.users as { id: string; username: string }[]).find(({ username }) => username === 'lena');
    expect((await as(asAdmin, 'DELETE', `/v1/auth/users/${lena?.id}`)).status).toBe(200);
    const documents = await deps.store.collection<SavedFilterDocument>('saved_filters');
    expect(await documents.findOne({ _id: own })).toBeNull();
    expect((await as(asAdmin, 'DELETE', `${address}/${shared}`)).status).toBe(200);
  });
});
