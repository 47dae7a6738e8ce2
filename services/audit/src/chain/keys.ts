import { createHmac, createPrivateKey, createPublicKey, hkdfSync, sign, timingSafeEqual } from 'node:crypto';
import { hmacSha256 } from './hmac';

const macBytes = 18;
/** The same in characters of base64url. */
const macLength = 24;

export type ChainKeys = {
  /** A keyed digest of these parts under the newest key, in base64url. */
  mac(parts: readonly unknown[]): string;
  /** The digest under every key, newest first. */
  macs(parts: readonly unknown[]): readonly string[];
  /** Whether the digest was made from these parts under any of the keys. */
  holds(mac: string, parts: readonly unknown[]): boolean;
  /** A digest of 32 bytes under the newest key, for heads. */
  head(parts: readonly unknown[]): Buffer;
  headHolds(head: string, parts: readonly unknown[]): boolean;
  /** Ed25519 over the bytes of a text, with the newest key. */
  sign(text: string): Buffer;
  /** The public key of `sign`: 32 bytes. */
  readonly publicKey: Buffer;
};

/** DER of an Ed25519 private key, without its 32 bytes (RFC 8410). */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The keys that prove the log whole, from SECRET_KEY (a list, newest first): older entries verify after a rotation. */
export function chainKeys(secretKeys: readonly Buffer[]): ChainKeys {
  const derive = (key: Buffer, purpose: string): Buffer =>
    Buffer.from(hkdfSync('sha256', key, '', `order-automation audit ${purpose}`, 32));
  const macKeys = secretKeys.map((key) => derive(key, 'chain'));
  const [newest] = macKeys;
  const [newestSecret] = secretKeys;
  if (!newest || !newestSecret) throw new Error('the chain of the log needs at least one key');
  const digest = (key: Buffer, parts: readonly unknown[]): Buffer =>
    createHmac('sha256', key).update(JSON.stringify(parts)).digest();
  const anyEqual = (given: Buffer, parts: readonly unknown[]): boolean =>
    macKeys.some((key) => {
      const wanted = digest(key, parts).subarray(0, given.length);
      return wanted.length === given.length && timingSafeEqual(wanted, given);
    });
  const hmacs = macKeys.map(hmacSha256);
  const newestHmac = hmacs[0] ?? hmacSha256(newest);
  const der = Buffer.concat([ed25519Prefix, derive(newestSecret, 'heads')]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const exported = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return {
    mac: (parts) => newestHmac(JSON.stringify(parts)).slice(0, macLength),
    macs: (parts) => hmacs.map((hmac) => hmac(JSON.stringify(parts)).slice(0, macLength)),
    holds: (mac, parts) => {
      const given = Buffer.from(mac, 'base64url');
      return given.length === macBytes && anyEqual(given, parts);
    },
    head: (parts) => digest(newest, parts),
    headHolds: (head, parts) => {
      const given = Buffer.from(head, 'base64');
      return given.length === 32 && anyEqual(given, parts);
    },
    sign: (text) => sign(null, Buffer.from(text), privateKey),
    publicKey: exported.subarray(-32),
  };
}
