import { newId, type RequestInput, ServiceError } from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import { expectUsesIndex, explain } from '../../../shared/store/test/explain';
import { openReplayJobs } from '../src/inbox/replay-job-documents';
import { cardWebhook, inboxOf, laterClock, type Peers, receive, start, startPeers } from './intake';

describeLanes('replaying many events', (lane) => {
  let deps: LaneDeps;
  let clock: SettableClock;
  let service: Service;
  let peers: Peers;
  let finishing: 'done' | 'dead' | undefined;

  beforeEach(async () => {
    clock = laterClock();
    deps = await lane.deps({ clock });
    peers = await startPeers(deps.bus);
    finishing = 'dead';
    await deps.bus.subscribe(
      'intake.event-received.v1',
      'evaluation',
      async (messages) => {
        peers.events.push(...messages);
        for (const { data } of messages)
          if (finishing !== undefined)
            await peers.finish(data.event.id, {
              outcome: finishing === 'dead' ? 'dead' : 'no_match',
              ...(finishing === 'dead' && { reason: 'The shop failed.' }),
            });
      },
      { maxBatch: 100 },
    );
    service = await start(deps);
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  const countOf = async (state: 'done' | 'dead'): Promise<number> => (await inboxOf(deps)).countDocuments({ state });
  const receiveDead = async (count: number): Promise<void> => {
    const webhooks = Array.from({ length: count }, (_, index) => cardWebhook(`evt_${index}`, clock.now()));
    for (let at = 0; at < count; at += 100) await receive(deps.bus, webhooks.slice(at, at + 100));
    await waitFor(async () => (await countOf('dead')) === count, { timeout: 60_000 });
  };
  const replay = (input: Partial<RequestInput<'intake.events.replay.v1'>> = {}) =>
    deps.bus.request(
      'intake.events.replay.v1',
      { filter: { state: 'dead' }, preview: false, by: 'ada', ...input },
      { timeout: 60_000 },
    );
  const jobOf = async (id: string) => (await deps.bus.request('intake.replay-job.get.v1', { id })).job;
  const summaries = () =>
    [...peers.entries.values()]
      .filter(({ event_type }) => event_type === 'webhook_replayed')
      .map(({ summary }) => summary);

  test('the message of a replayed event names the event that it repeats, and when that was asked for', async () => {
    await receiveDead(1);
    finishing = 'done';
    clock.advance(3_600_000);
    await replay();
    await waitFor(() => peers.events.length === 2);
    const [first, again] = peers.events;
    expect([first?.causation_id, again?.causation_id]).toEqual([null, first?.data.event.id]);
    expect(again?.data.event.receivedAt).toBe(first?.data.event.receivedAt);
    const asked = [first, again].map((message) => message?.data.replayed_at);
    expect(asked).toEqual([undefined, new Date(clock.now()).toISOString()]);
  });

  test('each event once, also of more than one answer holds and over a restart; the log says who and how many', async () => {
    await receiveDead(650);
    expect(await replay({ preview: true })).toMatchObject({ matching: 650, replayed: 0, remaining: 650 });
    finishing = 'done';
    const before = peers.events.length;
    const begun = await replay();
    expect(begun).toMatchObject({ matching: 650, replayed: 500, remaining: 150, job: { state: 'running', by: 'ada' } });
    await service.close();
    service = await start(deps);
    const id = begun.job?.id ?? '';
    const done = await waitFor(
      async () => {
        const job = await jobOf(id);
        return job.state === 'done' && job;
      },
      { timeout: 60_000 },
    );
    expect(done).toMatchObject({ matching: 650, replayed: 650 });
    await waitFor(async () => (await countOf('done')) === 1300, { timeout: 60_000 });
    const replays = peers.events.slice(before);
    expect(new Set(replays.map(({ data }) => data.event.idempotencyKey)).size).toBe(650);
    expect(new Set(replays.map(({ data }) => data.event.id)).size).toBe(650);
    expect(await countOf('dead')).toBe(0);
    await waitFor(() => summaries().length === 2);
    expect(summaries()).toEqual([
      'ada began to replay 650 events (state dead).',
      'The replay that ada began is complete: 650 events replayed.',
    ]);
    expect(await replay()).toEqual({ matching: 0, replayed: 0, remaining: 0, events: [] });
    const { jobs } = await deps.bus.request('intake.replay-job.list.v1', {});
    expect(jobs).toEqual([done]);
  }, 180_000);

  test('a replay that fails again is a dead letter that can be replayed, and its original is none', async () => {
    await receiveDead(3);
    const first = await replay();
    expect(first).toMatchObject({ matching: 3, replayed: 3, remaining: 0, job: { state: 'done' } });
    await waitFor(async () => (await countOf('dead')) === 3);
    finishing = 'done';
    expect(await replay()).toMatchObject({ matching: 3, replayed: 3 });
    await waitFor(async () => (await countOf('dead')) === 0);
    expect(await replay({ filter: {}, preview: true })).toMatchObject({ matching: 3 });
  }, 60_000);

  test('references are read as the settings are now', async () => {
    const set = (order_reference: 'auto' | 'number', order_prefix: string) =>
      deps.bus.request('intake.gateway.reference.v1', { gateway: 'gateway_card', order_reference, order_prefix });
    const readings = () => peers.events.map(({ data }) => data.event.orderReference.reading);
    await receiveDead(1);
    await set('number', 'SHOP-');
    await replay();
    await waitFor(async () => readings().length === 2 && (await countOf('dead')) === 1);
    await set('auto', '');
    await replay();
    await waitFor(() => readings().length === 3);
    expect(readings()).toEqual([undefined, { order_reference: 'number', order_prefix: 'SHOP-' }, undefined]);
  }, 60_000);

  test('with the original rules each event takes the versions it was evaluated with; one that never was is skipped', async () => {
    await receiveDead(3);
    const ids = (await (await inboxOf(deps)).find({ state: 'dead' }).toArray()).map(({ _id }) => _id).sort();
    const [never = ''] = ids;
    const versionsOf = (id: string) => [{ id: 7, version: ids.indexOf(id) }];
    await deps.bus.respond('evaluation.event.rules.v1', async ({ event_id }) => {
      if (event_id === never) throw new ServiceError(409, 'svc_event_not_evaluated', 'It was never evaluated.');
      return { rules: versionsOf(event_id) };
    });
    finishing = 'done';
    const before = peers.events.length;
    const begun = await replay({ rules: 'original' });
    const job = { state: 'done', rules: 'original', replayed: 2, skipped: 1 };
    expect(begun).toMatchObject({ matching: 3, replayed: 2, remaining: 0, job });
    expect(begun.events.map(({ event_id }) => event_id)).toEqual(ids.slice(1));
    await waitFor(() => peers.events.length === before + 2);
    const replayedAs = new Map(begun.events.map(({ replay_id, event_id }) => [replay_id, event_id]));
    for (const { data } of peers.events.slice(before))
      expect(data.rules).toEqual(versionsOf(replayedAs.get(data.event.id) ?? ''));
    await waitFor(() => summaries().length === 2);
    expect(summaries()).toEqual([
      'ada began to replay 3 events (state dead), each with the rules as they were when it was evaluated.',
      'The replay that ada began is complete: 2 events replayed, 1 event skipped that had never been evaluated.',
    ]);
    expect(await replay({ preview: true })).toMatchObject({ matching: 1 });
  }, 60_000);

  test('a job that a process held whose clock ran ahead goes on when it is right', async () => {
    await receiveDead(10);
    finishing = undefined;
    const { job } = await replay();
    const jobs = await openReplayJobs(deps.store);
    const due = clock.now() + 400 * 24 * 60 * 60_000;
    await jobs.documents.updateOne({ _id: job?.id ?? '' }, { $set: { state: 'running', due } });
    await waitFor(async () => (await jobOf(job?.id ?? '')).state === 'done');
  });

  test('what is cancelled goes no further, and what nobody knows is 404', async () => {
    await receiveDead(650);
    finishing = undefined;
    const { job } = await replay();
    const id = job?.id ?? '';
    const cancelled = await deps.bus.request('intake.replay-job.cancel.v1', { id, by: 'bob' });
    expect(cancelled.job).toMatchObject({ state: 'cancelled', matching: 650, finished_at: expect.any(String) });
    expect(await deps.bus.request('intake.replay-job.cancel.v1', { id })).toEqual(cancelled);
    await waitFor(() => summaries().some((summary) => summary.includes('was cancelled by bob')));
    await expect(deps.bus.request('intake.replay-job.get.v1', { id: 'rpl_0' })).rejects.toMatchObject({ status: 404 });
  }, 60_000);

  test('a job that ran under the first version goes on', async () => {
    await receiveDead(1);
    await service.close();
    const documents = await deps.store.collection<{ _id: string }>('replay_jobs');
    const job = {
      _id: newId('rpl', clock.now()),
      state: 'running',
      filter: { state: 'dead' },
      by: 'ada',
      states: ['dead'],
      cursor: '',
      upto: newId('evt', clock.now() + 60_000),
      matching: 1,
      replayed: 0,
      lease_until: clock.now() + 30_000,
      started_at: new Date(clock.now()).toISOString(),
    };
    await documents.insertOne(job);
    finishing = 'done';
    service = await start(deps);
    await waitFor(async () => (await jobOf(job._id)).state === 'done');
    expect(await jobOf(job._id)).toMatchObject({ matching: 1, replayed: 1 });
    expect(await documents.findOne({ _id: job._id })).not.toHaveProperty('lease_until');
  }, 60_000);

  test('its queries walk an index', async () => {
    const { documents } = await openReplayJobs(deps.store);
    for (const due of [{ $lte: 1 }, { $gt: 1 }]) await expectUsesIndex(deps.store, documents, { due }, { due: 1 });
    await expectUsesIndex(deps.store, documents, {}, { _id: -1 });
    for (const filter of [{ _id: 'rpl_1' }, { _id: { $lt: 'rpl_1' } }]) {
      const { usesIndex, engine, detail } = await explain(deps.store, documents, filter);
      expect([filter, usesIndex || engine === 'secantus' || detail]).toEqual([filter, true]);
    }
  });
});
