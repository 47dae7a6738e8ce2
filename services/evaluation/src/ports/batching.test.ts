import { BusError } from '@order-automation/bus';
import { batcher } from '@order-automation/service';

function recorder(fails: (items: readonly number[]) => string | undefined) {
  const groups: (readonly number[])[] = [];
  const { add: ask } = batcher<number, string>({
    maxItems: 100,
    concurrency: 2,
    run: async (items) => {
      groups.push(items);
      const failure = fails(items);
      if (failure) throw failure === 'unavailable' ? new BusError(failure, 'no connection') : new Error(failure);
      return items.map((item) => `r${item}`);
    },
  });
  return { groups, ask };
}

test('what one moment asks for is one group, and each caller gets its own result', async () => {
  const { groups, ask } = recorder(() => undefined);
  expect(await Promise.all([1, 2, 3].map(ask))).toEqual(['r1', 'r2', 'r3']);
  expect(groups).toEqual([[1, 2, 3]]);
});

test('of 20 items the poisoned one fails alone', async () => {
  const { groups, ask } = recorder((items) => (items.includes(13) ? 'poison' : undefined));
  const settled = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => ask(index + 1)));
  const failed = settled.flatMap(({ status }, index) => (status === 'rejected' ? [index + 1] : []));
  expect(failed).toEqual([13]);
  expect(groups.length).toBeLessThan(12);
});

test('a group is not divided when the other side is unavailable', async () => {
  const { groups, ask } = recorder(() => 'unavailable');
  const settled = await Promise.allSettled([1, 2, 3].map(ask));
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(groups).toHaveLength(1);
});
