import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  ConfigError,
  type ConfigProblem,
  distributedConfiguration,
  type Env,
  parseConfig,
  readFileVariables,
  requireSecretKey,
  secretKeyConfiguration,
} from '@order-automation/service';
import { allVariables, embeddedConfiguration } from '../config';
import { noInstallation } from '../data-dir';
import { generatedFile, hasData, keptSecrets } from '../generated';

export type MigrateSettings = ReturnType<typeof migrateSettings>;

/**
 * What the command reads: the data folder, and of the variables of the distributed mode those that its services will be started with. Throws ConfigError
 * when one is missing or the folder holds no installation.
 */
export function migrateSettings(given: Env) {
  const env = readFileVariables(given, allVariables);
  const { dataDir } = parseConfig({ dataDir: embeddedConfiguration.dataDir }, env);
  if (!existsSync(dataDir) || !hasData(dataDir)) throw noInstallation(dataDir);
  refuseLostSecrets(dataDir, env);
  const { mongodbUri, namespace, natsUrl } = distributedConfiguration;
  const config = parseConfig({ mongodbUri, namespace, ...secretKeyConfiguration }, env);
  const bus = env.NATS_URL?.trim() ? parseConfig({ natsUrl }, env).natsUrl.reveal() : undefined;
  return {
    env,
    dataDir,
    uri: config.mongodbUri.reveal(),
    namespace: config.namespace,
    keys: config.secretKey.reveal(),
    /** Undefined where the environment does not name it: then NATS is not asked. */
    natsUrl: bus,
  };
}

/** The distributed mode reads no `generated.env`: the secrets in it have to be in the environment. */
function refuseLostSecrets(dataDir: string, env: Env): void {
  const file = join(dataDir, generatedFile);
  const made = keptSecrets(dataDir);
  const problems: ConfigProblem[] = [];
  const add = (variable: string, problem: string) =>
    problems.push({ variable, problem, example: 'the-value-in-that-file' });
  for (const variable of ['SECRET_KEY', 'GATEWAY_CARD_SECRETS'])
    if (made[variable] && !env[variable]?.trim())
      add(
        variable,
        `is not set, and the distributed mode does not read ${file}: set it, here and for all services, to the value in that file`,
      );
  const given =
    env.GATEWAY_CARD_SECRETS?.trim()
      .split(/\s+/)
      .map((one) => one.replace(/@.*$/, '')) ?? [];
  const own = made.GATEWAY_CARD_SECRETS;
  if (given.length > 0 && own && !given.includes(own))
    add(
      'GATEWAY_CARD_SECRETS',
      `does not have the secret that this installation has made: put the value in ${file} behind it, or take it out of that file if no gateway signs with it`,
    );
  if (problems.length > 0) throw new ConfigError(problems);
}

/** Throws ConfigError when the data of a service were written with a key that is none of these. */
export function checkKeys(fingerprints: ReadonlyMap<string, string>, keys: readonly Buffer[]): void {
  for (const fingerprint of new Set(fingerprints.values())) requireSecretKey(fingerprint, keys);
}
