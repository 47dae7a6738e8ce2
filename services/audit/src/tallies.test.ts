import { buildAuditEntry } from '@order-automation/testing';
import fc from 'fast-check';
import { documentOf, type EntryDocument } from './entries';
import { newTallies } from './tallies';
import { cellsOf } from './totals-cells';

const size = 4;
const entry = fc.record({ status: fc.constantFrom('success' as const, 'error' as const), refused: fc.boolean() });
const step = fc.oneof(
  fc.record({ kind: fc.constant('recorded' as const), entries: fc.array(entry, { minLength: 1, maxLength: 6 }) }),
  fc.record({ kind: fc.constant('unused' as const), count: fc.integer({ min: 0, max: 9 }) }),
  fc.record({ kind: fc.constant('others' as const), count: fc.integer({ min: 1, max: 3 }) }),
);

test('a range is complete when the fate of each of its ids is known, and counts what was recorded', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      const tallies = newTallies(size);
      const stored: EntryDocument[] = [];
      const strange = new Set<number>();
      let next = 1;
      for (const one of steps) {
        if (one.kind === 'recorded') {
          const documents = one.entries.map(({ status }, index) =>
            documentOf(next + index, buildAuditEntry({ status })),
          );
          const refused = new Set(one.entries.flatMap((each, index) => (each.refused ? [index] : [])));
          tallies.recorded(documents, refused);
          stored.push(...documents.filter((_, index) => !refused.has(index)));
          next += documents.length;
        } else {
          if (one.kind === 'unused') tallies.unused(next, one.count);
          else for (let id = next; id < next + one.count; id += 1) strange.add(Math.floor(id / size));
          next += one.count;
        }
      }
      for (let range = 0; range * size < next + size; range += 1) {
        const passed = (range + 1) * size <= next && !strange.has(range);
        const inside = stored.filter(({ _id }) => Math.floor(_id / size) === range);
        expect(tallies.complete(range)).toEqual(passed ? cellsOf(inside) : undefined);
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
