import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { keyRing } from '@order-automation/service';
import { tokenAuthority } from './tokens';

const now = Date.UTC(2026, 0, 15, 10);
const seconds = now / 1000;
const clock = { now: () => now };
const [current, former, stranger] = [1, 2, 3].map((fill) => Buffer.alloc(32, fill)) as [Buffer, Buffer, Buffer];
const request = { userId: 'user-1', passwordChangedAt: 7, scope: 'full' as const, life: 3600 };

const idp = generateKeyPairSync('ed25519');
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const publicJwk = (key: KeyObject, kid: string) => ({ ...key.export({ format: 'jwk' }), kid });
const foreign = {
  issuer: 'https://login.example.com',
  audience: 'order-automation',
  keys: { keys: [publicJwk(idp.publicKey, 'idp-1'), publicJwk(rsa.publicKey, 'idp-2')] },
};
const authority = tokenAuthority(keyRing([current, former]), clock, foreign);

type Fields = Record<string, unknown>;
const encode = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const compact = (header: unknown, claims: unknown, signer: (input: Buffer) => Buffer) => {
  const input = `${encode(header)}.${encode(claims)}`;
  return `${input}.${signer(Buffer.from(input)).toString('base64url')}`;
};
const byIdp = (input: Buffer) => sign(null, input, idp.privateKey);
const header = { alg: 'EdDSA', kid: 'idp-1', typ: 'JWT' };
const claims = { iss: foreign.issuer, aud: foreign.audience, sub: 'berta', iat: seconds - 10, exp: seconds + 600 };
const theirs = (changes: Fields = {}, head: Fields = {}) =>
  compact({ ...header, ...head }, { ...claims, ...changes }, byIdp);
const without = (name: string) => compact(header, { ...claims, [name]: undefined }, byIdp);
const publicPem = String(idp.publicKey.export({ format: 'pem', type: 'spki' }));
const publicRaw = Buffer.from(String(idp.publicKey.export({ format: 'jwk' }).x), 'base64url');
const hmac = (secret: string | Buffer) => (input: Buffer) => createHmac('sha256', secret).update(input).digest();

test('a token of ours names its user, for an hour', async () => {
  const token = await authority.issue(request);
  const subject = { tokenId: expect.any(String), scope: 'full', user: { id: 'user-1', passwordChangedAt: 7 } };
  expect(await authority.verify(token)).toEqual(subject);
  const at = (moment: number) => tokenAuthority(keyRing([current]), { now: () => moment }).verify(token);
  expect(await at(now + 3_599_999)).toEqual(subject);
  expect(await at(now + 3_600_000)).toBeUndefined();
  expect(await at(now - 1000)).toBeUndefined();
});

test('keys rotate with SECRET_KEY: tokens of the former key count while it is listed', async () => {
  const old = await tokenAuthority(keyRing([former]), clock).issue(request);
  expect(await authority.verify(old)).toBeDefined();
  expect(await tokenAuthority(keyRing([current]), clock).verify(old)).toBeUndefined();
});

test('a token of the configured issuer names a user by name', async () => {
  const subject = { scope: 'full', user: { name: 'berta' } };
  expect(await authority.verify(theirs())).toMatchObject(subject);
  const signed = compact({ alg: 'RS256', kid: 'idp-2' }, claims, (input) => sign('sha256', input, rsa.privateKey));
  expect(await authority.verify(signed)).toMatchObject(subject);
  expect(await tokenAuthority(keyRing([current]), clock).verify(theirs())).toBeUndefined();
});

