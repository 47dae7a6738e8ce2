import { createHmac, createPublicKey, sign, timingSafeEqual } from 'node:crypto';
import { derivedKey, derivedSigningKey, type KeyRing, perKey } from '@order-automation/service';

/** Characters of base64url: 18 bytes. */
const macLength = 24;

export type ChainKeys = ReturnType<typeof chainKeys>;

/** Ed25519 over the bytes of a text; the public key has 32 bytes. */
export type Signer = { readonly publicKey: Buffer; sign(text: string): Buffer };

/** The keys that prove the log whole, from SECRET_KEY: older entries verify after a rotation. */
export function chainKeys(secretKeys: KeyRing) {
  const { all, active } = perKey(secretKeys, (key) => ({
    chain: derivedKey(key, 'audit chain'),
    signer: signerOf(key),
  }));
  const macOf = (text: string, { chain }: { readonly chain: Buffer }): string =>
    createHmac('sha256', chain).update(text).digest('base64url').slice(0, macLength);
  /** The digest of these parts under every key, newest first. */
  const macs = (parts: readonly unknown[]): readonly string[] => {
    const text = JSON.stringify(parts);
    return all.map((key) => macOf(text, key));
  };
  return {
    /** A keyed digest of these parts under the active key, in base64url. */
    mac: (parts: readonly unknown[]): string => macOf(JSON.stringify(parts), active()),
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

function signerOf(secretKey: Buffer): Signer {
  const privateKey = derivedSigningKey(secretKey, 'audit heads');
  const exported = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return { publicKey: exported.subarray(-32), sign: (text) => sign(null, Buffer.from(text), privateKey) };
}
