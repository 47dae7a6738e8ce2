import { currencyCode } from './money';

test.each([
  ['eur', 'EUR'],
  [' USD ', 'USD'],
  ['u$d', undefined],
  ['usdt', 'USDT'],
  ['x y', undefined],
  ['', undefined],
])('the currency code of %j is %s', (text, code) => expect(currencyCode(text)).toBe(code));
