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
  lowerPriority,
  parseConfig,
  runThread,
  systemClock,
  type ThreadWork,
} from '@order-automation/service';
import { shopConfiguration, startShop } from '@order-automation/shop';
import { demonstrationRule } from './demonstration';
import { type House, openFiles, processName, start } from './house';

export type BackSettings = {
  readonly env: Env;
  readonly dataDir: string;
  readonly logLevel: string;
};

/** Steps down from the priority of the thread that answers. */
const niceness = 10;

/** Milliseconds; less than who asks for all threads allows. */
const patience = 1_500;

/**
 * Everything that happens behind an answer: the log, the rules, the shop, evaluation. The bus of the process is here, because most of what
 * is said is said here.
 */
async function launch({ env, dataDir, logLevel }: BackSettings, port: MessagePort): Promise<ThreadWork> {
  lowerPriority(niceness);
  const log = createLogger({ name: processName, level: logLevel });
  const closing = closeInReverse();
  const readiness = createReadiness(patience);
  const bus = inProcessBus({ log });
  closing.add('bus', () => bus.close());
  const house: House = { bus, dataDir, log, clock: systemClock, closing, readiness, metrics: [] };
  try {
    await startServices(house, env);
    serveBus(bus, port);
    return { missing: readiness.missing, metrics: joinedMetrics(house.metrics), close: closing.close };
  } catch (error) {
    await closing.close().catch(() => undefined);
    throw error;
  }
}

/** In the order of who needs whom. */
async function startServices(house: House, env: Env): Promise<void> {
  const files = openFiles(house, 'back');
  // Nearly all of the log is added at its end.
  const logFile = { ...files, pageSize: 16_384 };
  const shop = parseConfig(shopConfiguration, env);
  await start(house, files, 'shop', startShop, shop);
  await start(house, logFile, 'audit', startAudit, parseConfig(auditConfiguration, env));
  await start(house, files, 'rules', startRules, parseConfig(rulesConfiguration, env));
  if (shop.demoShop) await demonstrationRule(house.bus, house.clock);
  await start(house, files, 'evaluation', startEvaluation, parseConfig(evaluationConfiguration, env));
  await start(house, files, 'pro-debug', startProDebug, parseConfig(proDebugConfiguration, env));
}

runThread(launch);
