import { message, type OrderChange } from '@order-automation/contracts';
import { describeLanes, waitFor } from '@order-automation/testing';
import { config, useEvaluation } from './evaluation-world';
import { contextOf, received } from './peers';

const day = 24 * 60 * 60 * 1000;

describeLanes('evaluation: no age alone ends an event', (lane) => {
  const world = useEvaluation(lane);
  const { publish, storedAs, reported, doneWith, doneInTime, entriesOf } = world;

  /** The order comes into being, and the shop says so. */
  const appear = async (order_id: number): Promise<void> => {
    world.peers.orders.set(order_id, contextOf(order_id));
    const change: OrderChange = {
      change_id: `chg_${order_id}`,
      order_id,
      kind: 'identified',
      from: 'pending',
      to: 'pending',
      at: new Date(world.clock.now()).toISOString(),
      cause: { process_id: 'proc_shop', depth: 0, author: 'ada' },
      keys: [`number:${order_id}`],
    };
    await world.deps.bus.publish(
      message('shop.order-changed.v1', change, { id: change.change_id, process_id: 'proc_shop', now: Date.now() }),
    );
  };
  const untilOf = async (id: string) => (await world.stored(id))?.wait_until ?? 0;

  it('an event that was held back for days waits as long for its order as any other', async () => {
    const data = received('pi_held', 61);
    const receivedAt = new Date(world.clock.now() - 3 * day).toISOString();
    await publish({ ...data, event: { ...data.event, receivedAt } });
    await storedAs(data.event.id, 'waiting');
    expect(await untilOf(data.event.id)).toBeGreaterThan(world.clock.now() + config.orderWait - 60_000);
    await appear(61);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success', order_id: 61 });
  });

  it('an order that appears just while its event is looked at again is not missed', async () => {
    const data = received('pi_just_then', 66);
    await publish(data);
    await storedAs(data.event.id, 'waiting');
    let looks = 0;
    world.peers.beforeResolved = async () => {
      looks += 1;
      if (looks > 1) return;
      await appear(66);
      await doneWith('chg_66');
    };
    world.clock.advance(61_000);
    expect(await doneWith(data.event.id)).toMatchObject({ outcome: 'success', order_id: 66 });
    expect(looks).toBe(2);
  });

  it('an event whose wait ran out while nothing ran waits once more, and ends when that has run out', async () => {
    const [comes, never] = [received('pi_comes', 62), received('pi_never', 63)];
    for (const data of [comes, never]) {
      await publish(data);
      await storedAs(data.event.id, 'waiting');
    }
    await world.stop();
    world.clock.advance(8 * day);
    await world.start();
    await waitFor(async () => (await untilOf(never.event.id)) > world.clock.now(), { timeout: 30_000 });
    expect(reported(comes.event.id)).toBeUndefined();
    await waitFor(() => entriesOf(never).length === 2);
    const awaited = await world.deps.store.collection<{ _id: string; until: number }>('awaited');
    await waitFor(async () => (await awaited.find({}).toArray()).every(({ until }) => until > world.clock.now()));
    await appear(62);
    expect(await doneWith(comes.event.id)).toMatchObject({ outcome: 'success', order_id: 62 });
    world.clock.advance(config.orderWait);
    expect(await doneInTime(never.event.id)).toMatchObject({ outcome: 'no_order' });
  });

  it('an order that the shop fails on is tried for the whole time after a stop of days', async () => {
    world.peers.orders.set(64, contextOf(64));
    world.peers.failing.add(64);
    const data = received('pi_fails', 64);
    await publish(data);
    await waitFor(async () => ((await world.stored(data.event.id))?.tries ?? 0) > 0);
    await world.stop();
    world.clock.advance(8 * day);
    await world.start();
    await waitFor(async () => ((await world.stored(data.event.id))?.tries ?? 0) > 1, { timeout: 30_000 });
    expect(reported(data.event.id)).toBeUndefined();
    world.clock.advance(config.giveUpAfter);
    expect(await doneInTime(data.event.id)).toMatchObject({ outcome: 'dead' });
  });

  it('a shop that was away as a whole meanwhile restarts the time limit of its order', async () => {
    world.peers.orders.set(65, contextOf(65));
    world.peers.failing.add(65);
    const data = received('pi_away', 65);
    const tries = async () => (await world.stored(data.event.id))?.tries ?? 0;
    await publish(data);
    await waitFor(async () => (await tries()) > 0);
    world.peers.shop = 'away';
    for (let step = 0; step < 20; step += 1) {
      const before = await tries();
      world.clock.advance(config.giveUpAfter / 10);
      await waitFor(async () => (await tries()) > before);
    }
    world.peers.shop = 'up';
    const before = await tries();
    world.clock.advance(60_000);
    await waitFor(async () => (await tries()) > before);
    expect(reported(data.event.id)).toBeUndefined();
    world.peers.failing.delete(65);
    expect(await doneInTime(data.event.id)).toMatchObject({ outcome: 'success' });
  });

  it('what a clock that ran ahead has put off goes on when it is right, without a restart', async () => {
    const ahead = 400 * day;
    world.clock.advance(ahead);
    world.peers.shop = 'away';
    const data = received('pi_ahead', 42);
    await publish(data);
    await waitFor(async () => ((await world.stored(data.event.id))?.tries ?? 0) > 0);
    world.clock.advance(-ahead);
    world.peers.shop = 'up';
    expect(await waitFor(() => reported(data.event.id), { timeout: 30_000 })).toMatchObject({ outcome: 'success' });
  });
});
