import { type EventReceived, message, type RuleRecord } from '@order-automation/contracts';
import { createMetrics, type Service } from '@order-automation/service';
import { describeLanes, type LaneDeps, settableClock, waitFor } from '@order-automation/testing';
import { evaluationIndexes, startEvaluation } from '../src';
import type { StoredEvaluation } from '../src/stored-evaluation';
import { noteRule, type Peers, received, ruleThatFails, startPeers } from './peers';

describeLanes('evaluation', (lane) => {
  const clock = settableClock();
  let deps: LaneDeps;
  let peers: Peers;
  let service: Service;
  let database = 0;

  beforeEach(async () => {
    database += 1;
    deps = await lane.deps({ database: `d${database}`, clock });
    peers = await startPeers(deps.bus);
    service = await startEvaluation(deps, {});
  });
  afterEach(() => service?.close());

  const eventMessage = (data: EventReceived, id = data.event.id) =>
    message('intake.event-received.v1', data, { id, process_id: data.process_id, now: Date.now() });
  const publish = (data: EventReceived, id = data.event.id) => deps.bus.publish(eventMessage(data, id));
  const documents = () => deps.store.collection<StoredEvaluation>('evaluations', evaluationIndexes);
  const doneWith = (id: string) =>
    waitFor(() => peers.done.find(({ event_id }) => event_id === id), { timeout: 30_000, describe: `${id} done` });
  const taken = async (id: string) => (await (await documents()).findOne({ _id: id }))?.state;

  it('evaluates, acts, tells audit, and reports', async () => {
    const data = received('pi_a');
    await publish(data);
    expect(await doneWith(data.event.id)).toMatchObject({
      outcome: 'success',
      order_id: 42,
      rules: [1],
      matched: [1],
      reception_told: true,
    });
    expect([...peers.entries.values()].map(({ event_type }) => event_type).sort()).toEqual([
      'action_executed',
      'process_completed',
      'rule_evaluation',
      'webhook_received',
    ]);
    expect(await taken(data.event.id)).toBe('done');
  });

  const restartWith = async (...rules: RuleRecord[]): Promise<void> => {
    peers.rules = rules;
    await service.close();
    service = await startEvaluation({ ...deps, metrics: createMetrics('evaluation') }, {});
  };

  it('stores the verdicts of the rules after the one that acted', async () => {
    await restartWith(noteRule(1), ruleThatFails);
    const data = received('pi_j');
    await publish(data);
    const verdicts = { rules: [1, 2], matched: [1] };
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success', ...verdicts });
    expect(await (await documents()).findOne({ _id: data.event.id })).toMatchObject(verdicts);
  });

  it('acts once on an event that comes again, and reports it done again', async () => {
    const data = received('pi_b');
    await publish(data);
    await doneWith(data.event.id);
    const reception = `${data.event.id}:received`;
    peers.entries.delete(reception);
    await publish(data, `${data.event.id}:1`);
    await waitFor(() => peers.done.filter(({ event_id }) => event_id === data.event.id).length === 2, {
      timeout: 30_000,
    });
    expect([...peers.commands.values()]).toEqual([1]);
    expect(peers.entries.size).toBe(4);
    expect([...peers.entries.keys()].at(-1)).toBe(reception);
  });

  it('keeps what it has decided while the shop is away, and goes on when it is back', async () => {
    peers.shop = 'away';
    const data = received('pi_c');
    await publish(data);
    const open = await waitFor(async () => (await documents()).findOne({ _id: data.event.id }), { timeout: 30_000 });
    expect(open.steps?.[0]).toMatchObject({ matched: true, actions: [{ id: 'add_order_note' }] });
    expect(open.steps?.[0]?.actions?.[0]).not.toHaveProperty('result');
    peers.rules = [];
    peers.shop = 'up';
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success' });
    expect([...peers.commands.values()]).toEqual([1]);
  });

  it('reports nothing done before audit has it', async () => {
    peers.audit = 'away';
    const data = received('pi_d');
    await publish(data);
    await waitFor(() => peers.commands.size === 1, { timeout: 30_000 });
    expect(await taken(data.event.id)).toBe('open');
    expect(peers.done).toEqual([]);
    peers.audit = 'up';
    await doneWith(data.event.id);
    const told = [...peers.entries.values()].filter(({ event_type }) => event_type === 'action_executed');
    expect(told.map(({ status }) => status)).toEqual(['success']);
  });

  it('claims what nothing follows from only when audit is away, and tells it when audit is back', async () => {
    await restartWith(ruleThatFails);
    peers.audit = 'away';
    const data = received('pi_k');
    await publish(data);
    const open = await waitFor(async () => (await documents()).findOne({ _id: data.event.id }), { timeout: 30_000 });
    expect(open).toMatchObject({ state: 'open', steps: [{ rule_id: 2, matched: false }] });
    expect(peers.done).toEqual([]);
    peers.audit = 'up';
    const end = { outcome: 'no_match', rules: [2], matched: [], reception_told: false };
    expect(await doneWith(data.event.id)).toMatchObject(end);
    expect([...peers.entries.values()].map(({ event_type }) => event_type).sort()).toEqual([
      'process_completed',
      'rule_evaluation',
    ]);
  });

  it('stores an event on which nothing follows once, as done, when it is told', async () => {
    await restartWith(ruleThatFails);
    const [first, second] = [received('pi_l'), received('pi_m')];
    await deps.bus.publish(
      [first, second, first].map((data, index) => eventMessage(data, `${data.event.id}:${index}`)),
    );
    await doneWith(first.event.id);
    const end = { outcome: 'no_match', rules: [2], matched: [], reception_told: true };
    expect(await doneWith(second.event.id)).toMatchObject(end);
    expect(peers.entries.size).toBe(6);
    const stored = await (await documents()).find({}).toArray();
    expect(stored.map(({ state, fence, lease_until }) => [state, fence, lease_until])).toEqual([
      ['done', 1, 0],
      ['done', 1, 0],
    ]);
  });

  it('does not tell other verdicts of an event that is claimed already', async () => {
    peers.shop = 'away';
    const data = received('pi_n');
    await publish(data);
    await waitFor(async () => (await taken(data.event.id)) === 'open', { timeout: 30_000 });
    await restartWith(ruleThatFails);
    await publish(data, `${data.event.id}:1`);
    const other = received('pi_o');
    await publish(other);
    expect(await doneWith(other.event.id)).toMatchObject({ outcome: 'no_match' });
    expect([...peers.entries.values()].filter(({ process_id }) => process_id === data.process_id)).toEqual([]);
    peers.shop = 'up';
    clock.advance(60_000);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success', matched: [1] });
  });

  it('gives an event up on which the shop breaks again and again, with the others done', async () => {
    const poison = received('pi_e');
    peers.shop = 'broken';
    await publish(poison);
    expect(await doneWith(poison.event.id)).toMatchObject({ outcome: 'dead' });
    peers.shop = 'up';
    const good = received('pi_f');
    await publish(good);
    expect(await doneWith(good.event.id)).toMatchObject({ outcome: 'success' });
  });

  it('continues what a process that died has claimed, once its lease is over', async () => {
    peers.shop = 'away';
    const data = received('pi_g');
    await publish(data);
    await waitFor(async () => (await taken(data.event.id)) === 'open', { timeout: 30_000 });
    await service.close();
    await (await documents()).updateOne(
      { _id: data.event.id },
      { $set: { lease_until: clock.now() + 20_000, fence: 7 } },
    );
    peers.shop = 'up';
    service = await startEvaluation({ ...deps, metrics: createMetrics('evaluation') }, {});
    clock.advance(60_000);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success' });
    expect([...peers.commands.values()]).toEqual([1]);
    expect((await (await documents()).findOne({ _id: data.event.id }))?.fence).toBe(8);
  });

  it('says that no order belongs to an event, and runs nothing', async () => {
    const data = received('pi_h');
    data.event.orderReference.order_id = '43';
    await publish(data);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'no_order', order_id: null });
    expect(peers.commands.size).toBe(0);
  });

  it('acts once for two events of one payment', async () => {
    const first = received('pi_i');
    const second = received('pi_i');
    await publish(first);
    await publish(second);
    await doneWith(first.event.id);
    await doneWith(second.event.id);
    expect([...peers.commands.values()]).toEqual([2]);
    const results = [...peers.entries.values()]
      .filter(({ event_type }) => event_type === 'action_executed')
      .map(({ details }) => details.result);
    expect(results.sort()).toEqual(['already_applied', 'applied']);
  });
});
