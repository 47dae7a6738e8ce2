import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import type { Connection, LiveSecret } from '../connection';
import { verifyConnection } from './signature';

const now = 1_760_000_000_000;
const body = Buffer.from('{"event":"payment_completed","order_id":1010,"name":"Zoë 🛒"}');
const live = (...values: string[]): LiveSecret[] => values.map((value) => ({ value, expiresAt: null }));

function connection(fields: Partial<Connection>): Connection {
  const blank = {
    name: 'erp',
    enabled: true,
    hmac_header: 'x-signature',
    encoding: 'hex',
    prefix: '',
    paths: {},
  } as const;
  const reading = { order_reference: 'auto', order_prefix: null } as const;
  return {
    ...blank,
    amount_unit: 'major',
    reading,
    auth_method: 'hmac',
    secrets: live('0123456789abcdef-current'),
    ...fields,
  };
}

function judge(
  by: Connection,
  headers: Record<string, string[]>,
  bytes: Buffer = body,
  others: Connection[] = [],
  at = now,
  withinRate = true,
): string {
  const proof = verifyConnection({ connection: by.name, headers, body: bytes, now: at }, by, {
    otherConnections: () => others,
    withinRate,
  });
  return proof.kind === 'refused' ? proof.refusal.code : proof.kind;
}

const hmac = (secret: string, bytes: Buffer = body, encoding: 'hex' | 'base64' = 'hex'): string =>
  createHmac('sha256', secret).update(bytes).digest(encoding);

// The example of https://www.twilio.com/docs/usage/security#validating-signatures-from-twilio: sorted fields after the address, SHA-1 with the auth token 12345
test('Twilio’s own example of a signed form', () => {
  const by = connection({
    hmac_header: 'x-twilio-signature',
    algorithm: 'sha1',
    encoding: 'base64',
    signed: '{url}{form}',
    signed_url: 'https://mycompany.com/myapp.php?foo=1&bar=2',
    secrets: live('12345'),
  });
  const form = (digits: string) =>
    Buffer.from(
      `To=%2B18005551212&Digits=${digits}&From=%2B14158675309&CallSid=CA1234567890ABCDE&Caller=%2B14158675309`,
    );
  const headers = { 'x-twilio-signature': ['RSOYDt4T1cUTdK1PDd93/VVr8B8='] };
  expect(judge(by, headers, form('1234'))).toBe('authentic');
  expect(judge(by, headers, form('1235'))).toBe('signature_mismatch');
  // A text message may begin with a byte order mark.
  const marked = createHmac('sha1', '12345').update(`${by.signed_url}Body\ufeff1004`).digest('base64');
  expect(judge(by, { 'x-twilio-signature': [marked] }, Buffer.from('Body=%EF%BB%BF1004'))).toBe('authentic');
  // The signature of the address alone, which Twilio sends with a form without fields, is none of another body.
  const alone = createHmac('sha1', '12345').update('https://mycompany.com/myapp.php?foo=1&bar=2').digest('base64');
  expect(judge(by, { 'x-twilio-signature': [alone] }, Buffer.from('{"order":1004,"a":"&x=1&x=2"}'))).toBe(
    'signature_mismatch',
  );
});

