import { join } from 'node:path';
import { dropDatabases, freshNamespace } from '@order-automation/testing';
import { distributedEvidence, embeddedEvidence, type OpenEvidence } from './evidence';
import { type KillResult, type KillTest, runKillTest, type Victim } from './kill-harness';
import { bus, service, wholeProcess } from './kill-victims';
import { startNatsServer } from './nats-server';
import { freePort, type Product, startDistributed, startEmbedded } from './product';
import { newSecrets } from './product-client';

export type KillRun = Pick<KillTest, 'webhooks' | 'orders' | 'connections' | 'drainPatience' | 'onProgress'> & {
  /** An empty folder: data, ledger, logs. */
  readonly folder: string;
  /** Where the product's logs go. */
  readonly log: number | 'ignore';
  /** The first order id to use; the databases may hold others. */
  readonly firstOrder: number;
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

/** Each service of the distributed mode, then the bus, then the bus with its storage deleted. */
export async function killDistributed(run: KillRun, { natsServer, mongodbUri }: Servers): Promise<KillResult> {
  const secrets = newSecrets();
  const nats = await startNatsServer(natsServer, join(run.folder, 'nats'));
  const port = await freePort();
  const namespace = freshNamespace('kill');
  const servers = { NATS_URL: nats.url, MONGODB_URI: mongodbUri, NAMESPACE: namespace };
  const env = { ...secrets.env, ...quiet, ...servers, PORT: String(port) };
  let product: Product | undefined;
  let evidence: OpenEvidence | undefined;
  try {
    product = await startDistributed({ env, log: run.log });
    evidence = await distributedEvidence(mongodbUri, namespace);
    const ended = distributedVictims(product).concat(bus(nats, 'kept'), bus(nats, 'deleted'));
    return await runKillTest({ ...run, port, secrets, evidence, victims: ended, ledger: join(run.folder, 'ledger') });
  } finally {
    await evidence?.close();
    await product?.stop();
    await nats.kill();
    await dropDatabases(mongodbUri, namespace);
  }
}

const quiet = { OPS_PORT: '0', DEMO_SHOP: 'false', LICENCE_KEY: 'demo', LOG_LEVEL: 'warn' };

function distributedVictims(product: Product): Victim[] {
  const names = ['evaluation', 'gateway-intake', 'shop', 'audit', 'rules', 'api-gateway', 'pro-debug'];
  return names.map((name) => service(product, name));
}
