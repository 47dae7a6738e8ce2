import { createHmac, createPrivateKey, createPublicKey, hash, hkdfSync, sign, timingSafeEqual } from 'node:crypto';
import { type KeyRing, perKey } from '@order-automation/service';

/** Characters of base64url: 18 bytes. */
const macLength = 24;

export type ChainKeys = ReturnType<typeof chainKeys>;

/** Ed25519 over the bytes of a text; the public key has 32 bytes. */
export type Signer = { readonly publicKey: Buffer; sign(text: string): Buffer };

/** DER of an Ed25519 private key, without its 32 bytes (RFC 8410). */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The keys that prove the log whole, from SECRET_KEY: older entries verify after a rotation. */
export function chainKeys(secretKeys: KeyRing) {
  const { all, active } = perKey(secretKeys, (key) => ({
    hmac: hmacSha256(derive(key, 'chain')),
    signer: signerOf(key),
  }));
  /** The digest of these parts under every key, newest first. */
  const macs = (parts: readonly unknown[]): readonly string[] => {
    const text = JSON.stringify(parts);
    return all.map(({ hmac }) => hmac(text).slice(0, macLength));
  };
  return {
    /** A keyed digest of these parts under the active key, in base64url. */
    mac: (parts: readonly unknown[]): string => active().hmac(JSON.stringify(parts)).slice(0, macLength),
    macs,
    /** Whether the digest was made from these parts under any of the keys. */
    holds: (given: string, parts: readonly unknown[]): boolean => macs(parts).some((mac) => isSame(given, mac)),
    /** What signs heads and exports, one for each key, the active key first: verifiers that trust another public key can still check them. */
    get signers(): readonly [Signer, ...Signer[]] {
      const first = active();
      return [first.signer, ...all.filter((key) => key !== first).map(({ signer }) => signer)];
    },
  };
}

function isSame(given: unknown, wanted: string): boolean {
  const [one, other] = [Buffer.from(String(given)), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

const derive = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', `order-automation audit ${purpose}`, 32));

function signerOf(secretKey: Buffer): Signer {
  const der = Buffer.concat([ed25519Prefix, derive(secretKey, 'heads')]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const exported = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { publicKey: exported.subarray(-32), sign: (text) => sign(null, Buffer.from(text), privateKey) };
}

/** Bytes that SHA-256 takes at a time. */
const block = 64;
/** Bytes of the longest text that is digested without an object of its own. */
const longest = 64 * 1024;

/** HMAC-SHA-256 (RFC 2104) of a text under one key, as base64url. */
type Hmac = (text: string) => string;

/**
 * Two one-shot hashes over buffers that are used again. A record of the log has a digest, so they are frequent: `createHmac` makes an object
 * outside the heap for each, which costs twice as much, mostly later, when it is collected.
 */
export function hmacSha256(key: Buffer): Hmac {
  if (key.length > block) throw new Error('a longer key has to be hashed first');
  const padded = Buffer.alloc(block);
  key.copy(padded);
  const inner = Buffer.allocUnsafeSlow(block + longest);
  const outer = Buffer.allocUnsafeSlow(block + 32);
  for (const [at, byte] of padded.entries()) {
    inner[at] = byte ^ 0x36;
    outer[at] = byte ^ 0x5c;
  }
  return (text) => {
    if (text.length * 3 > longest) return createHmac('sha256', key).update(text).digest('base64url');
    const length = inner.write(text, block, 'utf8');
    outer.write(hash('sha256', inner.subarray(0, block + length), 'binary'), block, 'latin1');
    return hash('sha256', outer, 'base64url');
  };
}
