import { MessageChannel } from 'node:worker_threads';
import { type Bus, type InProcessBus, inProcessBus, RejectError } from '@order-automation/bus';
import { busConformance, deadlineConformance } from '@order-automation/bus/conformance';
import { serveBus, threadBus } from '@order-automation/bus/threads';
import { eventually, gate, news } from '../src/conformance-data';
import { startOtherSide } from './start-other-side';

const quick = { backoff: { first: 20 } };

function connected(bus: InProcessBus): Bus {
  const { port1, port2 } = new MessageChannel();
  serveBus(bus, port1);
  return threadBus(port2);
}

busConformance('threadBus', async () => {
  const house = inProcessBus(quick);
  const [bus, other] = [connected(house), connected(house)];
  return {
    bus,
    other,
    kept: async () => house.deadLetters(),
    dispose: async () => {
      await Promise.all([bus.close(), other.close()]);
      await house.close();
    },
  };
});

deadlineConformance('threadBus', async () => {
  const { port1, port2 } = new MessageChannel();
  const { block, end } = await startOtherSide({ port: port1 }, [port1]);
  const bus = threadBus(port2);
  return {
    bus,
    block,
    dispose: async () => {
      await bus.close();
      await end();
    },
  };
});

describe('threadBus alone', () => {
  test('a thread that has ended leaves its groups to others, and whoever waits for it is told', async () => {
    const house = inProcessBus(quick);
    const { port1, port2 } = new MessageChannel();
    serveBus(house, port1);
    const bus = threadBus(port2);
    const asked = gate();
    await bus.respond('shop.order.get.v1', async () => {
      asked.open();
      return new Promise<never>(() => undefined);
    });
    await bus.subscribe('rules.changed.v1', 'shift', async () => new Promise<never>(() => undefined));
    const waiting = house.request('shop.order.get.v1', { ids: [1] }).catch((error: unknown) => error);
    await house.publish(news(1));
    await asked.opened;
    port2.close();
    expect(await waiting).toMatchObject({ code: 'svc_unavailable', status: 503 });
    await expect(bus.publish(news(2))).rejects.toMatchObject({ code: 'closed' });
    expect(bus.status().ok).toBe(false);
    const seen: number[] = [];
    await house.subscribe('rules.changed.v1', 'shift', async ([one]) => void seen.push(one?.data.rule_id ?? 0));
    await eventually(() => seen.length === 1, 'what the thread had in hand');
    await expect(house.request('shop.order.get.v1', { ids: [1] })).rejects.toMatchObject({ code: 'no_responder' });
    await house.close();
  });

  test('a database that is away behind a handler is still known as such where the message is given up', async () => {
    const house = inProcessBus({ backoff: { first: 1 }, maxDeliver: 1 });
    const bus = connected(house);
    const errors: unknown[] = [];
    house.onDeadLetter(({ error }) => errors.push(error));
    let thrown: Error = Object.assign(new Error('away'), { name: 'StoreUnavailableError', code: 'unavailable' });
    await bus.subscribe('rules.changed.v1', 'worker', async (messages) =>
      messages.map(() => ({ kind: 'retry', error: thrown })),
    );
    await house.publish(news(1));
    await eventually(() => errors.length === 1, 'the first');
    expect(errors[0]).toMatchObject({ name: 'StoreUnavailableError', code: 'unavailable', message: 'away' });
    thrown = new RejectError('no use');
    await house.publish(news(2));
    await eventually(() => errors.length === 2, 'the second');
    expect(errors[1]).toBeInstanceOf(RejectError);
    await bus.close();
    await house.close();
  });
});
