import { createHmac } from 'node:crypto';
import { hmacSha256 } from './keys';

const key = Buffer.from('0123456789abcdef0123456789abcdef');
const known = (text: string): string => createHmac('sha256', key).update(text).digest('base64url');

test.each([
  ['empty', ''],
  ['short', 'a'],
  ['as long as a block', 'b'.repeat(64)],
  ['beyond ASCII', 'grün, 銭, 😀, \ud800'],
  ['as long as fits', 'c'.repeat(21_845)],
  ['too long for the buffer', 'd'.repeat(21_846)],
])('a text that is %s has the digest of RFC 2104', (_what, text) => {
  const digest = hmacSha256(key);
  expect(digest('what came before leaves nothing behind')).toBe(known('what came before leaves nothing behind'));
  expect(digest(text)).toBe(known(text));
});

test('a key that is longer than a block is refused', () => {
  expect(() => hmacSha256(Buffer.alloc(65))).toThrow('a longer key');
});
