import crypto, { createHmac } from 'node:crypto';
import Stripe from 'stripe';
import { tolerance } from '../signature';
import { cardAdapter } from './adapter';
import { parseCardSignature, verifyCardSignature } from './signature';

const secret = 'whsec_current_0123456789';
const older = 'whsec_previous_012345678';
const now = 1_760_000_000_000;
const t = now / 1000;
const body = Buffer.from('{"id":"evt_1","amount":1.0,"name":"Zo\\u00eb café 🛒","big":12345678901234567890}');

/** The vector, computed here and nowhere else: HMAC-SHA256 over the bytes of "<t>.<body>". */
const digest = (key: string, time: number | string, bytes: Buffer = body) =>
  createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(`${time}.`), bytes]))
    .digest('hex');
const header = (key = secret, time = t, bytes = body) => `t=${time},v1=${digest(key, time, bytes)}`;

const secrets = [secret, older].map((value) => ({ value, expiresAt: null }));
const refusalOf = (value: string, by: Secrets, at = now, bytes: Buffer = body): string | undefined => {
  const headers = { 'card-signature': [value] };
  const proof = verifyCardSignature({ connection: null, headers, body: bytes, now: at }, by, { withinRate: true });
  return proof.kind === 'refused' ? proof.refusal.text : undefined;
};
const judge = (headers: Record<string, string[]>, bytes: Buffer = body, at = now, by = secrets as Secrets) => {
  const proof = verifyCardSignature({ connection: null, headers, body: bytes, now: at }, by, { withinRate: true });
  return proof.kind === 'refused' ? proof.refusal.code : undefined;
};
type Secrets = Parameters<typeof verifyCardSignature>[1];
const sent = (value: string, bytes?: Buffer) => judge({ 'card-signature': [value] }, bytes);

describe('a good signature', () => {
  it('by the newest and by the older secret, under both names of the header', () => {
    expect(sent(header())).toBeUndefined();
    expect(sent(header(older))).toBeUndefined();
    expect(judge({ 'stripe-signature': [header()] })).toBeUndefined();
  });

  it('among others, and beside other schemes', () => {
    const [, v1 = ''] = header().split(',');
    expect(sent(`t=${t},v1=${'0'.repeat(64)},${v1}`)).toBeUndefined();
    expect(sent(`t=${t},${v1},v0=${'a'.repeat(64)}`)).toBeUndefined();
    expect(sent(`v1=${v1.slice(3)},t=${t}`)).toBeUndefined();
  });

  it('up to the tolerance both ways and no further', () => {
    for (const age of [-tolerance, 0, tolerance]) expect(sent(header(secret, t - age))).toBeUndefined();
    for (const age of [-tolerance - 1, tolerance + 1, 86_400])
      expect(sent(header(secret, t - age))).toBe('signature_expired');
  });

  it('equals a vector that was computed elsewhere', () => {
    // printf '1760000000.{}' | openssl dgst -sha256 -hmac whsec_current_0123456789
    const known = 'a410f8163af407a0cdb82e2ad372d03f98eb620902d206c12730aea97c86f96b';
    expect(sent(`t=1760000000,v1=${known}`, Buffer.from('{}'))).toBeUndefined();
  });
});

describe('a body that is not the signed one', () => {
  it.each([
    ['a changed amount', Buffer.from(body.toString().replace('1.0', '9.0'))],
    ['the last byte missing', body.subarray(0, -1)],
    ['the same JSON, written again', Buffer.from(JSON.stringify(JSON.parse(body.toString())))],
    ['composed characters decomposed', Buffer.from(body.toString().normalize('NFD'))],
    ['decoded as latin1', Buffer.from(body.toString('latin1'))],
    ['nothing', Buffer.alloc(0)],
  ])('%s', (_name, bytes) => {
    expect(bytes.equals(body)).toBe(false);
    expect(sent(header(), bytes)).toBe('signature_mismatch');
  });
});

