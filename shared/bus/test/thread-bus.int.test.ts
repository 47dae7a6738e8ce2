import { MessageChannel } from 'node:worker_threads';
import { type Bus, type InProcessBus, inProcessBus, RejectError } from '@order-automation/bus';
import { serveBus, threadBus } from '@order-automation/bus/threads';
import { busConformance, deadlineConformance, givingUpLog } from './conformance';
import { eventually, gate, news } from './conformance/data';
import { startOtherSide } from './start-other-side';

const quick = { backoff: { first: 20 }, ackWait: 600 };

function connected(bus: InProcessBus): Bus {
  const { port1, port2 } = new MessageChannel();
  serveBus(bus, port1);
  return threadBus(port2);
}

busConformance('threadBus', async () => {
  const { log, givenUp } = givingUpLog();
  const hub = inProcessBus({ ...quick, log });
  const [bus, other] = [connected(hub), connected(hub)];
  return {
    bus,
    other,
    inject: async (type, text) => hub.texts.publish([{ type, text }]),
    givenUp,
    dispose: async () => {
      await Promise.all([bus.close(), other.close()]);
      await hub.close();
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
  test('a thread that has ended leaves its groups to others, and requests to it fail', async () => {
    const hub = inProcessBus(quick);
    const { port1, port2 } = new MessageChannel();
    serveBus(hub, port1);
    const bus = threadBus(port2);
    const asked = gate();
    await bus.respond('shop.order.get.v1', async () => {
      asked.open();
      return new Promise<never>(() => undefined);
    });
    await bus.subscribe('rules.changed.v1', 'shift', async () => new Promise<never>(() => undefined));
    const waiting = hub.request('shop.order.get.v1', { ids: [1] }).catch((error: unknown) => error);
    await hub.publish(news(1));
    await asked.opened;
    port2.close();
    expect(await waiting).toMatchObject({ code: 'svc_unavailable', status: 503 });
    await expect(bus.publish(news(2))).rejects.toMatchObject({ code: 'closed' });
    expect(bus.status().ok).toBe(false);
    const seen: number[] = [];
    await hub.subscribe('rules.changed.v1', 'shift', async ([one]) => void seen.push(one?.data.rule_id ?? 0));
    await eventually(() => seen.length === 1, 'what the thread had in flight');
    await expect(hub.request('shop.order.get.v1', { ids: [1] })).rejects.toMatchObject({ code: 'no_responder' });
    await hub.close();
  });

  test('the error of a handler keeps its name and code on its way out of the thread', async () => {
    const { log, givenUp } = givingUpLog();
    const hub = inProcessBus({ backoff: { first: 1 }, maxDeliver: 1, log });
    const bus = connected(hub);
    let thrown: Error = Object.assign(new Error('wrong'), { name: 'MongoServerError', code: 121 });
    await bus.subscribe('rules.changed.v1', 'worker', async (messages) =>
      messages.map(() => ({ kind: 'retry', error: thrown })),
    );
    await hub.publish(news(1));
    await eventually(() => givenUp.length === 1, 'the first');
    expect(givenUp[0]?.err).toMatchObject({ name: 'MongoServerError', code: 121, message: 'wrong' });
    thrown = new RejectError('no use');
    await hub.publish(news(2));
    await eventually(() => givenUp.length === 2, 'the second');
    expect(givenUp[1]?.err).toBeInstanceOf(RejectError);
    await bus.close();
    await hub.close();
  });

  test('what a responder of this thread answers is not asked over there, and does not wait for the other side', async () => {
    const hub = inProcessBus(quick);
    const bus = connected(hub);
    const status = { ready: true, reason: null, adapters: [] };
    const there = gate();
    await hub.respond('intake.status.v1', async () => {
      there.open();
      return { ...status, ready: false };
    });
    const responder = await bus.respond('intake.status.v1', async () => status);
    await expect(bus.request('intake.status.v1', {})).resolves.toEqual(status);
    await expect(bus.request('intake.status.v1', {})).resolves.toEqual(status);
    await responder.close();
    await expect(bus.request('intake.status.v1', {})).resolves.toEqual({ ...status, ready: false });
    await there.opened;
    await bus.close();
    await hub.close();
  });
});
