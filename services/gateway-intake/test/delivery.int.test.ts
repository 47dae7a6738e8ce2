import { setTimeout as delay } from 'node:timers/promises';
import type { Service } from '@order-automation/service';
import type { Document, Documents, Filter, Sort } from '@order-automation/store';
import { describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import { firstPatience, type InboxDocument, inboxQueries, keyLifetime } from '../src';
import { deliveryPatience } from '../src/inbox/delivery';
import { owedQueries } from '../src/inbox/owed';
import { receptionEntry } from '../src/receiving/entries';
import {
  cardWebhook,
  genericWebhook,
  inboxOf,
  laterClock,
  owedOf,
  type Peers,
  receiveOne,
  start,
  startPeers,
} from './intake';

type Query<T> = { readonly filter: Filter<T>; readonly sort?: Sort<T> };

describeLanes('what follows the answer', (lane) => {
  let deps: LaneDeps;
  let clock: SettableClock;
  let service: Service;
  let peers: Peers;

  beforeEach(async () => {
    clock = laterClock();
    deps = await lane.deps({ clock });
    peers = await startPeers(deps.bus);
    service = await start(deps);
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  const documents = async (): Promise<InboxDocument[]> => (await inboxOf(deps)).find({}).sort({ _id: 1 }).toArray();
  const only = async (): Promise<InboxDocument> => {
    const [document, ...others] = await documents();
    if (!document || others.length > 0) throw new Error(`${others.length + 1} documents`);
    return document;
  };
  const idsOf = (eventId: string) => peers.events.filter(({ data }) => data.event.id === eventId).map(({ id }) => id);

  test('what the bus lost is published again under the same id, with growing patience, until it is done', async () => {
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    const { _id } = await only();
    await peers.listen();
    clock.advance(firstPatience + 500);
    await waitFor(async () => (await only()).attempts === 1);
    const once = await waitFor(() => idsOf(_id).length);
    clock.advance(2 * firstPatience + 500);
    await waitFor(() => idsOf(_id).length > once);
    expect(new Set(idsOf(_id))).toEqual(new Set([_id]));
    const afterTwo = await waitFor(async () => {
      const document = await only();
      return document.attempts === 2 && document;
    });
    expect(Date.parse(afterTwo.due_at ?? '') - clock.now()).toBeGreaterThan(3 * firstPatience);

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
    clock.advance(10 * firstPatience);
    await waitFor(() => idsOf(other._id).length > 1);
    expect(idsOf(_id)).toHaveLength(published);
  });

  test('what waits for its turn is left alone while evaluation gets on, and published again when it stops', async () => {
    await peers.listen();
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    await receiveOne(deps.bus, cardWebhook('evt_2', clock.now()));
    const [first, second] = await documents();
    if (!first || !second) throw new Error('two documents');
    clock.advance(firstPatience - 500);
    await peers.finish(first._id);
    await waitFor(async () => (await documents())[0]?.state === 'done');
    clock.advance(1_000);
    await delay(2_500); // two sweeps at least
    expect(idsOf(second._id)).toEqual([second._id]);
    clock.advance(firstPatience);
    await waitFor(() => idsOf(second._id).length > 1);
  });

  test('an event is not closed before audit has its reception', async () => {
    peers.audit = 'down';
    const { process_id } = await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    const { _id } = await only();
    await waitFor(() => peers.refused > 0);
    await peers.finish(_id);
    await waitFor(() => peers.refused > 1);
    expect((await only()).state).toBe('accepted');
    peers.audit = 'up';
    await waitFor(async () => (await only()).state === 'done');
    expect([...peers.entries.values()]).toMatchObject([{ event_type: 'webhook_received', process_id }]);
  });

  test('the reception of what a crash interrupted is recorded before it is closed', async () => {
    peers.audit = 'down';
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    await waitFor(() => peers.refused > 0);
    await service.close();
    peers.audit = 'up';
    service = await start(deps);
    const document = await only();
    expect(peers.entries.size).toBe(0);
    await peers.finish(document._id);
    await waitFor(async () => (await only()).state === 'done');
    expect([...peers.entries.values()]).toEqual([receptionEntry(document)]);
  });

  test('what nobody finishes in a week is a dead letter', async () => {
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    await peers.listen();
    clock.advance(deliveryPatience + 1_000);
    const dead = await waitFor(async () => {
      const document = await only();
      return document.state === 'dead' && document;
    });
    expect(dead).toMatchObject({ outcome: 'dead', reason: expect.stringContaining('7 days') });
    expect(dead.due_at).toBeUndefined();
  });

  test('entries that audit did not take are handed over when it is back', async () => {
    peers.audit = 'down';
    await receiveOne(deps.bus, genericWebhook('{'));
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    const owed = await owedOf(deps);
    expect([(await documents()).length, await owed.countDocuments({})]).toEqual([1, 2]);
    peers.audit = 'up';
    clock.advance(firstPatience + 500);
    await waitFor(async () => (await owed.countDocuments({})) === 0);
    expect(await only()).toMatchObject({ state: 'accepted' });
    const types = [...peers.entries.values()].map(({ event_type }) => event_type);
    expect(types.filter((type) => type !== 'webhook_received').sort()).toEqual([
      'webhook_duplicate',
      'webhook_rejected',
    ]);
  });

  test('what a crash left behind is taken up by the next start', async () => {
    await service.close();
    const inbox = await inboxOf(deps);
    service = await start(deps);
    await receiveOne(deps.bus, cardWebhook('evt_1', clock.now()));
    await service.close();
    await inbox.updateMany({ state: 'accepted' }, { $set: { due_at: new Date(clock.now() - 1).toISOString() } });
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
    const now = clock.now();
    const ids = ['evt_1', 'evt_2'];
    const walks = async <T extends Document>(documents: Documents<T>, queries: readonly Query<T>[]): Promise<void> => {
      for (const { filter, sort } of queries) {
        const { usesIndex, engine, detail } = await deps.store.explain(documents, filter, sort);
        // SecantusDB plans with an index for one condition only, and sorts what MongoDB reads in the order of a compound index.
        const excused =
          engine === 'secantus' && (sort !== undefined || Object.keys(filter).length > 1 || '_id' in filter);
        expect([filter, usesIndex || excused || detail]).toEqual([filter, true]);
      }
    };
    const ofInbox = [
      inboxQueries.holders(['a', 'b']),
      inboxQueries.due(now),
      inboxQueries.inState(ids, 'accepted'),
      inboxQueries.oldest('accepted'),
      inboxQueries.held('generic'),
      inboxQueries.byIds(ids),
      inboxQueries.after('evt_1'),
      inboxQueries.expired(now),
    ];
    expect(ofInbox).toHaveLength(Object.keys(inboxQueries).length);
    await walks(await inboxOf(deps), ofInbox);
    const ofOwed = [owedQueries.byIds(ids), owedQueries.due(now)];
    expect(ofOwed).toHaveLength(Object.keys(owedQueries).length);
    await walks(await owedOf(deps), ofOwed);
  });
});