describe('hmac', () => {
  const secret = '0123456789abcdef-current';
  const by = connection({});
  const sent = (value: string, bytes?: Buffer, others?: Connection[]): string =>
    judge(by, { 'x-signature': [value] }, bytes, others);

  test('in hexadecimal, in base64, with a prefix, in the header of the connection', () => {
    expect(sent(hmac(secret))).toBe('authentic');
    const base64 = connection({ encoding: 'base64', prefix: 'sha256=', hmac_header: 'x-erp' });
    expect(judge(base64, { 'x-erp': [`sha256=${hmac(secret, body, 'base64')}`] })).toBe('authentic');
    expect(judge(base64, { 'x-erp': [hmac(secret, body, 'base64')] })).toBe('signature_malformed');
    expect(judge(base64, { 'x-erp': [`sha256=${hmac(secret)}`] })).toBe('signature_malformed');
    expect(judge(base64, { 'x-signature': [hmac(secret)] })).toBe('signature_missing');
  });

  // While a secret is changed Mollie sends the header once for each: github.com/hookdeck/webhook-skills, skills/mollie-webhooks
  test('a list of signatures may come as several headers', () => {
    const listed = connection({ signature_part: 'sha256' });
    const [old, good] = [`sha256=${hmac('another secret')}`, `sha256=${hmac(secret)}`];
    expect(judge(listed, { 'x-signature': [old, good] })).toBe('authentic');
    expect(judge(listed, { 'x-signature': [`${old}, ${good}`] })).toBe('authentic');
    expect(judge(listed, { 'x-signature': [old, old] })).toBe('signature_mismatch');
    expect(judge(listed, { 'x-signature': Array(17).fill(good) })).toBe('signature_malformed');
    expect(judge(listed, {})).toBe('signature_missing');
  });

  // For 24 hours after a secret was changed: docs.omise.co/api-webhooks, "Signature verification"
  test('a header may hold one signature for each secret, without names', () => {
    const [old, good] = [hmac('another secret'), hmac(secret)];
    expect(sent(`${old},${good}`)).toBe('authentic');
    expect(sent(`${good}, ${old}`)).toBe('authentic');
    expect(sent(`${old},${old}`)).toBe('signature_mismatch');
    expect(sent(Array(17).fill(good).join())).toBe('signature_malformed');
    expect(sent(`,${good.slice(1)}`)).toBe('signature_malformed');
  });

  test.each([
    ['nothing', [], 'signature_missing'],
    ['twice', [hmac(secret), hmac(secret)], 'signature_repeated'],
    ['empty', [''], 'signature_malformed'],
    ['upper case', [hmac(secret).toUpperCase()], 'signature_malformed'],
    ['short', [hmac(secret).slice(1)], 'signature_malformed'],
    ['by an empty secret', [hmac('')], 'signature_mismatch'],
    ['by another secret', [hmac('somebody-else-0123456')], 'signature_mismatch'],
    ['of trimmed bytes', [hmac(secret, Buffer.from(body.toString().slice(0, -1)))], 'signature_mismatch'],
  ])('%s', (_name, values, code) => {
    expect(judge(by, { 'x-signature': values })).toBe(code);
  });

  test('is diagnosed: changed on its way, another connection, a secret whose time is over', () => {
    expect(sent(hmac(secret), Buffer.concat([Buffer.from('\ufeff'), body]))).toBe('body_changed');
    expect(sent(hmac(secret), Buffer.from(JSON.stringify(JSON.parse(body.toString()), null, 2)))).toBe('body_changed');
    const other = connection({ name: 'crm', secrets: live('fedcba9876543210-other') });
    expect(sent(hmac('fedcba9876543210-other'), body, [other])).toBe('other_connection');
    const further = ['a', 'b', 'c'].map((name) => connection({ name, secrets: live(`${name}-0123456789abcdef`) }));
    expect(sent(hmac('fedcba9876543210-other'), body, [...further, other])).toBe('signature_mismatch');
    const large = Buffer.alloc(64 * 1024 + 1, 'x');
    expect(sent(hmac('fedcba9876543210-other', large), large, [other])).toBe('signature_mismatch');
    expect(judge(by, { 'x-signature': [hmac('fedcba9876543210-other')] }, body, [other], now, false)).toBe(
      'signature_mismatch',
    );
    const rotated = connection({ secrets: [...live(secret), { value: 'older-0123456789abcdef', expiresAt: now }] });
    expect(judge(rotated, { 'x-signature': [hmac('older-0123456789abcdef')] })).toBe('secret_expired');
    expect(judge(rotated, { 'x-signature': [hmac('older-0123456789abcdef')] }, body, [], now - 1)).toBe('authentic');
    expect(judge(connection({ secrets: [] }), { 'x-signature': [hmac(secret)] })).toBe('no_live_secret');
  });
});

test.each(['It’s a Secret to Everybody', "It's a Secret to Everybody", 'p w\t8 '])(
  'a secret may be any text: %j',
  (secret) => {
    const signed = connection({ secrets: live(secret) });
    expect(judge(signed, { 'x-signature': [hmac(secret)] })).toBe('authentic');
  },
);

