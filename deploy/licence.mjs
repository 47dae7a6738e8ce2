#!/usr/bin/env node
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { CompactSign, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';

const help = `The vendor's tool for licences of the extended edition; no installation needs it.

  node deploy/licence.mjs new-key DIRECTORY
      makes a key pair: licence-private-key.json stays with the vendor, licence-keys.json is for LICENCE_PUBLIC_KEYS_FILE
  node deploy/licence.mjs issue --key FILE --licensee NAME [--expires 2027-12-31] [--features a,b]
      prints a signed licence for LICENCE_KEY; without --expires it does not expire
`;

/** Writes both files of a new key pair (Ed25519, JSON Web Keys), which must not exist yet. */
async function newKey(directory) {
  const pair = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true });
  const jwk = await exportJWK(pair.privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  const { d: _private, ...publicKey } = jwk;
  const [ours, theirs] = [join(directory, 'licence-private-key.json'), join(directory, 'licence-keys.json')];
  const keys = { keys: [{ ...publicKey, kid, alg: 'EdDSA', use: 'sig' }] };
  mkdirSync(directory, { recursive: true });
  writeFileSync(ours, `${JSON.stringify({ ...jwk, kid }, null, 2)}\n`, { mode: 0o600, flag: 'wx' });
  writeFileSync(theirs, `${JSON.stringify(keys, null, 2)}\n`, { flag: 'wx' });
  return `${ours} signs licences: keep it secret.\n${theirs} checks them: LICENCE_PUBLIC_KEYS_FILE=${theirs}\n`;
}

function expiry(date) {
  if (date === undefined) return {};
  const time = Date.parse(date);
  if (Number.isNaN(time)) throw new Error(`--expires: ${date} is not a date; write it as 2027-12-31`);
  return { exp: Math.floor(time / 1000) };
}

async function issue({ key, licensee, expires, features = 'rule_debugging' }) {
  if (!key || !licensee) throw new Error('--key and --licensee are needed');
  const jwk = JSON.parse(readFileSync(key, 'utf8'));
  const named = features.split(',').filter((feature) => feature !== '');
  const claims = { edition: 'extended', features: named, licensee, ...expiry(expires) };
  const header = { alg: 'EdDSA', kid: jwk.kid, typ: 'licence+jwt' };
  const content = new TextEncoder().encode(JSON.stringify(claims));
  return `${await new CompactSign(content).setProtectedHeader(header).sign(await importJWK(jwk, 'EdDSA'))}\n`;
}

try {
  const text = { type: 'string' };
  const options = { key: text, licensee: text, expires: text, features: text };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const [command, directory] = positionals;
  if (command === 'new-key' && directory) process.stdout.write(await newKey(directory));
  else if (command === 'issue') process.stdout.write(await issue(values));
  else {
    process.stderr.write(help);
    process.exitCode = 2;
  }
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