const hostile: readonly (readonly [string, string | ((own: string) => string)])[] = [
  ['nothing', ''],
  ['two parts', (own) => own.split('.').slice(0, 2).join('.')],
  ['five parts', (own) => `${own}.a.b`],
  ['no signature', (own) => `${own.split('.').slice(0, 2).join('.')}.`],
  ['signature of another token', (own) => `${own.split('.').slice(0, 2).join('.')}.${theirs().split('.')[2]}`],
  ['one flipped bit in the signature', (own) => own.slice(0, -3) + (own.at(-3) === 'A' ? 'B' : 'A') + own.slice(-2)],
  ['padding', (own) => `${own}==`],
  ['white space', (own) => `${own.split('.').join('. ')}`],
  ['claims changed under our signature', (own) => swapClaims(own, { ...claims, sub: 'admin' })],
  ['alg none, no signature', `${encode({ alg: 'none' })}.${encode(claims)}.`],
  ['alg none, some signature', `${encode({ alg: 'none', kid: 'idp-1' })}.${encode(claims)}.AAAA`],
  ['alg None in capitals', compact({ ...header, alg: 'NONE' }, claims, byIdp)],
  ['no alg', compact({ kid: 'idp-1' }, claims, byIdp)],
  ['alg is a list', compact({ ...header, alg: ['EdDSA'] }, claims, byIdp)],
  ['HS256 with the public key as secret (PEM)', compact({ ...header, alg: 'HS256' }, claims, hmac(publicPem))],
  ['HS256 with the public key as secret (raw)', compact({ ...header, alg: 'HS256' }, claims, hmac(publicRaw))],
  ['HS256 with an empty secret', compact({ ...header, alg: 'HS256' }, claims, hmac(''))],
  ['HS256 with our SECRET_KEY', compact({ ...header, alg: 'HS256' }, claims, hmac(current))],
  ['an algorithm that is not the key’s', compact({ ...header, alg: 'RS256' }, claims, byIdp)],
  ['RS1', compact({ alg: 'RS1', kid: 'idp-2' }, claims, (input) => sign('sha1', input, rsa.privateKey))],
  ['an unknown kid', theirs({}, { kid: 'idp-9' })],
  ['a kid of another key of theirs', theirs({}, { kid: 'idp-2' })],
  ['a kid that is a path', theirs({}, { kid: '../../../../dev/null' })],
  ['a kid that is __proto__', theirs({}, { kid: '__proto__' })],
  ['a kid that is an object', theirs({}, { kid: { $ne: '' } })],
  ['a kid that is a query', theirs({}, { kid: "' OR 1=1 --" })],
  ['our kid, their key', (own) => theirs({}, { kid: headOf(own).kid, typ: 'at+jwt' })],
  ['a key of its own in jwk', compact({ alg: 'EdDSA', jwk: publicJwk(idp.publicKey, 'x') }, claims, byIdp)],
  ['a jku', theirs({}, { jku: 'https://evil.example/jwks.json' })],
  ['an x5u', theirs({}, { x5u: 'https://evil.example/x.pem' })],
  ['a critical extension', theirs({}, { crit: ['b64'], b64: false })],
  ['compressed', theirs({}, { zip: 'DEF' })],
  ['another issuer', theirs({ iss: 'https://evil.example' })],
  ['our own name as issuer', theirs({ iss: 'order-automation' })],
  ['a list of issuers', theirs({ iss: [foreign.issuer] })],
  ['another audience', theirs({ aud: 'another-service' })],
  ['an audience that begins like ours', theirs({ aud: 'order-automation-2' })],
  ['no audience', without('aud')],
  ['no subject', without('sub')],
  ['an empty subject', theirs({ sub: '' })],
  ['a subject that is an object', theirs({ sub: { $gt: '' } })],
  ['no expiry', without('exp')],
  ['no time of issue', without('iat')],
  ['expired', theirs({ iat: seconds - 1000, exp: seconds - 6 })],
  ['an expiry that is a text', theirs({ exp: String(seconds + 600) })],
  ['an expiry at the end of time', theirs({ exp: 1e300 })],
  ['valid for a day', theirs({ exp: seconds + 86_400 })],
  ['issued an hour and a second ago', theirs({ iat: seconds - 3606 })],
  ['issued in the future', theirs({ iat: seconds + 60 })],
  ['not valid yet', theirs({ nbf: seconds + 60 })],
  ['a subject twice', compact(header, JSON.stringify(claims).replace('{', '{"sub":"admin",'), byIdp)],
  ['an algorithm twice', compact(JSON.stringify(header).replace('{', '{"alg":"none",'), claims, byIdp)],
  ['claims that are a list', compact(header, [claims], byIdp)],
  ['claims that are no JSON', compact(header, 'sub=admin', byIdp)],
  ['very large', theirs({ pad: 'x'.repeat(20_000) })],
  ['very deep', compact(header, `{"a":${'['.repeat(3000)}${']'.repeat(3000)}}`, byIdp)],
];

function swapClaims(token: string, changed: Fields): string {
  const [head, , signature] = token.split('.');
  return `${head}.${encode(changed)}.${signature}`;
}

function headOf(token: string): Fields {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Fields;
}

test.each(hostile)('refused: %s', async (_what, token) => {
  const own = await authority.issue(request);
  expect(await authority.verify(typeof token === 'string' ? token : token(own))).toBeUndefined();
});

test('there are 40 of them and more, and the ones that they vary are accepted', async () => {
  expect(hostile.length).toBeGreaterThanOrEqual(40);
  expect(await authority.verify(theirs())).toBeDefined();
  expect(await tokenAuthority(keyRing([stranger]), clock).verify(await authority.issue(request))).toBeUndefined();
});
