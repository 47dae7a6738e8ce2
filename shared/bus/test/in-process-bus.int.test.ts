import { type InProcessBus, type InProcessBusOptions, inProcessBus } from '@order-automation/bus';
import { busConformance } from '@order-automation/bus/conformance';
import type { RequestInput } from '@order-automation/contracts';
import { eventually, gate, manyNews, news } from '../src/conformance-data';

const quick = { backoff: { first: 20 } };

busConformance('inProcessBus', async () => {
  const bus = inProcessBus(quick);
  return { bus, other: bus, kept: async () => bus.deadLetters(), dispose: () => bus.close() };
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

  test('a backlog in bytes is bounded too', async () => {
    const bus = open({ maxBacklogBytes: 1_000 });
    await (await bus.subscribe('rules.changed.v1', 'absent', async () => undefined)).close();
    await expect(bus.publish(manyNews(100))).rejects.toMatchObject({ code: 'unavailable' });
    await bus.publish(news(1));
    await bus.close();
  });

  test('what a sender, a responder or an asker does to its own later is seen by nobody else', async () => {
    const bus = open();
    const details: Record<string, unknown> = { list: [1], gone: undefined };
    const received: unknown[] = [];
    await bus.respond('audit.record.v1', async ({ entries }) => {
      received.push(entries[0]?.details);
      return { recorded: 1, duplicates: 0 };
    });
    const asking = bus.request('audit.record.v1', { entries: [entryWith(details)] });
    details.list = 'changed';
    await asking;
    expect(received).toStrictEqual([{ list: [1] }]);
    await bus.close();
  });

  test('nesting deeper than the wire allows is refused', async () => {
    const bus = open();
    await bus.respond('audit.record.v1', async () => ({ recorded: 1, duplicates: 0 }));
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
    const record = (depth: number) =>
      bus.request('audit.record.v1', { entries: [entryWith({ nested: nested(depth) })] });
    await expect(record(124)).resolves.toEqual({ recorded: 1, duplicates: 0 });
    await expect(record(125)).rejects.toMatchObject({
      code: 'invalid_message',
      message: 'The message is nested deeper than 128.',
    });
    await bus.close();
  });

  test('the newest dead letters are kept', async () => {
    const bus = open({ keptDeadLetters: 3 });
    let letters = 0;
    bus.onDeadLetter(() => {
      letters += 1;
    });
    await bus.subscribe('rules.changed.v1', 'picky', async (all) => all.map(() => ({ kind: 'reject', reason: 'no' })));
    await bus.publish(manyNews(5));
    await eventually(() => letters === 5, 'all letters');
    expect(bus.deadLetters().map(({ message }) => (message as { data: { rule_id: number } }).data.rule_id)).toEqual([
      3, 4, 5,
    ]);
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

describe('events that give way to requests', () => {
  const ask = (bus: InProcessBus) => bus.request('intake.status.v1', {}, { timeout: 20_000 });

  /** A bus with a request that is under way until its gate is opened, and a worker that notes what it was given. */
  async function busy(longest: number) {
    const bus = inProcessBus({ ...quick, yieldTo: { when: (type) => type === 'intake.status.v1', quiet: 0, longest } });
    const [hold, started] = [gate(), gate()];
    const log: string[] = [];
    await bus.respond('intake.status.v1', async () => {
      started.open();
      await hold.opened;
      return { ready: true, reason: null, adapters: [] };
    });
    await bus.respond('shop.order.get.v1', async () => ({ orders: [] }));
    await bus.subscribe('rules.changed.v1', 'work', async (all) => void log.push(`handled ${all.length}`), {
      maxBatch: 10,
    });
    const answer = ask(bus).then(() => void log.push('answered'));
    await started.opened;
    return { bus, hold, log, answer };
  }

  test('wait until the last such request is answered, and go together then', async () => {
    const { bus, hold, log, answer } = await busy(60_000);
    const second = ask(bus);
    await bus.publish(manyNews(3));
    await turns(20);
    await bus.publish(manyNews(2));
    await turns(20);
    expect(log).toEqual([]);
    hold.open();
    await Promise.all([answer, second]);
    expect(log).toEqual(['answered']);
    await eventually(() => log.length > 1, 'the events');
    expect(log).toEqual(['answered', 'handled 5']);
    await bus.close();
  });

  test('do not wait for other requests, nor without any', async () => {
    const { bus, hold, log, answer } = await busy(60_000);
    hold.open();
    await answer;
    const asking = bus.request('shop.order.get.v1', { ids: [1] });
    await bus.publish(news(1));
    await Promise.all([asking, turns(3)]);
    expect(log).toEqual(['answered', 'handled 1']);
    await bus.close();
  });

  test('never starve: one round goes out each time they have waited for the longest', async () => {
    const { bus, hold, log, answer } = await busy(40);
    const from = performance.now();
    await bus.publish(manyNews(30));
    await eventually(() => log.length === 1, 'the first round');
    expect(performance.now() - from).toBeGreaterThanOrEqual(39);
    expect(log).toEqual(['handled 10']);
    await eventually(() => log.length === 3, 'the rounds after it');
    expect(performance.now() - from).toBeGreaterThanOrEqual(3 * 39);
    hold.open();
    await answer;
    await bus.close();
  });

  test('wait for the longest anew after a request that was answered before', async () => {
    const { bus, hold, log, answer } = await busy(40);
    await bus.publish(news(1));
    hold.open();
    await answer;
    await eventually(() => log.length === 2, 'the event');
    await bus.publish(news(2));
    await eventually(() => log.length === 3, 'the next event');
    expect(log).toEqual(['answered', 'handled 1', 'handled 1']);
    await bus.close();
  });

  test('are handed out at once by close', async () => {
    const { bus, hold, log, answer } = await busy(60_000);
    await bus.publish(manyNews(25));
    await turns(3);
    const closing = bus.close();
    await turns(3);
    expect(log).toEqual(['handled 10', 'handled 10', 'handled 5']);
    hold.open();
    await Promise.all([closing, answer]);
  });
});

function entryWith(details: Record<string, unknown>): RequestInput<'audit.record.v1'>['entries'][number] {
  return {
    uid: 'uid',
    timestamp: new Date().toISOString(),
    status: 'info',
    event_type: 'rule_created',
    source: 'system',
    summary: 'A rule was created.',
    order_id: null,
    process_id: 'proc_1',
    rule_id: null,
    duration_ms: null,
    is_test: false,
    is_debug: false,
    details,
  };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
