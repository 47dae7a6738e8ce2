import { inProcessBus } from '@order-automation/bus';
import { message } from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import {
  cardWebhook,
  inboxOf,
  type Peers,
  payloadsOf,
  receiveOne,
  running,
  start,
  startPeers,
  storedEvents,
} from './intake';

describeLanes('payloads and states', (lane) => {
  let deps: LaneDeps;
  let clock: SettableClock;
  let service: Service;
  let peers: Peers;

  beforeEach(async () => {
    ({ clock, deps, peers, service } = await running(lane));
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  const received = async (id = 'evt_1') => {
    await receiveOne(deps.bus, cardWebhook(id, clock.now()));
    const event = (await storedEvents(deps)).at(-1);
    if (!event) throw new Error('nothing was stored');
    return event;
  };
  const list = (filter: Record<string, string>) =>
    deps.bus.request('intake.event.list.v1', { filter, page: 1, per_page: 10 });

  test('an event has a document before the answer, and what came stays as it is', async () => {
    const { _id, state } = await received();
    expect(state).toBe('accepted');
    const payload = await (await payloadsOf(deps)).findOne({ _id });
    await peers.finish(_id, { order_id: 1001 });
    const inbox = await inboxOf(deps);
    const done = await waitFor(() => inbox.findOne({ _id, state: 'done' }));
    expect(JSON.stringify(done).length).toBeLessThan(500);
    expect(done).not.toHaveProperty('event');
    expect(await (await payloadsOf(deps)).findOne({ _id })).toEqual(payload);
  });

  test('what b457727 accepted and left when it was killed is found, however long nothing ran and whatever its clock said', async () => {
    const inbox = await inboxOf(deps);
    const marks = await deps.store.collection<{ readonly _id: string; readonly at: number }>('marks');
    const ids = [(await received())._id, (await received('evt_2'))._id];
    await service.close();
    await inbox.deleteMany({});
    await marks.insertOne({ _id: 'adopted', at: clock.now() });
    clock.advance(40 * 24 * 60 * 60_000);
    peers.events.length = 0;
    service = await start(deps);
    await waitFor(() => ids.every((id) => peers.events.some((event) => event.id === id)));
    expect(await marks.findOne({ _id: 'adopted' })).toBeNull();
    clock.advance(-20 * 24 * 60 * 60_000);
    await received('evt_3');
    const third = (await storedEvents(deps)).find(({ key }) => key.endsWith('evt_3'));
    await service.close();
    await inbox.deleteMany({ _id: third?._id ?? '' });
    await marks.insertOne({ _id: 'adopted', at: clock.now() + 20 * 24 * 60 * 60_000 });
    peers.events.length = 0;
    service = await start(deps);
    await waitFor(() => peers.events.some(({ id }) => id === third?._id));
  });

  test('what a process stored without its document before it could answer is completed by the copy', async () => {
    const { _id } = await received();
    const inbox = await inboxOf(deps);
    const before = await inbox.findOne({ _id });
    await inbox.deleteMany({ _id });
    expect(await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()))).toMatchObject({ duplicate: true });
    const { due_at, ...completed } = (await inbox.findOne({ _id })) ?? {};
    expect({ due_at: expect.any(String), ...completed }).toEqual({ ...before, due_at: expect.any(String) });
    expect(await inbox.countDocuments({})).toBe(1);
    peers.events.length = 0;
    clock.advance(20_000);
    await waitFor(() => peers.events.some((event) => event.id === _id));
  });

  test('what another instance accepted is ended here, and published here when that instance has died', async () => {
    const { _id } = await received();
    const { _id: left } = await received('evt_2');
    const bus = inProcessBus();
    const others = await startPeers(bus);
    await others.listen();
    const other = await start({ ...deps, bus });
    const inbox = await inboxOf(deps);
    await service.close();
    await others.finish(_id);
    await waitFor(() => inbox.findOne({ _id, state: 'done' }));
    others.events.length = 0;
    clock.advance(60_000);
    await waitFor(() => others.events.some(({ id }) => id === left));
    await other.close();
    await bus.close();
    service = await start(deps);
  });

  test('a document whose payload is missing goes', async () => {
    const { _id } = await received();
    await waitFor(() => peers.events.length === 1);
    const inbox = await inboxOf(deps);
    await (await payloadsOf(deps)).deleteMany({ _id });
    for (let look = 0; look < 4; look += 1) {
      clock.advance(10 * 60_000);
      await waitFor(async () => ((await inbox.findOne({ _id }))?.attempts ?? Number.POSITIVE_INFINITY) > look);
    }
    await waitFor(async () => (await inbox.findOne({ _id })) === null);
  });

  test('an event that waits says for what and until when, in the list, its filter and by itself, until it ends', async () => {
    const { _id } = await received();
    await received('evt_2');
    const waiting = {
      event_id: _id,
      origin: 'intake' as const,
      waiting_for: 'order 1044',
      until: '2030-01-01T00:00:00.000Z',
    };
    await deps.bus.publish(message('evaluation.events-waiting.v1', { events: [waiting] }, { now: clock.now() }));
    const expected = { id: _id, state: 'waiting', waiting_for: 'order 1044', waiting_until: waiting.until };
    await waitFor(async () => (await list({ state: 'waiting' })).events.length === 1);
    expect((await list({ state: 'waiting' })).events).toMatchObject([expected]);
    await deps.bus.respond('audit.process.get.v1', async () => ({ logs: [], pagination: (await list({})).pagination }));
    expect((await deps.bus.request('intake.event.get.v1', { id: _id })).event).toMatchObject(expected);
    const published = peers.events.length;
    clock.advance(10 * 60_000);
    await waitFor(() => peers.events.length > published);
    expect(peers.events.slice(published).map(({ id }) => id)).not.toContain(_id);
    clock.advance(60 * 60_000);
    await waitFor(() => peers.events.slice(published).some(({ id }) => id === _id));
    await peers.finish(_id, { order_id: 1044 });
    await waitFor(async () => (await list({ state: 'done' })).events.length === 1);
    expect((await list({ state: 'done' })).events[0]).not.toHaveProperty('waiting_for');
  });

  test('held events say what they wait for', async () => {
    await deps.bus.request('intake.gateway.pause.v1', { gateway: 'gateway_card', paused: true });
    await received();
    expect((await list({ state: 'held' })).events).toMatchObject([
      { state: 'held', waiting_for: 'somebody to resume gateway_card' },
    ]);
  });
});
