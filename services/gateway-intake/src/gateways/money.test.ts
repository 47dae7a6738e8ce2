import { currencyCode, minorMoney } from './money';

test.each([
  ['eur', 'EUR'],
  [' USD ', 'USD'],
  ['u$d', undefined],
  ['usdt', 'USDT'],
  ['x y', undefined],
  ['', undefined],
])('the currency code of %j is %s', (text, code) => expect(currencyCode(text)).toBe(code));

test.each([
  [' 4900 ', '49.00'],
  ['-4900\n', '-49.00'],
  ['49 00', null],
  ['4900.00', null],
])('minor units %j are %s: blanks around a number say nothing, as around a decimal one', (units, amount) =>
  expect(minorMoney(units, 'EUR').amount).toBe(amount),
);
