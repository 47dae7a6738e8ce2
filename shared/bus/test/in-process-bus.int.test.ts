import { type InProcessBusOptions, inProcessBus } from '@order-automation/bus';
import { busConformance, givingUpLog } from './conformance';
import { eventually, gate, manyNews, news } from './conformance/data';

const quick = { backoff: { first: 20 }, ackWait: 600 };

busConformance('inProcessBus', async () => {
  const { log, givenUp } = givingUpLog();
  const bus = inProcessBus({ ...quick, log });
  return {
    bus,
    other: bus,
    inject: async (type, text) => bus.texts.publish([{ type, text }]),
    givenUp,
    dispose: () => bus.close(),
  };
});

describe('inProcessBus alone', () => {
  const open = (options: InProcessBusOptions = {}) => inProcessBus({ ...quick, ...options });

  test('nothing is handled before the publisher goes on', async () => {
    const bus = open();
    const log: string[] = [];
    await bus.subscribe('rules.changed.v1', 'later', async () => void log.push('handled'));
    const publishing = bus.publish(news(1));
    log.push('published');
    await publishing;
    log.push('taken');
    await eventually(() => log.includes('handled'), 'the message');
    expect(log).toEqual(['published', 'taken', 'handled']);
    await bus.close();
  });

  test('a full backlog refuses the whole call, says so, and takes messages again when it has room', async () => {
    const bus = open({ maxBacklog: 10 });
    const hold = gate();
    let handled = 0;
    await bus.subscribe('rules.changed.v1', 'slow', async () => {
      await hold.opened;
      handled += 1;
    });
    await bus.publish(manyNews(8));
    const refused = manyNews(3);
    await expect(bus.publish(refused)).rejects.toMatchObject({ code: 'unavailable' });
    hold.open();
    await eventually(() => handled === 8, 'the backlog');
    await bus.publish(refused);
    await eventually(() => handled === 11, 'what was refused before');
    await bus.close();
  });

  test('a full group does not stop the others of its type; it misses what it has no room for, and the log says so once', async () => {
    const warnings: object[] = [];
    const log = { info: () => undefined, error: () => undefined, warn: (fields: object) => void warnings.push(fields) };
    const bus = open({ maxBacklog: 10, log });
    const hold = gate();
    const [slow, quick]: [number[], number[]] = [[], []];
    await bus.subscribe('rules.changed.v1', 'slow', async ([one]) => {
      await hold.opened;
      slow.push(one?.data.rule_id ?? 0);
    });
    await bus.subscribe('rules.changed.v1', 'quick', async ([one]) => void quick.push(one?.data.rule_id ?? 0));
    for (let round = 1; round <= 4; round += 1) {
      await bus.publish(manyNews(8));
      await eventually(() => quick.length === 8 * round, 'the quick group');
    }
    hold.open();
    await eventually(() => slow.length === 8, 'the backlog of the slow group');
    await bus.publish(news(9));
    await eventually(() => slow.includes(9), 'what it has room for again');
    expect(warnings).toEqual([{ type: 'rules.changed.v1', group: 'slow', waiting: 8 }]);
    await bus.close();
  });

  test('a backlog is bounded in characters too', async () => {
    const bus = open({ maxBacklogSize: 1_000 });
    await (await bus.subscribe('rules.changed.v1', 'absent', async () => undefined)).close();
    await expect(bus.publish(manyNews(100))).rejects.toMatchObject({ code: 'unavailable' });
    await bus.publish(news(1));
    await bus.close();
  });

  test('an event that fails is retried for 1.5 s before it is given up, as with NATS', async () => {
    const bus = inProcessBus();
    const times: number[] = [];
    await bus.subscribe('rules.changed.v1', 'failing', async () => {
      times.push(performance.now());
      throw new Error('not yet');
    });
    await bus.publish(news(1));
    await eventually(() => times.length === 5, 'five tries');
    const [first = 0, , , , last = 0] = times;
    expect(last - first).toBeGreaterThanOrEqual(1_450);
    await bus.close();
  });

  test('close hands out what is queued, and does not wait for ever for a handler that hangs', async () => {
    const bus = open({ drainTimeout: 100 });
    const hold = gate();
    let handled = 0;
    await bus.subscribe('rules.changed.v1', 'quick', async (all) => {
      handled += all.length;
    });
    await bus.subscribe('rules.changed.v1', 'hanging', () => hold.opened);
    await bus.publish(manyNews(50));
    await bus.close();
    expect(handled).toBe(50);
    hold.open();
  });
});
