import type { EventReceived } from '@order-automation/contracts';
import { describeLanes, waitFor } from '@order-automation/testing';
import { config, useEvaluation } from './evaluation-world';
import { contextOf, noteRule, received } from './peers';

describeLanes('evaluation: what fails, dies or is replayed', (lane) => {
  const world = useEvaluation(lane);
  const { publish, eventMessage, documents, stored, storedAs, reported, doneWith, doneInTime, entriesOf, restartWith } =
    world;

  it('of 20 events of which one is poison, 19 are done and one is a dead letter', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    for (const id of ids) world.peers.orders.set(id, contextOf(id));
    world.peers.poison = 13;
    const all = ids.map((id) => received(`pi_poison_${id}`, id));
    await world.deps.bus.publish(all.map((data) => eventMessage(data)));
    for (const { event } of all) await doneInTime(event.id);
    const outcomes = all.map(({ event }) => reported(event.id)?.outcome);
    expect(
      outcomes.map((outcome, index) => [index + 1, outcome]).filter(([, outcome]) => outcome !== 'success'),
    ).toEqual([[13, 'dead']]);
    const dead = all[12] as EventReceived;
    expect(reported(dead.event.id)?.reason).toBe('The shop failed.');
    expect(all.map(({ event }) => reported(event.id)?.reason).filter(Boolean)).toHaveLength(1);
    expect(entriesOf(dead)).toMatchObject([
      {
        event_type: 'dead_lettered',
        status: 'error',
        order_id: 13,
        summary: expect.stringContaining('given up after 5 tries (The shop failed). Events'),
      },
    ]);
    expect(await stored(dead.event.id)).toMatchObject({ state: 'dead', attempts: 5, error: 'The shop failed.' });
    expect(world.peers.commands.size).toBe(19);
    world.peers.poison = null;
    world.peers.done.length = 0;
    const again = { ...dead, event: { ...dead.event, id: `${dead.event.id}_again` } };
    await publish(again);
    expect(await doneInTime(again.event.id)).toMatchObject({ outcome: 'success', order_id: 13 });
  });

  it('an order that the shop fails on is tried again for EFFECT_PATIENCE; other events go on', async () => {
    world.peers.orders.set(13, contextOf(13));
    world.peers.failing.add(13);
    const started = world.clock.now();
    const [failing, other] = [received('pi_failing', 13), received('pi_other_order', 42)];
    const failsThenWorks = received('pi_works_again', 14);
    world.peers.orders.set(14, contextOf(14));
    world.peers.failing.add(14);
    for (const data of [failing, failsThenWorks, other]) await publish(data);
    expect(await doneWith(other.event.id)).toMatchObject({ outcome: 'success' });
    const tried = async (tries: number) =>
      waitFor(
        async () => {
          const document = await stored(failing.event.id);
          if ((document?.tries ?? 0) < tries) world.clock.advance(1_000);
          return (document?.tries ?? 0) >= tries && document;
        },
        { timeout: 30_000 },
      );
    const retried = await tried(8);
    expect(retried).toMatchObject({ state: 'open', attempts: 0 });
    expect(reported(failing.event.id)).toBeUndefined();
    world.peers.failing.delete(14);
    expect(await doneInTime(failsThenWorks.event.id)).toMatchObject({ outcome: 'success', order_id: 14 });
    expect(world.clock.now() - started).toBeLessThan(config.giveUpAfter);
    expect(reported(failing.event.id)).toBeUndefined();
    world.clock.advance(config.giveUpAfter);
    expect(await doneInTime(failing.event.id)).toMatchObject({
      outcome: 'dead',
      reason: expect.stringContaining('500'),
    });
    const dead = await stored(failing.event.id);
    expect(dead?.attempts).toBe(dead?.tries);
    expect(entriesOf(failing)).toMatchObject([{ event_type: 'dead_lettered', order_id: 13 }]);
  });

  it('a replay: what was done is not done again, rules that were added act, original rules are those of the first time', async () => {
    const data = received('pi_replay');
    const rulesOf = (event_id: string) => world.deps.bus.request('evaluation.event.rules.v1', { event_id });
    await publish(data);
    await doneWith(data.event.id);
    expect(await rulesOf(data.event.id)).toEqual({ rules: [{ id: 1, version: 1 }] });
    const tooMuch = { id: 'order_total', settings: { operator: 'gt', amount: 50 } };
    const edited = { ...noteRule(1), version: 2, rule: { ...noteRule(1).rule, conditions: [tooMuch] } };
    world.peers.versions.set('1:1', noteRule(1));
    await restartWith(edited, noteRule(7));
    const replay = async (id: string, rules?: EventReceived['rules']) => {
      await publish({ ...data, event: { ...data.event, id }, ...(rules && { rules }) });
      return doneInTime(id);
    };
    expect(await replay('evt_now')).toMatchObject({ outcome: 'success', rules: [1, 7], matched: [7] });
    expect(await replay('evt_as_then', (await rulesOf(data.event.id)).rules)).toMatchObject({
      rules: [1],
      matched: [1],
    });
    const results = entriesOf(data).flatMap(({ details }) => (details.action ? [details.result] : []));
    expect(results).toEqual(['applied', 'applied', 'already_applied']);
    expect([...world.peers.commands.values()].sort()).toEqual([1, 2]);
    await expect(rulesOf('evt_none')).rejects.toMatchObject({ status: 404, code: 'svc_event_not_found' });
  });

  it('an event that no rule was evaluated for has no original rules; the log names the disabled ones that listen', async () => {
    await world.deps.bus.respond('rules.disabled-listeners.v1', async () => ({
      rules: [{ id: 4, name: 'Draft' }],
      total: 1,
    }));
    await restartWith();
    const data = received('pi_no_rules');
    await publish(data);
    await doneInTime(data.event.id);
    const asked = world.deps.bus.request('evaluation.event.rules.v1', { event_id: data.event.id });
    await expect(asked).rejects.toMatchObject({ status: 409, code: 'svc_event_not_evaluated' });
    expect(entriesOf(data).map(({ summary }) => summary)).toContainEqual(
      expect.stringContaining('no enabled rule whose trigger it fires; the rule "Draft" is disabled.'),
    );
  });

  it('an event that no rule was evaluated for: the log names those in shadow, and those whose trigger it does not fire', async () => {
    const ofCard = {
      id: 'webhook_event',
      settings: { event_types: ['payment_completed'], gateways: ['gateway_wallet'] },
    };
    const wallet = { ...noteRule(2), name: 'Wallet', rule: { ...noteRule(2).rule, trigger: ofCard } };
    await restartWith({ ...noteRule(3), name: 'Trial', enabled: false, shadow: true }, wallet);
    const data = received('pi_unfired');
    await publish(data);
    await doneInTime(data.event.id);
    expect(entriesOf(data).map(({ summary }) => summary)).toContainEqual(
      expect.stringMatching(
        /rule "Wallet" does not fire: .* of gateway_wallet about an order; the rule "Trial" is in shadow and changes nothing\.$/,
      ),
    );
  });

  it('a webhook of a new order does not say that the rule for new orders does not fire: the order fires it', async () => {
    const trigger = { id: 'order_created', settings: {} };
    await restartWith({ ...noteRule(2), name: 'Welcome', rule: { ...noteRule(2).rule, trigger } });
    const { event, ...rest } = received('pi_new_order');
    const eventType = 'payment.shop.order_created';
    const data = {
      ...rest,
      event: { ...event, eventType, genericType: 'order_created', sourceGateway: 'gateway_shop' },
    };
    await publish(data as EventReceived);
    await doneInTime(event.id);
    expect(entriesOf(data as EventReceived).map(({ summary }) => summary)).toContainEqual(
      expect.stringMatching(
        /^payment\.shop\.order_created for order 42: no enabled rule listens to this webhook itself; what has changed in the order fires its rules without it\.$/,
      ),
    );
  });

  it('continues what a process that died has claimed, once its lease is over', async () => {
    world.peers.audit = 'away';
    const data = received('pi_g');
    await publish(data);
    await storedAs(data.event.id, 'open');
    await waitFor(() => world.peers.commands.size === 1);
    await world.stop();
    await (await documents()).updateOne(
      { _id: data.event.id },
      { $set: { due: world.clock.now() + 20_000, fence: 7 } },
    );
    world.peers.audit = 'up';
    await world.start();
    expect(reported(data.event.id)).toBeUndefined();
    world.clock.advance(60_000);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success' });
    expect((await stored(data.event.id))?.fence).toBe(8);
  });

  it('where no other process can hold it, it is taken up at once', async () => {
    world.peers.audit = 'away';
    const data = received('pi_q');
    await publish(data);
    await storedAs(data.event.id, 'open');
    await world.stop();
    await (await documents()).updateOne({ _id: data.event.id }, { $set: { due: world.clock.now() + 60_000 } });
    world.peers.audit = 'up';
    await world.start({ ...config, isOnlyInstance: true });
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success' });
  });

  it('a process that has lost its lease says nothing', async () => {
    world.peers.audit = 'away';
    const data = received('pi_r');
    await publish(data);
    await waitFor(async () => ((await stored(data.event.id))?.tries ?? 0) > 0);
    await (await documents()).updateOne(
      { _id: data.event.id },
      { $set: { due: world.clock.now() + 3_600_000, fence: 50 } },
    );
    world.peers.audit = 'up';
    world.clock.advance(60_000);
    const other = received('pi_s');
    await publish(other);
    await doneWith(other.event.id);
    expect(reported(data.event.id)).toBeUndefined();
    expect(await stored(data.event.id)).toMatchObject({ state: 'open', fence: 50 });
  });
});
