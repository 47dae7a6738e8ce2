import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { certificateProblem, type Trust, walletCertificate } from './certificates';
import { verifyWalletSignature, type WalletSettings } from './signature';

const directory = mkdtempSync(join(tmpdir(), 'wallet-'));
afterAll(() => rmSync(directory, { recursive: true }));

const openssl = (...args: string[]): void => void execFileSync('openssl', args, { cwd: directory, stdio: 'pipe' });
const read = (name: string): string => readFileSync(join(directory, name), 'utf8');

/** A certificate of `issuer` for this name; without one it signs itself. */
function issue(
  name: string,
  { issuer, ca = false, host = name }: { issuer?: string; ca?: boolean; host?: string } = {},
): string {
  openssl('genrsa', '-out', `${name}.key`, '2048');
  const extensions = ca ? 'basicConstraints=critical,CA:TRUE' : `basicConstraints=CA:FALSE\nsubjectAltName=DNS:${host}`;
  writeFileSync(join(directory, `${name}.ext`), extensions);
  openssl('req', '-new', '-key', `${name}.key`, '-subj', `/CN=${host}`, '-out', `${name}.csr`);
  const signer =
    issuer === undefined
      ? ['-signkey', `${name}.key`]
      : ['-CA', `${issuer}.pem`, '-CAkey', `${issuer}.key`, '-CAcreateserial'];
  openssl(
    'x509',
    '-req',
    '-in',
    `${name}.csr`,
    ...signer,
    '-days',
    '30',
    '-extfile',
    `${name}.ext`,
    '-out',
    `${name}.pem`,
  );
  return read(`${name}.pem`);
}

const root = issue('root', { ca: true });
const middle = issue('middle', { issuer: 'root', ca: true });
const leaf = issue('leaf', { issuer: 'middle', host: 'messages.wallet.example' });
const stranger = issue('stranger', { host: 'messages.wallet.example' });
const foreign = issue('foreign', { issuer: 'middle', host: 'messages.elsewhere.example' });

const now = Date.now();
const trust: Trust = { roots: [new X509Certificate(root)], subject: '*.wallet.example' };

describe('a certificate', () => {
  const problemOf = (pem: string, at = now): string | undefined =>
    certificateProblem(walletCertificate('c', pem), trust, at);

  test('is good with its chain and not without', () => {
    expect(problemOf(leaf + middle)).toBeUndefined();
    expect(problemOf(leaf)).toContain('does not lead to');
    expect(problemOf(stranger)).toContain('does not lead to');
    // A leaf is no authority.
    expect(problemOf(stranger + leaf + middle)).toContain('does not lead to');
  });

  test('is about the subject and valid now', () => {
    const year = 365 * 24 * 3_600_000;
    expect(problemOf(foreign + middle)).toContain('not about *.wallet.example');
    expect(problemOf(leaf + middle, now + year)).toContain('expired');
    expect(problemOf(leaf + middle, now - year)).toContain('not valid before');
  });

  test('that cannot be read is refused', () => {
    expect(() => walletCertificate('c', 'hello')).toThrow('PEM');
    expect(() => walletCertificate('c', root.replace(/[A-Z]/, '!'))).toThrow();
  });
});

