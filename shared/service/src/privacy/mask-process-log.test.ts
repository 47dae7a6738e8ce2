import fc from 'fast-check';
import { secret } from '../process/secret';
import { redact } from './mask-process-log';
import { redactText } from './mask-text';
import { isSensitiveName } from './masked';

test.each([
  'password',
  'ADMIN_PASSWORD',
  'clientSecret',
  'Authorization',
  'set-cookie',
  'x-host-nonce',
  'accessToken',
  'Card-Signature',
  'wallet-transmission-sig',
  'apiKey',
  'card_number',
  'cvc',
  'billing',
  'customer_email',
  'phone',
  'first_name',
  'rawData',
])('%s is sensitive', (name) => expect(isSensitiveName(name)).toBe(true));

test.each([
  'order_id',
  'process_id',
  'status',
  'key',
  'rule_id',
  'idempotency_key',
  'design',
  'panel',
  'duration_ms',
  'host',
])('%s is not', (name) => expect(isSensitiveName(name)).toBe(false));

test('a secret is found at any depth, in arrays and in errors', () => {
  const error = Object.assign(
    new Error('no connection to mongodb://user:canary@db/x', { cause: { token: 'canary' } }),
    { options: { auth: { password: 'canary' } } },
  );
  const value = { a: [{ b: { secret: 'canary' } }], error, list: new Map([['canary', 1]]), wrapped: secret('canary') };
  const text = JSON.stringify(redact(value));
  expect(text).not.toContain('canary');
  expect(text).toContain('mongodb://[redacted]@db/x');
  expect(text).toContain('"type":"Error"');
});

test('card numbers go, other numbers stay', () => {
  expect(redactText('paid with 4242 4242 4242 4242 and 4242424242424242')).toBe('paid with [card] and [card]');
  expect(redactText('paid with 5555-5555-5555-4444')).toBe('paid with [card]');
  for (const text of [
    'order 4242424242424241',
    '2026-01-15T10:00:00.000Z',
    'id 1760000000000',
    'evt_4242424242424242x',
  ]) {
    expect(redactText(text)).toBe(text);
  }
});

// decisions.md section 7: nothing that is shown of a payload has a card number.
test('a card number as a number, or in the name of a field, is masked', () => {
  expect(redact({ num: 378282246310005, ms: 1760000000000, '4242-4242-4242-4242': 'x' })).toEqual({
    num: '[card]',
    ms: 1760000000000,
    '[card]': 'x',
  });
});

test('values that cannot be read, are too deep or too long stay bounded', () => {
  const cycle: Record<string, unknown> = { n: 1 };
  cycle.self = cycle;
  const trap = {
    get broken(): string {
      throw new Error('no');
    },
  };
  expect(JSON.stringify(redact(cycle)).length).toBeLessThan(500);
  expect(redact(trap)).toEqual({ broken: '[unreadable]' });
  expect(redact({ toJSON: () => trap.broken })).toBe('[unreadable]');
  expect((redact(Array.from({ length: 1000 }, () => 1)) as unknown[]).length).toBe(101);
  expect(String(redact('x'.repeat(10_000))).length).toBeLessThan(4100);
  expect(redact({ bytes: Buffer.from('canary'), when: new Date(0), big: 10n, nothing: null, fn: () => 1 })).toEqual({
    bytes: '[6 bytes]',
    when: '1970-01-01T00:00:00.000Z',
    big: '10',
    nothing: null,
    fn: undefined,
  });
  expect(Object.getPrototypeOf(redact(JSON.parse('{"__proto__": {"x": 1}}')))).toBe(Object.prototype);
});

test('anything can be redacted, and the original is never changed', () => {
  fc.assert(
    fc.property(fc.object({ maxDepth: 4, withBigInt: true, withDate: true, withMap: true }), (value) => {
      const before = Object.keys(value);
      JSON.stringify(redact(value));
      expect(Object.keys(value)).toEqual(before);
    }),
  );
});

test.each([
  `sk_live_${'a1'.repeat(12)}`,
  `whsec_${'b2'.repeat(12)}`,
  `Bearer ${'c3'.repeat(12)}`,
  `eyJ${'d4'.repeat(6)}.${'e5'.repeat(6)}.${'f6'.repeat(6)}`,
  `-----BEGIN PRIVATE KEY-----\n${'g7'.repeat(20)}`,
])('the key or token %s is masked anywhere in a text', (secret) => {
  expect(redactText(`said: ${secret}`)).toBe('said: [redacted]');
  expect(redact({ note: [secret] })).toEqual({ note: ['[redacted]'] });
});
