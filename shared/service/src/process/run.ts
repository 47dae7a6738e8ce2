import type { Bus } from '@order-automation/bus';
import { natsBus } from '@order-automation/bus/nats';
import { isServiceName } from '@order-automation/contracts';
import { type MongoServer, mongoServer } from '@order-automation/store';
import type { Logger } from 'pino';
import {
  type CommonConfig,
  commonConfiguration,
  type DistributedConfig,
  distributedConfiguration,
} from './common-config';
import { type ConfigDefinition, ConfigError, type ConfigOf, defineConfig } from './config';
import { readConfig } from './environment';
import { helpText, wantsHelp } from './help';
import { createLogger } from './logger';
import { createMetrics, createProcessMetrics, type MetricsSource, metricsOf } from './metrics';
import { startOps } from './ops';
import { type Closing, closeInReverse, exitWhenRefused, loadEnv, reportListening, superviseProcess } from './process';
import { createReadiness, type Readiness, readinessMetrics } from './readiness';
import { retryForever } from './retry';
import { type Service, type ServiceDeps, type StartService, systemClock } from './service';
import { checkStoreVersion } from './store-version';

type RunOptions<D extends ConfigDefinition> = {
  /** Name of the service: of its database, its metrics and its log lines. */
  readonly name: string;
  readonly config: D;
  readonly start: StartService<ConfigOf<D>>;
};

/** A service among others of its process: its configuration is one that its `start` takes. */
export type Part = Pick<RunOptions<ConfigDefinition>, 'name' | 'config'> & { readonly start: StartService<never> };

export const partOf = <D extends ConfigDefinition>(service: RunOptions<D>): Part => service;

const processConfiguration = defineConfig({ ...commonConfiguration, ...distributedConfiguration });

/** Runs one service as a process of its own (`runTogether`). */
export async function run<D extends ConfigDefinition>(service: RunOptions<D>): Promise<void> {
  await runTogether(service.name, `node services/${service.name}/dist/main.js`, [service]);
}

/**
 * Runs services as one process, on NATS and a MongoDB database each: health is served at once, what is away is tried for ever, SIGTERM closes in
 * reverse. They start side by side, and a request between them stays in the process. Never throws: a wrong configuration ends the process with
 * code 2, and anything else that nobody foresaw with 1.
 */
export async function runTogether(name: string, command: string, parts: readonly Part[]): Promise<void> {
  if (wantsHelp()) {
    const names = parts.map((part) => part.name).join(', ');
    const what = `Runs ${names} alone, on NATS and MongoDB, until it gets SIGTERM. It reads these variables and no others.`;
    const definitions = [processConfiguration, ...parts.map(({ config }) => config)];
    process.stdout.write(helpText({ command, what, definitions }));
    return;
  }
  const settings = readSettings(parts);
  const log = createLogger({ name, level: settings.logLevel });
  const closing = closeInReverse();
  const giveUp = new AbortController();
  let services: readonly Service[] = [];
  superviseProcess({
    log,
    drain: () => {
      for (const service of services) service.drain?.();
    },
    close: () => {
      giveUp.abort();
      return closing.close();
    },
  });
  const launch: Launch = { settings, name, parts, log, closing, signal: giveUp.signal, readiness: createReadiness() };
  try {
    services = await launchServices(launch);
  } catch (error) {
    if (giveUp.signal.aborted) return;
    exitWhenRefused(error);
    log.fatal({ err: error }, 'the service could not be started');
    process.exitCode = 1;
    process.exit();
  }
}

/** With what all its services read, each variable under one name in all of them. */
type Settings = CommonConfig & DistributedConfig;

type Launch = {
  readonly settings: Settings;
  readonly name: string;
  readonly parts: readonly Part[];
  readonly log: Logger;
  readonly closing: Closing;
  readonly signal: AbortSignal;
  readonly readiness: Readiness;
};

function readSettings(parts: readonly Part[]): Settings {
  try {
    const definitions = parts.map(({ config }) => config);
    return readConfig<typeof processConfiguration>(Object.assign({}, processConfiguration, ...definitions), loadEnv());
  } catch (error) {
    exitWhenRefused(error);
    throw error;
  }
}