describe('bearer and none', () => {
  const by = connection({ auth_method: 'bearer', secrets: live('token-0123456789abcdef') });

  test.each([
    [['Bearer token-0123456789abcdef'], 'authentic'],
    // "It uses a case-insensitive token to identify the authentication scheme", "1*SP" (rfc-editor.org/rfc/rfc9110#section-11.1 and #section-11.4).
    [['bearer token-0123456789abcdef'], 'authentic'],
    [['Bearer  token-0123456789abcdef'], 'authentic'],
    [['Bearertoken-0123456789abcdef'], 'signature_malformed'],
    [['Basic dG9rZW4='], 'signature_malformed'],
    [['Bearer token-0123456789abcdeg'], 'token_mismatch'],
    [[], 'signature_missing'],
  ])('%j', (authorization, code) => {
    expect(judge(by, { authorization })).toBe(code);
  });

  test('nothing in the webhook switches a check off', () => {
    expect(judge(by, { 'x-signature': ['none'], 'x-auth-method': ['none'] })).toBe('signature_missing');
    expect(judge(connection({ auth_method: 'none', secrets: [] }), {})).toBe('unauthenticated');
  });
});

describe('standard webhooks, signed by the senders’ own library', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`;
  const by = connection({ auth_method: 'standard_webhooks', secrets: live(secret) });
  const library = new Webhook(secret);
  const headersOf = (at: number, signature: string): Record<string, string[]> => ({
    'webhook-id': ['msg_1'],
    'webhook-timestamp': [String(Math.floor(at / 1000))],
    'webhook-signature': [signature],
  });
  const signedAt = (at: number, by = library): string => by.sign('msg_1', new Date(at), body.toString());

  test('what it signs is accepted, alone and among others', () => {
    expect(judge(by, headersOf(now, signedAt(now)))).toBe('authentic');
    const list = `v1,${Buffer.alloc(32).toString('base64')} v2,x ${signedAt(now)}`;
    expect(judge(by, headersOf(now, list))).toBe('authentic');
  });

  test('an id with a full stop is refused: nothing separates it from the time in what is signed', () => {
    const signature = library.sign('msg.1', new Date(now), body.toString());
    expect(judge(by, { ...headersOf(now, signature), 'webhook-id': ['msg.1'] })).toBe('signature_malformed');
  });

  test.each([
    [
      'another secret',
      headersOf(now, signedAt(now, new Webhook(`whsec_${Buffer.alloc(24, 1).toString('base64')}`))),
      body,
    ],
    [
      'base64 without its padding',
      { ...headersOf(now, signedAt(now)), 'webhook-signature': [signedAt(now).replace(/=+$/, '')] },
      body,
    ],
    ['another id', { ...headersOf(now, signedAt(now)), 'webhook-id': ['msg_2'] }, body],
    ['another body', headersOf(now, signedAt(now)), Buffer.from('{}')],
    ['no signature', headersOf(now, ''), body],
    ['another scheme', headersOf(now, signedAt(now).replace('v1,', 'v1a,')), body],
  ])('what it refuses is refused: %s', (_name, headers, bytes) => {
    const flat = Object.fromEntries(Object.entries(headers).map(([name, [value = '']]) => [name, value]));
    expect(() => library.verify(bytes.toString(), flat)).toThrow();
    expect(judge(by, headers, bytes)).toMatch(/signature/);
  });

  test.each([-301_000, 301_000])('a time %d ms away is refused', (away) => {
    expect(judge(by, headersOf(now + away, signedAt(now + away)))).toBe('signature_expired');
    expect(judge(by, headersOf(now + away / 2, signedAt(now + away / 2)))).toBe('authentic');
  });

  test('v1a: Ed25519 with a public key', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
    const asymmetric = connection({
      auth_method: 'standard_webhooks',
      secrets: live(`whpk_${raw.toString('base64')}`),
    });
    const content = Buffer.concat([Buffer.from(`msg_1.${now / 1000}.`), body]);
    const signature = `v1a,${sign(null, content, privateKey).toString('base64')}`;
    expect(judge(asymmetric, headersOf(now, signature))).toBe('authentic');
    expect(judge(asymmetric, headersOf(now, signature), Buffer.from('{}'))).toBe('signature_mismatch');
    expect(judge(asymmetric, headersOf(now, signedAt(now)))).toBe('signature_mismatch');
  });
});
