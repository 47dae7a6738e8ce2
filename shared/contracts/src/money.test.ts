import fc from 'fast-check';
import { compareDecimals, currencyDecimals, type Decimal, formatDecimal, parseDecimal, roundDecimal } from './money';

const decimal = (text: string | number): Decimal => {
  const parsed = parseDecimal(text);
  if (!parsed) throw new Error(`${text} is not a decimal`);
  return parsed;
};
const anyDecimal = fc.record({
  units: fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }),
  scale: fc.integer({ min: 0, max: 18 }),
});

test('decimals of a currency', () => {
  expect(['eur', 'JPY', 'BHD', '', 'IRT'].map((one) => currencyDecimals(one))).toEqual([2, 0, 3, 2, 2]);
  expect(['eur', 'IRT'].map((one) => currencyDecimals(one, 0))).toEqual([2, 0]);
});

test.each([
  ['10.0049', 2, '10.00'],
  ['10.005', 2, '10.01'],
  ['-10.005', 2, '-10.01'],
  ['10.4', 0, '10'],
  ['10', 2, '10.00'],
])('%s with at most %i decimals is %s', (text, decimals, expected) => {
  const value = roundDecimal(parseDecimal(text) ?? { units: 0n, scale: 0 }, decimals);
  expect(formatDecimal(value, decimals)).toBe(expected);
});

test.each([
  '',
  ' ',
  '1.',
  '.5',
  '1,5',
  '1e3',
  '0x10',
  'NaN',
  '--1',
  '1 000',
  '١',
  '1'.repeat(31),
  '1.2.3',
  Number.NaN,
  Number.POSITIVE_INFINITY,
])('%p is no decimal', (value) => expect(parseDecimal(value)).toBeUndefined());

test.each([
  ['0.1', '0.10', 0],
  ['0.1', '0.2', -1],
  ['-1', '1', -1],
  ['100', '99.999', 1],
  ['-0', '0', 0],
  ['+5', '5.0', 0],
  ['9007199254740993', '9007199254740992', 1],
  ['0.30000000000000001', '0.3', 1],
])('%s against %s is %i', (a, b, result) => expect(compareDecimals(decimal(a), decimal(b))).toBe(result));

test('numbers are taken by their shortest text', () => {
  expect(compareDecimals(decimal(0.1 + 0.2), decimal('0.30000000000000004'))).toBe(0);
  expect(compareDecimals(decimal(1e-7), decimal('0.0000001'))).toBe(0);
  expect(compareDecimals(decimal(49), decimal('49.00'))).toBe(0);
});

test.each([
  ['1.005', 2, '1.01'],
  ['-1.005', 2, '-1.01'],
  ['1.004', 2, '1.00'],
  ['0.5', 0, '1'],
  ['49', 2, '49.00'],
  ['-0.001', 2, '0.00'],
])('%s with %i decimals is %s', (text, decimals, formatted) =>
  expect(formatDecimal(decimal(text), decimals)).toBe(formatted),
);

test('what is formatted with all its decimals parses to the same', () => {
  fc.assert(
    fc.property(anyDecimal, (value) => {
      const text = formatDecimal(value, value.scale);
      expect(compareDecimals(decimal(text), value)).toBe(0);
      expect(decimal(text).scale).toBe(value.scale);
    }),
  );
});

test('comparison is an order, and agrees with exact fractions', () => {
  fc.assert(
    fc.property(anyDecimal, anyDecimal, (a, b) => {
      const difference = a.units * 10n ** BigInt(b.scale) - b.units * 10n ** BigInt(a.scale);
      expect(Math.sign(compareDecimals(a, b))).toBe(difference === 0n ? 0 : difference < 0n ? -1 : 1);
      expect(compareDecimals(a, b) + compareDecimals(b, a)).toBe(0);
    }),
  );
});

test('rounding is never off by more than half a unit, and halves go away from zero', () => {
  fc.assert(
    fc.property(anyDecimal, fc.integer({ min: 0, max: 8 }), (value, decimals) => {
      const rounded = decimal(formatDecimal(value, decimals));
      const scale = Math.max(value.scale, decimals);
      const at = ({ units, scale: own }: Decimal) => units * 10n ** BigInt(scale - own);
      const off = at(rounded) - at(value);
      const unit = 10n ** BigInt(scale - decimals);
      expect((off < 0n ? -off : off) * 2n <= unit).toBe(true);
      if ((off < 0n ? -off : off) * 2n === unit && unit > 1n) expect(off > 0n).toBe(value.units > 0n);
    }),
  );
});
