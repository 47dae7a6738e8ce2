import { unavailable } from '@order-automation/contracts';
import { BusError, RejectError } from '../../src/errors';
import type { Settlement } from '../../src/port';
import { eventually, gate, manyNews, news, type Subject } from './data';

const maxDeliver = 5;

export function failureConformance(subject: Subject): void {
  test('a handler that throws gets the message again after a growing delay, until it is done', async () => {
    const { bus } = subject();
    const times: number[] = [];
    await bus.subscribe('rules.changed.v1', 'stubborn', async () => {
      times.push(performance.now());
      if (times.length < 4) throw new Error('not yet');
    });
    await bus.publish(news(1));
    await eventually(() => times.length === 4, 'the fourth delivery');
    const [first = 0, second = 0, third = 0, fourth = 0] = times;
    expect(second - first).toBeGreaterThanOrEqual(15);
    expect(fourth - third).toBeGreaterThan(second - first);
  });

  test('after the last delivery the message is given up, with its error in the log', async () => {
    const { bus, givenUp } = subject();
    const error = new Error('column missing');
    let deliveries = 0;
    await bus.subscribe('rules.changed.v1', 'failing', async () => {
      deliveries += 1;
      throw error;
    });
    const sent = news(1);
    await bus.publish(sent);
    await eventually(() => givenUp.length > 0, 'the end of its tries');
    expect(deliveries).toBe(maxDeliver);
    expect(givenUp).toEqual([
      { type: sent.type, group: 'failing', id: sent.id, attempts: maxDeliver, reason: 'column missing', err: error },
    ]);
  });

  test('something unavailable is no failure of the message: it is retried beyond any number of tries', async () => {
    const { bus, givenUp } = subject();
    let tries = 0;
    let done = false;
    const outages = [
      new BusError('timeout', 'shop.order.get.v1 was not answered'),
      Object.assign(new Error('no database'), { name: 'StoreUnavailableError', code: 'unavailable', retry: 'later' }),
      unavailable('shop'),
    ];
    await bus.subscribe('rules.changed.v1', 'patient', async () => {
      const outage = outages[tries % outages.length];
      tries += 1;
      if (tries <= maxDeliver + 2) throw outage;
      done = true;
    });
    await bus.publish(news(1));
    await eventually(() => done, 'the handler to succeed');
    expect(givenUp).toEqual([]);
  });

  test('a handler that hangs loses its messages: they are delivered again, and its late outcome changes nothing', async () => {
    const { bus, givenUp } = subject();
    const hold = gate();
    const seen: number[] = [];
    await bus.subscribe('rules.changed.v1', 'sleepy', async ([message]) => {
      seen.push(message?.data.rule_id ?? 0);
      if (seen.length === 1) await hold.opened;
      if (seen.length === 1) throw new RejectError('too late');
    });
    await bus.publish(news(1));
    await bus.publish(news(2));
    await eventually(() => seen.length === 3, 'both messages, one twice');
    hold.open();
    expect([...seen].sort()).toEqual([1, 1, 2]);
    expect(givenUp).toEqual([]);
  });

  test('an unknown settlement is an error of the handler, never "done"', async () => {
    const { bus, givenUp } = subject();
    const wrong = [{ kind: 'finished' }, null, undefined] as unknown as Settlement[];
    await bus.subscribe('rules.changed.v1', 'creative', async (messages) =>
      messages.map(({ data }) => wrong[data.rule_id - 1] as Settlement),
    );
    await bus.publish([news(1), news(2), news(3)]);
    await eventually(() => givenUp.length === 3, 'the ends of their tries');
    expect(givenUp.map(({ reason }) => reason).join()).toContain('unknown settlement');
  });

  test('a message whose handler throws a RejectError is given up at once', async () => {
    const { bus, givenUp } = subject();
    await bus.subscribe('rules.changed.v1', 'picky', () => Promise.reject(new RejectError('never again')));
    await bus.publish(news(1));
    await eventually(() => givenUp.length > 0, 'the end of its tries');
    expect(givenUp[0]).toMatchObject({ attempts: 1, reason: 'never again' });
  });

  test('one group giving up keeps no other from its work', async () => {
    const { bus, givenUp } = subject();
    let done = 0;
    await bus.subscribe('rules.changed.v1', 'picky', () => Promise.reject(new RejectError('no')));
    await bus.subscribe('rules.changed.v1', 'content', async () => {
      done += 1;
    });
    await bus.publish(news(1));
    await eventually(() => givenUp.length > 0 && done > 0, 'both groups');
    expect(givenUp.map(({ group }) => group)).toEqual(['picky']);
  });

  test('each message of a batch is settled by itself: done, retried, or given up', async () => {
    const { bus, givenUp } = subject();
    const deliveries = new Map<number, number>();
    await bus.subscribe(
      'rules.changed.v1',
      'mixed',
      async (messages) =>
        messages.map(({ data: { rule_id } }): Settlement => {
          const count = (deliveries.get(rule_id) ?? 0) + 1;
          deliveries.set(rule_id, count);
          if (rule_id === 3) return { kind: 'reject', reason: 'three is not for us' };
          return rule_id === 2 && count === 1 ? { kind: 'retry', error: new Error('later') } : { kind: 'done' };
        }),
      { maxBatch: 10 },
    );
    const messages = manyNews(4);
    await bus.publish(messages);
    await eventually(() => deliveries.get(2) === 2 && givenUp.length === 1, 'the retry and the rejection');
    expect(Object.fromEntries(deliveries)).toEqual({ 1: 1, 2: 2, 3: 1, 4: 1 });
    expect(givenUp[0]).toMatchObject({ reason: 'three is not for us', id: messages[2]?.id });
  });

  test('one poisoned message among 200 is given up, the others are done once', async () => {
    const { bus, givenUp } = subject();
    const done = new Map<number, number>();
    const settle = (rule: number): Settlement => {
      if (rule === 77) return { kind: 'retry', error: new Error('poison') };
      done.set(rule, (done.get(rule) ?? 0) + 1);
      return { kind: 'done' };
    };
    const handler = async (messages: readonly { data: { rule_id: number } }[]) =>
      messages.map(({ data }) => settle(data.rule_id));
    await bus.subscribe('rules.changed.v1', 'tasters', handler, { maxBatch: 32, concurrency: 2 });
    const messages = manyNews(200);
    await bus.publish(messages);
    await eventually(() => givenUp.length > 0 && done.size === 199, 'the poisoned one and all others');
    expect(givenUp).toHaveLength(1);
    expect(givenUp[0]).toMatchObject({ attempts: maxDeliver, id: messages[76]?.id });
    expect(Math.max(...done.values())).toBe(1);
  });

  test('what cannot be a message is given up, and those around it are delivered', async () => {
    const { bus, inject, givenUp } = subject();
    const seen: number[] = [];
    await bus.subscribe(
      'rules.changed.v1',
      'readers',
      async (all) => void seen.push(...all.map(({ data }) => data.rule_id)),
    );
    await bus.publish(news(1));
    const rubbish = ['{"half":', '{"type":"rules.changed.v1","data":1}', '\u0001\u0000\u0009x', '[]', ''];
    for (const text of rubbish) await inject('rules.changed.v1', text);
    await bus.publish(news(2));
    await eventually(() => seen.length === 2 && givenUp.length === rubbish.length, 'both, and the rubbish');
  });
}
