import fc from 'fast-check';
import { maskCardNumbers, mayHoldCardNumber } from './card-numbers';

const number = '4242424242424242';
const grouped = (separator: string) => ['4242', '4242', '4242', '4242'].join(separator);
const spelled = (zero: number, digits = number) =>
  [...digits].map((digit) => String.fromCodePoint(zero + Number(digit))).join('');

test.each([
  ['no separator', number],
  ['blanks', grouped(' ')],
  ['hyphens', grouped('-')],
  ['dots', grouped('.')],
  ['slashes', grouped('/')],
  ['backslashes', grouped('\\')],
  ['underscores', grouped('_')],
  ['plus signs, as forms write blanks', grouped('+')],
  ['no-break spaces', grouped('\u00a0')],
  ['narrow no-break spaces', grouped('\u202f')],
  ['ideographic spaces', grouped('\u3000')],
  ['zero-width spaces', grouped('\u200b')],
  ['soft hyphens', grouped('\u00ad')],
  ['en dashes', grouped('\u2013')],
  ['hyphens between blanks', grouped(' - ')],
  ['lines', grouped('\r\n')],
  ['each digit apart', [...number].join(' ')],
  ['other groups', '42424 24242 424242'],
  ['full-width digits', spelled(0xff10)],
  ['full-width digits and spaces', spelled(0xff10).replace(/(.{4})(?=.)/gu, '$1\u3000')],
  ['Arabic-Indic digits', spelled(0x660)],
  ['bold digits', spelled(0x1d7ce)],
  ['American Express', '3782-822463-10005'],
  ['19 digits', '6304000000000000000'],
])('a card number with %s is masked', (_, text) => {
  expect(mayHoldCardNumber(text)).toBe(true);
  expect(maskCardNumbers(`paid with ${text}.`)).toBe('paid with [card].');
  expect(maskCardNumbers(`${text}`)).toBe('[card]');
});

test('what follows the number is no cover for it', () => {
  expect(maskCardNumbers(`${grouped(' ')} 12/27 123`)).toBe('[card] 12/27 123');
  expect(maskCardNumbers(`${number} ${number}`)).toBe('[card] [card]');
  expect(maskCardNumbers(`12 ${number}`)).toBe('12 [card]');
  expect(maskCardNumbers(`${number}-visa`)).toBe('[card]-visa');
  expect(maskCardNumbers(`no.${number},${grouped('.')}`)).toBe('no.[card],[card]');
});

test.each([
  'order 4242424242424241',
  '2026-01-15T10:00:00.000Z',
  '2026-01-15 10:00:00 to 2026-01-16 11:00:00',
  '2026-01-15/2026-01-18',
  'id 1760000000000000',
  'evt_4242424242424242x',
  'x4242424242424242',
  '0.4242424242424242',
  '10.0.0.1 203.0.113.195',
  'orders 5001, 5002, 5003, 5004, 5005',
  '+49 30 901820',
])('%s stays as it is', (text) => expect(maskCardNumbers(text)).toBe(text));

test('any separators between the digits of any card number leave none of it', () => {
  const withCheckDigit = (digits: string): string => {
    for (const check of '0123456789') if (maskCardNumbers(digits + check) === '[card]') return digits + check;
    throw new Error(`no check digit for ${digits}`);
  };
  const separator = fc.constantFrom('', '', ' ', '-', '.', '/', '\u00a0', '\u2013', ' - ');
  fc.assert(
    fc.property(
      fc.stringMatching(/^4[0-9]{14}$/),
      fc.array(separator, { minLength: 15, maxLength: 15 }),
      (digits, separators) => {
        const spelling = [...withCheckDigit(digits)].map((one, index) => one + (separators[index] ?? '')).join('');
        expect(maskCardNumbers(`card ${spelling}!`)).toBe('card [card]!');
      },
    ),
  );
});

test('long texts are looked at in linear time', () => {
  const since = performance.now();
  for (const text of ['4 '.repeat(2_000), '4242 '.repeat(800), '1'.repeat(4_000), `${'4.'.repeat(1_900)}x`])
    maskCardNumbers(text);
  expect(performance.now() - since).toBeLessThan(4_000);
});
