import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

/** A signed note (C2SP signed-note) of three lines: a name, a count, and a hash in base64. */
export type Note = {
  readonly name: string;
  readonly count: number;
  readonly hash: string;
  /** The bytes that are signed. */
  readonly text: string;
  readonly signatures: readonly { readonly name: string; readonly bytes: Buffer }[];
};

/** A public key as `GET /audit-log/heads` shows it: name, key id, algorithm and 32 bytes of Ed25519. */
export type VerifierKey = {
  readonly text: string;
  readonly name: string;
  readonly id: Buffer;
  readonly publicKey: KeyObject;
};

const ed25519 = 1;

/** Bytes of base64 that is written as we write it; undefined otherwise. */
function bytesOf(base64: string): Buffer | undefined {
  const bytes = Buffer.from(base64, 'base64');
  return bytes.toString('base64') === base64 ? bytes : undefined;
}

/** Undefined for what is no note. */
export function parseNote(note: string): Note | undefined {
  const [, text, name, count, hash, tail] =
    /^(([^\n]+)\n(\d{1,15})\n([A-Za-z0-9+/]{43}=)\n)\n((?:— \S+ \S+\n)+)$/.exec(note) ?? [];
  if (text === undefined || name === undefined || count === undefined || hash === undefined) return undefined;
  const signatures = (tail ?? '')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [, signer = '', base64 = ''] = line.split(' ');
      return { name: signer, bytes: bytesOf(base64) ?? Buffer.alloc(0) };
    });
  return { name, count: Number(count), hash, text, signatures };
}

/** Undefined for what is no key, or has another id than its own. */
export function parseKey(text: string): VerifierKey | undefined {
  const [, name, id, base64] = /^([^\s+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/.exec(text) ?? [];
  const key = bytesOf(base64 ?? '');
  if (name === undefined || id === undefined || key?.length !== 33 || key[0] !== ed25519) return undefined;
  const ownId = createHash('sha256').update(`${name}\n`).update(key).digest().subarray(0, 4);
  if (ownId.toString('hex') !== id) return undefined;
  const x = key.subarray(1).toString('base64url');
  return {
    text,
    name,
    id: ownId,
    publicKey: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
  };
}

export const isSignedBy = ({ text, signatures }: Note, { name, id, publicKey }: VerifierKey): boolean =>
  signatures.some(
    (signature) =>
      signature.name === name &&
      signature.bytes.subarray(0, 4).equals(id) &&
      verify(null, Buffer.from(text), publicKey, signature.bytes.subarray(4)),
  );
