import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';
import { z } from 'zod';
import { type LicenceClaims, licenceType } from './licence';

const usage = `Usage: npm run licence -- new-key DIRECTORY
       npm run licence -- issue --key FILE --licensee NAME [--expires DATE] [--features a,b]

new-key  Makes a key pair: licence-private-key.json, which stays with the vendor, and licence-keys.json for LICENCE_PUBLIC_KEYS_FILE.
issue    Prints a licence of the extended edition for LICENCE_KEY, signed with that private key. DATE is ISO 8601; without it the licence
         does not expire.
`;

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

async function writeNewKey(directory: string): Promise<string> {
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

/** What the command prints; undefined when it is not one. */
async function output(args: readonly string[]): Promise<string | undefined> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      key: { type: 'string' },
      licensee: { type: 'string' },
      expires: { type: 'string' },
      features: { type: 'string', default: 'rule_debugging' },
    },
    allowPositionals: true,
  });
  const [command, directory, ...more] = positionals;
  if (command === 'new-key' && directory !== undefined && more.length === 0) return writeNewKey(directory);
  const { key, licensee, expires, features } = values;
  if (command !== 'issue' || directory !== undefined || key === undefined || !licensee) return undefined;
  const privateKey = privateKeySchema.parse(JSON.parse(readFileSync(key, 'utf8')));
  const named = features.split(',').filter((feature) => feature !== '');
  return `${await issueLicence(privateKey, { edition: 'extended', features: named, licensee, ...expiry(expires) })}\n`;
}

/** Runs the command; resolves with the exit code. */
export async function main(args: readonly string[]): Promise<number> {
  try {
    const printed = await output(args);
    process[printed === undefined ? 'stderr' : 'stdout'].write(printed ?? usage);
    return printed === undefined ? 64 : 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 1;
  }
}

if (require.main === module)
  void main(process.argv.slice(2)).then((code) => {
    process.exitCode = code;
  });
