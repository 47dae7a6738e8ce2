import { access } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { startApiGateway } from '@order-automation/api-gateway';
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
  startOps,
  startThread,
  systemClock,
  type Thread,
} from '@order-automation/service';
import type { Logger } from 'pino';
import { processConfig, serviceConfigs } from './config';
import { claimDataDir } from './data-dir';
import { generatedFile, generateSecrets } from './generated';
import type { ProcessingSettings } from './processing-thread';
import { processName, startDatabaseThread, startService, type ThreadContext } from './thread-context';

export type Embedded = {
  /** The public port. */
  readonly port: number;
  readonly ops: number;
  readonly log: Logger;
  /** What the caller shows to the operator. */
  readonly summary: Summary;
  close(): Promise<void>;
};

export type Summary = {
  readonly url: string;
  readonly opsUrl: string;
  /** The file with the secrets that this installation made for itself. */
  readonly secretsFile: string;
  /** The administrator that this start has made, with the password that it made up. */
  readonly newAdministrator?: { readonly user: string; readonly password: string };
};

/**
 * Every service in this process, on an SQLite file each: in the main thread those that answer senders and administrators, in a second thread
 * everything that follows (docs/decisions/0004). Resolves when the public port is open, which is when a webhook can be stored. Throws
 * ConfigError when a variable is wrong; closes what it had opened when anything else fails.
 */
export async function startEmbedded(environment: Env): Promise<Embedded> {
  const settings = processConfig(environment);
  const { dataDir, opsHost, opsPort } = settings;
  const closing = closeInReverse();
  const claim = claimDataDir(dataDir);
  closing.add('data folder', async () => claim.release());
  try {
    const generated = generateSecrets(dataDir, settings.env);
    const config = serviceConfigs(settings.env, generated.kept);
    const { context, processing } = await startThreads(settings, config.env, closing);
    const ops = await startOps({
      host: opsHost,
      port: opsPort,
      metrics: () => [...context.metrics, processing.metrics],
      readiness: context.readiness,
      log: context.log,
    });
    closing.add('ops', ops.close);
    const port = await startEdge(context, config, processing);
    const { host, adminUser } = config.apiGateway;
    const password = generated.made.includes('ADMIN_PASSWORD') ? generated.kept.ADMIN_PASSWORD : undefined;
    const summary: Summary = {
      url: `http://${host}:${port}`,
      opsUrl: `http://${opsHost}:${ops.port}`,
      secretsFile: shortest(join(dataDir, generatedFile)),
      ...(password === undefined ? {} : { newAdministrator: { user: adminUser, password } }),
    };
    return { port, ops: ops.port, log: context.log, summary, close: closing.close };
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

type Settings = ReturnType<typeof processConfig>;

/** The context of the main thread, and the processing thread, whose services have not started yet. */
async function startThreads(
  { dataDir, logLevel }: Settings,
  env: Env,
  closing: Closing,
): Promise<{ context: ThreadContext; processing: Thread }> {
  // The first file operation makes the threads of Node's pool, with the priority of the thread that asks for it: it must be this one.
  await access(dataDir);
  const settings: ProcessingSettings = { env, dataDir, logLevel };
  const processing = startThread('processing', join(__dirname, 'processing-thread.js'), settings);
  closing.add('processing thread', processing.close);
  const log = createLogger({ name: processName, level: logLevel });
  const readiness = createReadiness();
  readiness.probe('processing', processing.missing, { stuckAfter });
  const bus = threadBus(processing.bus, log);
  closing.add('bus', () => bus.close());
  const metrics = [metricsOf(createProcessMetrics(processName))];
  return { context: { bus, dataDir, log, clock: systemClock, closing, readiness, metrics }, processing };
}

/** The HTTP edge is the last to open and the first to close. Resolves with the public port. */
async function startEdge(
  context: ThreadContext,
  config: ReturnType<typeof serviceConfigs>,
  processing: Thread,
): Promise<number> {
  // A database thread of its own: a webhook waits for its own flush and for no other one.
  const database = startDatabaseThread(context, 'edge');
  await processing.start();
  await startService(context, database, 'gateway-intake', startIntake, config.intake);
  const edge = await startService(context, database, 'api-gateway', startApiGateway, config.apiGateway);
  return edge.port;
}
