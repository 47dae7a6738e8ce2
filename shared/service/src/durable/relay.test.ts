import { createLogger } from '../process/logger';
import { type RelayOptions, startRelay } from './relay';

const log = createLogger({ name: 'test', level: 'silent' });

/** A relay over a list of numbers; `sent` gets each group, and `until` resolves when a condition on it holds. */
function relayOf(items: number[], options: Partial<RelayOptions<number>> = {}) {
  const sent: (readonly number[])[] = [];
  let look: () => void = () => undefined;
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      look = () => condition() && resolve();
      look();
    });
  const relay = startRelay<number>({
    name: 'test',
    pending: async (_now, limit) => items.slice(0, limit),
    send: async (group) => {
      sent.push(group);
      items.splice(0, group.length);
      look();
    },
    every: 1,
    batch: 2,
    clock: { now: () => 5_000 },
    log,
    ...options,
  });
  return { relay, sent, until };
}

test('hands over all that is pending, in groups, oldest first, and what comes later', async () => {
  const items = [1, 2, 3, 4, 5];
  const { relay, sent, until } = relayOf(items);
  await until(() => sent.length === 3);
  expect(sent).toEqual([[1, 2], [3, 4], [5]]);
  items.push(6);
  await until(() => sent.length === 4);
  expect(sent[3]).toEqual([6]);
  await relay.close();
});

test('asks for what is due now', async () => {
  let asked: number[] = [];
  const { relay } = relayOf([], {
    pending: async (now, limit) => {
      asked = [now, limit];
      return [];
    },
  });
  await new Promise((resolve) => setImmediate(resolve));
  relay.kick();
  await relay.close();
  expect(asked).toEqual([5_000, 2]);
});

test('goes on after failures of either side', async () => {
  let failures = 4;
  const arrived: number[] = [];
  const fail = (): void => {
    failures -= 1;
    if (failures >= 0) throw new Error('away');
  };
  await new Promise<void>((resolve) => {
    const { relay } = relayOf([], {
      pending: async () => {
        if (failures % 2 === 0) fail();
        return [7];
      },
      send: async (group) => {
        fail();
        arrived.push(...group);
        void relay.close().then(resolve);
      },
      batch: 9,
    });
  });
  expect(arrived).toEqual([7]);
});

test('closing waits for the batch in flight and sends no other', async () => {
  let release: () => void = () => undefined;
  let begun: () => void = () => undefined;
  const started = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const order: string[] = [];
  const { relay } = relayOf([1, 2, 3, 4], {
    send: async () => {
      begun();
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      order.push('sent');
    },
  });
  await started;
  const closed = relay.close().then(() => order.push('closed'));
  release();
  await closed;
  relay.kick();
  expect(order).toEqual(['sent', 'closed']);
});

test('a kick during a sweep brings another sweep, for what came after the sweep had looked', async () => {
  let looks = 0;
  await new Promise<void>((resolve) => {
    const { relay } = relayOf([], {
      every: 3_600_000,
      pending: async () => {
        looks += 1;
        if (looks === 1) setImmediate(() => relay.kick());
        await new Promise((done) => setTimeout(done, 5));
        if (looks === 2) void relay.close().then(resolve);
        return [];
      },
    });
  });
  expect(looks).toBe(2);
});

test('comes less often while there is nothing, and at once when something announces work', async () => {
  jest.useFakeTimers();
  let looks = 0;
  const { relay } = relayOf([], {
    every: 100,
    longest: 2_000,
    pending: async () => {
      looks += 1;
      return [];
    },
  });
  const looksIn = async (milliseconds: number): Promise<number> => {
    const before = looks;
    await jest.advanceTimersByTimeAsync(milliseconds);
    return looks - before;
  };
  expect(await looksIn(450)).toBeGreaterThan(3);
  await looksIn(20_000);
  expect(await looksIn(20_000)).toBeLessThanOrEqual(11);
  const before = looks;
  relay.kick();
  expect(looks).toBe(before + 1);
  expect(await looksIn(450)).toBeGreaterThan(3);
  await relay.close();
  jest.useRealTimers();
});

test('a group that cannot be done in time is handed over in halves, and later ones grow again', async () => {
  const items = Array.from({ length: 24 }, (_, at) => at);
  const tried: number[] = [];
  const { relay } = relayOf(items, {
    batch: 16,
    send: async ({ length }) => {
      tried.push(length);
      if (length > 4 && items.length > 8) throw new Error('not done in time');
      items.splice(0, length);
    },
  });
  while (items.length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(tried.slice(0, 4)).toEqual([16, 8, 4, 8]);
  await relay.close();
});

test('one that fails again and again does not hold up those that can be handed over', async () => {
  const items = [1, 2, 3, 4, 5];
  const { relay } = relayOf(items, {
    batch: 4,
    send: async (group) => {
      for (const item of group) if (item !== 1) items.splice(items.indexOf(item), 1);
      if (group.includes(1)) throw new Error('away');
    },
  });
  while (items.length > 1) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(items).toEqual([1]);
  await relay.close();
});
