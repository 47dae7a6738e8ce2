import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { flush, restoringFile } from '../files';
import { generatedFile } from '../generated';
import { type BackedUpFile, type Manifest, manifestName, manifestSchema, sha256Of } from './manifest';
import { decryptSecrets, encryptedSecretsName } from './secrets-file';
import { countsOf } from './snapshot';

export type RestoreOptions = {
  readonly folder: string;
  /** Must not exist, or be empty. */
  readonly dataDir: string;
  readonly passphrase: string | undefined;
};

/**
 * Puts a backup into an empty data folder and checks digests, SQLite's own check and counts. Throws with what does not fit, leaving nothing behind; where it is
 * killed, nothing starts on what it left (`restoringFile`).
 */
export async function restore({ folder, dataDir, passphrase }: RestoreOptions): Promise<Manifest> {
  const manifest = readManifest(folder);
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0)
    throw new Error(`${dataDir} is not empty: a backup is restored into an empty folder only.`);
  if (manifest.secrets === 'encrypted' && passphrase === undefined)
    throw new Error('BACKUP_PASSPHRASE is needed: this backup has encrypted secrets.');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const restoring = join(dataDir, restoringFile);
  try {
    writeFileSync(restoring, '', { flush: true });
    flush(dataDir);
    for (const file of manifest.files) await restoreFile(folder, dataDir, file);
    if (manifest.secrets === 'encrypted') {
      const text = decryptSecrets(readFileSync(join(folder, encryptedSecretsName), 'utf8'), passphrase ?? '');
      writeFileSync(join(dataDir, generatedFile), text, { mode: 0o600, flush: true });
    }
    rmSync(restoring);
    flush(dataDir);
    return manifest;
  } catch (error) {
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true });
    throw error;
  }
}

function readManifest(folder: string): Manifest {
  const file = join(folder, manifestName);
  if (!existsSync(file)) throw new Error(`${folder} holds no backup: it has no ${manifestName}.`);
  try {
    return manifestSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (cause) {
    throw new Error(`${file} is damaged, or not that of a backup which this version can read.`, { cause });
  }
}

async function restoreFile(folder: string, dataDir: string, { name, sha256, documents }: BackedUpFile): Promise<void> {
  const target = join(dataDir, name);
  if (!existsSync(join(folder, name))) throw new Error(`${name} is missing in ${folder}.`);
  copyFileSync(join(folder, name), target);
  flush(target);
  if ((await sha256Of(target)) !== sha256)
    throw new Error(`${name} is not the file that was backed up: its digest differs.`);
  const database = new Database(target);
  try {
    const answer = database.pragma('quick_check', { simple: true });
    if (answer !== 'ok') throw new Error(`${name} is damaged: ${String(answer)}.`);
    const counted = countsOf(database);
    const wrong = Object.keys(documents).filter((collection) => counted[collection] !== documents[collection]);
    if (wrong.length > 0)
      throw new Error(`${name} has another number of documents than the backup: ${wrong.join(', ')}.`);
  } finally {
    database.close();
  }
}
