import { randomBytes } from 'node:crypto';
import { keyRing } from '@order-automation/service';
import type { Identity } from './identity';
import { keyedHash } from './keys';
import { makeNonce, nonceHolds } from './nonce';

const issued = Date.UTC(2025, 0, 1);
const hour = 60 * 60 * 1000;
const keys = keyedHash(keyRing([randomBytes(32)]), 'nonce');

const session = (id: string, userId = 'admin'): Identity => ({
  userId,
  name: userId,
  role: 'administrator',
  credential: { kind: 'session', id, scope: 'full' },
});

describe('nonce', () => {
  const own = session('one');
  const { nonce, expires_at } = makeNonce(keys, own, issued);

  test.each([
    ['at once', 0, true],
    ['after 23:59:59', 24 * hour - 1000, true],
    ['one millisecond before 24 hours', 24 * hour - 1, true],
    ['after 24 hours', 24 * hour, false],
    ['after 24:00:01', 24 * hour + 1000, false],
    ['from an hour in the future', -hour, false],
  ])('%s', (_when, age, holds) => {
    expect(nonceHolds(keys, own, nonce, issued + age)).toBe(holds);
  });

  test('says when it ends', () => {
    expect(expires_at).toBe('2025-01-02T00:00:00.000Z');
  });

  test.each([
    ['another session', session('two')],
    ['another user', session('one', 'eve')],
    [
      'an application password of the same id',
      { ...own, credential: { kind: 'application_password', id: 'one', scope: 'full' } as const },
    ],
  ])('is not that of %s', (_whose, identity) => {
    expect(nonceHolds(keys, identity, nonce, issued)).toBe(false);
  });

  test('its time cannot be changed', () => {
    const [, mac = ''] = nonce.split('.');
    expect(nonceHolds(keys, own, `${(issued + hour).toString(36)}.${mac}`, issued + hour)).toBe(false);
  });

  test.each(['', '.', nonce.slice(0, -1), `${nonce}=`, `${nonce}.`, nonce.replace('.', ''), 'a'.repeat(10_000)])(
    'refuses %p',
    (text) => {
      expect(nonceHolds(keys, own, text, issued)).toBe(false);
    },
  );

  test('outlives a rotation of the key, but not the end of its key', () => {
    const [old, fresh] = [randomBytes(32), randomBytes(32)];
    const made = makeNonce(keyedHash(keyRing([old]), 'nonce'), own, issued).nonce;
    expect(nonceHolds(keyedHash(keyRing([fresh, old]), 'nonce'), own, made, issued)).toBe(true);
    expect(nonceHolds(keyedHash(keyRing([fresh]), 'nonce'), own, made, issued)).toBe(false);
    expect(nonceHolds(keyedHash(keyRing([old]), 'session'), own, made, issued)).toBe(false);
  });
});
