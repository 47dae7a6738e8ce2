import { createMetrics } from '@order-automation/service';
import { buildRule, buildRuleData, describeLanes, waitFor } from '@order-automation/testing';
import { startEvaluation } from '../src';
import { config, useEvaluation } from './evaluation-world';
import { contextOf, noteRule, received, ruleThatFails } from './peers';

const complete = { id: 'change_status_to_completed', settings: { send_emails: false, update_stock: false } };

describeLanes('evaluation', (lane) => {
  const world = useEvaluation(lane);
  const {
    publish,
    eventMessage,
    documents,
    stored,
    storedAs,
    doneWith,
    doneInTime,
    allEntriesOf,
    entriesOf,
    restartWith,
  } = world;

  it('evaluates, acts, records, and reports', async () => {
    const data = received('pi_a');
    await publish(data);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success', order_id: 42, rules: [1], matched: [1] });
    expect(allEntriesOf(data).map(({ event_type, rule_id, order_id }) => [event_type, rule_id, order_id])).toEqual([
      ['webhook_received', null, 42],
      ['event_normalized', null, 42],
      ['rule_evaluation', 1, 42],
      ['action_executed', 1, 42],
      ['process_completed', null, 42],
    ]);
    expect(await stored(data.event.id)).toMatchObject({ state: 'done', rules: [{ id: 1, version: 1 }], steps: [] });
  });

  it('stores the verdicts of the rules after the one that acted', async () => {
    await restartWith(noteRule(1), ruleThatFails);
    const data = received('pi_j');
    await publish(data);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success', rules: [1, 2], matched: [1] });
    expect(entriesOf(data).map(({ event_type, rule_id }) => [event_type, rule_id])).toContainEqual([
      'rule_evaluation',
      2,
    ]);
  });

  it('acts once on an event that is delivered again, and reports it again', async () => {
    const data = received('pi_b');
    await publish(data);
    await doneWith(data.event.id);
    const recorded = world.peers.entries.size;
    await publish(data, `${data.event.id}:1`);
    await waitFor(() => world.peers.done.filter(({ event_id }) => event_id === data.event.id).length === 2, {
      timeout: 30_000,
    });
    expect([...world.peers.commands.values()]).toEqual([1]);
    expect(world.peers.entries.size).toBe(recorded);
  });

  it('keeps what it has decided while the shop is unavailable, in the version of the rule that it began with', async () => {
    const data = received('pi_c');
    const gone = world.service;
    await restartWith(noteRule(1), ruleThatFails);
    expect(gone).not.toBe(world.service);
    world.peers.audit = 'away';
    await publish(data);
    await storedAs(data.event.id, 'open');
    await waitFor(() => world.peers.commands.size === 1);
    world.peers.rules = [];
    world.peers.revision += 1;
    world.peers.audit = 'up';
    expect(await doneInTime(data.event.id)).toMatchObject({ outcome: 'success', rules: [1, 2] });
    expect([...world.peers.commands.values()]).toEqual([1]);
  });

  it('tries for ever while the shop is unavailable', async () => {
    world.peers.shop = 'away';
    const data = received('pi_p');
    await publish(data);
    await waitFor(
      async () => {
        world.clock.advance(5_000);
        return ((await stored(data.event.id))?.tries ?? 0) > 8;
      },
      { timeout: 30_000 },
    );
    expect(await stored(data.event.id)).toMatchObject({ state: 'open', attempts: 0 });
    world.peers.shop = 'up';
    expect(await doneInTime(data.event.id)).toMatchObject({ outcome: 'success' });
  });

  it('reports nothing done before the log has it, and does nothing twice', async () => {
    world.peers.audit = 'away';
    const data = received('pi_d');
    await publish(data);
    await waitFor(() => world.peers.commands.size === 1, { timeout: 30_000 });
    expect((await storedAs(data.event.id, 'open')).steps[0]).toMatchObject({ matched: true });
    expect(world.peers.done).toEqual([]);
    world.peers.audit = 'up';
    await doneInTime(data.event.id);
    const recorded = entriesOf(data).filter(({ event_type }) => event_type === 'action_executed');
    expect(recorded.map(({ status }) => status)).toEqual(['success']);
    expect([...world.peers.commands.values()]).toEqual([1]);
  });

  it('stores an event on which nothing follows once, as done', async () => {
    await restartWith(ruleThatFails);
    const [first, second] = [received('pi_l'), received('pi_m')];
    await world.deps.bus.publish(
      [first, second, first].map((data, index) => eventMessage(data, `${data.event.id}:${index}`)),
    );
    await doneWith(first.event.id);
    expect(await doneWith(second.event.id)).toMatchObject({ outcome: 'no_match', rules: [2], matched: [] });
    const all = await (await documents()).find({}).toArray();
    expect(all.map(({ state, fence }) => [state, fence])).toEqual([
      ['done', 1],
      ['done', 1],
    ]);
  });

  it('a schedule fires once for each order, and catches up once after a stop', async () => {
    const trigger = { id: 'schedule', settings: { cron: '0 9 * * *', order_statuses: ['on-hold'] } };
    const note = { id: 'add_order_note', settings: { note_text: 'reminder' } };
    const rule = buildRule({
      id: 5,
      rule: buildRuleData({ trigger, conditions: [], primaryAction: null, secondaryActions: [note] }),
    });
    const { order } = contextOf(50);
    world.peers.orders.set(50, { order: { ...order, status: 'on-hold' }, products: [] });
    await restartWith(rule);
    const other = await startEvaluation({ ...world.deps, metrics: createMetrics('evaluation') }, config);
    const schedules = await world.deps.store.collection<{ _id: number; next: number }>('schedules');
    await waitFor(async () => (await schedules.findOne({ _id: 5 }))?.next, { timeout: 30_000 });
    await world.stop();
    world.clock.advance(3 * 24 * 60 * 60 * 1000);
    await world.start();
    const fired = () => world.peers.done.filter(({ origin }) => origin === 'schedule');
    await waitFor(() => fired().length > 0, { timeout: 30_000 });
    await waitFor(async () => ((await schedules.findOne({ _id: 5 }))?.next ?? 0) > world.clock.now());
    expect(fired()).toMatchObject([{ outcome: 'success', order_id: 50, matched: [5] }]);
    const entries = [...world.peers.entries.values()].filter(({ rule_id }) => rule_id === 5);
    expect(entries.map(({ event_type, source }) => [event_type, source])).toEqual([
      ['rule_evaluation', 'scheduled'],
      ['action_executed', 'scheduled'],
    ]);
    await other.close();
  });

  it('decides again when the order has moved meanwhile', async () => {
    const rule = buildRule({ id: 1, rule: buildRuleData({ conditions: [], primaryAction: complete }) });
    await restartWith(rule);
    const { order } = contextOf(42);
    world.peers.orders.set(42, { order, products: [] });
    world.peers.beforeApply = () => {
      order.status = 'on-hold';
    };
    const data = received('pi_t');
    await publish(data);
    await doneWith(data.event.id);
    expect([world.peers.stale, order.status]).toEqual([1, 'completed']);
    expect(entriesOf(data).map(({ event_type }) => event_type)).toEqual([
      'rule_evaluation',
      'action_executed',
      'process_completed',
    ]);
  });
});
