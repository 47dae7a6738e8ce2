import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { flush } from '../files';
import { generatedFile } from '../generated';
import { type Manifest, manifestName } from './manifest';
import { encryptedSecretsName, encryptSecrets } from './secrets-file';
import { openSnapshot, type Snapshot } from './snapshot';

/**
 * The databases in the order in which a backup takes them. An event goes from intake through evaluation to the shop and into the log, and each step
 * stores its result before the one before it is told. So what an earlier database of this list says is done, a later one has: an event that intake
 * calls done has its evaluation, an action that evaluation calls done has its change, and every change has its entries. What a later database has
 * and an earlier one has not is done again after a restore, under the same keys, and so once.
 */
export const backupOrder = [
  'gateway-intake',
  'evaluation',
  'rules',
  'shop',
  'pro-debug',
  'api-gateway',
  'audit',
] as const;

export type BackupOptions = {
  readonly dataDir: string;
  /** Must not exist, or be empty. */
  readonly folder: string;
  /** Encrypts `generated.env`; undefined leaves it out. */
  readonly passphrase: string | undefined;
  readonly product: string;
  readonly now: number;
};

/**
 * Copies the databases of a running or stopped installation, all as they were within the same milliseconds and in the order that a restore needs
 * (`backupOrder`). The folder appears under its name when everything in it is flushed. Throws when something is missing or in the way.
 */
export async function backUp({ dataDir, folder, passphrase, product, now }: BackupOptions): Promise<Manifest> {
  if (existsSync(folder) && readdirSync(folder).length > 0) throw new Error(`${folder} is not empty.`);
  const partial = `${resolve(folder)}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  const snapshots = openAll(dataDir);
  try {
    const files = [];
    for (const snapshot of snapshots) files.push(await snapshot.copyTo(partial));
    const secrets = copySecrets(dataDir, partial, passphrase);
    const manifest: Manifest = { format: 1, made_at: new Date(now).toISOString(), product, secrets, files };
    writeFileSync(join(partial, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const name of readdirSync(partial)) flush(join(partial, name));
    rmSync(folder, { recursive: true, force: true });
    renameSync(partial, folder);
    flush(dirname(resolve(folder)));
    return manifest;
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  } finally {
    for (const snapshot of snapshots) snapshot.close();
  }
}

function openAll(dataDir: string): Snapshot[] {
  const files = backupOrder.map((service) => join(dataDir, `${service}.sqlite`)).filter((file) => existsSync(file));
  if (files.length === 0) throw new Error(`${dataDir} holds no installation.`);
  const opened: Snapshot[] = [];
  try {
    for (const file of files) opened.push(openSnapshot(file));
    return opened;
  } catch (error) {
    for (const snapshot of opened) snapshot.close();
    throw error;
  }
}

function copySecrets(dataDir: string, folder: string, passphrase: string | undefined): Manifest['secrets'] {
  const file = join(dataDir, generatedFile);
  if (!existsSync(file)) return 'none';
  if (passphrase === undefined) return 'left_out';
  writeFileSync(join(folder, encryptedSecretsName), encryptSecrets(readFileSync(file, 'utf8'), passphrase));
  return 'encrypted';
}
