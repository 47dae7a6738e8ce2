import {
  browserText,
  distanceText,
  durationText,
  exactTime,
  inWords,
  moneyText,
  namesApart,
  orderNamed,
  plural,
  sentence,
  statusesNamed,
  timeText,
  valueText,
  withInstants,
} from './format';

const now = Date.parse('2026-11-23T02:48:40.000Z');

test.each([
  ['2026-11-23T02:03:22.123Z', 'UTC', '02:03:22'],
  ['2026-11-22T23:30:00.000Z', 'Europe/Berlin', '00:30:00'],
  ['2026-11-22T23:30:00.000Z', 'UTC', '22 Nov, 23:30'],
  ['2025-03-03T14:03:00.000Z', 'UTC', '3 Mar 2025, 14:03'],
  ['no time', 'UTC', 'no time'],
])('%s in %s reads %s', (iso, zone, text) => {
  expect(timeText(iso, now, zone)).toBe(text);
});

test.each([
  ['it waits until 2026-11-23T02:48:38.000Z.', ['it waits until ', { at: '2026-11-23T02:48:38.000Z' }, '.']],
  ['"Paid" at 2026-11-23 12:03:20 UTC ran', ['"Paid" at ', { at: '2026-11-23T12:03:20Z' }, ' ran']],
  ['ended on 2026-11-23 12:03 UTC: new', ['ended on ', { at: '2026-11-23T12:03Z' }, ': new']],
  // The text of a note, which stands on the order like this.
  ['[2026-11-23 12:03:20 UTC] Paid', ['[2026-11-23 12:03:20 UTC] Paid']],
  ['On 2026-11-23 (UTC) 3 events', ['On 2026-11-23 (UTC) 3 events']],
])('the instants of "%s" are shown by the clocks of the shop', (text, parts) => {
  expect(withInstants(text)).toEqual(parts);
});

// issue 41, 7: an order is named as its page names it, by id and by number.
test.each([
  ['Order 5123: paid', 'Order 5123 (number $&1): paid'],
  ['Payment for order 5123 of 5123', 'Payment for order 5123 (number $&1) of 5123'],
  ['Order 5123 (number $&1) was created', 'Order 5123 (number $&1) was created'],
  ['Order 51234 and order 12', 'Order 51234 and order 12'],
])('%s, of an order with a number of its own', (text, said) => {
  expect(orderNamed(text, 5123, '$&1')).toBe(said);
  expect(orderNamed(text, 5123, undefined)).toBe(text);
});

test('the exact instant names the zone', () => {
  expect(exactTime('2026-07-01T10:00:00.250Z', 'Europe/Berlin')).toBe(
    '1 Jul 2026, 12:00:00 Europe/Berlin (2026-07-01T10:00:00.250Z)',
  );
});

test.each([
  ['2026-11-23T02:48:38.000Z', '2 seconds ago'],
  ['2026-11-23T00:48:40.000Z', '2 hours ago'],
  ['2026-11-24T02:48:40.000Z', 'tomorrow'],
])('%s is %s', (iso, text) => {
  expect(distanceText(iso, now)).toBe(text);
});

test.each([
  ['31.50', 'EUR', '€31.50'],
  ['17.375', 'KWD', 'KWD\u00a017.375'],
  ['900719925474099312.07', 'USD', '$900,719,925,474,099,312.07'],
  ['5.00', 'not a currency', '5.00 not a currency'],
])('%s %s is %s', (amount, currency, text) => {
  expect(moneyText(amount, currency)).toBe(text);
});

test.each([
  [
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    'Chrome on Linux',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) AppleWebKit/605.1 (KHTML, like Gecko) Version/18 Safari/605.1',
    'Safari on macOS',
  ],
  ['curl/8.5.0', 'curl/8.5.0'],
  [null, 'unknown'],
])('%s is %s', (header, text) => {
  expect(browserText(header)).toBe(text);
});

test('words, counts and durations', () => {
  expect(inWords('rule_evaluation')).toBe('Rule evaluation');
  expect(inWords('on-hold')).toBe('On hold');
  expect(sentence('the order waits')).toBe('The order waits');
  expect(plural(1, 'rule')).toBe('1 rule');
  expect(plural(1200, 'entry', 'entries')).toBe('1,200 entries');
  expect([12.4, 1_400, 125_000].map(durationText)).toEqual(['12 ms', '1.4 s', '2 min 5 s']);
  expect([null, '', 'a', 3, ['x']].map(valueText)).toEqual(['(none)', '(none)', 'a', '3', '["x"]']);
});

// docs/guide/import-a-shop.md: a status of a plugin has a key and a name
test.each([
  ['Status changed from partially-paid to completed.', 'Status changed from Partly paid to completed.'],
  [
    'a payment completed while the order is partially-paid. Write to x',
    'a payment completed while the order is Partly paid. Write to x',
  ],
  ['Status changed from on-hold to packed.', 'Status changed from on hold to In the box.'],
  [
    'order status is failed, the rule needs packed or partially-paid',
    'order status is failed, the rule needs In the box or Partly paid',
  ],
  ['Order 7 is still packed because', 'Order 7 is still In the box because'],
  [
    'the order is in status on-hold; the trigger fires for each order that is in packed or partially-paid for more than 2 days',
    'the order is in status on hold; the trigger fires for each order that is in In the box or Partly paid for more than 2 days',
  ],
  ['The box was packed-up; it is packed-up, and packed', 'The box was packed-up; it is packed-up, and packed'],
  ['change status from constructor to unknown-one', 'change status from constructor to unknown-one'],
])('%s', (text, named) => {
  expect(
    statusesNamed(text, { 'partially-paid': 'Partly paid', packed: 'In the box', completed: 'Abgeschlossen' }),
  ).toBe(named);
});

test('a name from right to left stands apart in a sentence, and no other does', () => {
  expect(namesApart('Rule "قاعدة" (5) was created')).toBe('Rule "\u2068قاعدة\u2069" (5) was created');
  expect(namesApart('Rule "Übergröße" (5), "b"')).toBe('Rule "Übergröße" (5), "b"');
});
