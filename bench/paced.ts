import { openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dropDatabases, dropStreams, freshNamespace } from '@order-automation/testing';
import { startDistributed } from '../services/run/test/product';
import { apiClient, importOrders, newSecrets, payableOrders } from '../services/run/test/product-client';
import { newFolder } from './disk';
import { startGenerator } from './load';
import { cpuSeconds, residentMegabytes } from './processes';
import { productSubject, type Subject, startReference } from './subjects';
import { median, table } from './table';

export type PacedOptions = {
  /** Webhooks a second. */
  readonly rate: number;
  /** Of each measurement. */
  readonly seconds: number;
  readonly rounds: number;
};

const orderCount = 2_000;
const piece = 200;
const warmUp = 4_000;
/** Milliseconds until what the load left behind is done. */
const settling = 10_000;

/** What the distributed product takes at rest and at a steady pace, all its processes together, beside E0 at full speed. */
export async function pacedTable({ rate, seconds, rounds }: PacedOptions): Promise<string> {
  const { NATS_URL = '', MONGODB_URI = '' } = process.env;
  const secrets = newSecrets();
  const namespace = freshNamespace('paced');
  const env = { ...secrets.env, PORT: '0', OPS_PORT: '0', DEMO_SHOP: 'false', LICENCE_KEY: 'demo', LOG_LEVEL: 'warn' };
  const log = openSync(join(newFolder('paced-'), 'log'), 'a');
  const generator = startGenerator();
  const started: { stop(): Promise<unknown> }[] = [];
  try {
    const e0 = await startReference('E0', secrets.cardSecret);
    started.push(e0);
    const product = await startDistributed({ env: { ...env, NATS_URL, MONGODB_URI, NAMESPACE: namespace }, log });
    started.push(product);
    const firstOrder = Math.floor(Date.now() / 1000);
    // In pieces: what each order of an import causes is done before the rules are made.
    for (let at = 0; at < orderCount; at += piece) {
      await importOrders(apiClient(product.port, secrets), payableOrders(firstOrder + at, piece));
      await delay(3_000);
    }
    const p3 = await productSubject('P3', product, secrets, { rules: 'one matches', firstOrder, orders: 1 });
    const orders = Array.from({ length: orderCount }, (_, index) => firstOrder + index);
    let loads = 0;
    const load = async (subject: Subject, count: number, pace?: number): Promise<number> => {
      loads += 1;
      const job = {
        port: subject.port,
        secret: secrets.cardSecret,
        prefix: `${firstOrder}p${loads}n`,
        connections: 64,
      };
      const [before, done] = [cpuSeconds(subject.pids()), await subject.done()];
      const { refused } = await generator.run({ ...job, count, orders, ...(pace ? { rate: pace } : {}) });
      if (refused > 0) throw new Error(`${subject.name} refused ${refused} of ${count} webhooks`);
      await subject.drained?.(done, count);
      return ((cpuSeconds(subject.pids()) - before) * 1e6) / count;
    };
    await load(e0, 48_000);
    await load(p3, warmUp, rate);
    const found: { idle: number; event: number; e0: number; resident: number }[] = [];
    for (let round = 1; round <= rounds; round += 1) {
      await delay(settling);
      const before = cpuSeconds(p3.pids());
      await delay(seconds * 1_000);
      const idle = (cpuSeconds(p3.pids()) - before) / seconds;
      const event = await load(p3, rate * seconds, rate);
      const resident = residentMegabytes(p3.pids());
      await load(e0, 8_000);
      found.push({ idle, event: event - (idle * 1e6) / rate, e0: await load(e0, 8_000), resident });
      process.stderr.write(`round ${round} of ${rounds}: ${JSON.stringify(found.at(-1))}\n`);
    }
    const of = (figure: (one: (typeof found)[number]) => number): number => median(found.map(figure));
    const head = [
      'distributed',
      'processes',
      'idle, % of a core',
      'MB resident',
      'CPU us an event',
      'E0 beside it',
      'x E0',
    ];
    return table([
      head,
      [
        `${rate}/s`,
        String(p3.pids().length),
        (of(({ idle }) => idle) * 100).toFixed(1),
        of(({ resident }) => resident).toFixed(0),
        of(({ event }) => event).toFixed(0),
        of((one) => one.e0).toFixed(0),
        of((one) => one.event / one.e0).toFixed(1),
      ],
    ]);
  } finally {
    generator.close();
    await Promise.all(started.map((one) => one.stop()));
    await Promise.all([dropStreams(NATS_URL, namespace), dropDatabases(MONGODB_URI, namespace)]);
  }
}
