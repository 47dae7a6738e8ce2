import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Product } from '../services/run/test/product';
import { apiClient, importOrders, payableOrders, type Secrets } from '../services/run/test/product-client';
import { databaseBytes } from './disk';
import { type Durations, durations, eventsDone, scrapeAll } from './metrics';
import { makeRules, type RuleSet } from './rules';

/** Something that takes the load: a reference server or the product. */
export type Subject = {
  readonly name: string;
  readonly port: number;
  readonly pids: () => readonly number[];
  /** Resolves when that many more events than before the load are done; the references are done with the answer. */
  readonly drained: ((before: number, count: number) => Promise<void>) | undefined;
  /** Events done so far. */
  readonly done: () => Promise<number>;
  /** Bytes of its database files; 0 where it has none. */
  readonly kept: () => number;
  /** How long events took from arrival until done, so far. */
  readonly durations: () => Promise<Durations>;
  stop(): Promise<unknown>;
};

export const references = ['N0', 'N1', 'E0', 'E1'] as const;

/** A reference server of references.mjs. */
export async function startReference(name: (typeof references)[number], secret: string): Promise<Subject> {
  const child = fork(join(__dirname, 'references.mjs'), [name, secret], { execArgv: [] });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return {
    name,
    port,
    pids: () => [child.pid ?? 0],
    drained: undefined,
    done: async () => 0,
    kept: () => 0,
    durations: async () => new Map(),
    stop: async () => {
      child.disconnect();
      await once(child, 'exit');
    },
  };
}

/** Milliseconds without progress after which the product counts as stuck. */
const stuckAfter = 30_000;
/** Milliseconds between two looks, the shortest and the longest. */
const looks = { shortest: 15, longest: 250 } as const;

/**
 * Resolves when so many events are done. A look is a scrape, which costs the product milliseconds: the next one comes after most of the time
 * that the rest will take at the pace so far.
 */
async function untilDone(name: string, done: () => Promise<number>, wanted: number): Promise<void> {
  let last = await done();
  let lastAt = performance.now();
  let progressAt = lastAt;
  let pause = 50;
  while (last < wanted) {
    await delay(pause);
    const now = await done();
    const at = performance.now();
    if (now > last) progressAt = at;
    if (at - progressAt > stuckAfter) throw new Error(`${name}: stuck with ${wanted - now} events open`);
    const left = ((wanted - now) * (at - lastAt)) / Math.max(now - last, 1);
    pause = Math.min(Math.max(left * 0.7, looks.shortest), looks.longest);
    [last, lastAt] = [now, at];
  }
}

/** Milliseconds without an event after which nothing more is expected. */
const quietFor = 3_000;

/** Resolves when no more events get done: those of the import of the orders are no burden of what is measured. */
async function quiet(done: () => Promise<number>): Promise<void> {
  for (let before = -1, now = await done(); now !== before; ) {
    await delay(quietFor);
    [before, now] = [now, await done()];
  }
}

/** The running product with orders and rules in it. */
export async function productSubject(
  name: string,
  product: Product,
  secrets: Secrets,
  setUp: { readonly rules: RuleSet; readonly firstOrder: number; readonly orders: number; readonly dataDir?: string },
): Promise<Subject> {
  const client = apiClient(product.port, secrets);
  await importOrders(client, payableOrders(setUp.firstOrder, setUp.orders));
  await makeRules(client, setUp.rules);
  const opsPorts = (): number[] => [...product.started.values()].map(({ ops }) => ops);
  const done = async (): Promise<number> => eventsDone(await scrapeAll(opsPorts()));
  await quiet(async () => eventsDone(await scrapeAll(opsPorts()), 'shop'));
  return {
    name,
    port: product.port,
    pids: () => [...product.started.values()].map(({ pid }) => pid),
    done,
    kept: () => (setUp.dataDir === undefined ? 0 : databaseBytes(setUp.dataDir)),
    durations: async () => durations(await scrapeAll(opsPorts())),
    drained: (before, count) => untilDone(name, done, before + count),
    stop: () => product.stop(),
  };
}
