import type { Bus } from '@order-automation/bus';
import type { Message } from '@order-automation/contracts';
import { fastPath, mostPublishing } from './fast-path';
import type { KeptEvent } from './payloads';
import type { Telemetry } from './telemetry';

/** A bus that takes nothing until it is told to, and what was told of it. */
function slowBus() {
  const taken: string[] = [];
  const left: number[] = [];
  const failed: number[] = [];
  let waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const publish = (messages: readonly Message[]): Promise<void> => {
    taken.push(...messages.map(({ id }) => id));
    return new Promise((resolve, reject) => waiting.push({ resolve, reject }));
  };
  const telemetry = {
    leftToRelay: (count: number) => left.push(count),
    notPublished: (count: number) => failed.push(count),
  };
  return {
    taken,
    left,
    failed,
    parts: {
      bus: { publish } as unknown as Bus,
      clock: { now: () => 1_000 },
      telemetry: telemetry as unknown as Telemetry,
    },
    settle: (error?: Error) => {
      for (const { resolve, reject } of waiting) error ? reject(error) : resolve();
      waiting = [];
    },
  };
}

const kept = (count: number, prefix: string): KeptEvent[] =>
  Array.from({ length: count }, (_, index) => ({
    event: { id: `evt_${prefix}${index}`, processId: 'proc_1', metadata: {} },
    webhook: { process_id: 'proc_1', gateway: 'generic', headers: {}, body: '{}' },
  })) as unknown as KeptEvent[];

test('a burst that the bus is slow to take is announced all the same, up to its bound; the rest is left to the relay and counted', async () => {
  const { parts, taken, left, settle } = slowBus();
  const path = fastPath(parts, () => undefined);
  for (let group = 0; group < mostPublishing / 32; group += 1) path.announce(kept(32, `${group}_`));
  expect(taken).toHaveLength(mostPublishing);
  expect(left).toEqual([]);
  path.announce(kept(3, 'more'));
  expect(taken).toHaveLength(mostPublishing);
  expect(left).toEqual([3]);

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

test('whoever waits for failed events is told once publishing works again', async () => {
  const { parts, failed, settle } = slowBus();
  let recovered = 0;
  const path = fastPath(parts, () => {
    recovered += 1;
  });
  path.announce(kept(2, 'a'));
  settle(new Error('away'));
  await path.idle();
  expect([failed, recovered]).toEqual([[2], 0]);
  path.announce(kept(2, 'b'));
  settle();
  await path.idle();
  path.announce(kept(2, 'c'));
  settle();
  await path.idle();
  expect([failed, recovered]).toEqual([[2], 1]);
});
