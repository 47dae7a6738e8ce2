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
const niceness = 8;

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
  // The log is half of what is written, and nobody waits for it: it does not hold up the claims of the next events.
  const logging = openFiles(house, 'log', { pageSize: 16_384 });
  const rest = openFiles(house, 'rest');
  const shop = parseConfig(shopConfiguration, env);
  await start(house, rest, 'shop', startShop, shop);
  await start(house, logging, 'audit', startAudit, parseConfig(auditConfiguration, env));
  await start(house, rest, 'rules', startRules, parseConfig(rulesConfiguration, env));
  if (shop.demoShop) await demonstrationRule(house.bus, house.clock);
  await start(house, rest, 'evaluation', startEvaluation, parseConfig(evaluationConfiguration, env));
  await start(house, rest, 'pro-debug', startProDebug, parseConfig(proDebugConfiguration, env));
}

runThread(launch);
