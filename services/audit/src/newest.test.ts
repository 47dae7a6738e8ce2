import fc from 'fast-check';
import { approach, fewToSkip, newestOf, type Walk } from './newest';

/** Ids of several walks, each id in one of them. */
const anyLanes = fc
  .array(fc.tuple(fc.boolean(), fc.nat({ max: 5 }), fc.integer({ min: 1, max: 40 })), { maxLength: 60 })
  .map((runs) => {
    const lanes: number[][] = [[], [], [], [], [], []];
    let id = 0;
    for (const [used, lane, length] of runs)
      for (let left = length; left > 0; left -= 1) {
        id += 1;
        if (used) lanes[lane]?.unshift(id);
      }
    return lanes;
  });

const isBelow = (id: number, below: number | undefined): boolean => below === undefined || id < below;

test('several walks together give what one walk along all would give, and read little more', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyLanes,
      fc.option(fc.nat({ max: 900 }), { nil: undefined }),
      fc.nat({ max: 300 }),
      async (lanes, below, limit) => {
        let read = 0;
        const walks = lanes.map(
          (ids): Walk<{ readonly _id: number }> =>
            async (end, most) => {
              const found = ids.filter((id) => isBelow(id, end)).slice(0, most);
              read += found.length;
              return found.map((_id) => ({ _id }));
            },
        );
        const all = lanes
          .flat()
          .filter((id) => isBelow(id, below))
          .sort((a, b) => b - a);
        expect((await newestOf(walks, below, limit)).map(({ _id }) => _id)).toEqual(all.slice(0, limit));
        expect(read).toBeLessThanOrEqual(3 * limit + 8 * lanes.length);
      },
    ),
    { numRuns: 300 },
  );
});

test('no walks and no limit give nothing', async () => {
  expect(await newestOf([], undefined, 5)).toEqual([]);
  expect(await newestOf([async () => []], undefined, 5)).toEqual([]);
});

test('approaching a position ends at the same entry, with few left to skip', async () => {
  await fc.assert(
    fc.asyncProperty(anyLanes, fc.nat({ max: 2000 }), async (lanes, offset) => {
      const all = lanes.flat().sort((a, b) => b - a);
      fc.pre(offset < all.length);
      let walked = 0;
      const count = async (range: { from: number; below: number }) => {
        walked += range.below - range.from;
        return all.filter((id) => id >= range.from && id < range.below).length;
      };
      const { below, skip } = await approach({ from: 0, below: 2500, skip: offset }, count);
      expect(all.filter((id) => id < below)[skip]).toBe(all[offset]);
      expect(skip).toBeLessThanOrEqual(fewToSkip);
      expect(walked).toBeLessThanOrEqual(2500);
    }),
    { numRuns: 300 },
  );
});
