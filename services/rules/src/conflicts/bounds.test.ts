import fc from 'fast-check';
import { anyChoice } from '../../../../shared/engine/test/arbitrary';
import { areApart, boundsOf } from './bounds';
import { contradictions } from './contradictions';

test('conditions that are apart contradict each other', () => {
  let apart = 0;
  const some = fc.array(anyChoice, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(some, some, (one, other) => {
      if (!areApart(boundsOf(one), boundsOf(other))) return;
      apart += 1;
      expect(contradictions([...one, ...other])).not.toEqual([]);
    }),
    { numRuns: Number(process.env.AGREEMENT_RUNS ?? 3_000) },
  );
  expect(apart).toBeGreaterThan(20);
});

test.each([
  ['ranges', [50, 60], [70, 80], true],
  ['ranges that share an end', [50, 60], [60, 80], false],
])('%s', (_name, [from, to], [low, high], expected) => {
  const between = (amount?: number, amount_to?: number) =>
    boundsOf([{ id: 'order_total', settings: { operator: 'between', amount, amount_to } }]);
  expect(areApart(between(from, to), between(low, high))).toBe(expected);
  expect(areApart(between(low, high), between(from, to))).toBe(expected);
});
