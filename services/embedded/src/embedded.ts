import { join } from 'node:path';
import { startApiGateway } from '@order-automation/api-gateway';
import { startAudit } from '@order-automation/audit';
import { type InProcessBus, inProcessBus, type RequestInput, type YieldTo } from '@order-automation/bus';
import { startEvaluation } from '@order-automation/evaluation';
import { startIntake } from '@order-automation/gateway-intake';
import { startProDebug } from '@order-automation/pro-debug';
import { startRules } from '@order-automation/rules';
import {
  type Clock,
  type Closing,
  closeInReverse,
  createLogger,
  createMetrics,
  createReadiness,
  type Env,
  type Readiness,
  type Service,
  type ServiceDeps,
  startOps,
  systemClock,
} from '@order-automation/service';
import { startShop } from '@order-automation/shop';
import { type SqliteHost, sqliteHost, sqliteStore } from '@order-automation/store';
import type { Logger } from 'pino';
import { collectDefaultMetrics, type Registry } from 'prom-client';
import { embeddedConfig } from './config';
import { demonstrationRule } from './demonstration';

export type Embedded = {
  /** The public port. */
  readonly port: number;
  readonly ops: number;
  readonly log: Logger;
  close(): Promise<void>;
};

type House = {
  readonly bus: InProcessBus;
  readonly dataDir: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly closing: Closing;
  readonly readiness: Readiness;
  readonly registries: Registry[];
};

/** Webhooks that arrive together are a crowd from this many on. */
const crowd = 16;

/**
 * When webhooks come in crowds, whoever waits for an answer comes before what is worked off behind it; that goes on in the first pause,
 * and once a second at least (docs/decisions/0005).
 */
const sendersFirst: YieldTo = {
  when: (type, input) =>
    type === 'intake.receive.v1' && (input as RequestInput<'intake.receive.v1'>).webhooks.length >= crowd,
  quiet: 8,
  longest: 1000,
};

/**
 * Every service in this process, on the in-process bus and an SQLite file each. Resolves when the public port is open, which is when
 * a webhook can be stored. Throws ConfigError when a variable is wrong; closes what it had opened when anything else fails.
 */
export async function startEmbedded(env: Env): Promise<Embedded> {
  const config = embeddedConfig(env);
  const { dataDir, host, opsPort, logLevel } = config.common;
  const log = createLogger({ name: 'embedded', level: logLevel });
  const closing = closeInReverse();
  const readiness = createReadiness();
  const registry = createMetrics('embedded');
  collectDefaultMetrics({ register: registry });
  const registries = [registry];
  try {
    const ops = await startOps({ host, port: opsPort, registries: () => registries, readiness, log });
    closing.add('ops', ops.close);
    const bus = inProcessBus({ log, yieldTo: sendersFirst });
    closing.add('bus', () => bus.close());
    const house: House = { bus, dataDir, log, clock: systemClock, closing, readiness, registries };
    const port = await startServices(house, config);
    return { port, ops: ops.port, log, close: closing.close };
  } catch (error) {
    await closing.close().catch(() => undefined);
    throw error;
  }
}

/** In the order of who needs whom; the HTTP edge is the last to open and the first to close. Resolves with the public port. */
async function startServices(house: House, config: ReturnType<typeof embeddedConfig>): Promise<number> {
  // Intake's flush stands between a webhook and its answer: it does not share a thread with the others.
  const arrival = await openHost(house, 'arrival');
  // The log is half of what is written, and nobody waits for it: it does not hold up the claims of the next events.
  const logging = await openHost(house, 'log');
  const rest = await openHost(house, 'rest');
  await start(house, rest, 'shop', startShop, config.shop);
  await start(house, logging, 'audit', startAudit, config.audit);
  await start(house, rest, 'rules', startRules, config.rules);
  if (config.shop.demoShop) await demonstrationRule(house.bus, house.clock);
  await start(house, rest, 'evaluation', startEvaluation, config.evaluation);
  await start(house, rest, 'pro-debug', startProDebug, config.proDebug);
  await start(house, arrival, 'gateway-intake', startIntake, config.intake);
  const { port } = await start(house, rest, 'api-gateway', startApiGateway, config.apiGateway);
  return port;
}

async function openHost({ closing }: House, name: string): Promise<SqliteHost> {
  const host = sqliteHost({ thread: 'worker' });
  closing.add(`${name} thread`, () => host.close());
  return host;
}

async function start<Config, Started extends Service>(
  house: House,
  host: SqliteHost,
  name: string,
  startService: (deps: ServiceDeps, config: Config) => Promise<Started>,
  config: Config,
): Promise<Started> {
  const { bus, dataDir, clock, closing, readiness, registries } = house;
  const store = await sqliteStore({ file: join(dataDir, `${name}.sqlite`), host });
  closing.add(`${name} store`, () => store.close());
  const metrics = createMetrics(name);
  registries.push(metrics);
  const service = await startService({ bus, store, log: house.log.child({ service: name }), metrics, clock }, config);
  closing.add(name, () => service.close());
  readiness.probe(name, async () => {
    const status = await store.check();
    return [...(status.ok ? [] : [status.reason]), ...((await service.problems?.()) ?? [])];
  });
  return service;
}
