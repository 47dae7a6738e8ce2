import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { apiGatewayConfiguration, resetPassword } from '@order-automation/api-gateway';
import {
  distributedConfiguration,
  type Env,
  parseConfig,
  readFileVariables,
  systemClock,
} from '@order-automation/service';
import { databaseName } from '@order-automation/service/run';
import { mongoStore, type Store, sqliteStore } from '@order-automation/store';
import { allVariables, embeddedConfiguration } from './config';
import { claimDataDir, noInstallation } from './data-dir';

const service = 'api-gateway';

/** The database of users, closed again when the work is done. */
type Opened = { readonly store: Store; close(): Promise<void> };

/**
 * Gives a user (ADMIN_USER where none is named) of the installation that the environment names a new random password and ends the sessions of that
 * user; undefined where there is no such user. `announce` hears which installation it is before anything is changed. Throws ConfigError when there is
 * none, or a process uses its folder.
 */
export async function resetPasswordOf(
  given: Env,
  userName: string | undefined,
  announce: (installation: string) => void,
): Promise<Awaited<ReturnType<typeof resetPassword>>> {
  process.umask(0o077);
  const env = readFileVariables(given, allVariables);
  const user = userName ?? parseConfig({ adminUser: apiGatewayConfiguration.adminUser }, env).adminUser;
  const isDistributed = Boolean(env.MONGODB_URI?.trim());
  announce(isDistributed ? 'the databases of MONGODB_URI' : resolve(env.DATA_DIR ?? ''));
  const { store, close } = isDistributed ? await openMongo(env) : await openFile(env);
  try {
    return await resetPassword(store, user, systemClock.now());
  } finally {
    await close();
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
  if (!existsSync(file)) throw noInstallation(dataDir);
  const claim = claimDataDir(dataDir);
  const store = await sqliteStore({ file });
  const close = async () => {
    await store.close();
    claim.release();
  };
  return { store, close };
}
