import { buildAuditEntry } from '@order-automation/testing';
import { maskDetails, maskEntry } from './mask-audit-log';
import { addressIn, maskText } from './mask-text';

test.each([
  ['card 4242 4242 4242 4242 declined', 'card [card] declined'],
  ['half a pair \ud800 is no character', 'half a pair \ufffd is no character'],
  ['key sk_live_abcdefgh12345678 used', 'key [redacted] used'],
  ['signed with whsec_c2VjcmV0c2VjcmV0', 'signed with [redacted]'],
  ['Authorization: Bearer abcdefgh.ijklmnop', 'Authorization: [redacted]'],
  ['Basic abcdefgh', '[redacted]'],
  ['30569309025904', '[card]'],
  ["to kontakt@müller.de, Jürgen.o'Brien@例え.テスト", 'to k***@müller.de, J***@例え.テスト'],
  ['a://b:c@d', 'a://[redacted]@d'],
  [
    'to https://erp.example/in?shop=5&access_token=ab12cd#x',
    'to https://erp.example/in?shop=5&access_token=[redacted]#x',
  ],
  ['https://erp.example/in?key=ab12&shop=5', 'https://erp.example/in?key=[redacted]&shop=5'],
  ['jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-_1', 'jwt [redacted]'],
])('%j is masked', (text, expected) => {
  expect(maskText(text)).toBe(expected);
});

test.each([
  'a whole pair: 😀',
  'Order 1001: the order total is 49.00 EUR, the rule wants more than 10.00',
  'evt_01J8ZC3M6XK5W3Q2V7N9T0B4F1 of proc_01J8ZC3M6XK5W3Q2V7N9T0B4F1',
  'order 4242424242424241 has a number that no card has',
  'at 1700000000000 ms',
  'ask basic questions, risk_test',
  'https://shop.example/admin?page=orders&monkey=1&keyword=red&section=2',
  'is that a token? yes = no',
  'generic@9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
])('%j stays', (text) => {
  expect(maskText(text)).toBe(text);
});

test('secrets go by name, at any depth; what looks alike stays', () => {
  expect(
    maskDetails({
      password: 'x',
      nested: [{ Api_Key: 'x', 'Stripe-Signature': 't=1', signature: 'abc', token: null }],
      tokens_used: 3,
      order: { id: 1001, total: '49.00' },
    }),
  ).toEqual({
    password: '[redacted]',
    nested: [{ Api_Key: '[redacted]', 'Stripe-Signature': 't=1', signature: '[redacted]', token: null }],
    tokens_used: 3,
    order: { id: 1001, total: '49.00' },
  });
});

test('a card number as a number is masked', () => {
  expect(maskDetails({ a: 4242424242424242, b: 1700000000000 })).toEqual({ a: '[card]', b: 1700000000000 });
});

test('names that a database may take for operators, prototypes, depth and length are harmless', () => {
  const hostile = JSON.parse('{"$set": 1, "__proto__": {"admin": true}, "a\\u0000b": 2}');
  const masked = maskDetails(hostile) as Record<string, unknown>;
  expect(Object.entries(masked)).toEqual([
    ['set', 1],
    ['ab', 2],
  ]);
  expect(Object.getPrototypeOf(masked)).toBe(Object.prototype);
  let deep: unknown = 'x';
  for (let level = 0; level < 20_000; level += 1) deep = { deep };
  expect(JSON.stringify(maskDetails(deep))).toContain('[deep]');
  expect(maskText('x'.repeat(5000)).length).toBeLessThan(4100);
  expect(maskDetails(Array.from({ length: 1000 }, () => 1))).toHaveLength(500);
});

test('details in which nothing is to be masked are not copied, and any others are masked wherever it stands', () => {
  const entry = buildAuditEntry({ summary: 'paid', details: { changes: [{ from: null, to: 'paid pi_1', at: 1 }] } });
  expect(maskEntry(entry).details).toBe(entry.details);
  const hidden = [
    'card 4242-4242-4242-4242',
    4242424242424242,
    { token: 'x' },
    { $set: 1 },
    'x'.repeat(4001),
    Array.from({ length: 501 }, () => 1),
    JSON.parse('{"__proto__": 1}'),
  ];
  for (const value of hidden) {
    const details = { ok: 1, list: [{ value }] };
    expect(maskEntry(buildAuditEntry({ details })).details).toEqual(maskDetails(details));
    expect(maskDetails(details)).not.toEqual(details);
  }
  expect(maskEntry(buildAuditEntry({ summary: 'sk_live_abcdefgh12345678' })).summary).toBe('[redacted]');
});

test('a long text is not cut between the halves of a pair', () => {
  const text = maskText(`${'x'.repeat(3_999)}${'\u{1f600}'.repeat(50)}`);
  expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
});

test('a person is found by the whole address', () => {
  expect(addressIn('sent to müller@example.com, kontakt@müller.de')).toBe('müller@example.com');
  expect(addressIn('sent to nobody')).toBeUndefined();
});
