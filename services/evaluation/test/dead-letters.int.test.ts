import { buildRule, buildRuleData, describeLanes, waitFor } from '@order-automation/testing';
import { openEvaluations } from '../src/attempts/evaluations';
import { config, useEvaluation } from './evaluation-world';
import { contextOf, received } from './peers';

const rule = buildRule({
  id: 1,
  rule: buildRuleData({
    conditions: [],
    primaryAction: { id: 'change_status_to_completed', settings: {} },
    secondaryActions: [
      { id: 'send_email', settings: { to: '{{customer.email}}', subject: 'Paid', body: 'Dear {{customer.email}}' } },
    ],
  }),
});

describeLanes('evaluation: dead letters', (lane) => {
  const world = useEvaluation(lane);
  const day = 24 * 60 * 60 * 1000;

  it('hold nothing of a person, and go with the other documents', async () => {
    await world.restartWith(rule);
    const context = contextOf(81);
    const email = 'zoe.person@example.com';
    world.peers.orders.set(81, {
      ...context,
      order: { ...context.order, billing: { ...context.order.billing, email } },
    });
    world.peers.failing.add(81);
    const data = received('pi_dead', 81);
    await world.publish(data);
    // Not as it was claimed but as the first failure has left it: patience is counted from there.
    const failedOnce = async () => {
      const document = await world.stored(data.event.id);
      return document?.delayed_since === undefined ? undefined : document;
    };
    const open = await waitFor(failedOnce, { timeout: 30_000, describe: 'the first failure' });
    expect(JSON.stringify(open)).toContain(email);
    world.clock.advance(config.giveUpAfter);
    // As fast as time itself: on a slow store a faster clock ends the lease of who gives up.
    const reported = async () => {
      world.clock.advance(1_000);
      return world.reported(data.event.id);
    };
    expect(await waitFor(reported, { timeout: 60_000, every: 1_000 })).toMatchObject({ outcome: 'dead', order_id: 81 });
    const dead = await world.stored(data.event.id);
    expect(dead).toMatchObject({ state: 'dead', order_id: 81, rules: [{ id: 1, version: 1 }] });
    expect(JSON.stringify(dead)).not.toContain(email);

    const evaluations = await openEvaluations(world.deps.store);
    await evaluations.purge(world.clock.now() - 40 * day);
    expect(await world.stored(data.event.id)).not.toBeNull();
    await evaluations.purge(world.clock.now() + day);
    expect(await world.stored(data.event.id)).toBeNull();
  });
});
