import { type EventReceived, message, type UniversalEvent } from '@order-automation/contracts';
import type { Service } from '@order-automation/service';
import { buildRule, buildRuleData, describeLanes, type LaneDeps, waitFor } from '@order-automation/testing';
import { startEvaluation } from '../src';
import { contextOf, type Peers, received, startPeers, testConfig } from './peers';

const status = (to: 'completed' | 'on_hold') => ({ id: `change_status_to_${to}`, settings: {} });
const rule = (id: number, trigger: string, to: 'completed' | 'on_hold') =>
  buildRule({
    id,
    rule: buildRuleData({
      trigger: { id: trigger, settings: {} },
      conditions: [],
      primaryAction: status(to),
      secondaryActions: [],
    }),
  });

describeLanes('an event that is tried again', (lane) => {
  let deps: LaneDeps;
  let peers: Peers;
  let service: Service;

  beforeEach(async () => {
    deps = await lane.deps();
    peers = await startPeers(deps.bus);
    peers.rules = [rule(1, 'order_processing', 'completed'), rule(2, 'payment_failed', 'on_hold')];
    service = await startEvaluation(deps, testConfig());
  });
  afterEach(async () => {
    await service.close();
    await deps.close();
  });

  const publish = async (over: Partial<UniversalEvent>, order = 42): Promise<EventReceived> => {
    const data = received(`pi_${order}`, order);
    const event = { ...data, event: { ...data.event, ...over } };
    await deps.bus.publish(
      message('intake.event-received.v1', event, { process_id: data.process_id, now: Date.now() }),
    );
    return event;
  };
  const doneInTime = ({ event }: EventReceived) =>
    waitFor(
      () => {
        deps.clock.advance(5_000);
        return peers.done.find(({ event_id }) => event_id === event.id);
      },
      { timeout: 30_000, describe: `${event.id} done` },
    );
  const entriesOf = ({ process_id }: EventReceived) =>
    [...peers.entries.values()].filter((entry) => entry.process_id === process_id);
  const tried = (data: EventReceived) =>
    waitFor(() => entriesOf(data).find(({ event_type }) => event_type === 'retry_scheduled'), { timeout: 30_000 });

  it('does not act after a later one of the same payment, and the log says why it was tried again', async () => {
    peers.failing.add(42);
    const failed = await publish({
      genericType: 'payment_failed',
      eventType: 'payment.card.payment_intent_payment_failed',
      occurredAt: '2026-11-20T10:00:00.000Z',
    });
    expect(await tried(failed)).toMatchObject({
      status: 'pending',
      order_id: 42,
      summary: expect.stringContaining('WooCommerce answered 500 to PUT'),
    });
    peers.failing.delete(42);
    const succeeded = await publish({ occurredAt: '2026-11-20T10:01:00.000Z' });
    await waitFor(() => peers.done.some(({ event_id }) => event_id === succeeded.event.id));
    expect(await doneInTime(failed)).toMatchObject({ outcome: 'stale' });
    expect(peers.applied.get(42)).toEqual([{ from: 'pending', to: 'completed' }]);
    expect(entriesOf(failed).filter(({ event_type }) => event_type === 'retry_scheduled')).toHaveLength(1);
  }, 60_000);

  it('leaves nothing behind that waits, whatever happened on the way', async () => {
    const data = await publish({}, 77);
    const awaited = await deps.store.collection<{ _id: string }>('awaited');
    await waitFor(async () => (await awaited.countDocuments({})) > 0);
    peers.orders.set(77, contextOf(77));
    peers.failing.add(77);
    await deps.bus.publish(
      message(
        'shop.order-changed.v1',
        {
          change_id: 'chg_77',
          order_id: 77,
          kind: 'identified',
          from: 'pending',
          to: 'pending',
          at: new Date().toISOString(),
          cause: { process_id: 'proc_77', depth: 0, author: 'ada' },
          keys: ['number:77'],
        },
        { process_id: 'proc_77', now: Date.now() },
      ),
    );
    await tried(data);
    peers.failing.delete(77);
    expect(await doneInTime(data)).toMatchObject({ outcome: 'success' });
    await waitFor(async () => (await awaited.countDocuments({})) === 0, { describe: 'nobody waits' });
  }, 60_000);
});
