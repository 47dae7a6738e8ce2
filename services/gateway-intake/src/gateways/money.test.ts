import { currencyCode, decimalMoney, minorMoney } from './money';

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

// "CurrencyCode": "978", developer.viva.com/webhooks-for-payments/transaction-payment-created
test.each([
  ['978', 'EUR'],
  [840, 'USD'],
  [' 008 ', 'ALL'],
  [8, 'ALL'],
  // iso.org, ISO 4217 amendment 176: the Caribbean guilder replaces ANG, "The numeric code 532 will remain unchanged"
  ['532', 'XCG'],
  // "It indicates which currency is used for payment. (‘TL’, ‘USD’, …)", dev.paytr.com/en/link-api/linkle-api-callback
  ['TL', 'TRY'],
  ['000', null],
  ['9780', null],
  [97.8, null],
])('%j is the currency %s', (number, currency) =>
  expect(decimalMoney('49.00', number)).toMatchObject({ currency, amount: currency === null ? null : '49.00' }),
);