describe('a transmission', () => {
  const body = Buffer.from('{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{"id":"T1"}}');
  const settings: WalletSettings = {
    webhookId: 'WH-CONFIGURED',
    certificateById: (id) =>
      id === 'CERT-1'
        ? walletCertificate(id, leaf + middle)
        : id === 'CERT-2'
          ? walletCertificate(id, stranger)
          : undefined,
    trust: () => trust,
  };
  const time = new Date(now).toISOString();
  type Sent = { key?: string; webhookId?: string; at?: string; over?: Buffer; hash?: string };
  const signature = ({
    key = 'leaf.key',
    webhookId = 'WH-CONFIGURED',
    at = time,
    over = body,
    hash = 'RSA-SHA256',
  }: Sent = {}): string =>
    sign(hash, Buffer.from(`t-1|${at}|${webhookId}|${crc32(over)}`), read(key)).toString('base64');
  const headersOf = (changes: Record<string, string | string[] | undefined> = {}, sent: Sent = {}) => {
    const headers = {
      'wallet-transmission-id': 't-1',
      'wallet-transmission-time': sent.at ?? time,
      'wallet-transmission-sig': signature(sent),
      'wallet-auth-algo': 'SHA256withRSA',
      'wallet-cert-id': 'CERT-1',
      ...changes,
    };
    return Object.fromEntries(
      Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, [value].flat()]])),
    );
  };
  const judge = (
    headers: Record<string, string[]>,
    bytes: Buffer = body,
    by = settings,
    testProof: string | null = null,
  ) => {
    const proof = verifyWalletSignature({ connection: null, headers, body: bytes, now }, by, {
      testProof,
      withinRate: true,
    });
    return proof.kind === 'refused' ? proof.refusal.code : proof;
  };
  const authentic = { kind: 'authentic', singleUse: 'gateway_wallet:t-1' };

  test('is believed under either name of its headers, and by the last segment of the address of the certificate', () => {
    expect(judge(headersOf())).toEqual(authentic);
    const paypal = Object.fromEntries(
      Object.entries(headersOf()).map(([name, value]) => [name.replace('wallet', 'paypal'), value]),
    );
    expect(judge(paypal)).toEqual(authentic);
    expect(
      judge(headersOf({ 'wallet-cert-id': undefined, 'paypal-cert-url': 'https://evil.example/v1/certs/CERT-1' })),
    ).toEqual(authentic);
  });

  const days = 24 * 3_600_000;
  test.each([
    ['another body', headersOf(), Buffer.from(body.toString().replace('T1', 'T2')), 'signature_mismatch'],
    ['white space added', headersOf(), Buffer.concat([body, Buffer.from('\n')]), 'body_changed'],
    ['another webhook id', headersOf({}, { webhookId: 'WH-OTHER' }), body, 'signature_mismatch'],
    ['another key', headersOf({}, { key: 'foreign.key' }), body, 'signature_mismatch'],
    ['another hash', headersOf({}, { hash: 'RSA-SHA1' }), body, 'signature_mismatch'],
    ['an unknown certificate', headersOf({ 'wallet-cert-id': 'CERT-9' }), body, 'certificate_unknown'],
    [
      'a certificate nobody trusts',
      headersOf({ 'wallet-cert-id': 'CERT-2' }, { key: 'stranger.key' }),
      body,
      'certificate_refused',
    ],
    ['another algorithm', headersOf({ 'wallet-auth-algo': 'SHA1withRSA' }), body, 'algorithm_refused'],
    ['no algorithm', headersOf({ 'wallet-auth-algo': undefined }), body, 'algorithm_refused'],
    ['no signature', headersOf({ 'wallet-transmission-sig': undefined }), body, 'signature_missing'],
    ['no certificate', headersOf({ 'wallet-cert-id': undefined }), body, 'signature_missing'],
    ['a header twice', headersOf({ 'wallet-transmission-id': ['t-1', 't-2'] }), body, 'signature_repeated'],
    ['a header under both names', headersOf({ 'paypal-transmission-id': 't-1' }), body, 'signature_repeated'],
    ['no base64', headersOf({ 'wallet-transmission-sig': '!' }), body, 'signature_malformed'],
    ['no time', headersOf({ 'wallet-transmission-time': 'yesterday' }), body, 'signature_malformed'],
    ['an old time', headersOf({}, { at: new Date(now - 31 * days).toISOString() }), body, 'signature_expired'],
    ['a time ahead', headersOf({}, { at: new Date(now + days).toISOString() }), body, 'signature_expired'],
    [
      'the name of the test certificate',
      headersOf({ 'wallet-cert-id': 'order-automation-test' }),
      body,
      'certificate_unknown',
    ],
  ])('%s', (_name, headers, bytes, code) => {
    expect(judge(headers, bytes)).toBe(code);
  });

  test('is not believed without a webhook id', () => {
    expect(judge(headersOf(), body, { ...settings, webhookId: undefined })).toBe('gateway_not_configured');
  });

  test('a body with the same CRC-32 fits the signature, which is why its id is bound to the SHA-256', () => {
    const forged = withChecksum(
      Buffer.from('{"id":"WH-1","event_type":"PAYMENT.CAPTURE.COMPLETED","resource":{"id":"MINE"},"x":"'),
      crc32(body),
    );
    expect(crc32(forged)).toBe(crc32(body));
    expect(judge(headersOf(), forged)).toEqual(authentic);
  });

  test('the key of a test counts for its call alone', () => {
    const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const pem = (key: KeyObject): string => key.export({ type: 'spki', format: 'pem' }).toString();
    const sig = sign('RSA-SHA256', Buffer.from(`t-1|${time}|WH-CONFIGURED|${crc32(body)}`), privateKey).toString(
      'base64',
    );
    const headers = headersOf({ 'wallet-cert-id': 'order-automation-test', 'wallet-transmission-sig': sig });
    expect(judge(headers, body, settings, pem(publicKey))).toEqual(authentic);
    expect(judge(headers)).toBe('certificate_unknown');
  });
});

/** The text with four bytes behind it that give it this CRC-32. */
function withChecksum(text: Buffer, wanted: number): Buffer {
  const table = Array.from({ length: 256 }, (_, index) => {
    let value = index;
    for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
    return value >>> 0;
  });
  let state = (wanted ^ 0xffffffff) >>> 0;
  for (let step = 0; step < 4; step += 1) {
    const index = table.findIndex((value) => value >>> 24 === state >>> 24);
    state = (((state ^ (table[index] as number)) << 8) | index) >>> 0;
  }
  const before = (crc32(text) ^ 0xffffffff) >>> 0;
  const patch = Buffer.alloc(4);
  patch.writeUInt32LE((state ^ before) >>> 0);
  return Buffer.concat([text, patch]);
}
