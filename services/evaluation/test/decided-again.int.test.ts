import type { UniversalEvent } from '@order-automation/contracts';
import { buildRule, buildRuleData, describeLanes, waitFor } from '@order-automation/testing';
import { taskOfEvent } from '../src/task';
import { useEvaluation } from './evaluation-world';
import { contextOf, received } from './peers';

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

describeLanes('evaluation: a decision that the order has left', (lane) => {
  const world = useEvaluation(lane);
  const { publish, doneWith, entriesOf, restartWith, eventMessage } = world;

  beforeEach(() => restartWith(rule(1, 'order_processing', 'completed'), rule(2, 'dispute_opened', 'on_hold')));

  const about = (over: Partial<UniversalEvent>, order: number) => {
    const data = received(`pi_${order}`, order);
    return { ...data, event: { ...data.event, ...over } };
  };
  const orderOf = (id: number) => {
    const context = contextOf(id);
    world.peers.orders.set(id, context);
    return context.order;
  };

  it('a payment that was decided before its dispute acted leaves the order on hold', async () => {
    const order = orderOf(71);
    const dispute = about(
      { genericType: 'dispute_opened', eventType: 'payment.card.charge_dispute_created', primaryObjectID: 'dp_1' },
      71,
    );
    const payment = about({}, 71);
    world.peers.failing.add(71);
    await publish(payment);
    await waitFor(async () => ((await world.stored(payment.event.id))?.tries ?? 0) > 0);
    await (await world.documents()).updateOne(
      { _id: payment.event.id },
      { $set: { due: world.clock.now() + 600_000 } },
    );
    world.peers.failing.delete(71);
    await world.deps.bus.publish(eventMessage(dispute));
    await doneWith(dispute.event.id);
    expect(order.status).toBe('on-hold');
    expect(await world.doneInTime(payment.event.id)).toBeDefined();
    expect(order.status).toBe('on-hold');
    expect(entriesOf(payment).map(({ event_type }) => event_type)).toContain('late_payment');
  });

  // woocommerce.com/document/managing-orders, "Add item(s)": a clerk may, while the order waits for its payment.
  it('a payment that was decided before the order came to cost more is a part, and the rest pays it', async () => {
    const order = orderOf(75);
    const paid = Number(order.total);
    const payment = about({}, 75);
    world.peers.failing.add(75);
    await publish(payment);
    await waitFor(async () => ((await world.stored(payment.event.id))?.tries ?? 0) > 0);
    order.total = (paid + 10).toFixed(2);
    world.peers.failing.delete(75);
    expect(await world.doneInTime(payment.event.id)).toBeDefined();
    expect(order.status).toBe('pending');
    expect(entriesOf(payment).map(({ event_type }) => event_type)).toContain('payment_partial');
    const rest = about({ transactionID: 'pi_rest', primaryObjectID: 'pi_rest', amount: '10.00' }, 75);
    await world.deps.bus.publish(eventMessage(rest));
    await doneWith(rest.event.id);
    expect(order.status).toBe('completed');
  });

  it.each([
    ['had not queued it', false],
    ['had queued it', true],
  ])(
    'a call about a dispute that was won since is not made after a takeover, unless the process that died %s',
    async (_what, wasQueued) => {
      const call = { id: 'send_webhook', settings: { url: 'https://erp.example/paid', event: 'order.paid' } };
      const trigger = { id: 'dispute_opened', settings: {} };
      const actions = { primaryAction: null, secondaryActions: [call] };
      await restartWith(buildRule({ id: 3, rule: buildRuleData({ trigger, conditions: [], ...actions }) }));
      orderOf(73);
      const disputed = (genericType: 'dispute_opened' | 'dispute_won', occurredAt: string) =>
        about({ genericType, eventType: `payment.card.${genericType}`, primaryObjectID: 'dp_1', occurredAt }, 73);
      const opened = disputed('dispute_opened', '2026-01-01T10:00:00.000Z');
      const won = disputed('dispute_won', '2026-01-02T10:00:00.000Z');
      for (const event of [opened, won]) {
        await world.deps.bus.publish(eventMessage(event));
        await doneWith(event.event.id);
      }

      // As a process leaves it that dies while it carries the step out.
      const done = await world.stored(opened.event.id);
      const pending = done?.steps.map((step) => ({
        ...step,
        actions: step.actions.map((action) => ({ ...action, result: null })),
      }));
      const deliveries = await world.deps.store.collection<{ _id: string; key: string }>('deliveries');
      if (!wasQueued) await deliveries.deleteMany({});
      const { subject } = taskOfEvent(opened);
      const left = { state: 'open', subject, steps: pending, due: world.clock.now() - 1, done_at: null, outcome: null };
      await (await world.documents()).updateOne({ _id: opened.event.id }, { $set: left as never });
      await waitFor(async () => (await world.stored(opened.event.id))?.state === 'done');
      expect(await deliveries.countDocuments({})).toBe(wasQueued ? 1 : 0);
    },
  );

  it('a payment moves no order that a person has cancelled between its decision and its command', async () => {
    const order = orderOf(72);
    world.peers.beforeApply = () => {
      order.status = 'cancelled';
    };
    const payment = about({}, 72);
    await world.deps.bus.publish(eventMessage(payment));
    await doneWith(payment.event.id);
    expect([world.peers.stale, order.status]).toEqual([1, 'cancelled']);
    expect(entriesOf(payment)).toContainEqual(
      expect.objectContaining({ event_type: 'late_payment', status: 'warning' }),
    );
  });
});
