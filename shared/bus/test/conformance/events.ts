import type { Message } from '@order-automation/contracts';
import { eventually, gate, manyNews, news, type Subject } from './data';

type News = Message<'rules.changed.v1'>;

const rulesOf = (messages: readonly News[]): number[] => messages.map(({ data }) => data.rule_id);

export function eventConformance(subject: Subject): void {
  test('an event reaches every group, whole and unchanged', async () => {
    const { bus, other } = subject();
    const seen: Record<string, News[]> = { a: [], b: [] };
    for (const group of ['a', 'b']) {
      await other.subscribe('rules.changed.v1', group, async (messages) => void seen[group]?.push(...messages));
    }
    const sent = news(1);
    await bus.publish(sent);
    await eventually(() => seen.a?.length && seen.b?.length, 'both groups');
    expect(seen).toEqual({ a: [sent], b: [sent] });
  });

  test('members of a group share the work: each message goes to one member', async () => {
    const { bus, other } = subject();
    const seen: number[][] = [[], []];
    const hold = gate();
    for (const [index, connection] of [bus, other].entries()) {
      await connection.subscribe('rules.changed.v1', 'workers', async (messages) => {
        seen[index]?.push(...rulesOf(messages));
        await hold.opened;
      });
    }
    const sent = manyNews(40);
    for (const one of sent) await bus.publish(one);
    await eventually(() => seen.every((rules) => rules.length > 0), 'both members to have work');
    hold.open();
    // A message that outlives its ackWait on a busy machine is delivered again.
    await eventually(() => new Set(seen.flat()).size >= sent.length, 'all messages');
    expect([...new Set(seen.flat())].sort((a, b) => a - b)).toEqual(rulesOf(sent));
    expect(seen.flat().length).toBeLessThan(1.5 * sent.length);
  });

  test('messages of one publisher come in the order of publishing', async () => {
    const { bus } = subject();
    const seen: number[] = [];
    await bus.subscribe('rules.changed.v1', 'orderly', async (messages) => void seen.push(...rulesOf(messages)), {
      maxBatch: 7,
    });
    const sent = manyNews(300);
    const published: Promise<void>[] = [];
    for (let from = 0; from < sent.length; from += 10) published.push(bus.publish(sent.slice(from, from + 10)));
    await Promise.all(published);
    await eventually(() => seen.length === sent.length, 'all messages');
    expect(seen).toEqual(rulesOf(sent));
  });

  test('what is published together is handed over together, never more than maxBatch', async () => {
    const { bus } = subject();
    const sizes: number[] = [];
    await bus.subscribe('rules.changed.v1', 'batched', async (messages) => void sizes.push(messages.length), {
      maxBatch: 16,
    });
    await bus.publish(manyNews(160));
    await eventually(() => sizes.reduce((sum, size) => sum + size, 0) === 160, 'all messages');
    expect(Math.max(...sizes)).toBeLessThanOrEqual(16);
    expect(sizes.length).toBeLessThan(80);
  });

  test('a handler has at most `concurrency` batches in flight', async () => {
    const { bus } = subject();
    let running = 0;
    let most = 0;
    let done = 0;
    const handler = async (): Promise<void> => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      done += 1;
    };
    await bus.subscribe('rules.changed.v1', 'parallel', handler, { concurrency: 3 });
    await bus.publish(manyNews(60));
    await eventually(() => done === 60, 'all messages');
    expect(most).toBe(3);
  });

  test('nothing is deduplicated: an id that is published again is delivered again', async () => {
    const { bus, other } = subject();
    const seen: string[] = [];
    const handler = async (messages: readonly News[]) => void seen.push(...messages.map(({ id }) => id));
    await bus.subscribe('rules.changed.v1', 'often', handler);
    await bus.publish([news(1, 'same'), news(2, 'same')]);
    await bus.publish(news(3, 'same'));
    await other.publish(news(4, 'same'));
    await eventually(() => seen.length === 4, 'all four');
    expect(seen).toEqual(['same', 'same', 'same', 'same']);
  });

  test('every listener without a group hears everything while it listens', async () => {
    const { bus, other } = subject();
    const seen: number[][] = [[], []];
    const subscriptions = await Promise.all(
      [bus, other].map((connection, index) =>
        connection.subscribe(
          'rules.changed.v1',
          null,
          async (messages) => void seen[index]?.push(...rulesOf(messages)),
        ),
      ),
    );
    await bus.publish([news(1), news(2)]);
    await eventually(() => seen.every((rules) => rules.length === 2), 'both listeners');
    await subscriptions[0]?.close();
    await bus.publish(news(3));
    await eventually(() => seen[1]?.length === 3, 'the listener that is left');
    expect(seen).toEqual([
      [1, 2],
      [1, 2, 3],
    ]);
  });

  test('a listener that throws does not get the message again, and nothing is given up', async () => {
    const { bus, givenUp } = subject();
    const seen: number[] = [];
    await bus.subscribe('rules.changed.v1', null, async (messages) => {
      seen.push(...rulesOf(messages));
      throw new Error('not interested');
    });
    await bus.publish(news(1));
    await bus.publish(news(2));
    await eventually(() => seen.length >= 2, 'both messages');
    expect(seen).toEqual([1, 2]);
    expect(givenUp).toEqual([]);
  });

  test('what one group does to a message is not seen by another', async () => {
    const { bus } = subject();
    const seen: number[] = [];
    for (const group of ['a', 'b']) {
      await bus.subscribe('rules.changed.v1', group, async ([message]) => {
        seen.push(message?.data.rule_id ?? 0);
        Object.assign(message?.data ?? {}, { rule_id: 99 });
      });
    }
    const sent = news(1);
    await bus.publish(sent);
    await eventually(() => seen.length === 2, 'both groups');
    expect(seen).toEqual([1, 1]);
    expect(sent.data.rule_id).toBe(1);
  });

  test('a message that does not fit its schema is refused, and the rest of the call with it', async () => {
    const { bus } = subject();
    const seen: number[] = [];
    await bus.subscribe('rules.changed.v1', 'strict', async (messages) => void seen.push(...rulesOf(messages)));
    const wrong = { ...news(1), data: { rule_id: 'one' } } as unknown as Message;
    const unknown = { ...news(1), type: 'rules.unknown.v1' } as unknown as Message;
    await expect(bus.publish([news(1), wrong])).rejects.toMatchObject({ name: 'BusError', code: 'invalid_message' });
    await expect(bus.publish(unknown)).rejects.toMatchObject({ name: 'BusError', code: 'invalid_message' });
    await bus.publish(news(2));
    await eventually(() => seen.length > 0, 'the good message');
    expect(seen).toEqual([2]);
  });
}
