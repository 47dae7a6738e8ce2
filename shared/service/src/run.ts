import type { Bus } from '@order-automation/bus';
import { natsBus } from '@order-automation/bus/nats';
import { isServiceName } from '@order-automation/contracts';
import { mongoStore, type Store } from '@order-automation/store';
import type { Logger } from 'pino';
import {
  type CommonConfig,
  commonConfiguration,
  type DistributedConfig,
  distributedConfiguration,
} from './common-config';
import { type ConfigDefinition, ConfigError, type ConfigOf, defineConfig, type Env, parseConfig } from './config';
import { examplesOf, misspeltVariables, readFileVariables } from './environment';
import { helpText, wantsHelp } from './help';
import { createLogger } from './logger';
import { createMetrics, createProcessMetrics, metricsOf } from './metrics';
import { startOps } from './ops';
import {
  type Closing,
  closeInReverse,
  exitRefusedConfiguration,
  loadEnv,
  reportListening,
  superviseProcess,
} from './process';
import { createReadiness, type Readiness, readinessMetrics } from './readiness';
import { retryForever } from './retry';
import { type Service, type StartService, systemClock } from './service';
import { checkStoreVersion } from './store-version';

type RunOptions<D extends ConfigDefinition> = {
  /** Name of the service: of its database, its metrics and its log lines. */
  readonly name: string;
  readonly config: D;
  readonly start: StartService<ConfigOf<D>>;
};

const processConfiguration = defineConfig({ ...commonConfiguration, ...distributedConfiguration });

/**
 * Runs one service as a process of its own, on NATS and MongoDB: health is served at once, what is away is tried for ever, SIGTERM closes
 * in reverse. Never throws: a wrong configuration ends the process with code 2, and anything else that nobody foresaw with 1.
 */
export async function run<D extends ConfigDefinition>({ name, config, start }: RunOptions<D>): Promise<void> {
  if (wantsHelp()) {
    const what = `Runs the service ${name} alone, on NATS and MongoDB, until it gets SIGTERM. It reads these variables and no others.`;
    const definitions = [processConfiguration, config];
    process.stdout.write(helpText({ command: `node services/${name}/dist/main.js`, what, definitions }));
    return;
  }
  const settings = readSettings(config);
  if (!settings) return;
  const { common, own } = settings;
  const log = createLogger({ name, level: common.logLevel });
  const closing = closeInReverse();
  const giveUp = new AbortController();
  let service: Service | undefined;
  superviseProcess({
    log,
    drain: () => service?.drain?.(),
    close: () => {
      giveUp.abort();
      return closing.close();
    },
  });
  const launch: Launch<ConfigOf<D>> = { name, start, common, own, log, closing, signal: giveUp.signal };
  try {
    service = await launchService(launch);
  } catch (error) {
    if (giveUp.signal.aborted) return;
    if (error instanceof ConfigError) exitRefused(error);
    log.fatal({ err: error }, 'the service could not be started');
    process.exitCode = 1;
    process.exit();
  }
}

type Settings<Own> = { readonly common: CommonConfig & DistributedConfig; readonly own: Own };

type Launch<Own> = Settings<Own> & {
  readonly name: string;
  readonly start: StartService<Own>;
  readonly log: Logger;
  readonly closing: Closing;
  readonly signal: AbortSignal;
};

function readSettings<D extends ConfigDefinition>(config: D, env: Env = loadEnv()): Settings<ConfigOf<D>> | undefined {
  try {
    const definition = { ...processConfiguration, ...config };
    const known = examplesOf([definition]);
    const misspelt = misspeltVariables(env, known, false);
    if (misspelt.length > 0) throw new ConfigError(misspelt);
    const all = parseConfig(definition, readFileVariables(env, known));
    return { common: all as CommonConfig & DistributedConfig, own: all as ConfigOf<D> };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return exitRefused(error);
  }
}

function exitRefused(error: ConfigError): never {
  process.stderr.write(`${error.message}\n`);
  process.exit(exitRefusedConfiguration);
}

async function launchService<Own>(launch: Launch<Own>): Promise<Service> {
  const { name, start, common, own, log, closing, signal } = launch;
  const readiness = createReadiness();
  for (const part of ['bus', 'store', name]) readiness.set(part, 'not started yet');
  const sources = [metricsOf(createProcessMetrics(name)), readinessMetrics(name, readiness)];
  const ops = await startOps({ host: common.opsHost, port: common.opsPort, metrics: () => sources, readiness, log });
  closing.add('ops', ops.close);

  const [bus, store] = await Promise.all([connectBus(launch, readiness), connectStore(launch, readiness)]);
  closing.add('store', () => store.close());
  closing.add('bus', () => bus.close());
  const deps = { bus, store, log, clock: systemClock };
  /** Each try has a registry of its own: a metric can be registered once. */
  const attempt = async (): Promise<Service | ConfigError> => {
    const metrics = createMetrics(name);
    try {
      await checkStoreVersion(store, name, 'MONGODB_URI');
      const started = await start({ ...deps, metrics }, own);
      sources.push(metricsOf(metrics));
      return started;
    } catch (error) {
      if (error instanceof ConfigError) return error;
      throw error;
    }
  };
  const service = await retryForever(attempt, {
    what: `starting ${name}`,
    log,
    signal,
    onFailure: (reason) => readiness.set(name, reason),
  });
  if (service instanceof ConfigError) throw service;
  closing.add(name, () => service.close());
  signal.throwIfAborted();
  readiness.probe(name, async () => (await service.problems?.()) ?? []);
  reportListening({ service: name, ops: ops.port, ...(service.port === undefined ? {} : { port: service.port }) });
  log.info({ ops: ops.port, port: service.port }, 'started');
  return service;
}

async function connectBus<Own>({ name, common, log, signal }: Launch<Own>, readiness: Readiness): Promise<Bus> {
  const { natsUrl, natsProfile: profile, natsMonitor: monitor, natsStreamBytes: streamBytes, namespace } = common;
  const connect = () =>
    natsBus({
      servers: natsUrl.reveal(),
      name,
      ...(isServiceName(name) ? { service: name } : {}),
      profile,
      streamPrefix: namespace,
      streamBytes,
      log,
      ...(monitor ? { monitor } : {}),
    });
  const bus = await retryForever(connect, {
    what: 'connecting to the bus',
    log,
    signal,
    onFailure: (reason) => readiness.set('bus', reason),
  });
  readiness.probe('bus', () => {
    const status = bus.status();
    return status.ok ? [] : [status.reason];
  });
  return bus;
}

async function connectStore<Own>(launch: Launch<Own>, readiness: Readiness): Promise<Store> {
  const { name, common, log, signal } = launch;
  const database = databaseName(common.namespace, name);
  const store = await retryForever(() => mongoStore({ uri: common.mongodbUri.reveal(), database }), {
    what: 'connecting to the store',
    log,
    signal,
    onFailure: (reason) => readiness.set('store', reason),
  });
  readiness.probe('store', async () => {
    const status = await store.check();
    return status.ok ? [] : [status.reason];
  });
  return store;
}

/** The database of a service on a shared MongoDB. */
export function databaseName(namespace: string, service: string): string {
  return `${namespace}_${service.replaceAll('-', '_')}`;
}
