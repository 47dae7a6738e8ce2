import { type Bus, inProcessBus } from '@order-automation/bus';
import { newAuditEntrySchema, newProcessId, type ReceivedWebhook, type Reception } from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import {
  type Document,
  type Documents,
  type Index,
  insertNew,
  type Store,
  StoreUnavailableError,
} from '@order-automation/store';
import { describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import type { InboxEvent } from '../src';
import { notBelieved } from '../src/gateways/refusal';
import { bodyBytes } from '../src/inbox/documents';
import {
  cardWebhook,
  genericWebhook,
  inboxOf,
  type Peers,
  payloadsOf,
  receive,
  receiveOne,
  start,
  startPeers,
  storedEvents,
  unconfirmedEntries,
} from './intake';

/** 500 and 100 by hand: `RACE_COPIES=100`, a multiple of 4. */
const events = Number(process.env.RACE_EVENTS ?? 500);
const copies = Number(process.env.RACE_COPIES ?? 4);
/** Groups in flight at once: a store that answers none of them within its timeout refuses them, which is another test. */
const senders = 16;
const timeout = 20_000 + events * copies;

/** A store that writes some documents of the first inserts of events and then refuses the insert, as one that finds a deadlock does. */
function endingWriters(store: Store, refusals: { left: number; written: number }): Store {
  return {
    ...store,
    collection: async <T extends Document>(name: string, indexes?: readonly Index[]) => {
      const documents = await store.collection<T>(name, indexes);
      if (name !== 'payloads') return documents;
      const insertMany: Documents<T>['insertMany'] = async (rows, options) => {
        if (refusals.left === 0) return documents.insertMany(rows, options);
        refusals.left -= 1;
        await insertNew(documents, rows.slice(0, refusals.written));
        throw Object.assign(new Error('deadlock detected'), { name: 'MongoBulkWriteError', code: 1 });
      };
      return { ...documents, insertMany };
    },
    close: () => store.close(),
  };
}

/** The store, whose outbox of entries takes none while `fails`. */
function failingOutbox(store: Store, fails: () => boolean): Store {
  const collection: Store['collection'] = async (name, indexes) => {
    const documents = await store.collection(name, indexes);
    if (name !== 'audit_outbox') return documents as never;
    const insertMany: typeof documents.insertMany = async (rows, options) => {
      if (fails()) throw new StoreUnavailableError('no room for entries');
      return documents.insertMany(rows, options);
    };
    return new Proxy(documents, {
      get: (target, property) => (property === 'insertMany' ? insertMany : Reflect.get(target, property, target)),
    }) as never;
  };
  return new Proxy(store, {
    get: (target, property) => {
      const value: unknown = property === 'collection' ? collection : Reflect.get(target, property, target);
      return property !== 'collection' && typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

describeLanes('receiving webhooks', (lane) => {
  let deps: LaneDeps;
  let service: Service;
  let peers: Peers;

  beforeEach(async () => {
    deps = await lane.deps();
    peers = await startPeers(deps.bus);
    await peers.listen();
    service = await start(deps);
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  const documentOf = async (processId: string): Promise<InboxEvent> => {
    const found = (await storedEvents(deps)).filter(({ process_id }) => process_id === processId);
    if (found.length !== 1 || !found[0]) throw new Error(`${found.length} documents`);
    return found[0];
  };

  test('an entry that cannot be stored refuses its own webhook, and none that is stored', async () => {
    await service.close();
    let fails = false;
    service = await start({ ...deps, store: failingOutbox(deps.store, () => fails) });
    const webhooks = Array.from({ length: 3 }, (_, index) => cardWebhook(`evt_${index}`, Date.now()));
    await receiveOne(deps.bus, webhooks[0] as ReceivedWebhook);
    fails = true;
    const [copy, ...fresh] = await receive(deps.bus, [
      { ...(webhooks[0] as ReceivedWebhook), process_id: newProcessId(Date.now()) },
      ...webhooks.slice(1),
      cardWebhook('evt_forged', Date.now(), { secret: 'another secret of sixteen' }),
    ]);
    expect(copy).toMatchObject({ success: false, unstored: true });
    expect(fresh.map(({ success }) => success)).toEqual([true, true, false]);
    fails = false;
    const again = { ...(webhooks[0] as ReceivedWebhook), process_id: newProcessId(Date.now()) };
    expect(await receiveOne(deps.bus, again)).toMatchObject({ success: true, duplicate: true });
  });

  test('an accepted webhook is stored as it came when it is answered, and published', async () => {
    const webhook = cardWebhook('evt_1', Date.now());
    const reception = await receiveOne(deps.bus, webhook);
    expect(reception).toEqual({
      success: true,
      message: '1 event processed',
      process_id: webhook.process_id,
      events_processed: 1,
      duplicate: false,
    });
    const document = await documentOf(webhook.process_id);
    expect(document).toMatchObject({ state: 'accepted', key: 'gateway_card:evt_1' });
    expect(bodyBytes(document)).toEqual(webhook.body);
    const event = await waitFor(() => peers.events[0]);
    expect(event).toMatchObject({ id: document._id, process_id: webhook.process_id, data: { event: document.event } });
    expect(event.data.webhook).toMatchObject({
      connection: null,
      body_bytes: webhook.body.length,
      metadata: { gateway_event_type: 'payment_intent.succeeded' },
    });
  });

  test('a group is answered in its order, each webhook by itself', async () => {
    const group = [
      genericWebhook({ type: 'refund', id: 'a' }),
      genericWebhook('{'),
      genericWebhook({ type: 'refund', id: 'a' }),
      cardWebhook('evt_2', Date.now()),
      { ...cardWebhook('evt_3', Date.now()), headers: {} },
      genericWebhook({ type: 'refund', id: 'b' }),
    ];
    const receptions = await receive(deps.bus, group);
    expect(receptions.map(({ success, duplicate }) => [success, duplicate])).toEqual([
      [true, false],
      [false, false],
      [true, true],
      [true, false],
      [false, false],
      [true, false],
    ]);
    expect(receptions[1]?.message).toBe('The body is not valid JSON.');
    expect(receptions[2]).toMatchObject({ process_id: group[0]?.process_id, events_processed: 0 });
    expect(receptions[4]?.message).toBe(notBelieved);
    await waitFor(() => peers.events.length === 3);
  });

  test('a copy of an event that has ended is recorded about the order of the event', async () => {
    const first = await receiveOne(deps.bus, cardWebhook('evt_ended', Date.now()));
    const event = await waitFor(
      () => peers.events.find(({ data }) => data.process_id === first.process_id)?.data.event,
    );
    await peers.finish(event.id, { order_id: 42 });
    await waitFor(async () =>
      (await storedEvents(deps)).some(({ _id, state }) => _id === event.id && state === 'done'),
    );
    await receiveOne(deps.bus, cardWebhook('evt_ended', Date.now()));
    const entry = await waitFor(() =>
      [...peers.entries.values()].find(
        ({ event_type, process_id }) => event_type === 'webhook_duplicate' && process_id === first.process_id,
      ),
    );
    expect(entry).toMatchObject({ order_id: 42, event_type: 'webhook_duplicate' });
  });

  test('a later copy is answered with the process of the first, has no effect, and is recorded once', async () => {
    const first = await receiveOne(deps.bus, cardWebhook('evt_4', Date.now()));
    const copy = cardWebhook('evt_4', Date.now(), { type: 'payment_intent.created' });
    const second = await receiveOne(deps.bus, copy);
    expect(second).toMatchObject({ success: true, duplicate: true, events_processed: 0, process_id: first.process_id });
    const entry = await waitFor(() =>
      [...peers.entries.values()].find(({ event_type }) => event_type === 'webhook_duplicate'),
    );
    expect(entry).toMatchObject({ process_id: first.process_id, details: { duplicate_process_id: copy.process_id } });
    await waitFor(async () => (await unconfirmedEntries(deps)) === 0);
    await waitFor(() => peers.events.length === 1);
    const stored = (await storedEvents(deps)).map(({ key, process_id }) => [key, process_id]);
    expect(stored).toEqual([['gateway_card:evt_4', first.process_id]]);
  });

  test('a webhook that the edge hands over again, because nobody has answered, is no copy', async () => {
    const webhook = cardWebhook('evt_again', Date.now());
    const first = await receiveOne(deps.bus, webhook);
    expect(await receiveOne(deps.bus, webhook)).toEqual(first);
    await waitFor(() => peers.events.length === 1);
    expect([...peers.entries.values()].filter(({ event_type }) => event_type === 'webhook_duplicate')).toEqual([]);
    expect((await storedEvents(deps)).map(({ key }) => key)).toEqual(['gateway_card:evt_again']);
  });

  test('the reception is recorded by intake when evaluation has not ended the event in a few seconds', async () => {
    const { process_id } = await receiveOne(deps.bus, cardWebhook('evt_r', Date.now()));
    await waitFor(() => peers.events.length === 1);
    expect(peers.entries.size).toBe(0);
    const entry = await waitFor(() => [...peers.entries.values()][0]);
    expect(newAuditEntrySchema.parse(entry)).toMatchObject({ event_type: 'webhook_received', process_id });
  });

  test('of a group that holds copies, only what is new is kept', async () => {
    const [old, fresh] = [cardWebhook('evt_8', Date.now()), cardWebhook('evt_9', Date.now())];
    await receiveOne(deps.bus, old);
    const group = [old, fresh].map((webhook) => ({ ...webhook, process_id: newProcessId(Date.now()) }));
    expect((await receive(deps.bus, group)).map(({ duplicate }) => duplicate)).toEqual([true, false]);
    const kept = await storedEvents(deps);
    expect(await (await payloadsOf(deps)).countDocuments({})).toBe(2);
    expect(kept.map(({ process_id }) => process_id).sort()).toEqual([old.process_id, group[1]?.process_id].sort());
    expect(kept.map((document) => bodyBytes(document).toString()).sort()).toEqual(
      [old, fresh].map(({ body }) => body.toString()).sort(),
    );
  });

  test.each([
    '\ufeff{"type":"refund","id":"\u{1F600} é","text":"\u2028"}',
    ' {"type":"refund","id":"nul","nul":"\\u0000","quote":"\\"\\\\"}\n',
  ])('bodies are given back byte for byte: %j', async (text) => {
    const [webhook, next] = [genericWebhook(text), genericWebhook({ type: 'refund', id: 'behind it' })];
    await receive(deps.bus, [webhook, next]);
    const kept = await storedEvents(deps);
    expect(kept.map(bodyBytes)).toEqual([webhook.body, next.body]);
  });

  test('a refused webhook is recorded once, and nothing of it stays', async () => {
    const webhooks = [
      { ...cardWebhook('evt_5', Date.now()), headers: {} },
      genericWebhook({ a: 1 }, { gateway: 'gateway_cash' }),
      genericWebhook({ a: 1 }, { connection: 'unknown' }),
      genericWebhook({ a: 1 }, { gateway: 'gateway_wallet' }),
      genericWebhook(''),
      genericWebhook('', { refused: 'too_large' }),
    ];
    const receptions = await receive(deps.bus, webhooks);
    expect(receptions.every(({ success }) => !success)).toBe(true);
    expect(new Set(receptions.slice(0, 4).map(({ message }) => message))).toEqual(new Set([notBelieved]));
    await waitFor(() => peers.entries.size === webhooks.length);
    const reasons = [...peers.entries.values()].map((entry) => newAuditEntrySchema.parse(entry).details.reason);
    expect(reasons.sort()).toEqual([
      'empty_body',
      'gateway_not_configured',
      'signature_missing',
      'too_large',
      'unknown_connection',
      'unknown_gateway',
    ]);
    await waitFor(async () => (await unconfirmedEntries(deps)) === 0);
    expect(await storedEvents(deps)).toEqual([]);
    expect(await (await inboxOf(deps)).countDocuments({})).toBe(0);
    expect([...peers.handed.values()]).toEqual(webhooks.map(() => 1));
    expect(peers.events).toEqual([]);
  });

  test('of an authentic webhook that is refused the event is kept, and nothing of the body', async () => {
    const refused = cardWebhook('evt_6', Date.now(), { isThin: true });
    const [first, second] = await receive(deps.bus, [refused, cardWebhook('evt_7', Date.now())]);
    expect([first?.success, second?.success]).toEqual([false, true]);
    const kept = await storedEvents(deps);
    expect(kept.map(({ state, body }) => [state, body !== undefined])).toEqual([
      ['refused', false],
      ['accepted', true],
    ]);
    expect(kept[0]).toMatchObject({ reason: expect.stringContaining('without the object') });
    expect(kept[0]?.webhook.body_bytes).toBe(refused.body.length);
  });

  test(
    `two instances, ${events} events, ${copies} copies of each at once: one of each is accepted`,
    async () => {
      peers.evaluation = 'reports_done';
      const otherBus = inProcessBus();
      const otherPeers = await startPeers(otherBus);
      otherPeers.evaluation = 'reports_done';
      await otherPeers.listen();
      const other = await start({ ...deps, bus: otherBus });
      const names = Array.from({ length: events }, (_, index) => `race-${index}`);
      // Each group has every event twice.
      const sendAll = async (bus: Bus, ids: readonly string[]): Promise<Reception[]> => {
        const receptions: Reception[] = [];
        for (let from = 0; from < ids.length; from += 25) {
          const group = ids.slice(from, from + 25).flatMap((id) => [genericWebhook({ id }), genericWebhook({ id })]);
          // In opposite orders, as two gateways have them.
          receptions.push(...(await receive(bus, bus === otherBus ? group.reverse() : group, timeout)));
        }
        return receptions;
      };
      const halves = [names.slice(0, events / 2), names.slice(events / 2)];
      const rounds = Array.from({ length: copies / 4 });
      const runs = rounds.flatMap(() => [deps.bus, otherBus].flatMap((bus) => halves.map((half) => ({ bus, half }))));
      const receptions: Reception[] = [];
      const sender = async (): Promise<void> => {
        for (let run = runs.shift(); run; run = runs.shift()) receptions.push(...(await sendAll(run.bus, run.half)));
      };
      await Promise.all(Array.from({ length: senders }, sender));
      expect(receptions).toHaveLength(events * copies);
      const failed = receptions.filter(({ success }) => !success);
      expect(failed).toEqual([]);
      expect(receptions.filter(({ events_processed }) => events_processed === 1)).toHaveLength(events);
      const inbox = await inboxOf(deps);
      const kept = await inbox.find({}).toArray();
      expect(kept).toHaveLength(events);
      const processes = new Set(kept.map(({ process_id }) => process_id));
      expect(processes.size).toBe(events);
      expect(receptions.filter(({ process_id }) => !processes.has(process_id))).toEqual([]);
      // Both are delivered at least once: events count by their id, entries by their uid.
      const published = () => new Set([...peers.events, ...otherPeers.events].map(({ id }) => id));
      await waitFor(() => published().size === events, { timeout: timeout });
      expect(published()).toEqual(new Set(kept.map(({ _id }) => _id)));
      // Evaluation records the receptions of what it ends, intake those that are late.
      const entries = () =>
        new Set([...peers.entries.keys(), ...otherPeers.entries.keys()].filter((uid) => uid.endsWith(':duplicate')));
      await waitFor(() => entries().size === events * (copies - 1), { timeout: timeout });
      await other.close();
      await otherBus.close();
    },
    60_000 + 20 * events * copies,
  );

  test.each([0, 1, 2])(
    'a database that ends a writer, %i of two documents written: both are stored, once',
    async (n) => {
      await service.close();
      const refusals = { left: 2, written: n };
      service = await start({ ...deps, store: endingWriters(deps.store, refusals) });
      const group = ['deadlock-1', 'deadlock-2'].map((id) => genericWebhook({ id }));
      const receptions = await receive(deps.bus, group);
      expect(receptions.map(({ success, duplicate }) => [success, duplicate])).toEqual(group.map(() => [true, false]));
      expect(refusals.left).toBe(0);
      const kept = await (await inboxOf(deps)).find({}).toArray();
      expect(kept.map(({ process_id }) => process_id).sort()).toEqual(group.map(({ process_id }) => process_id).sort());
    },
  );

  test('without a store every answer is a failure', async () => {
    await deps.store.close();
    const receptions = await receive(deps.bus, [
      cardWebhook('evt_6', Date.now()),
      genericWebhook('{'),
      genericWebhook({ id: 1 }),
    ]);
    expect(receptions).toHaveLength(3);
    for (const reception of receptions) {
      expect(reception).toMatchObject({ success: false, events_processed: 0, duplicate: false });
      expect(reception.message).toBe('The webhook could not be stored. Please send it again.');
    }
    expect(peers.events).toEqual([]);
    expect(peers.entries.size).toBe(0);
  });

  test('tells its state and what each adapter can do', async () => {
    const status = await deps.bus.request('intake.status.v1', {});
    expect(status).toMatchObject({ ready: true, reason: null });
    expect(status.adapters.map(({ gateway, status: state }) => [gateway, state])).toEqual([
      ['gateway_card', 'active'],
      ['gateway_wallet', 'inactive'],
      ['generic', 'active'],
      ['gateway_shop', 'inactive'],
    ]);
    await service.close();
    service = await start(deps, { GATEWAY_CARD_SECRETS: '', GENERIC_REQUIRE_CONNECTION: 'true' });
    const bare = await deps.bus.request('intake.status.v1', {});
    expect(bare.adapters[0]).toMatchObject({ gateway: 'gateway_card', status: 'inactive' });
    expect(bare.adapters[0]?.reason).toContain('signing secret');
    expect(await receive(deps.bus, [cardWebhook('evt_7', Date.now()), genericWebhook({ id: 'x' })])).toMatchObject([
      { success: false, message: notBelieved },
      { success: false, message: notBelieved },
    ]);
  });
});
