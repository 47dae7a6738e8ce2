/// <reference types="jest" />
import { unavailable } from '@order-automation/contracts';
import { eventually, gate, manyNews, news, type Subject } from './conformance-data';
import { BusError, RejectError } from './errors';
import type { DeadLetter, Settlement } from './port';

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

  test('after the last delivery the message is a dead letter: kept, and reported with its error', async () => {
    const { bus, kept } = subject();
    const letters: DeadLetter[] = [];
    const error = new Error('column missing');
    let deliveries = 0;
    bus.onDeadLetter((letter) => letters.push(letter));
    await bus.subscribe('rules.changed.v1', 'failing', async () => {
      deliveries += 1;
      throw error;
    });
    const sent = news(1);
    await bus.publish(sent);
    await eventually(() => letters.length > 0, 'the dead letter');
    expect(deliveries).toBe(maxDeliver);
    expect(letters).toEqual([
      expect.objectContaining({ type: sent.type, group: 'failing', id: sent.id, attempts: maxDeliver, error }),
    ]);
    expect(letters[0]).toMatchObject({ reason: 'column missing', message: sent, time: expect.any(String) });
    expect(await kept()).toEqual([expect.objectContaining({ id: sent.id, reason: 'column missing' })]);
  });

  test('something unavailable is no failure of the message: it is retried beyond any number of tries', async () => {
    const { bus, kept } = subject();
    let tries = 0;
    let done = false;
    const outages = [
      new BusError('timeout', 'shop.order.get.v1 was not answered'),
      Object.assign(new Error('no database'), { name: 'StoreUnavailableError', code: 'unavailable' }),
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
    expect(await kept()).toEqual([]);
  });

  test('a handler that hangs loses its messages: they are delivered again, and its late outcome changes nothing', async () => {
    const { bus, kept } = subject();
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
    expect(await kept()).toEqual([]);
  });

  test('an unknown settlement is an error of the handler, never "done"', async () => {
    const { bus } = subject();
    const letters: DeadLetter[] = [];
    bus.onDeadLetter((letter) => letters.push(letter));
    const wrong = [{ kind: 'finished' }, null, undefined] as unknown as Settlement[];
    await bus.subscribe('rules.changed.v1', 'creative', async (messages) =>
      messages.map(({ data }) => wrong[data.rule_id - 1] as Settlement),
    );
    await bus.publish([news(1), news(2), news(3)]);
    await eventually(() => letters.length === 3, 'the dead letters');
    expect(letters.map(({ reason }) => reason).join()).toContain('unknown settlement');
  });

  test('a RejectError is a dead letter at once', async () => {
    const { bus } = subject();
    const letters: DeadLetter[] = [];
    bus.onDeadLetter((letter) => letters.push(letter));
    await bus.subscribe('rules.changed.v1', 'picky', () => Promise.reject(new RejectError('never again')));
    await bus.publish(news(1));
    await eventually(() => letters.length > 0, 'the dead letter');
    expect(letters[0]).toMatchObject({ attempts: 1, reason: 'never again' });
  });

  test('one group giving up keeps no other from its work', async () => {
    const { bus } = subject();
    const letters: DeadLetter[] = [];
    let done = 0;
    bus.onDeadLetter((letter) => letters.push(letter));
    await bus.subscribe('rules.changed.v1', 'picky', () => Promise.reject(new RejectError('no')));
    await bus.subscribe('rules.changed.v1', 'content', async () => {
      done += 1;
    });
    await bus.publish(news(1));
    await eventually(() => letters.length > 0 && done > 0, 'both groups');
    expect(letters.map(({ group }) => group)).toEqual(['picky']);
  });

  test('each message of a batch is settled by itself: done, retried, or a dead letter', async () => {
    const { bus } = subject();
    const deliveries = new Map<number, number>();
    const letters: DeadLetter[] = [];
    bus.onDeadLetter((letter) => letters.push(letter));
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
    await bus.publish([news(1), news(2), news(3), news(4)]);
    await eventually(() => deliveries.get(2) === 2 && letters.length === 1, 'the retry and the dead letter');
    expect(Object.fromEntries(deliveries)).toEqual({ 1: 1, 2: 2, 3: 1, 4: 1 });
    expect(letters[0]).toMatchObject({ reason: 'three is not for us', message: { data: { rule_id: 3 } } });
  });

  test('one poisoned message among 200 becomes a dead letter, the others are done once', async () => {
    const { bus } = subject();
    const done = new Map<number, number>();
    const letters: DeadLetter[] = [];
    bus.onDeadLetter((letter) => letters.push(letter));
    const settle = (rule: number): Settlement => {
      if (rule === 77) return { kind: 'retry', error: new Error('poison') };
      done.set(rule, (done.get(rule) ?? 0) + 1);
      return { kind: 'done' };
    };
    const handler = async (messages: readonly { data: { rule_id: number } }[]) =>
      messages.map(({ data }) => settle(data.rule_id));
    await bus.subscribe('rules.changed.v1', 'tasters', handler, { maxBatch: 32, concurrency: 2 });
    await bus.publish(manyNews(200));
    await eventually(() => letters.length > 0 && done.size === 199, 'the dead letter and all others');
    expect(letters).toHaveLength(1);
    expect(letters[0]).toMatchObject({ attempts: maxDeliver, message: { data: { rule_id: 77 } } });
    expect(Math.max(...done.values())).toBe(1);
  });

  test('what cannot be a message goes to the dead letters undecoded, and those around it are delivered', async () => {
    const { bus, inject, kept } = subject();
    const seen: number[] = [];
    const letters: DeadLetter[] = [];
    bus.onDeadLetter((letter) => letters.push(letter));
    await bus.subscribe(
      'rules.changed.v1',
      'readers',
      async (all) => void seen.push(...all.map(({ data }) => data.rule_id)),
    );
    await bus.publish(news(1));
    const rubbish = ['{"half":', '{"type":"rules.changed.v1","data":1}', '\u0001\u0000\u0009x', '[]', ''];
    for (const text of rubbish) await inject('rules.changed.v1', text);
    await bus.publish(news(2));
    await eventually(() => seen.length === 2 && letters.length === rubbish.length, 'both, and the dead letters');
    expect(letters.map(({ message }) => message).sort()).toEqual([...rubbish].sort());
    expect(await kept()).toHaveLength(rubbish.length);
  });

  test('a listener of dead letters that throws disturbs no other', async () => {
    const { bus } = subject();
    const heard: string[] = [];
    bus.onDeadLetter(() => {
      throw new Error('listener');
    });
    bus.onDeadLetter(({ id }) => heard.push(id));
    await bus.subscribe('rules.changed.v1', 'picky', () => Promise.reject(new RejectError('no')));
    await bus.publish([news(1, 'first'), news(2, 'second')]);
    await eventually(() => heard.length === 2, 'both letters');
    expect([...heard].sort()).toEqual(['first', 'second']);
  });
}
