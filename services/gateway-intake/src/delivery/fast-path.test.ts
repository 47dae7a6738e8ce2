import type { Bus } from '@order-automation/bus';
import type { Message } from '@order-automation/contracts';
import type { InboxEvent } from '../inbox/documents';
import type { Telemetry } from '../telemetry';
import { fastPath, maxPublishing } from './fast-path';

/** A bus that takes nothing until it is opened, and what its listener heard. */
function slowBus() {
  const taken: string[] = [];
  const logged: number[] = [];
  let waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const publish = (messages: readonly Message[]): Promise<void> => {
    taken.push(...messages.map(({ id }) => id));
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  };
  return {
    taken,
    logged,
    parts: {
      bus: { publish } as unknown as Bus,
      clock: { now: () => 1_000 },
      telemetry: { unpublished: (count: number) => logged.push(count) } as unknown as Telemetry,
    },
    settle: (error?: Error) => {
      for (const { resolve, reject } of waiting) error ? reject(error) : resolve();
      waiting = [];
    },
  };
}

const kept = (count: number, prefix: string): InboxEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    _id: `evt_${prefix}${index}`,
    process_id: 'proc_1',
    event: { id: `evt_${prefix}${index}` },
    webhook: { connection: null, body_bytes: 2, metadata: {} },
  })) as unknown as InboxEvent[];

test('a burst that the bus is slow to take is announced all the same, up to its bound; the rest is kept in mind', async () => {
  const { parts, taken, logged, settle } = slowBus();
  const path = fastPath(parts, () => undefined);
  for (let group = 0; group < maxPublishing / 32; group += 1) path.announce(kept(32, `${group}_`));
  expect(taken).toHaveLength(maxPublishing);
  expect(path.unpublished(10)).toEqual([]);
  path.announce(kept(3, 'more'));
  expect(taken).toHaveLength(maxPublishing);
  expect([path.unpublished(2), logged]).toEqual([['evt_more0', 'evt_more1'], [3]]);

  let idle = false;
  const ended = path.idle().then(() => {
    idle = true;
  });
  await Promise.resolve();
  expect(idle).toBe(false);
  settle();
  await ended;
  path.announce(kept(1, 'again'));
  expect(taken.at(-1)).toBe('evt_again0');
});

test('events that could not be published are remembered until they are done, and a recovery is reported', async () => {
  const { parts, logged, settle } = slowBus();
  let recovered = 0;
  const path = fastPath(parts, () => {
    recovered += 1;
  });
  path.announce(kept(2, 'a'));
  settle(new Error('away'));
  await path.idle();
  expect([logged, recovered]).toEqual([[2], 0]);
  path.announce(kept(2, 'b'));
  settle();
  await path.idle();
  expect([path.unpublished(10), recovered]).toEqual([['evt_a0', 'evt_a1'], 1]);
  path.announce(kept(2, 'soon'));
  settle();
  await path.idle();
  expect(recovered).toBe(1);
  path.forget(['evt_a0', 'evt_b0']);
  expect(path.unpublished(10)).toEqual(['evt_a1']);
  path.forget(['evt_a1']);
  path.announce(kept(2, 'c'));
  settle();
  await path.idle();
  expect(recovered).toBe(1);
});