describe('a broken header', () => {
  const v1 = digest(secret, t);
  const malformed: readonly (readonly [string, string])[] = [
    ['empty', ''],
    ['a space', ' '],
    ['no timestamp', `v1=${v1}`],
    ['no signature', `t=${t}`],
    ['an empty signature', `t=${t},v1=`],
    ['an empty timestamp', `t=,v1=${v1}`],
    ['only another scheme', `t=${t},v0=${v1}`],
    ['only the digest', v1],
    ['the digest as bearer', `Bearer ${v1}`],
    ['a negative timestamp', `t=-${t},v1=${v1}`],
    ['a timestamp with a sign', `t=+${t},v1=${v1}`],
    ['a fractional timestamp', `t=${t}.0,v1=${v1}`],
    ['a timestamp in hexadecimal', `t=0x68e7a400,v1=${v1}`],
    ['a timestamp with an exponent', `t=1.76e9,v1=${v1}`],
    ['a timestamp with a leading zero', `t=0${t},v1=${v1}`],
    ['a timestamp with a space', `t= ${t},v1=${v1}`],
    ['a timestamp too long to be one', `t=${'9'.repeat(40)},v1=${v1}`],
    ['two timestamps', `t=${t},t=${t},v1=${v1}`],
    ['a space after the comma', `t=${t}, v1=${v1}`],
    ['a semicolon', `t=${t};v1=${v1}`],
    ['an empty part', `t=${t},,v1=${v1}`],
    ['a trailing comma', `t=${t},v1=${v1},`],
    ['a digest one digit short', `t=${t},v1=${v1.slice(1)}`],
    ['a digest one digit long', `t=${t},v1=${v1}0`],
    ['half a digest', `t=${t},v1=${v1.slice(0, 32)}`],
    ['upper case', `t=${t},v1=${v1.toUpperCase()}`],
    ['no hexadecimal', `t=${t},v1=${'z'.repeat(64)}`],
    ['base64', `t=${t},v1=${Buffer.from(v1, 'hex').toString('base64')}`],
    ['quotes', `t="${t}",v1="${v1}"`],
    ['a good signature after a bad one', `t=${t},v1=xyz,v1=${v1}`],
    ['an upper case name', `T=${t},V1=${v1}`],
    ['a line break', `t=${t},v1=${v1}\n`],
    ['a NUL', `t=${t},v1=${v1}\0`],
    ['joined by a proxy', `t=${t},v1=${v1}, t=${t},v1=${v1}`],
    ['seventeen signatures', `t=${t}${`,v1=${v1}`.repeat(17)}`],
    ['a header of 3,000 characters', `t=${t},v1=${v1},x=${'a'.repeat(190)}${`,y=${'a'.repeat(190)}`.repeat(15)}`],
  ];

  it.each(malformed)('%s', (_name, value) => {
    expect(parseCardSignature(value)).toBeUndefined();
    expect(sent(value)).toBe('signature_malformed');
  });

  it.each([
    ['by a secret that is not ours', header('whsec_somebody_else_0123')],
    ['by an empty secret', header('')],
    ['of the body without the timestamp', `t=${t},v1=${createHmac('sha256', secret).update(body).digest('hex')}`],
    ['of another timestamp', `t=${t},v1=${digest(secret, t - 1)}`],
    [
      'with another hash',
      `t=${t},v1=${createHmac('sha512', secret).update(`${t}.`).update(body).digest('hex').slice(0, 64)}`,
    ],
    ['of zeros', `t=${t},v1=${'0'.repeat(64)}`],
    ['with the last digit changed', `t=${t},v1=${v1.slice(0, 63)}${v1.endsWith('0') ? '1' : '0'}`],
  ])('well-formed and %s', (_name, value) => {
    expect(sent(value)).toBe('signature_mismatch');
  });

  it('missing, repeated, or given under both names', () => {
    expect(judge({})).toBe('signature_missing');
    expect(judge({ 'x-signature': [header()] })).toBe('signature_missing');
    expect(judge({ 'card-signature': [header(), header()] })).toBe('signature_repeated');
    expect(judge({ 'card-signature': [header()], 'stripe-signature': [header()] })).toBe('signature_repeated');
  });
});

