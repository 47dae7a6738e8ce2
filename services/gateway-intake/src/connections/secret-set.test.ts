import { keyRing, sealer } from '@order-automation/service';
import {
  maxSecrets,
  type StoredSecret,
  sealedAgain,
  secretOpener,
  storedSecret,
  withoutSecret,
  withSecret,
} from './secret-set';

const [oldKey, newKey] = [1, 2].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer];
const sealing = sealer(keyRing([newKey]));
const owner = 'gateway gateway_card';
const now = Date.parse('2026-11-23T12:00:00Z');
const hour = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();
const secret = (value: string, at = now): StoredSecret => storedSecret(sealing, owner, value, at);

test('older secrets count until the end at most, and never longer than they did', () => {
  const [first, second] = [secret('the-first-secret'), { ...secret('the-second-one'), expires_at: iso(now + hour) }];
  const made = secret('the-third-secret');
  const ends = (end: number | null) => withSecret([second, first], made, end, now).map(({ expires_at }) => expires_at);
  expect(ends(now + 24 * hour)).toEqual([null, iso(now + hour), iso(now + 24 * hour)]);
  expect(ends(null)).toEqual([null, iso(now + hour), null]);
  expect(ends(now)).toEqual([null, iso(now), iso(now)]);
});

test('what ended a week ago is forgotten', () => {
  const ended = { ...secret('long-ended-secret'), expires_at: iso(now - 8 * 24 * hour) };
  expect(withSecret([ended], secret('the-new-secret'), now, now)).toHaveLength(1);
});

test('no secret that counts is dropped: one too many is refused', () => {
  const many = Array.from({ length: maxSecrets }, (_, index) => secret(`secret-number-${index}`));
  expect(() => withSecret(many, secret('one-too-many'), null, now)).toThrow();
  expect(withSecret(many, secret('replaces-all'), now, now)).toHaveLength(maxSecrets + 1);
});

test('a removed secret ends now, is kept for a week to name it, and cannot be removed twice', () => {
  const [kept, gone] = [secret('the-kept-secret'), secret('the-removed-one')];
  const without = withoutSecret([kept, gone], gone.id, now);
  expect(without?.secrets).toMatchObject([
    { id: kept.id, expires_at: null },
    { id: gone.id, expires_at: iso(now), removed: true },
  ]);
  expect(withoutSecret(without?.secrets ?? [], gone.id, now)).toBeUndefined();
  expect(withoutSecret([kept], 'sec_unknown', now)).toBeUndefined();
});

test('a secret is encrypted again under a new key, for its owner alone', () => {
  const old = storedSecret(sealer(keyRing([oldKey])), owner, 'an-old-secret-0123', now);
  const keys = sealer(keyRing([newKey, oldKey]));
  const [again] = sealedAgain(keys, owner, [old]) ?? [];
  expect(again?.sealed).not.toBe(old.sealed);
  if (!again) throw new Error('not sealed again');
  expect(again.id).toBe(old.id);
  const failures: unknown[] = [];
  const open = secretOpener(sealing, (error) => void failures.push(error));
  expect(open(owner, [again])).toMatchObject([{ value: 'an-old-secret-0123', expiresAt: null }]);
  expect(failures).toEqual([]);
  expect(open('gateway gateway_shop', [again])).toEqual([]);
  expect(failures).toHaveLength(1);
  expect(sealedAgain(sealing, owner, [again])).toBeUndefined();
});

test('an instance that lacks the new key goes on with the secrets that it knew, once they are encrypted anew', () => {
  const reports: string[] = [];
  const open = secretOpener(sealer(keyRing([oldKey])), (_error, who) => void reports.push(who));
  const before = storedSecret(sealer(keyRing([oldKey])), owner, 'a-secret-of-before', now);
  expect(open(owner, [before])).toMatchObject([{ value: 'a-secret-of-before', expiresAt: null }]);
  const again =
    sealedAgain(sealer(keyRing([newKey, oldKey])), owner, [{ ...before, expires_at: iso(now + hour) }]) ?? [];
  const later = [secret('made-under-the-new-key'), ...again];
  for (const _look of [1, 2])
    expect(open(owner, later)).toMatchObject([{ value: 'a-secret-of-before', expiresAt: now + hour }]);
  expect(reports).toEqual([owner, owner]);
});
