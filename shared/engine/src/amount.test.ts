import { compareDecimals, type Decimal, parseDecimal } from '@order-automation/contracts';
import fc from 'fast-check';
import { amountText, decimalsOf } from './amount';

/** Compares by digits alone, as a person does. */
function byHand(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const left = BigInt(`${a.units}${'0'.repeat(scale - a.scale)}`);
  const right = BigInt(`${b.units}${'0'.repeat(scale - b.scale)}`);
  return left === right ? 0 : left < right ? -1 : 1;
}

const decimalText = fc
  .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 20n }), fc.stringMatching(/^\d{0,12}$/))
  .map(([negative, whole, fraction]) => `${negative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`);

test('comparing is exact at any size and any number of decimals', () => {
  fc.assert(
    fc.property(decimalText, decimalText, (a, b) => {
      const [left, right] = [parseDecimal(a), parseDecimal(b)];
      if (!left || !right) throw new Error('must parse');
      expect(compareDecimals(left, right)).toBe(byHand(left, right));
    }),
    { numRuns: 500 },
  );
});

test('0.1 + 0.2 is not needed: 0.30 equals 0.3 and not 0.30000000000000004', () => {
  const compare = (a: string | number, b: string | number) =>
    compareDecimals(parseDecimal(a) as Decimal, parseDecimal(b) as Decimal);
  expect(compare('0.30', 0.3)).toBe(0);
  expect(compare('0.30', 0.1 + 0.2)).toBe(-1);
});

test('amounts are written with the decimals beside which they stand', () => {
  expect([amountText(50, 2), amountText(50, 0), amountText(50.125, 2), amountText(1e12, 2)]).toEqual([
    '50.00',
    '50',
    '50.125',
    '1000000000000.00',
  ]);
  expect([decimalsOf('49.00'), decimalsOf('4900'), decimalsOf('1.234')]).toEqual([2, 0, 3]);
});
