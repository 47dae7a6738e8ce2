import { join } from 'node:path';
import { dropDatabases, freshNamespace } from '@order-automation/testing';
import { distributedEvidence, embeddedEvidence, type OpenEvidence } from './evidence';
import { type KillResult, type KillTest, passed, runKillTest, type Victim } from './kill-harness';
import { bus, type DatabaseCommands, database, service, wholeProcess } from './kill-victims';
import { type NatsServer, startNatsServer } from './nats-server';
import { freePort, type Product, startDistributed, startEmbedded } from './product';
import { newSecrets } from './product-client';

export type KillRun = Pick<KillTest, 'webhooks' | 'orders' | 'connections' | 'drainTimeout' | 'onProgress'> & {
  /** An empty folder: data, ledger, logs. */
  readonly folder: string;
  /** Where the product's logs go. */
  readonly log: number | 'ignore';
  /** The first order id to use; the databases may hold others. */
  readonly firstOrder: number;
  /** Keeps the databases of the distributed mode; those of a run that failed are kept anyhow. */
  readonly keep?: boolean;
};

/** The embedded process, ended and started again `times` times under load. */
export async function killEmbedded(run: KillRun, times: number): Promise<KillResult> {
  const secrets = newSecrets();
  const dataDir = join(run.folder, 'data');
  const port = await freePort();
  const env = { ...secrets.env, ...quiet, DATA_DIR: dataDir, PORT: String(port) };
  const start = (): Promise<Product> => startEmbedded({ env, log: run.log });
  let product = await start();
  const restart = async (): Promise<void> => {
    product = await start();
  };
  const victims = Array.from({ length: times }, () => wholeProcess(() => product, restart));
  let evidence: OpenEvidence | undefined;
  try {
    evidence = await embeddedEvidence(dataDir);
    return await runKillTest({ ...run, port, secrets, evidence, victims, ledger: join(run.folder, 'ledger') });
  } finally {
    await evidence?.close();
    await product.stop();
  }
}

export type Servers = {
  /** The program nats-server, started here so that it can be ended. */
  readonly natsServer: string;
  readonly mongodbUri: string;
};

/** What is ended in the distributed mode: these, `rounds` times one after the other. */
export type DistributedKills = {
  readonly victims: readonly DistributedVictim[];
  readonly rounds: number;
  /** Needed where `database` is a victim. */
  readonly database?: DatabaseCommands;
};

/** Two workers, so that each takes over from the other. */
const processes = ['worker-1', 'gateway-intake', 'worker-2', 'api-gateway'] as const;
/** `bus-wiped`: nats-server loses its storage, as after a lost disk. */
export const distributedVictims = [...processes, 'bus', 'bus-wiped', 'database'] as const;
export type DistributedVictim = (typeof distributedVictims)[number];

/** Each process, then the bus, then the bus with its storage deleted. */
export const everythingOnce: DistributedKills = { victims: [...processes, 'bus', 'bus-wiped'], rounds: 1 };

/** The edge, intake and workers, ended under load together with the servers that they use. */
export async function killDistributed(
  run: KillRun,
  { natsServer, mongodbUri }: Servers,
  kills = everythingOnce,
): Promise<KillResult> {
  const secrets = newSecrets();
  const nats = await startNatsServer(natsServer, join(run.folder, 'nats'));
  const port = await freePort();
  const namespace = freshNamespace('kill');
  const servers = { NATS_URL: nats.url, MONGODB_URI: mongodbUri, NAMESPACE: namespace, WORKERS: '2' };
  const env = { ...secrets.env, ...quiet, ...servers, PORT: String(port) };
  let product: Product | undefined;
  let evidence: OpenEvidence | undefined;
  let result: KillResult | undefined;
  try {
    product = await startDistributed({ env, log: run.log });
    evidence = await distributedEvidence(mongodbUri, namespace);
    const victims = victimsOf(kills, product, nats);
    result = await runKillTest({ ...run, port, secrets, evidence, victims, ledger: join(run.folder, 'ledger') });
    return result;
  } finally {
    await evidence?.close();
    await product?.stop();
    await nats.kill();
    if (run.keep || (result && !passed(result))) run.onProgress?.(`the databases of namespace ${namespace} are kept`);
    else await dropDatabases(mongodbUri, namespace);
  }
}

const quiet = { OPS_PORT: '0', DEMO_SHOP: 'false', LICENCE_KEY: 'demo', LOG_LEVEL: 'warn' };

function victimsOf(kills: DistributedKills, product: Product, nats: NatsServer): Victim[] {
  const round = kills.victims.map((name) => {
    if (name === 'bus') return bus(nats, 'kept');
    if (name === 'bus-wiped') return bus(nats, 'deleted');
    if (name !== 'database') return service(product, name);
    if (!kills.database) throw new Error('the commands that end and start the database are missing');
    return database(kills.database);
  });
  return Array.from({ length: kills.rounds }, () => round).flat();
}
