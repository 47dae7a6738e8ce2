import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dropDatabases, freshNamespace } from '@order-automation/testing';
import { cuttableProxy } from '../cuttable-proxy';
import type { Victim } from '../kill-harness';
import type { Servers } from '../kill-runs';
import { bus, service, wholeProcess } from '../kill-victims';
import { startNatsServer } from '../nats-server';
import { freePort, type Product, type ProductOptions, startDistributed, startEmbedded } from '../product';
import { fillDisk } from '../soak/faults';

/** A composition of the product, and what the drill does to it. */
export type Subject = {
  readonly port: number;
  /** Each is ended once and starts again. */
  readonly killed: readonly Victim[];
  /** What is away or full for a while. */
  readonly away: readonly Victim[];
  stop(): Promise<void>;
  /** Starts it again, by a clock that is so many milliseconds ahead. */
  start(ahead?: number): Promise<void>;
  /** Stops all of it. What a server of others has of it is kept where the drill has failed. */
  close(isKept: boolean): Promise<void>;
};

/** Milliseconds for which a server is away. */
const outage = 20_000;

/** One process with its data on that disk. */
export async function embeddedSubject(disk: string, options: ProductOptions): Promise<Subject> {
  const data = { DATA_DIR: join(disk, 'data') };
  const { product, ...running } = await restartable(startEmbedded, options, data);
  const whole = wholeProcess(product, running.start);
  return {
    ...running,
    killed: [whole, whole, whole],
    away: [{ name: 'the disk is full', strike: () => fillDisk(disk) }],
    close: running.stop,
  };
}

/** The edge, intake and a worker under the supervisor, with a NATS of their own on that disk. */
export async function distributedSubject(
  disk: string,
  { natsServer, mongodbUri }: Servers,
  options: ProductOptions,
): Promise<Subject> {
  const nats = await startNatsServer(natsServer, join(disk, 'nats'));
  const mongodb = await cuttableProxy(mongodbUri);
  const namespace = freshNamespace('drill');
  const servers = { NATS_URL: nats.url, MONGODB_URI: mongodb.uri, NAMESPACE: namespace };
  const { product, ...running } = await restartable(startDistributed, options, servers);
  const whileAway = async (leave: () => Promise<void>, comeBack: () => Promise<void>): Promise<void> => {
    await leave();
    await delay(outage);
    await comeBack();
  };
  return {
    ...running,
    killed: ['api-gateway', 'gateway-intake', 'worker-1'].map((name) => service(product(), name)),
    away: [
      { name: 'NATS is away', strike: () => whileAway(nats.kill, nats.start) },
      { name: 'the database is away', strike: () => whileAway(mongodb.cut, mongodb.restore) },
      // After it NATS may go on refusing: docs/operations/alerts.md, "Bus Unavailable".
      { name: 'the disk of NATS is full', strike: () => fillDisk(disk).then(bus(nats, 'kept').strike) },
    ],
    close: async (isKept) => {
      await running.stop();
      await nats.kill();
      await mongodb.close();
      if (!isKept) await dropDatabases(mongodbUri, namespace);
    },
  };
}

type Start = (options: ProductOptions) => Promise<Product>;

async function restartable(launch: Start, { env, log }: ProductOptions, own: NodeJS.ProcessEnv) {
  const port = await freePort();
  const begin = (clock: NodeJS.ProcessEnv = {}) =>
    launch({ env: { ...env, ...own, ...clock, PORT: String(port) }, log });
  let product = await begin();
  return {
    port,
    product: () => product,
    stop: async () => void (await product.stop()),
    start: async (ahead?: number): Promise<void> => {
      const preload = `--require ${join(__dirname, 'clock-ahead.cjs')}`;
      product = await begin(ahead === undefined ? {} : { NODE_OPTIONS: preload, CLOCK_AHEAD: String(ahead) });
    },
  };
}
