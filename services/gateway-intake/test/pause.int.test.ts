import { createHmac } from 'node:crypto';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import type { EndpointDocument } from '../src/connections/endpoints';
import { cardWebhook, genericWebhook, inboxOf, type Peers, receive, receiveOne, running, start } from './intake';

const lastOne = expect.stringContaining('/webhooks/generic stays closed');

describeLanes('paused senders', (lane) => {
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

  const pause = (gateway: string, paused: boolean) =>
    deps.bus.request('intake.gateway.pause.v1', { gateway, paused }, { timeout: 20_000 });
  const countOf = async (state: 'held' | 'accepted' | 'refused') => (await inboxOf(deps)).countDocuments({ state });
  /** Until the relay of held events has passed over every endpoint so often: it releases what the last of them holds each time. */
  const sweptAll = async (times: number): Promise<void> => {
    const inbox = await inboxOf(deps);
    await receiveOne(deps.bus, genericWebhook({ id: 'last' }));
    const last = await waitFor(() => inbox.findOne({ endpoint: 'generic' }));
    for (let time = 0; time < times; time += 1) {
      await inbox.updateOne({ _id: last._id }, { $set: { state: 'held' }, $unset: { due_at: '' } });
      await waitFor(async () => (await inbox.findOne({ _id: last._id }))?.state !== 'held');
    }
  };
  const cards = (count: number) =>
    Array.from({ length: count }, (_, index) => cardWebhook(`evt_${index}`, clock.now()));
  /** A connection that is paused and holds events. */
  const pausedConnection = async (name: string, events: number): Promise<void> => {
    const { secret } = await deps.bus.request('intake.connection.create.v1', { name, fields: { paused: true } });
    const webhooks = Array.from({ length: events }, (_, index) => {
      const webhook = genericWebhook({ event_id: `${name}-${index}` }, { connection: name });
      const digest = createHmac('sha256', secret ?? '')
        .update(webhook.body)
        .digest('hex');
      return { ...webhook, headers: { 'x-signature': [digest] } };
    });
    expect((await receive(deps.bus, webhooks)).every(({ success }) => success)).toBe(true);
    expect(await countOf('held')).toBe(events);
  };
  const changes = () =>
    [...peers.entries.values()].filter(({ event_type }) => event_type === 'webhook_settings_changed');

  test('what a process that died during a resume left behind goes on', async () => {
    await pause('gateway_card', true);
    await receive(deps.bus, cards(30));
    expect(await countOf('held')).toBe(30);
    await service.close();
    // The flag was stored, and nothing else happened before the process was killed.
    const endpoints = await deps.store.collection<EndpointDocument>('endpoints');
    await endpoints.updateOne({ _id: 'gateway_card' }, { $set: { paused: false } });
    service = await start(deps);
    await waitFor(() => peers.events.length >= 30);
    expect(await countOf('held')).toBe(0);
  });

  test('what another process held after the resume, because it did not know of it yet, goes on', async () => {
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    await waitFor(() => peers.events.length === 1);
    await (await inboxOf(deps)).updateMany({ state: 'accepted' }, { $set: { state: 'held' }, $unset: { due_at: '' } });
    await waitFor(async () => (await countOf('accepted')) === 1);
  });

  test('what is held stays so while its sender is paused, and a pause of generic is that of unnamed senders alone', async () => {
    const { secret } = await deps.bus.request('intake.connection.create.v1', { name: 'erp', fields: {} });
    await pause('generic', true);
    const webhook = genericWebhook({ id: 1 }, { connection: 'erp' });
    const digest = createHmac('sha256', secret ?? '')
      .update(webhook.body)
      .digest('hex');
    expect(await receiveOne(deps.bus, { ...webhook, headers: { 'x-signature': [digest] } })).toMatchObject({
      message: '1 event processed',
    });
    await waitFor(() => peers.events.length === 1);
    await pause('gateway_card', true);
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    clock.advance(60_000);
    await service.close();
    service = await start(deps);
    await receiveOne(deps.bus, cardWebhook('evt_2', clock.now()));
    expect(await countOf('held')).toBe(2);
  });

  test('who pauses again while a resume goes on stops it, and nothing is left behind when it is resumed for good', async () => {
    const count = lane.name === 'embedded' ? 1_700 : 700;
    await pause('gateway_card', true);
    for (let sent = 0; sent < count; sent += 50)
      await receive(
        deps.bus,
        Array.from({ length: 50 }, (_, index) => cardWebhook(`evt_${sent + index}`, clock.now())),
      );
    if (lane.name === 'embedded') {
      await Promise.all([pause('gateway_card', false), pause('gateway_card', true)]);
      expect(await countOf('held')).toBeGreaterThan(0);
    } else {
      // Servers answer in an order of their own, and the resume may be over before the pause is there.
      const resuming = pause('gateway_card', false);
      await waitFor(async () => (await countOf('held')) < count);
      await pause('gateway_card', true);
      await resuming;
    }
    const left = await countOf('held');
    await receiveOne(deps.bus, cardWebhook('evt_later', clock.now()));
    await sweptAll(2);
    expect(await countOf('held')).toBe(left + 1);
    await pause('gateway_card', false);
    expect(await countOf('held')).toBe(0);
  }, 60_000);

  test('a connection that holds events is deleted only with a word about them', async () => {
    await pausedConnection('erp', 3);
    const remove = (held?: 'release' | 'discard') =>
      deps.bus.request('intake.connection.delete.v1', { name: 'erp', by: 'ada', ...(held && { held }) });
    await expect(remove()).rejects.toMatchObject({
      status: 409,
      code: 'svc_connection_holds_events',
      data: { held: 3 },
    });
    expect(await remove('release')).toEqual({ deleted: true, released: 3, discarded: 0, notice: lastOne });
    await waitFor(() => peers.events.length === 3);
    const entry = await waitFor(() => changes().find(({ summary }) => summary.includes('deleted')));
    expect(entry.summary).toContain('3 waiting events went on to evaluation');
  });

  test('a connection that is resumed says how many events it held', async () => {
    await pausedConnection('erp', 3);
    const fields = { paused: false };
    const changed = await deps.bus.request('intake.connection.change.v1', { name: 'erp', fields });
    expect(changed).toMatchObject({ connection: { paused: false }, secret: null, released: 3 });
    await waitFor(() => peers.events.length === 3);
    const other = await deps.bus.request('intake.connection.change.v1', { name: 'erp', fields: { enabled: false } });
    expect(other.released).toBeUndefined();
  });

  test('held events that are discarded are refused, each with an entry of its own', async () => {
    await pausedConnection('erp', 3);
    const deleted = await deps.bus.request('intake.connection.delete.v1', { name: 'erp', held: 'discard', by: 'ada' });
    expect(deleted).toEqual({ deleted: true, released: 0, discarded: 3, notice: lastOne });
    expect([await countOf('held'), await countOf('refused')]).toEqual([0, 3]);
    await waitFor(
      () => [...peers.entries.values()].filter(({ details }) => details.reason === 'discarded').length === 3,
    );
    const entry = await waitFor(() => changes().find(({ summary }) => summary.includes('deleted')));
    expect(entry.summary).toContain('3 waiting events were discarded');
    expect(peers.events).toEqual([]);
  });

  test('a replay of a paused sender waits', async () => {
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    const { data } = await waitFor(() => peers.events[0]);
    await peers.finish(data.event.id);
    const inbox = await inboxOf(deps);
    await waitFor(async () => (await inbox.findOne({ _id: data.event.id }))?.state === 'done');
    await pause('gateway_card', true);
    const { replay_id } = await deps.bus.request('intake.event.replay.v1', { id: data.event.id });
    expect(await inbox.findOne({ _id: replay_id })).toMatchObject({ state: 'held' });
    await pause('gateway_card', false);
    await waitFor(() => peers.events.some(({ id }) => id === replay_id));
  });
});
