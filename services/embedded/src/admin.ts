import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { apiGatewayConfiguration, resetPassword } from '@order-automation/api-gateway';
import {
  ConfigError,
  distributedConfiguration,
  type Env,
  exitRefusedConfiguration,
  loadEnv,
  parseConfig,
  readFileVariables,
  systemClock,
} from '@order-automation/service';
import { databaseName } from '@order-automation/service/run';
import { mongoStore, type Store, sqliteStore } from '@order-automation/store';
import { allVariables, embeddedConfiguration } from './config';
import { claimDataDir } from './data-dir';

const usage = `Usage: npm run admin -- reset-password [--user NAME]

Gives a user (default: ADMIN_USER) a new random password and ends the sessions of that user.
Stop the process first when everything runs in one (DATA_DIR); the distributed mode (MONGODB_URI) may go on running.
`;

const service = 'api-gateway';

/** The database of users, closed again when the work is done. */
type Opened = { readonly store: Store; close(): Promise<void> };

/** What an administrator does on the machine itself. Resolves with the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const command = commandOf(args);
  if (!command) {
    process.stderr.write(usage);
    return exitRefusedConfiguration;
  }
  const env = readFileVariables(loadEnv(), allVariables);
  const user = command.user ?? parseConfig({ adminUser: apiGatewayConfiguration.adminUser }, env).adminUser;
  const { store, close } = env.MONGODB_URI?.trim() ? await openMongo(env) : await openFile(env);
  try {
    const reset = await resetPassword(store, user, systemClock.now());
    if (!reset) {
      process.stderr.write(`There is no user ${JSON.stringify(user)}.\n`);
      return 1;
    }
    process.stdout.write(`New password of ${reset.name}: ${reset.password}\nSessions ended: ${reset.sessionsEnded}\n`);
    return 0;
  } finally {
    await close();
  }
}

function commandOf(args: readonly string[]): { readonly user: string | undefined } | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { user: { type: 'string' } },
      allowPositionals: true,
    });
    return positionals.length === 1 && positionals[0] === 'reset-password' ? { user: values.user } : undefined;
  } catch {
    return undefined;
  }
}

async function openMongo(env: Env): Promise<Opened> {
  const { mongodbUri, namespace } = distributedConfiguration;
  const config = parseConfig({ mongodbUri, namespace }, env);
  const store = await mongoStore({
    uri: config.mongodbUri.reveal(),
    database: databaseName(config.namespace, service),
  });
  return { store, close: () => store.close() };
}

/** Throws ConfigError when the folder holds no installation, or a process uses it. */
async function openFile(env: Env): Promise<Opened> {
  const { dataDir } = parseConfig({ dataDir: embeddedConfiguration.dataDir }, env);
  const file = join(dataDir, `${service}.sqlite`);
  if (!existsSync(file)) {
    const problem = `holds no installation (the value is ${JSON.stringify(dataDir)})`;
    throw new ConfigError([{ variable: 'DATA_DIR', problem, example: '/var/lib/order-automation' }]);
  }
  const claim = claimDataDir(dataDir);
  const store = await sqliteStore({ file });
  const close = async () => {
    await store.close();
    claim.release();
  };
  return { store, close };
}

process.umask(0o077);
main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = error instanceof ConfigError ? exitRefusedConfiguration : 1;
  },
);
