#!/usr/bin/env node
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';

const help = `The vendor's tool for licences of the extended edition; no installation needs it.

  node deploy/licence.mjs new-key DIRECTORY
      makes a key pair: licence-private-key.json stays with the vendor, licence-keys.json is for LICENCE_PUBLIC_KEYS_FILE
  node deploy/licence.mjs issue --key FILE --licensee NAME [--expires 2027-12-31] [--features a,b]
      prints a signed licence for LICENCE_KEY; without --expires it does not expire
`;

/** An error whose message is a sentence for the vendor. */
const problem = (text) => Object.assign(new Error(text), { isPlain: true });

const refusals = {
  ENOENT: 'is not there',
  EEXIST: 'is there already: remove it first, or choose another directory',
  EISDIR: 'is a directory',
  ENOTDIR: 'is below a file, not a directory',
  EACCES: 'may not be opened by this user',
};

/** What the call gives; a failure of the file system as a sentence. */
function withFile(name, call) {
  try {
    return call();
  } catch (error) {
    throw problem(
      `${error.path ?? name} ${refusals[error.code] ?? `cannot be used (${error.code ?? error.message})`}.`,
    );
  }
}

/** Writes both files of a new key pair (Ed25519, JSON Web Keys), which must not exist yet. */
async function newKey(directory) {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(pair.privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const { d: _private, ...publicKey } = jwk;
  const [ours, theirs] = [join(directory, 'licence-private-key.json'), join(directory, 'licence-keys.json')];
  const keys = { keys: [{ ...publicKey, kid, alg: 'EdDSA', use: 'sig' }] };
  withFile(directory, () => mkdirSync(directory, { recursive: true }));
  for (const file of [ours, theirs]) if (existsSync(file)) throw problem(`${file} ${refusals.EEXIST}.`);
  withFile(ours, () =>
    writeFileSync(ours, `${JSON.stringify({ ...jwk, kid }, null, 2)}\n`, { mode: 0o600, flag: 'wx' }),
  );
  withFile(theirs, () => writeFileSync(theirs, `${JSON.stringify(keys, null, 2)}\n`, { flag: 'wx' }));
  return `${ours} signs licences: keep it secret.\n${theirs} checks them: LICENCE_PUBLIC_KEYS_FILE=${theirs}\n`;
}

function expiry(date) {
  if (date === undefined) return {};
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw problem(`--expires: ${date} is not a date; write it as 2027-12-31.`);
  return { exp: Math.floor(time / 1000) };
}

/** The private key in a file that `new-key` made. */
async function privateKeyIn(file) {
  const text = withFile(file, () => readFileSync(file, 'utf8'));
  const not = (what) => problem(`${file} ${what}. Use the licence-private-key.json that new-key has made.`);
  try {
    const jwk = JSON.parse(text);
    const isPublic = Array.isArray(jwk.keys) || (jwk.kty === 'OKP' && jwk.d === undefined);
    if (isPublic) throw not('has the public keys, which sign nothing');
    if (typeof jwk.kid !== 'string') throw not('is not a key of this tool');
    return { jwk, privateKey: await importJWK(jwk, 'EdDSA') };
  } catch (error) {
    throw error.isPlain ? error : not('is not a private key');
  }
}

async function issue({ key, licensee, expires, features = 'rule_debugging' }) {
  if (!key || !licensee) throw problem('--key and --licensee are needed.');
  const { jwk, privateKey } = await privateKeyIn(key);
  const named = features.split(',').filter((feature) => feature !== '');
  const claims = { edition: 'extended', features: named, licensee, ...expiry(expires) };
  const header = { alg: 'EdDSA', kid: jwk.kid, typ: 'licence+jwt' };
  const content = new TextEncoder().encode(JSON.stringify(claims));
  return `${await new CompactSign(content).setProtectedHeader(header).sign(privateKey)}\n`;
}

try {
  const text = { type: 'string' };
  const options = { key: text, licensee: text, expires: text, features: text, help: { type: 'boolean' } };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [command, directory] = positionals;
  if (values.help) process.stdout.write(help);
  else if (command === 'new-key' && directory) process.stdout.write(await newKey(directory));
  else if (command === 'issue') process.stdout.write(await issue(values));
  else {
    process.stderr.write(help);
    process.exitCode = 2;
  }
} catch (error) {
  // Node.js explains an option that it does not know in further sentences.
  const [sentence] = error.message.split('. ');
  process.stderr.write(error.isPlain ? `${error.message}\n` : `${sentence}.\n\n${help}`);
  process.exitCode = 1;
}