async function launchServices(launch: Launch): Promise<readonly Service[]> {
  const { name, parts, settings, log, closing, readiness } = launch;
  for (const part of ['bus', 'store', ...parts.map((one) => one.name)]) readiness.set(part, 'not started yet');
  const sources = [metricsOf(createProcessMetrics(name)), readinessMetrics(name, readiness)];
  const { opsHost: host, opsPort, namespace } = settings;
  const ops = await startOps({ host, port: opsPort, metrics: () => sources, readiness, log });
  closing.add('ops', ops.close);

  const [bus, server] = await Promise.all([connectBus(launch), connectStore(launch)]);
  closing.add('store', server.close);
  closing.add('bus', () => bus.close());
  const services = await Promise.all(
    parts.map((part) => {
      const store = server.store(databaseName(namespace, part.name));
      return launchPart(launch, part, { bus, store, clock: systemClock }, sources);
    }),
  );
  const port = services.find((service) => service.port !== undefined)?.port;
  reportListening({ service: name, ops: ops.port, ...(port === undefined ? {} : { port }) });
  log.info({ ops: ops.port, port }, 'started');
  return services;
}

/** Starts a service, again and again until it runs. It closes before those that are launched earlier, whichever runs first. */
async function launchPart(
  { name: ofProcess, settings, closing, signal, readiness, ...launch }: Launch,
  { name, start }: Part,
  given: Omit<ServiceDeps, 'log' | 'metrics'>,
  sources: MetricsSource[],
): Promise<Service> {
  const log = name === ofProcess ? launch.log : launch.log.child({ service: name });
  let running: Service | undefined;
  closing.add(name, async () => running?.close());
  /** Each try has a registry of its own: a metric can be registered once. */
  const attempt = async (): Promise<Service | ConfigError> => {
    const metrics = createMetrics(name);
    try {
      await checkStoreVersion(given.store, name, 'MONGODB_URI');
      const started = await start({ ...given, log, metrics }, settings as never);
      sources.push(metricsOf(metrics));
      return started;
    } catch (error) {
      if (error instanceof ConfigError) return error;
      throw error;
    }
  };
  const service = await untilReady(name, `starting ${name}`, attempt, { log, signal, readiness });
  if (service instanceof ConfigError) throw service;
  running = service;
  signal.throwIfAborted();
  readiness.probe(name, async () => (await service.problems?.()) ?? []);
  return service;
}

/** Tries for ever; meanwhile the process says why the part is not ready. */
function untilReady<T>(
  part: string,
  what: string,
  attempt: () => Promise<T>,
  { log, signal, readiness }: Pick<Launch, 'log' | 'signal' | 'readiness'>,
): Promise<T> {
  const onFailure = (reason: string): void => readiness.set(part, reason);
  return retryForever(attempt, { what, log, signal, onFailure });
}

async function connectBus(launch: Launch): Promise<Bus> {
  const { name, parts, settings, log, readiness } = launch;
  const { natsUrl, natsProfile: profile, natsMonitor: monitor, natsStreamBytes: streamBytes, namespace } = settings;
  const services = parts.map((part) => part.name).filter(isServiceName);
  const connect = () =>
    natsBus({
      servers: natsUrl.reveal(),
      name,
      ...(services.length > 0 ? { services } : {}),
      profile,
      streamPrefix: namespace,
      streamBytes,
      log,
      ...(monitor ? { monitor } : {}),
    });
  const bus = await untilReady('bus', 'connecting to the bus', connect, launch);
  readiness.probe('bus', () => {
    const status = bus.status();
    return status.ok ? [] : [status.reason];
  });
  return bus;
}

async function connectStore(launch: Launch): Promise<MongoServer> {
  const { name, parts, settings, readiness } = launch;
  const connect = () => mongoServer({ uri: settings.mongodbUri.reveal() });
  const server = await untilReady('store', 'connecting to the store', connect, launch);
  // One server has them all: where one database takes a write, the others do.
  const store = server.store(databaseName(settings.namespace, parts[0]?.name ?? name));
  readiness.probe('store', async () => {
    const status = await store.check();
    return status.ok ? [] : [status.reason];
  });
  return server;
}

/** The database of a service on a shared MongoDB. */
export const databaseName = (namespace: string, service: string): string =>
  `${namespace}_${service.replaceAll('-', '_')}`;