describe('secrets', () => {
  it.each(['', 'short', 'x'.repeat(15)])('%j is refused', (short) => {
    const secrets = [secret, short].map((value) => ({ value, expiresAt: null }));
    expect(() => cardAdapter({ secrets: () => secrets, mode: 'any' })).toThrow('at least 16 characters');
  });

  it('prove nothing when their time is over, and the log says which it was', () => {
    const rotating = (expiresAt: number) => [
      { value: secret, expiresAt: null },
      { value: older, expiresAt },
    ];
    const old = { 'card-signature': [header(older)] };
    expect(judge(old, body, now, rotating(now + 1))).toBeUndefined();
    expect(judge(old, body, now, rotating(now))).toBe('secret_expired');
    expect(judge({ 'card-signature': [header()] }, body, now, rotating(now - 1))).toBeUndefined();
    expect(judge(old, body, now, [])).toBe('no_secret_configured');
  });
});

describe('the diagnosis, for the log alone', () => {
  it('names the secret that signed by its last four characters, and nothing more of it', () => {
    const ended = [
      { value: secret, expiresAt: null },
      { value: older, expiresAt: now - 1000 },
    ];
    const removed = [{ value: older, expiresAt: now - 1000, removed: true as const }];
    const at = new Date(now - 1000).toISOString();
    expect(refusalOf(header(older), ended)).toBe(
      `It was signed with the secret …${older.slice(-4)} that ended on ${at}.`,
    );
    expect(refusalOf(header(older), removed)).toContain(`…${older.slice(-4)} that was removed on ${at}.`);
    expect(refusalOf(header(older, t - tolerance - 1), ended)).toContain(`signed with the secret …${older.slice(-4)}.`);
    expect(refusalOf(header(), ended, now, Buffer.concat([body, Buffer.from(' ')]))).toContain(
      `It was signed with the secret …${secret.slice(-4)}.`,
    );
    expect(refusalOf(header('whsec_somebody_else_0123'), ended)).not.toContain('…');
  });

  it.each([
    ['trimmed', Buffer.concat([body, Buffer.from(' \n')])],
    ['with a byte order mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), body])],
  ])('finds out that the body was changed on its way: %s', (_name, bytes) => {
    expect(sent(header(), bytes)).toBe('body_changed');
  });

  it('finds a body that was serialised again', () => {
    const compact = Buffer.from('{"id":"evt_1","amount":1}');
    expect(sent(header(secret, t, compact), Buffer.from('{ "id": "evt_1", "amount": 1 }'))).toBe('body_changed');
  });
});

describe('the sender’s own library', () => {
  const payload = body.toString();
  const sign = (options: { secret?: string; timestamp?: number } = {}) =>
    Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: t, ...options });

  it('signs what we accept', () => {
    expect(judge({ 'stripe-signature': [sign()] })).toBeUndefined();
    expect(judge({ 'stripe-signature': [sign({ secret: older })] })).toBeUndefined();
  });

  it.each([
    ['another secret', sign({ secret: 'whsec_somebody_else_0123' }), payload],
    ['an old signature', sign({ timestamp: t - tolerance - 1 }), payload],
    ['another body', sign(), `${payload} `],
    ['no timestamp', `v1=${digest(secret, t)}`, payload],
    ['another scheme', sign().replace('v1=', 'v0='), payload],
    ['nothing', '', payload],
  ])('refuses, as we do: %s', (_name, value, text) => {
    expect(() => Stripe.webhooks.constructEvent(text, value, secret, tolerance, undefined, now)).toThrow();
    expect(sent(value, Buffer.from(text))).toBeDefined();
  });
});

test('digests are compared in constant time', () => {
  const compare = jest.spyOn(crypto, 'timingSafeEqual');
  expect(judge({ 'card-signature': [header()] })).toBeUndefined();
  expect(compare).toHaveBeenCalled();
  compare.mockRestore();
});
