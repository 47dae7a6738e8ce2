import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import { type LicenceClaims, licenceType } from '../src/licence';

/** A key pair of the vendor as JSON Web Keys, as `deploy/licence.mjs` makes it. */
export async function newLicenceKey(): Promise<{ privateKey: JWK & { kid: string }; publicKeys: { keys: object[] } }> {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(pair.privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const { d: _private, ...publicKey } = jwk;
  return { privateKey: { ...jwk, kid }, publicKeys: { keys: [{ ...publicKey, kid, alg: 'EdDSA', use: 'sig' }] } };
}

/** A licence that says this. */
export async function issueLicence(key: JWK, claims: LicenceClaims): Promise<string> {
  const header = { alg: 'EdDSA', kid: key.kid ?? '', typ: licenceType };
  const content = new TextEncoder().encode(JSON.stringify(claims));
  return new CompactSign(content).setProtectedHeader(header).sign(await importJWK(key, 'EdDSA'));
}
