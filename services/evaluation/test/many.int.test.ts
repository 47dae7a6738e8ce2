import { message } from '@order-automation/contracts';
import { createMetrics, type Service } from '@order-automation/service';
import {
  buildRule,
  buildRuleData,
  describeLanes,
  type LaneDeps,
  settableClock,
  waitFor,
} from '@order-automation/testing';
import { startEvaluation } from '../src';
import { contextOf, type Peers, received, startPeers, testConfig } from './peers';

const quiet = { send_emails: false, update_stock: false };

describeLanes('evaluation: many events', (lane) => {
  const count = lane.name === 'embedded' ? 1_000 : 200;
  let clock = settableClock();
  let deps: LaneDeps;
  let peers: Peers;
  let services: Service[] = [];
  let database = 0;

  beforeEach(async () => {
    database += 1;
    clock = settableClock();
    deps = await lane.deps({ database: `m${database}`, clock });
    peers = await startPeers(deps.bus);
    for (let id = 1; id <= count; id += 1) peers.orders.set(id, contextOf(id));
    services = [];
  });
  afterEach(async () => {
    for (const service of services) await service.close();
  });

  const start = async (): Promise<void> => {
    services.push(await startEvaluation({ ...deps, metrics: createMetrics('evaluation') }, testConfig()));
  };
  const publish = (all: readonly ReturnType<typeof received>[]) =>
    deps.bus.publish(
      all.map((data) =>
        message('intake.event-received.v1', data, { id: data.event.id, process_id: data.process_id, now: Date.now() }),
      ),
    );
  const outcomes = () => new Map(peers.done.map(({ event_id, outcome }) => [event_id, outcome]));
  /** `speed`: milliseconds by which the clock advances at each look, so that nobody waits for a backoff. */
  const allDone = (all: readonly ReturnType<typeof received>[], speed = 2_000) =>
    waitFor(
      () => {
        clock.advance(speed);
        const known = outcomes();
        return all.every(({ event }) => known.has(event.id));
      },
      { timeout: 120_000, every: 100 },
    );

  test('one of a hundred poisons a stage: it alone is a dead letter, and is done once the cause is gone', async () => {
    await start();
    const all = Array.from({ length: count }, (_, index) => received(`pi_${index + 1}`, index + 1));
    const stages = [peers.poisoned.resolve, peers.poisoned.apply, peers.poisoned.record];
    const poisoned = Array.from({ length: count / 100 }, (_, index) => index * 100 + 50);
    for (const [index, id] of poisoned.entries()) stages[index % stages.length]?.add(id);
    await publish(all);
    await allDone(all);
    const known = outcomes();
    const dead = all
      .filter(({ event }) => known.get(event.id) === 'dead')
      .map(({ event }) => event.orderReference.order_id);
    expect(dead.map(Number)).toEqual(poisoned);
    expect([...known.values()].filter((outcome) => outcome === 'success')).toHaveLength(count - poisoned.length);

    for (const stage of stages) stage.clear();
    peers.done.length = 0;
    const again = poisoned.map((id) => {
      const data = all[id - 1] as (typeof all)[number];
      return { ...data, event: { ...data.event, id: `${data.event.id}_again` } };
    });
    await publish(again);
    await allDone(again);
    expect(new Set([...outcomes().values()])).toEqual(new Set(['success']));
    // On a slow server a request may run out of time and be sent again, with the same keys.
    if (lane.name === 'embedded') {
      const repeated = [...peers.commands.values()].filter((times) => times > 1);
      expect(repeated.length).toBeLessThanOrEqual(poisoned.length);
    }
    const notes = [...peers.entries.values()].filter(({ event_type }) => event_type === 'action_executed');
    expect(new Set(notes.map(({ order_id }) => order_id)).size).toBe(count);
  }, 240_000);

  test('two instances with opposite rules: every decision is made on the state that it changes', async () => {
    const rule = (id: number, trigger: string, action: string) =>
      buildRule({
        id,
        rule: buildRuleData({
          trigger: { id: trigger, settings: {} },
          conditions: [],
          primaryAction: { id: action, settings: quiet },
          secondaryActions: [],
        }),
      });
    peers.rules = [
      rule(1, 'payment_complete', 'change_status_to_completed'),
      rule(2, 'dispute_opened', 'change_status_to_on_hold'),
    ];
    await start();
    await start();
    const events = Array.from({ length: count }, (_, index) => {
      const id = index + 1;
      const dispute = received(`pi_dispute_${id}`, id);
      const event = { ...dispute.event, genericType: 'dispute_opened', primaryObjectID: `dp_${id}` } as const;
      return [received(`pi_${id}`, id), { ...dispute, event }];
    });
    await Promise.all([
      publish(events.map(([paid]) => paid as never)),
      publish(events.map(([, dispute]) => dispute as never)),
    ]);
    // Leases of two instances must not run out for want of real time.
    await allDone(events.flat(), 0);
    for (let id = 1; id <= count; id += 1) {
      const changes = peers.applied.get(id) ?? [];
      // Each change begins where the one before ended: nothing was overwritten that the decision did not know of.
      expect([id, ...changes.map(({ from }) => from)]).toEqual([
        id,
        'pending',
        ...changes.slice(0, -1).map(({ to }) => to),
      ]);
      expect([id, new Set(changes.map(({ to }) => to)).size]).toEqual([id, changes.length]);
      expect(peers.orders.get(id)?.order.status).toBe(changes.at(-1)?.to);
    }
    const failed = [...peers.entries.values()].filter(({ event_type }) => event_type === 'action_failed');
    expect(failed).toEqual([]);
  }, 240_000);
});
