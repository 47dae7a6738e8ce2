import { BusError } from '@order-automation/bus';
import fc from 'fast-check';
import { batcher } from './batcher';

type Gate = { items: readonly number[]; open(results?: readonly number[]): void; fail(error: Error): void };

/** A batcher whose batches wait until the test lets them go. */
function gated(options: { maxItems?: number; maxBytes?: number; concurrency?: number } = {}) {
  const gates: Gate[] = [];
  const batch = batcher<number, number>({
    maxItems: 100,
    concurrency: 1,
    size: (item) => item,
    ...options,
    run: (items) =>
      new Promise((resolve, reject) => {
        gates.push({ items, open: (results = items.map((item) => item * 10)) => resolve(results), fail: reject });
      }),
  });
  return { batch, gates };
}
const tick = () => new Promise((resolve) => setImmediate(resolve));

test('what arrives in one tick is one batch; what arrives while it is in flight is the next', async () => {
  const { batch, gates } = gated();
  const first = [batch.add(1), batch.add(2)];
  await tick();
  const second = [batch.add(3), batch.add(4), batch.add(5)];
  await tick();
  expect(gates.map(({ items }) => items)).toEqual([[1, 2]]);
  expect(batch.waiting()).toBe(3);
  gates[0]?.open();
  expect(await Promise.all(first)).toEqual([10, 20]);
  await tick();
  expect(gates[1]?.items).toEqual([3, 4, 5]);
  gates[1]?.open();
  expect(await Promise.all(second)).toEqual([30, 40, 50]);
});

test('batches keep their limits, but one item that is too heavy goes alone', async () => {
  const { batch, gates } = gated({ maxItems: 2, maxBytes: 10, concurrency: 9 });
  const all = [4, 4, 4, 50, 4, 7].map((item) => batch.add(item));
  await tick();
  expect(gates.map(({ items }) => items)).toEqual([[4, 4], [4], [50], [4], [7]]);
  for (const gate of gates) gate.open();
  expect(await Promise.all(all)).toEqual([40, 40, 40, 500, 40, 70]);
});

test('no more batches than `concurrency` are in flight', async () => {
  const { batch, gates } = gated({ maxItems: 1, concurrency: 2 });
  const all = [1, 2, 3].map((item) => batch.add(item));
  await tick();
  expect(gates).toHaveLength(2);
  gates[1]?.open();
  await all[1];
  await tick();
  expect(gates).toHaveLength(3);
  for (const gate of gates) gate.open();
  await Promise.all(all);
});

test('an outage is that of the whole batch and of no other', async () => {
  const { batch, gates } = gated({ maxItems: 2, concurrency: 2 });
  const all = [1, 2, 3].map((item) => batch.add(item));
  await tick();
  gates[0]?.fail(new BusError('unavailable', 'lost'));
  gates[1]?.open();
  const settled = await Promise.allSettled(all);
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  const late = batch.add(4);
  await tick();
  gates[2]?.open([]);
  await expect(late).rejects.toThrow('0 results for 1 items');
});

test('a poisoned item of a batch harms itself alone', async () => {
  const batches: (readonly number[])[] = [];
  const batch = batcher<number, number>({
    maxItems: 10,
    concurrency: 1,
    run: async (items) => {
      batches.push(items);
      if (items.includes(2)) throw new Error('poison');
      return items;
    },
  });
  const settled = await Promise.allSettled([1, 2, 3].map((item) => batch.add(item)));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(batches).toEqual([[1, 2, 3], [1, 2], [1], [2], [3]]);
});

test('a handler that throws at once rejects its callers and stops nothing', async () => {
  const batch = batcher<number, number>({
    maxItems: 1,
    concurrency: 1,
    run: ([item = 0]) => {
      if (item === 1) throw new Error('no');
      return Promise.resolve([item]);
    },
  });
  await expect(batch.add(1)).rejects.toThrow('no');
  await expect(batch.add(2)).resolves.toBe(2);
});

test('idle waits for what waits and what is in flight', async () => {
  const { batch, gates } = gated({ maxItems: 1 });
  await batch.idle();
  void batch.add(1);
  void batch.add(2);
  let idle = false;
  const waiting = batch.idle().then(() => {
    idle = true;
  });
  await tick();
  gates[0]?.open();
  await tick();
  await tick();
  expect(idle).toBe(false);
  gates[1]?.open();
  await waiting;
});

test('every caller gets its own result, in whatever order batches end', () =>
  fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.nat(1000), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 4 }),
      async (scheduler, items, maxItems, concurrency) => {
        const batch = batcher<number, string>({
          maxItems,
          concurrency,
          run: (group) => scheduler.schedule(Promise.resolve(group.map((item) => `r${item}`))),
        });
        const results = Promise.all(items.map((item) => batch.add(item)));
        await scheduler.waitFor(results);
        expect(await results).toEqual(items.map((item) => `r${item}`));
      },
    ),
    { numRuns: 50 },
  ));
