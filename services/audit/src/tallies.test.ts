import fc from 'fast-check';
import { newTallies } from './tallies';
import { type Countable, countBundle, newCells } from './totals-cells';

const size = 4;
const bundle = fc.record({
  facets: fc.array(fc.constantFrom('webhook success rule_evaluation', 'webhook error action_failed'), {
    minLength: 1,
    maxLength: 6,
  }),
  refused: fc.boolean(),
});
const step = fc.oneof(
  fc.record({ kind: fc.constant('recorded' as const), bundles: fc.array(bundle, { minLength: 1, maxLength: 3 }) }),
  fc.record({ kind: fc.constant('unused' as const), count: fc.integer({ min: 0, max: 9 }) }),
  fc.record({ kind: fc.constant('others' as const), count: fc.integer({ min: 1, max: 3 }) }),
);

function countOf(bundles: readonly Countable[]) {
  const cells = newCells();
  for (const one of bundles) countBundle(cells, one);
  return cells.all();
}

test('a range is complete when the fate of each of its ids is known, and counts what was recorded', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const tallies = newTallies(size);
      const stored: Countable[] = [];
      const strange = new Set<number>();
      let next = 1;
      for (const one of steps) {
        if (one.kind === 'recorded') {
          for (const { facets, refused } of one.bundles) {
            const parts = facets.map((facet) => ({ facet, order: false, rule: false }));
            const recorded = { document: { _id: next }, outline: { _id: '', parts } };
            if (refused) tallies.unused(next, parts.length);
            else {
              tallies.recorded(recorded);
              stored.push(recorded);
            }
            next += parts.length;
          }
        } else {
          if (one.kind === 'unused') tallies.unused(next, one.count);
          else for (let id = next; id < next + one.count; id += 1) strange.add(Math.floor(id / size));
          next += one.count;
        }
      }
      for (let range = 0; range * size < next + size; range += 1) {
        const passed = (range + 1) * size <= next && !strange.has(range);
        const inside = stored.filter(({ document }) => Math.floor(document._id / size) === range);
        expect(tallies.complete(range)).toEqual(passed ? countOf(inside) : undefined);
      }
    }),
  );
});

test('ranges that are closed are forgotten', () => {
  const tallies = newTallies(size);
  tallies.unused(1, 2 * size - 1);
  tallies.forgetBelow(1);
  expect([tallies.complete(0), tallies.complete(1)]).toEqual([undefined, []]);
});
