import { setTimeout as delay } from 'node:timers/promises';
import { startAudit } from '@order-automation/audit';
import { type Bus, inProcessBus } from '@order-automation/bus';
import { startEvaluation } from '@order-automation/evaluation';
import { intakeConfiguration, startIntake } from '@order-automation/gateway-intake';
import { startRules } from '@order-automation/rules';
import { createLogger, createMetrics, parseConfig, type ServiceDeps } from '@order-automation/service';
import { startShop } from '@order-automation/shop';
import type { Store } from '@order-automation/store';
import { memoryStore } from '../../../../shared/store/test/memory-store';
import { evaluationConfig } from '../order-world';
import { senderSecrets } from '../year/senders';
import { type Faults, mortalInstance } from './faults';

const { secretKey, retention, timeZone } = evaluationConfig;
const [key] = secretKey.reveal();
const env = { GATEWAY_CARD_SECRETS: senderSecrets.card, SECRET_KEY: key?.toString('base64') };

/** How one more instance of each service is started. */
const starts = {
  audit: (deps: ServiceDeps) => startAudit(deps, { secretKey, retention }),
  shop: (deps: ServiceDeps) => startShop(deps, { demoShop: false, timeZone, shopUrl: 'https://shop.example' }),
  rules: (deps: ServiceDeps) => startRules(deps, { extensions: [] }),
  evaluation: (deps: ServiceDeps) => startEvaluation(deps, evaluationConfig),
  intake: (deps: ServiceDeps) => startIntake(deps, parseConfig(intakeConfiguration, env)),
};
type Name = keyof typeof starts;
const names = Object.keys(starts) as Name[];

/** Milliseconds until a process that died or could not start is started again, at most. */
const longestRestart = 20_000;

export type Cluster = {
  readonly bus: Bus;
  readonly stores: Readonly<Record<Name, Store>>;
  letFaultsHappen(mayFail: boolean): void;
  close(): Promise<void>;
};

/** All services but the edge, some of them twice, on a bus and databases that outlive every one of them. */
export async function startCluster(faults: Faults): Promise<Cluster> {
  const bus = inProcessBus();
  const stores = Object.fromEntries(names.map((name) => [name, memoryStore()])) as Cluster['stores'];
  const log = createLogger({ name: 'simulation', level: (process.env.SIMULATION_LOG ?? 'silent') as 'silent' });
  const cluster = { mayFail: false, isOpen: true };
  const drawn: Faults = {
    ...faults,
    draw: (call) => (cluster.mayFail && cluster.isOpen ? faults.draw(call) : undefined),
  };
  let [made, hasStarted] = [0, false];
  const start = async (name: Name): Promise<void> => {
    if (!cluster.isOpen) return;
    made += 1;
    const given = { bus, store: stores[name], log, metrics: createMetrics('simulation'), clock: { now: Date.now } };
    const instance = mortalInstance(`${name} ${made}`, given, drawn);
    const again = (): void => void delay(faults.dice.between(0, longestRestart)).then(() => start(name));
    instance.onDeath(again);
    // A process that cannot start ends, and is started again.
    await starts[name](instance.deps).catch((error) => {
      if (!hasStarted) throw error;
      instance.end();
      again();
    });
  };
  // Of some there are two, which share their work.
  const twice = names.filter(() => faults.dice.chance(1 / 2));
  for (const name of [...names, ...twice]) await start(name);
  hasStarted = true;
  return {
    bus,
    stores,
    letFaultsHappen: (mayFail) => {
      cluster.mayFail = mayFail;
    },
    close: async () => {
      cluster.isOpen = false;
      await bus.close();
    },
  };
}
