import { access } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { type ApiGateway, startApiGateway } from '@order-automation/api-gateway';
import { threadBus } from '@order-automation/bus/threads';
import { startIntake } from '@order-automation/gateway-intake';
import {
  type Closing,
  closeInReverse,
  createLogger,
  createProcessMetrics,
  createReadiness,
  type Env,
  metricsOf,
  readinessMetrics,
  startOps,
  systemClock,
} from '@order-automation/service';
import type { Logger } from 'pino';
import { processConfig, serviceConfigs } from './config';
import { claimDataDir, markComplete, refuseWithoutSome } from './data-dir';
import { diskMetrics } from './disk-metrics';
import { generatedFile, generateSecrets } from './generated';
import { terminalLog } from './terminal-log';
import type { ProcessingSettings } from './threads/processing-thread';
import { processName, startDatabaseThread, startService, type ThreadContext } from './threads/thread-context';
import type { SpawnedThread } from './threads/thread-spawn';
import { startThread, type Thread } from './threads/thread-start';

export type Embedded = {
  readonly port: number;
  readonly ops: number;
  readonly log: Logger;
  readonly summary: Summary;
  /** Sends callers elsewhere before the end. */
  drain(): void;
  close(): Promise<void>;
};

export type Summary = {
  readonly url: string;
  readonly basePath: string;
  readonly opsUrl: string;
  /** The file with the secrets that this installation made for itself, if it made any. */
  readonly secretsFile: string | undefined;
  readonly dataDir: string;
  /** The administrator whose password was made up here, and was neither shown on a terminal nor changed yet. */
  readonly newAdministrator?: { readonly user: string; readonly password: string };
};

/**
 * Every service in this process, on an SQLite file each: in the main thread those that answer senders and administrators, in a second thread
 * everything that follows (docs/decisions/0004): `spawned` runs `processing-thread.js`. Resolves when the public port is open, which is when a webhook
 * can be stored. Throws ConfigError when a variable is wrong; closes what it had opened when anything else fails.
 */
export async function startEmbedded(environment: Env, spawned: SpawnedThread): Promise<Embedded> {
  const settings = processConfig(environment);
  const { dataDir, opsHost, opsPort } = settings;
  const closing = closeInReverse();
  const claim = claimDataDir(dataDir);
  closing.add('data folder', async () => claim.release());
  try {
    refuseWithoutSome(dataDir);
    const generated = generateSecrets(dataDir, settings.env);
    const config = serviceConfigs(settings.env, generated.kept);
    const { context, processing } = await startThreads(settings, config.env, spawned, closing);
    const ops = await startOps({
      host: opsHost,
      port: opsPort,
      metrics: () => [...context.metrics, processing.metrics],
      readiness: context.readiness,
      log: context.log,
    });
    closing.add('ops', ops.close);
    const { port, hasFirstPassword, drain } = await startEdge(context, config, processing);
    markComplete(dataDir);
    const { host, adminUser, basePath } = config.apiGateway;
    const isMadeUp = !settings.env.ADMIN_PASSWORD?.trim() && hasFirstPassword && !generated.passwordShown;
    const password = isMadeUp ? generated.kept.ADMIN_PASSWORD : undefined;
    const summary: Summary = {
      url: `http://${host}:${port}`,
      basePath,
      dataDir,
      opsUrl: `http://${opsHost}:${ops.port}`,
      secretsFile: Object.keys(generated.kept).length > 0 ? shortest(join(dataDir, generatedFile)) : undefined,
      ...(password === undefined ? {} : { newAdministrator: { user: adminUser, password } }),
    };
    return { port, ops: ops.port, log: context.log, summary, drain, close: closing.close };
  } catch (error) {
    await closing.close().catch(() => undefined);
    throw error;
  }
}

/** The path as a person in this folder would write it. */
function shortest(path: string): string {
  const fromHere = relative('.', path);
  return fromHere.startsWith('..') ? resolve(path) : fromHere;
}

/** Milliseconds without an answer after which a thread counts as hung for good. */
const stuckAfter = 60_000;

/** The context of the main thread, and the processing thread, whose services have not started yet. */
async function startThreads(
  { dataDir, logLevel }: ReturnType<typeof processConfig>,
  env: Env,
  spawned: SpawnedThread,
  closing: Closing,
): Promise<{ context: ThreadContext; processing: Thread }> {
  // The first file operation makes the threads of Node's pool, with the priority of the thread that asks for it: it must be this one.
  await access(dataDir);
  const terminal = process.stdout.isTTY === true;
  const settings: ProcessingSettings = { env, dataDir, logLevel, terminal };
  const processing = startThread(spawned, settings);
  closing.add('processing thread', processing.close);
  const destination = terminal ? { destination: await terminalLog() } : {};
  const log = createLogger({ name: processName, level: logLevel, ...destination });
  const readiness = createReadiness();
  readiness.probe('processing', processing.missing, { stuckAfter });
  const bus = threadBus(processing.bus, log);
  closing.add('bus', () => bus.close());
  const metrics = [
    metricsOf(createProcessMetrics(processName)),
    readinessMetrics(processName, readiness),
    diskMetrics(processName, dataDir),
  ];
  return { context: { bus, dataDir, log, clock: systemClock, closing, readiness, metrics }, processing };
}

/** The HTTP edge is the last to open and the first to close. */
async function startEdge(
  context: ThreadContext,
  config: ReturnType<typeof serviceConfigs>,
  processing: Thread,
): Promise<ApiGateway> {
  // Nobody is sent here before the public port is open.
  for (const name of ['gateway-intake', 'api-gateway']) context.readiness.set(name, 'not started yet');
  // A database thread of its own: a webhook waits for its own flush and for no other one.
  const database = startDatabaseThread(context, 'edge');
  await processing.start();
  await startService(context, database, 'gateway-intake', startIntake, config.intake);
  return startService(context, database, 'api-gateway', startApiGateway, config.apiGateway);
}
