import '../compile-cache';
import type { MessagePort } from 'node:worker_threads';
import { auditConfiguration, startAudit } from '@order-automation/audit';
import { inProcessBus } from '@order-automation/bus';
import { serveBus } from '@order-automation/bus/threads';
import { evaluationConfiguration, startEvaluation } from '@order-automation/evaluation';
import { proDebugConfiguration, startProDebug } from '@order-automation/pro-debug';
import { rulesConfiguration, startRules } from '@order-automation/rules';
import {
  closeInReverse,
  createLogger,
  createReadiness,
  type Env,
  joinedMetrics,
  parseConfig,
  systemClock,
} from '@order-automation/service';
import { shopConfiguration, startShop } from '@order-automation/shop';
import { demonstrationRule, patiently } from '../demonstration';
import { terminalLog } from '../terminal-log';
import { processName, startDatabaseThread, startService, type ThreadContext } from './thread-context';
import { lowerPriority, runThread, type ThreadWork } from './thread-run';

export type ProcessingSettings = {
  readonly env: Env;
  readonly dataDir: string;
  readonly logLevel: string;
  /** Log lines are read by people. */
  readonly terminal: boolean;
};

/** Steps below the priority of the thread that answers HTTP requests. */
const niceness = 10;

/** Milliseconds that a part has to say whether it is ready; less than the main thread waits for this thread. */
const readinessTimeout = 1_500;

/** Runs what follows an answered webhook: log, rules, shop, evaluation. The bus is here, because most messages go between services of this thread. */
async function launch(
  { env, dataDir, logLevel, terminal }: ProcessingSettings,
  port: MessagePort,
): Promise<ThreadWork> {
  const destination = terminal ? { destination: await terminalLog() } : {};
  const log = createLogger({ name: processName, level: logLevel, ...destination });
  const closing = closeInReverse();
  const readiness = createReadiness(readinessTimeout);
  const bus = inProcessBus({ log });
  closing.add('bus', () => bus.close());
  const context: ThreadContext = { bus, dataDir, log, clock: systemClock, closing, readiness, metrics: [] };
  try {
    await startServices(context, env);
    serveBus(bus, port);
    lowerPriority(niceness);
    return { missing: readiness.missing, metrics: joinedMetrics(context.metrics), close: closing.close };
  } catch (error) {
    await closing.close().catch(() => undefined);
    throw error;
  }
}

/** A service starts after those that it asks. */
async function startServices(context: ThreadContext, env: Env): Promise<void> {
  const database = startDatabaseThread(context, 'processing');
  // Larger pages suit the log, whose writes are nearly all at its end.
  const logDatabase = { ...database, pageSize: 16_384 };
  // What is rewritten while its event is in flight and short at rest: compressing it each time costs more than the bytes that it keeps, and two documents
  // in flight want more room than a page of 4 KiB has.
  const rewritten = { ...database, compressFrom: Number.POSITIVE_INFINITY, pageSize: 8_192 };
  const shop = parseConfig(shopConfiguration, env);
  await startService(context, rewritten, 'shop', startShop, shop);
  await startService(context, logDatabase, 'audit', startAudit, parseConfig(auditConfiguration, env));
  await startService(context, database, 'rules', startRules, parseConfig(rulesConfiguration, env));
  const { demonstration } = await context.bus.request('shop.status.v1', {}, patiently);
  if (demonstration) await demonstrationRule(context.bus, context.clock);
  const evaluation = { ...parseConfig(evaluationConfiguration, env), isOnlyInstance: true };
  await startService(context, rewritten, 'evaluation', startEvaluation, evaluation);
  await startService(context, database, 'pro-debug', startProDebug, parseConfig(proDebugConfiguration, env));
}

runThread(launch);
