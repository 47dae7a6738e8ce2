import fc from 'fast-check';
import { moves } from './reorder';

const places = (...positions: number[]) => positions.map((position, at) => ({ id: at + 1, position }));
const moved = (positions: number[], ids: number[]) => Object.fromEntries(moves(places(...positions), ids));

test.each([
  ['nothing moves', [0, 1, 2], [1, 2, 3], {}],
  ['two change places', [0, 1, 2], [2, 1], { 2: 0, 1: 1 }],
  ['the last becomes the first', [0, 10, 20], [3, 1, 2], { 3: 0, 1: 10, 2: 20 }],
  ['others stay where they are', [0, 10, 20, 30], [4, 1], { 4: 0, 1: 30 }],
  ['equal positions become distinct', [0, 0, 0], [3, 2, 1], { 2: 1, 1: 2 }],
  ['one alone', [5], [1], {}],
])('%s', (_name, positions, ids, expected) => {
  expect(moved(positions, ids)).toEqual(expected);
});

test('afterwards the rules run in the order that was asked for, and the others as before', () => {
  const position = fc.array(fc.nat(4), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(position, fc.infiniteStream(fc.nat()), (drawn, random) => {
      const before = places(...drawn.sort((a, b) => a - b));
      const ids = before.map(({ id }) => id).filter((id) => (random.next().value ?? id) % 2 === 0);
      const wanted = ids.reverse();
      const changed = moves(before, wanted);
      const after = before
        .map(({ id, position: old }) => ({ id, position: changed.get(id) ?? old }))
        .sort((a, b) => a.position - b.position || a.id - b.id)
        .map(({ id }) => id);
      expect(after.filter((id) => wanted.includes(id))).toEqual(wanted);
      const others = before.map(({ id }) => id).filter((id) => !wanted.includes(id));
      expect(after.filter((id) => others.includes(id))).toEqual(others);
    }),
  );
});
