import '../node-version';
import { type Env, exitRefusedConfiguration, loadEnv, parseConfig, readFileVariables } from '@order-automation/service';
import { runCommand } from '../command';
import texts from '../command-texts.json';
import { allVariables, embeddedConfiguration } from '../config';
import { backUp } from './back-up';
import { restore } from './restore';
import { shortestPassphrase } from './secrets-file';
import { inboxStates, verifyLogOf } from './verify';

const { version }: { readonly version: string } = require('../../package.json');

/** Backs up and restores the embedded mode. Resolves with the exit code. */
async function main(verb: 'backup' | 'restore', folder: string, withoutSecrets: boolean): Promise<number> {
  const loaded = loadEnv();
  if (loaded.MONGODB_URI?.trim()) {
    process.stderr.write(
      'This is the distributed mode: docs/operations/back-up.md says how its databases are backed up.\n',
    );
    return exitRefusedConfiguration;
  }
  const env = readFileVariables(
    loaded,
    new Map([...allVariables, ['BACKUP_PASSPHRASE', 'a sentence that you remember']]),
  );
  const { dataDir } = parseConfig({ dataDir: embeddedConfiguration.dataDir }, env);
  return verb === 'backup' ? runBackup(folder, withoutSecrets, dataDir, env) : runRestore(folder, dataDir, env);
}

async function runBackup(folder: string, withoutSecrets: boolean, dataDir: string, env: Env): Promise<number> {
  const passphrase = withoutSecrets ? undefined : env.BACKUP_PASSPHRASE?.trim();
  if (!withoutSecrets && (passphrase ?? '').length < shortestPassphrase) {
    process.stderr.write(
      `BACKUP_PASSPHRASE is needed, with ${shortestPassphrase} characters or more: it encrypts the secrets in the backup. --without-secrets leaves them out.\n`,
    );
    return exitRefusedConfiguration;
  }
  const { files, secrets } = await backUp({ dataDir, folder, passphrase, product: version, now: Date.now() });
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  process.stdout.write(
    `Backed up ${files.length} databases, ${bytes} bytes, to ${folder}. ${texts.secrets[secrets]}\n`,
  );
  return 0;
}

async function runRestore(folder: string, dataDir: string, env: Env): Promise<number> {
  const manifest = await restore({ folder, dataDir, passphrase: env.BACKUP_PASSPHRASE?.trim() });
  const states = Object.entries(inboxStates(dataDir)).map(([state, count]) => `${count} ${state}`);
  process.stdout.write(
    `Restored the backup of ${manifest.made_at} to ${dataDir}. Webhooks: ${states.join(', ') || 'none'}.\n`,
  );
  const { valid, checked, reason } = await verifyLogOf(dataDir, env).catch((error: unknown) => {
    process.stderr.write(
      `The log was not verified. Everything is in ${dataDir} all the same: start with the SECRET_KEY of the installation.\n`,
    );
    throw error;
  });
  if (valid) {
    process.stdout.write(`The log is intact: ${checked} entries checked.\n`);
    return 0;
  }
  process.stderr.write(
    `The log does not verify: ${reason} The files are as they were backed up; is SECRET_KEY that of the installation?\n`,
  );
  return 1;
}

runCommand(texts.backup.join('\n'), ['without-secrets'], ({ flags, words: [verb, folder, ...more] }) => {
  if ((verb !== 'backup' && verb !== 'restore') || folder === undefined || more.length > 0) return undefined;
  return main(verb, folder, flags['without-secrets']);
});
