import '../node-version';
import { streamsWithMessages } from '@order-automation/bus/nats';
import { ConfigError, closeInReverse, type Env, loadEnv, systemClock } from '@order-automation/service';
import { databaseName } from '@order-automation/service/run';
import { mongoStore } from '@order-automation/store';
import { verifyLog } from '../backup/verify';
import { runCommand } from '../command';
import texts from '../command-texts.json';
import { claimDataDir } from '../data-dir';
import { checkMigration, migrate } from './migrate';
import { checkKeys, type MigrateSettings, migrateSettings } from './settings';
import { openSource } from './source';
import { openTarget } from './target';

async function main(check: boolean, json: boolean): Promise<number> {
  const settings = migrateSettings(loadEnv());
  const closing = closeInReverse();
  try {
    const claim = claimDataDir(settings.dataDir, { evenIfMoved: true });
    closing.add('data folder', async () => claim.release());
    const source = openSource(settings.dataDir);
    closing.add('databases of the folder', async () => source.close());
    checkKeys(source.keyFingerprints, settings.keys);
    const target = await openTarget(settings.uri, settings.namespace);
    closing.add('MongoDB', target.close);
    const deps = { dataDir: settings.dataDir, source, target, streams: () => streamsOf(settings) };
    if (check) return printChecked(await checkMigration(deps), json);
    const verify = () => verifyTarget(settings);
    const write = (line: string) => void process.stderr.write(line);
    return printMigrated(await migrate({ ...deps, verify, now: systemClock.now, write }), json, settings);
  } finally {
    await closing.close();
  }
}

/** Where NATS_URL is not set, it is the operator who has looked. */
async function streamsOf({ natsUrl, namespace }: MigrateSettings): Promise<readonly string[]> {
  if (!natsUrl) return [];
  return streamsWithMessages(natsUrl, namespace).catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `NATS does not say which streams it has (${reason}). Give a NATS_URL whose user may ask, or leave it out when you know that none has messages.`,
      { cause },
    );
  });
}

/** Milliseconds for one operation: building an index of the log may take long. */
const operationTimeout = 120_000;

async function verifyTarget({ uri, namespace, env }: MigrateSettings & { readonly env: Env }) {
  const database = databaseName(namespace, 'audit');
  const store = await mongoStore({ uri, database, serverSelectionTimeoutMS: 10_000, timeoutMS: operationTimeout });
  try {
    return await verifyLog(
      store,
      env,
      (checked) => void process.stderr.write(`verifying the log: ${checked} entries\n`),
    );
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `All documents were copied and compared, but the log was not verified to its end: ${reason} ` +
        'Check whether MongoDB answers, and run the command again: it continues with the verification.',
      { cause },
    );
  }
}

function printChecked(counted: Awaited<ReturnType<typeof checkMigration>>, json: boolean): number {
  const documents = counted.reduce((sum, one) => sum + one.documents, 0);
  const moved = counted.reduce((sum, one) => sum + one.moved, 0);
  const lines = counted
    .filter((one) => one.documents + one.moved > 0)
    .map((one) => `${one.service}.${one.collection}: ${one.documents}, of which ${one.moved} are moved`);
  const text = [...lines, `${documents} documents to move, ${moved} are moved. Nothing was changed.`].join('\n');
  process.stdout.write(`${json ? JSON.stringify({ documents, moved, collections: counted }) : text}\n`);
  return 0;
}

type Migrated = Awaited<ReturnType<typeof migrate>>;

function printMigrated({ isNew, collections }: Migrated, json: boolean, { dataDir }: MigrateSettings): number {
  const documents = collections.reduce((sum, one) => sum + one.documents, 0);
  const text = [
    ...collections
      .filter((one) => one.documents > 0)
      .map((one) => `${one.service}.${one.collection}: ${one.documents} documents, sha256 ${one.sha256}`),
    ...(isNew ? [] : ['All of it was moved before.']),
    `Moved and compared ${documents} documents: counts and contents were equal on both sides, and the log is intact.`,
    `Start the distributed mode with the same SECRET_KEY. ${dataDir} is kept as it was; npm start refuses it from now on.`,
  ].join('\n');
  process.stdout.write(`${json ? JSON.stringify({ already: !isNew, documents, collections }) : text}\n`);
  return 0;
}

runCommand(
  texts.migrate.join('\n'),
  ['to-distributed', 'check', 'json'],
  ({ flags: { 'to-distributed': meant, check, json }, words }) =>
    meant && words.length === 0 ? main(check, json) : undefined,
);
