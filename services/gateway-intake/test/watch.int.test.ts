import { message } from '@order-automation/contracts';
import { createMetrics, type Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, type SettableClock, waitFor } from '@order-automation/testing';
import { startIntake } from '../src';
import { cardWebhook, configured, inboxOf, laterClock, type Peers, receiveOne, startPeers } from './intake';

describeLanes('what is measured of the inbox', (lane) => {
  let deps: LaneDeps;
  let clock: SettableClock;
  let service: Service | undefined;
  let metrics: ReturnType<typeof createMetrics>;
  let peers: Peers;

  beforeEach(async () => {
    clock = laterClock();
    deps = await lane.deps({ clock });
    peers = await startPeers(deps.bus);
    metrics = createMetrics('gateway-intake');
  });
  afterEach(async () => {
    await service?.close();
    await deps.close();
  });

  const receive = (id: string, now: number) =>
    receiveOne(deps.bus, { ...cardWebhook(id, now), received_at: new Date(now).toISOString() });
  const startAgain = async (): Promise<void> => {
    await service?.close();
    metrics = createMetrics('gateway-intake');
    service = await startIntake({ ...deps, metrics }, configured());
  };
  const measured = async (name: string): Promise<number | undefined> => {
    const metric = await metrics.getSingleMetric(`order_automation_intake_${name}`)?.get();
    return metric?.values[0]?.value;
  };

  test('the oldest unfinished event is one that does not wait for its order', async () => {
    await startAgain();
    await receive('evt_waits', clock.now());
    const [waits] = await (await inboxOf(deps)).find({}).toArray();
    clock.advance(3_600_000);
    await receive('evt_late', clock.now());
    clock.advance(60_000);

    await startAgain();
    expect(await waitFor(async () => (await measured('oldest_unfinished_seconds')) ?? 0)).toBeGreaterThanOrEqual(3_600);
    expect(await measured('backlog_events')).toBe(2);

    const waiting = {
      event_id: waits?._id ?? '',
      origin: 'intake' as const,
      waiting_for: 'order 1',
      until: '2030-01-01T00:00:00.000Z',
    };
    await deps.bus.publish(message('evaluation.events-waiting.v1', { events: [waiting] }, { now: clock.now() }));
    await waitFor(async () => (await (await inboxOf(deps)).countDocuments({ state: 'waiting' })) === 1);
    await startAgain();
    const age = await waitFor(async () => (await measured('oldest_unfinished_seconds')) ?? 0);
    expect(age).toBeGreaterThanOrEqual(59);
    expect(age).toBeLessThan(3_600);
    expect(await measured('backlog_events')).toBe(1);
  });

  test('each gateway says when it last accepted an event, after a restart too', async () => {
    await startAgain();
    const at = clock.now();
    await receive('evt_1', at);
    await startAgain();
    const last = await waitFor(() => measured('last_accepted_timestamp_seconds'));
    expect(Math.abs(last - at / 1000)).toBeLessThan(120);
    const { values } = (await metrics
      .getSingleMetric('order_automation_intake_last_accepted_timestamp_seconds')
      ?.get()) ?? { values: [] };
    expect(values.map(({ labels }) => labels.gateway)).toEqual(['gateway_card']);
  });

  test('dead letters and held events are counted where they are', async () => {
    await startAgain();
    await receive('evt_dead', clock.now());
    const [first] = await (await inboxOf(deps)).find({}).toArray();
    await peers.finish(first?._id ?? '', { outcome: 'dead' });
    await waitFor(async () => (await (await inboxOf(deps)).countDocuments({ state: 'dead' })) === 1);
    await receive('evt_accepted', clock.now());
    await deps.bus.request('intake.gateway.pause.v1', { gateway: 'gateway_card', paused: true });
    await receive('evt_held', clock.now());
    await startAgain();
    const names = ['backlog_events', 'dead_letters', 'held_events'];
    await waitFor(async () => (await Promise.all(names.map(measured))).every((count) => count === 1));
    expect(await deps.bus.request('intake.figures.get.v1', {})).toEqual({
      unfinished: 1,
      oldest_at: expect.any(String),
      waiting: 0,
      verifying: 0,
      dead: 1,
      held: [{ sender: 'gateway_card', total: 1 }],
      recovered: [],
    });
  });
});
