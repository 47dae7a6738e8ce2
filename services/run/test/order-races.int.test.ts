import { describeLanes, waitFor } from '@order-automation/testing';
import { addNote, changeStatus, eventOf, type OrderWorld, startOrderWorld } from './order-world';

/** RACES=20: as often as that, each time with other orders. */
const races = Number(process.env.RACES ?? 1);

describeLanes('two instances of evaluation and one order', (lane) => {
  const orders = 60;
  const events = 8;
  let world: OrderWorld;

  beforeAll(async () => {
    world = await startOrderWorld(lane, 2);
    const rule = (event_type: string, status: 'completed' | 'cancelled') => ({
      trigger: { id: 'webhook_event', settings: { event_types: [event_type], gateways: [] } },
      conditions: [{ id: 'order_status', settings: { statuses: ['pending'] } }],
      primaryAction: changeStatus(status),
      secondaryActions: [addNote(`made ${status}`), { id: 'add_order_tag', settings: { tag: status } }],
    });
    await world.createRule('Ship', rule('order_updated', 'completed'));
    await world.createRule('Stop', rule('custom_event', 'cancelled'));
    await world.startInstances();
  }, 60_000);
  afterAll(() => world?.close());

  test.each(Array.from({ length: races }, (_, race) => race))(
    'race %i: of opposite events that come at once one acts, and the others see the order as it then is',
    async (race) => {
      const ids = Array.from({ length: orders }, (_, index) => 1 + race * orders + index);
      await Promise.all(ids.map((id) => world.createOrder(id)));
      const all = ids.flatMap((id) =>
        Array.from({ length: events }, (_, index) => {
          const genericType = index % 2 === 0 ? ('order_updated' as const) : ('custom_event' as const);
          const object = `obj_${id}_${index}`;
          return eventOf(id, {
            genericType,
            eventType: `generic.${genericType}`,
            transactionID: object,
            primaryObjectID: object,
            amount: null,
          });
        }),
      );
      await world.publish(all);
      await waitFor(() => all.every(({ event }) => world.isDone(event.id)), {
        timeout: 120_000,
        describe: 'all events',
      });

      for (const id of ids) {
        const { status, tags, notes } = await world.order(id);
        const verdicts = world
          .entries()
          .filter((entry) => entry.order_id === id && entry.event_type === 'rule_evaluation');
        const acted = verdicts.filter((entry) => entry.status === 'success');
        const changed = world
          .entries()
          .filter((entry) => entry.order_id === id && entry.event_type === 'order_status_changed');
        expect([id, acted.length, verdicts.length, changed.length]).toEqual([id, 1, events, 1]);
        expect([id, tags, notes.map(({ note }) => note)]).toEqual([id, [status], [`made ${status}`]]);
        const rest = verdicts.filter((entry) => entry.status !== 'success');
        for (const { summary } of rest) expect(summary).toContain(`order status is ${status},`);
      }
    },
    150_000,
  );
});
