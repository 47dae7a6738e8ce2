import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';
import { z } from 'zod';
import { type LicenceClaims, licenceType } from './licence';

const privateKeySchema = z.looseObject({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  kid: z.string(),
  x: z.string(),
  d: z.string(),
});
export type PrivateKey = z.infer<typeof privateKeySchema>;

/** A key pair of the vendor as JSON Web Keys. */
export async function newLicenceKey(): Promise<{ privateKey: PrivateKey; publicKeys: { keys: object[] } }> {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(pair.privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const { d: _private, ...publicKey } = jwk;
  return {
    privateKey: privateKeySchema.parse({ ...jwk, kid }),
    publicKeys: { keys: [{ ...publicKey, kid, alg: 'EdDSA', use: 'sig' }] },
  };
}

/** A licence that says this. */
export async function issueLicence(key: PrivateKey, claims: LicenceClaims): Promise<string> {
  const content = new TextEncoder().encode(JSON.stringify(claims));
  const header = { alg: 'EdDSA', kid: key.kid, typ: licenceType };
  return new CompactSign(content).setProtectedHeader(header).sign(await importJWK(key, 'EdDSA'));
}

/** Writes both files of a new key pair, which must not exist yet; resolves with what to do with them. */
export async function writeNewKey(directory: string): Promise<string> {
  const { privateKey, publicKeys } = await newLicenceKey();
  const [ours, theirs] = [join(directory, 'licence-private-key.json'), join(directory, 'licence-keys.json')];
  mkdirSync(directory, { recursive: true });
  writeFileSync(ours, `${JSON.stringify(privateKey, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  writeFileSync(theirs, `${JSON.stringify(publicKeys, null, 2)}\n`, { flag: 'wx' });
  return `${ours} signs licences: keep it secret.\n${theirs} checks them: LICENCE_PUBLIC_KEYS_FILE=${theirs}\n`;
}

function expiry(date: string | undefined): { exp?: number } {
  if (date === undefined) return {};
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new Error(`--expires: ${date} is not a date; write it as 2027-12-31`);
  return { exp: Math.floor(time / 1000) };
}

export type IssueOptions = {
  /** The file of the private key. */
  readonly key: string;
  readonly licensee: string;
  /** A day, or an instant; without it the licence does not expire. */
  readonly expires?: string;
  /** Separated by commas. */
  readonly features: string;
};

/** A licence of the extended edition, signed with the private key of a file, as LICENCE_KEY takes it. */
export async function licenceText({ key, licensee, expires, features }: IssueOptions): Promise<string> {
  const privateKey = privateKeySchema.parse(JSON.parse(readFileSync(key, 'utf8')));
  const named = features.split(',').filter((feature) => feature !== '');
  return `${await issueLicence(privateKey, { edition: 'extended', features: named, licensee, ...expiry(expires) })}\n`;
}
