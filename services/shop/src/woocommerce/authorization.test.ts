import { secret } from '@order-automation/service';
import { authorized, oauthSignature } from './authorization';

const keys = { key: secret('ck_key'), secret: secret('cs_secret') };
const now = Date.parse('2026-01-15T10:00:00Z');

test('over https the key travels in the header and not in the address', () => {
  const call = authorized('GET', new URL('https://shop.example/wp-json/wc/v3/orders?page=2'), keys, now);
  expect(call).toEqual({
    url: 'https://shop.example/wp-json/wc/v3/orders?page=2',
    headers: { Authorization: `Basic ${Buffer.from('ck_key:cs_secret').toString('base64')}` },
  });
});

test('over http the secret does not travel at all', () => {
  const call = authorized(
    'GET',
    new URL("http://shop.example/wp-json/wc/v3/orders?search=O'Neill (é)"),
    keys,
    now,
    'n1',
  );
  expect(call.headers).toEqual({});
  expect(call.url).not.toContain('cs_secret');
  const { searchParams } = new URL(call.url);
  expect(Object.fromEntries(searchParams)).toMatchObject({
    search: "O'Neill (é)",
    oauth_consumer_key: 'ck_key',
    oauth_nonce: 'n1',
    oauth_signature_method: 'HMAC-SHA256',
    oauth_timestamp: String(now / 1000),
  });
});

test('the base string is that of RFC 5849, section 3.4.1: encoded, sorted by name, without the signature', () => {
  // printf %s 'GET&http%3A%2F%2Fshop.example%2Fx&a%3D1%252C2%26b%3Dtwo%2520words%26oauth_nonce%3Dn1' |
  //   openssl dgst -sha256 -hmac 'cs_secret&' -binary | base64
  const parameters = new Map([
    ['oauth_nonce', 'n1'],
    ['b', 'two words'],
    ['a', '1,2'],
  ]);
  expect(oauthSignature('GET', 'http://shop.example/x', parameters, 'cs_secret')).toBe(
    '/RPhbeGZTHRAbjCmNdPgzEpPu4QU/485ngqxWDCcgBk=',
  );
});
