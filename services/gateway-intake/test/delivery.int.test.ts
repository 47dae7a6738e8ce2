import type { EventFilter } from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import { recordedQueries } from '../../../shared/store/test/recorded-queries';
import { firstDelay, type InboxEvent, keyLifetime } from '../src';
import { filterOf } from '../src/administration/replay/events';
import { maxTries } from '../src/delivery/events';
import { receptionEntry } from '../src/inbox/entries';
import { openInbox } from '../src/inbox/inbox';
import { openPayloads } from '../src/inbox/payloads';
import {
  cardWebhook,
  genericWebhook,
  inboxOf,
  type Peers,
  payloadsOf,
  receive,
  receiveOne,
  running,
  start,
  storedEvents,
  unconfirmedEntries,
} from './intake';

describeLanes('what follows the answer', (lane) => {
  let deps: LaneDeps;
  let clock: SettableClock;
  let service: Service;
  let peers: Peers;

  beforeEach(async () => {
    ({ clock, deps, peers, service } = await running(lane, { listens: false }));
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  const documents = (): Promise<InboxEvent[]> => storedEvents(deps);
  const only = async (): Promise<InboxEvent> => {
    const [document, ...others] = await documents();
    if (!document || others.length > 0) throw new Error(`${others.length + 1} documents`);
    return document;
  };
  const idsOf = (eventId: string) => peers.events.filter(({ data }) => data.event.id === eventId).map(({ id }) => id);

  /** Until the relay has swept once more: an event from before this process, which is a copy of that one, is published by that sweep. */
  const swept = async ({ _id }: InboxEvent, number: number): Promise<void> => {
    const [inbox, payloads] = await Promise.all([inboxOf(deps), payloadsOf(deps)]);
    const [document, payload] = await Promise.all([inbox.findOne({ _id }), payloads.findOne({ _id })]);
    if (!document || !payload) throw new Error('nothing to copy');
    const copy = `evt_0000000000000000000000000${number}`;
    const due_at = new Date(clock.now() - 1).toISOString();
    await payloads.insertOne({ ...payload, _id: copy, key: copy, event: { ...payload.event, id: copy } });
    await inbox.insertOne({ ...document, _id: copy, key: copy, state: 'accepted', due_at });
    await waitFor(() => idsOf(copy).length > 0);
  };

  test('what the bus lost is published again under the same id, with growing delays, until it is done', async () => {
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    const { _id } = await only();
    await peers.listen();
    clock.advance(firstDelay + 500);
    await waitFor(async () => (await only()).attempts === 1);
    const once = await waitFor(() => idsOf(_id).length);
    clock.advance(2 * firstDelay + 500);
    await waitFor(() => idsOf(_id).length > once);
    expect(new Set(idsOf(_id))).toEqual(new Set([_id]));
    const afterTwo = await waitFor(async () => {
      const document = await only();
      return document.attempts === 2 && document;
    });
    expect(Date.parse(afterTwo.due_at ?? '') - clock.now()).toBeGreaterThan(3 * firstDelay);

    await peers.finish(_id);
    const done = await waitFor(async () => {
      const document = await only();
      return document.state === 'done' && document;
    });
    expect(done.due_at).toBeUndefined();
    const published = idsOf(_id).length;
    const second = await receiveOne(deps.bus, cardWebhook('evt_2', clock.now()));
    const other = await waitFor(async () =>
      (await documents()).find(({ process_id }) => process_id === second.process_id),
    );
    await waitFor(() => idsOf(other._id).length === 1);
    clock.advance(10 * firstDelay);
    await waitFor(() => idsOf(other._id).length > 1);
    expect(idsOf(_id)).toHaveLength(published);
  });

  test('what waits for its turn is left alone while evaluation gets on, and published again when it stops', async () => {
    await peers.listen();
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    await receiveOne(deps.bus, cardWebhook('evt_2', clock.now()));
    const [first, second] = await documents();
    if (!first || !second) throw new Error('two documents');
    clock.advance(firstDelay - 500);
    await peers.finish(first._id);
    await waitFor(async () => (await documents())[0]?.state === 'done');
    clock.advance(1_000);
    await swept(second, 1);
    await swept(second, 2);
    expect(idsOf(second._id)).toEqual([second._id]);
    clock.advance(firstDelay);
    await waitFor(() => idsOf(second._id).length > 1);
  });

  test('of an event that evaluation ends in time the reception is left to it; of others intake records it, once', async () => {
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    const first = await only();
    await peers.finish(first._id);
    await waitFor(async () => (await only()).state === 'done');
    await receiveOne(deps.bus, cardWebhook('evt_2', clock.now()));
    clock.advance(10_000);
    await waitFor(() => peers.entries.size === 1);
    const second = (await documents())[1];
    expect(second && [...peers.entries.values()]).toEqual(second && [receptionEntry(second)]);
    expect(peers.handed.get(`${second?._id}:received`)).toBe(1);
  });

  test('a reception that audit did not take is recorded when it is back', async () => {
    peers.audit = 'down';
    const { process_id } = await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    clock.advance(10_000);
    await waitFor(() => peers.refused > 0);
    peers.audit = 'up';
    await waitFor(() => peers.entries.size === 1);
    expect([...peers.entries.values()]).toMatchObject([{ event_type: 'webhook_received', process_id }]);
  });

  test('what is published in vain too often is a dead letter, and the log says so', async () => {
    const { process_id } = await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    await peers.listen();
    await (await inboxOf(deps)).updateMany({ state: 'accepted' }, { $set: { attempts: maxTries } });
    clock.advance(firstDelay + 500);
    const dead = await waitFor(async () => {
      const document = await only();
      return document.state === 'dead' && document;
    });
    expect(dead).toMatchObject({ outcome: 'dead', reason: expect.stringContaining(`${maxTries} tries`) });
    expect(dead.due_at).toBeUndefined();
    const entry = () => [...peers.entries.values()].find(({ event_type }) => event_type === 'dead_lettered');
    expect(await waitFor(entry)).toMatchObject({ process_id, status: 'error', details: { attempts: maxTries } });
  });

  test('600 events that waited while nothing ran for 8 days are all done', async () => {
    const count = 600;
    for (let sent = 0; sent < count; sent += 50)
      await receive(
        deps.bus,
        Array.from({ length: 50 }, (_, index) => cardWebhook(`evt_${sent + index}`, clock.now())),
      );
    await service.close();
    clock.advance(8 * 24 * 60 * 60_000);
    peers.evaluation = 'reports_done';
    await peers.listen();
    service = await start(deps);
    const inbox = await inboxOf(deps);
    await waitFor(async () => (await inbox.countDocuments({ state: 'done' })) === count, { timeout: 30_000 });
  });

  test('a clock that ran ahead and was put right holds back nothing, with a restart or without', async () => {
    const ahead = 3 * 24 * 60 * 60_000;
    peers.audit = 'down';
    clock.advance(ahead);
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    clock.advance(10_000);
    await waitFor(() => peers.refused > 0);
    await peers.listen();
    clock.advance(-ahead);
    peers.audit = 'up';
    peers.evaluation = 'reports_done';
    await waitFor(async () => (await only()).state === 'done');

    peers.evaluation = 'silent';
    await receiveOne(deps.bus, cardWebhook('evt_2', clock.now()));
    const inbox = await inboxOf(deps);
    await service.close();
    const later = new Date(clock.now() + 60_000).toISOString();
    await inbox.updateMany({ state: 'accepted' }, { $set: { due_at: later } });
    peers.evaluation = 'reports_done';
    service = await start(deps);
    await waitFor(async () => (await inbox.countDocuments({ state: 'done' })) === 2);
  });

  test('an old event that is held does not keep what is finished', async () => {
    await deps.bus.request('intake.gateway.pause.v1', { gateway: 'generic', paused: true });
    await receiveOne(deps.bus, genericWebhook({ id: 'held' }));
    const inbox = await inboxOf(deps);
    const held = await only();
    const { event: _event, webhook: _webhook, body: _body, ...document } = held;
    await inbox.insertMany(
      Array.from({ length: 250 }, (_, index) => ({ ...document, _id: `${held._id}-${index}`, key: `held ${index}` })),
    );
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    await inbox.updateMany({ state: 'accepted' }, { $set: { state: 'done' } });
    await service.close();
    clock.advance(keyLifetime + 60_000);
    service = await start(deps);
    await waitFor(async () => (await inbox.countDocuments({ state: 'done' })) === 0);
    expect(await inbox.countDocuments({ state: 'held' })).toBe(251);
  });

  test('entries that audit did not take are handed over when it is back', async () => {
    peers.audit = 'down';
    await receiveOne(deps.bus, genericWebhook('{'));
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    expect([(await documents()).length, await unconfirmedEntries(deps)]).toEqual([1, 2]);
    peers.audit = 'up';
    clock.advance(11 * 60_000); // The outbox keeps what audit refuses for 10 minutes.
    await waitFor(async () => (await unconfirmedEntries(deps)) === 0);
    expect(await only()).toMatchObject({ state: 'accepted' });
    const types = [...peers.entries.values()].map(({ event_type }) => event_type);
    expect(types.filter((type) => type !== 'webhook_received').sort()).toEqual([
      'webhook_duplicate',
      'webhook_rejected',
    ]);
  });

  test('what a crash left behind is taken up by the next start', async () => {
    await service.close();
    service = await start(deps);
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    await service.close();
    await peers.listen();
    service = await start(deps);
    await waitFor(() => peers.events.length > 0);
  });

  test('only our events are marked, and dead ones as dead', async () => {
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    await receiveOne(deps.bus, cardWebhook('evt_2', clock.now()));
    const [first, second] = await documents();
    if (!first || !second) throw new Error('two documents');
    await peers.finish(first._id, { origin: 'shop' });
    await peers.finish(second._id, { outcome: 'dead' });
    await waitFor(async () => (await documents())[1]?.state === 'dead');
    expect((await documents())[0]?.state).toBe('accepted');
    await peers.finish(second._id, { outcome: 'no_match' });
    await peers.finish(first._id);
    await waitFor(async () => (await documents())[0]?.state === 'done');
    expect((await documents())[1]?.state).toBe('dead');
  });

  test('a key is free again after 35 days and not before, and what is older goes', async () => {
    await peers.listen();
    const webhook = () => genericWebhook({ type: 'refund', id: 'r1' });
    await receiveOne(deps.bus, webhook());
    const { _id } = await only();
    await peers.finish(_id);
    await waitFor(async () => (await only()).state === 'done');
    clock.advance(keyLifetime - 60_000);
    expect(await receiveOne(deps.bus, webhook())).toMatchObject({ duplicate: true });
    clock.advance(120_000);
    expect(await receiveOne(deps.bus, webhook())).toMatchObject({
      success: true,
      duplicate: false,
      events_processed: 1,
    });
    const second = await waitFor(async () => (await documents()).find(({ state }) => state === 'accepted'));
    expect(second._id).not.toBe(_id);

    clock.advance(keyLifetime + 1);
    expect(await receiveOne(deps.bus, webhook())).toMatchObject({ duplicate: true });
    await peers.finish(second._id);
    await waitFor(async () => (await documents()).some(({ state }) => state === 'done'));
    await service.close();
    service = await start(deps);
    await waitFor(async () => (await documents()).length === 0);
  });

  test('every query walks an index', async () => {
    const { store, plans } = recordedQueries(deps.store);
    const [now, ids, accepted] = [clock.now(), ['evt_1', 'evt_2'], 'accepted' as const];
    const payloads = await openPayloads(store);
    await payloads.holders(['a', 'b']);
    await payloads.byKeys(['a', 'b']);
    await payloads.byIds(ids);
    await payloads.byId('evt_1');
    await payloads.idsAfter('evt_1', 5);
    await payloads.remove(ids);
    const inbox = await openInbox(store, payloads);
    await inbox.due({ state: accepted }, now, 5);
    await inbox.due({ state: 'verifying', endpoint: 'gateway_wallet' }, now, 5);
    await inbox.makeDue(now);
    await inbox.byIds(ids);
    await inbox.inState(ids, accepted);
    await inbox.held('generic', 5);
    await inbox.countHeld('generic');
    await inbox.endpointWithHeldAfter('generic');
    await inbox.typeAfter('payment.card.', 'payment.card.charge_refunded');
    await inbox.countRecovered('gateway_card', now, { state: 'done' });
    await inbox.oldestAccepted();
    await inbox.expired(now, 5);
    await inbox.postpone(ids, accepted, 1, now);
    await inbox.move(ids, accepted, 'refused', {});
    await inbox.markReplayed(ids);
    await inbox.finishedWithQuota(now, 5);
    await inbox.remove(ids);
    const filters: EventFilter[] = [
      { gateway: 'gateway_card' },
      { connection: 'erp' },
      { event_type: 'payment.card.charge_succeeded' },
      { state: 'done' },
      { order_id: 1001 },
      { process_id: 'proc_1' },
      { from: '2026-11-01T00:00:00Z' },
    ];
    for (const filter of filters) {
      // Those of one order or process are few.
      if ('order_id' in filter || 'process_id' in filter) await inbox.count(filterOf(filter));
      else await inbox.newest(filterOf(filter), 0, 5);
    }
    const all = await plans();
    expect(all.length).toBeGreaterThan(30);
    // SecantusDB plans with an index for one condition only, and sorts what MongoDB reads in the order of a compound index.
    const scans = all.filter(({ usesIndex, engine, filter, sort }) => {
      const isExcused = sort !== undefined || Object.keys(filter).length > 1 || '_id' in filter;
      return !usesIndex && !(engine === 'secantus' && isExcused);
    });
    expect(scans).toEqual([]);
  });
});
