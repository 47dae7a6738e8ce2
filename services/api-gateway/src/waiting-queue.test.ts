import fc from 'fast-check';
import { waitingQueue } from './waiting-queue';

const long = 60_000;

/** Work that ends when the test says so. */
function heldWork() {
  const begun: number[] = [];
  const ends = new Map<number, () => void>();
  const work = (id: number) => () =>
    new Promise<number>((resolve) => {
      begun.push(id);
      ends.set(id, () => resolve(id));
    });
  return { begun, work, end: (id: number) => ends.get(id)?.() };
}

test('work beyond the limit waits for its turn, in order; beyond the queue it is refused at once', async () => {
  const { begun, work, end } = heldWork();
  const queue = waitingQueue({ inFlight: 2, waiting: 2 });
  const results = [1, 2, 3, 4].map((id) => queue.run(work(id), long));
  await expect(queue.run(work(5), long)).rejects.toMatchObject({ reason: 'queue_full' });
  expect([begun, queue.inFlight(), queue.waiting()]).toEqual([[1, 2], 2, 2]);
  end(2);
  expect(await results[1]).toBe(2);
  expect([begun, queue.inFlight(), queue.waiting()]).toEqual([[1, 2, 3], 2, 1]);
  for (const id of [1, 3]) end(id);
  await Promise.all([results[0], results[2]]);
  end(4);
  expect(await results[3]).toBe(4);
  expect([queue.inFlight(), queue.waiting()]).toEqual([0, 0]);
});

test('who waits too long is refused and leaves its place to the next', async () => {
  const { begun, work, end } = heldWork();
  const queue = waitingQueue({ inFlight: 1, waiting: 2 });
  const first = queue.run(work(1), long);
  const impatient = queue.run(work(2), 1);
  const patient = queue.run(work(3), long);
  await expect(impatient).rejects.toMatchObject({ reason: 'queue_timeout' });
  end(1);
  await first;
  expect(begun).toEqual([1, 3]);
  end(3);
  expect(await patient).toBe(3);
});

test('work that fails frees its place; a flush lets all that waits begin', async () => {
  const { begun, work, end } = heldWork();
  const queue = waitingQueue({ inFlight: 1, waiting: 9 });
  const failing = queue.run(() => Promise.reject(new Error('no')), long);
  const second = queue.run(work(2), long);
  await expect(failing).rejects.toThrow('no');
  const rest = [3, 4].map((id) => queue.run(work(id), long));
  queue.flush();
  await Promise.resolve();
  expect(begun).toEqual([2, 3, 4]);
  for (const id of begun) end(id);
  expect(await Promise.all([second, ...rest])).toEqual([2, 3, 4]);
  expect([queue.inFlight(), queue.waiting()]).toEqual([0, 0]);
});

test('whatever arrives: never more in flight than allowed, nothing is lost, nothing runs twice', async () => {
  const sizes = fc.integer({ min: 1, max: 5 });
  const works = fc.array(fc.record({ ticks: fc.nat(4), fails: fc.boolean() }), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(sizes, sizes, works, async (inFlight, waiting, all) => {
      const queue = waitingQueue({ inFlight, waiting });
      const runs = all.map(() => 0);
      const results = await Promise.allSettled(
        all.map(({ ticks, fails }, index) =>
          queue.run(async () => {
            runs[index] = (runs[index] ?? 0) + 1;
            expect(queue.inFlight()).toBeLessThanOrEqual(inFlight);
            for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
            if (fails) throw new Error('failed');
          }, long),
        ),
      );
      results.forEach((result, index) => {
        const isRefused = result.status === 'rejected' && result.reason.reason === 'queue_full';
        expect(runs[index]).toBe(isRefused ? 0 : 1);
        expect(isRefused).toBe(index >= inFlight + waiting);
      });
      expect([queue.inFlight(), queue.waiting()]).toEqual([0, 0]);
    }),
  );
});
