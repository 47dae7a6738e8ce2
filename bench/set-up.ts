import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { dropDatabases, dropStreams, freshNamespace } from '@order-automation/testing';
import { type Product, startDistributed, startEmbedded } from '../services/run/test/product';
import type { Secrets } from '../services/run/test/product-client';
import { residentMegabytes } from './processes';
import type { RuleSet } from './rules';
import { productSubject, references, type Subject, startReference } from './subjects';

/**
 * Seconds from starting the embedded process on an empty folder until it takes webhooks; megabytes it has a second later, and when it
 * has been idle.
 */
export type StartUp = { readonly seconds: number; readonly megabytes: number; readonly idle: number };

/** Milliseconds: V8 gives back what the start left behind when nothing has been done for 8 s, one thread after the other. */
const untilIdle = 30_000;

const rulesOf: readonly (readonly [name: string, rules: RuleSet])[] = [
  ['P2', 'one matches'],
  ['P2 one rule', 'one listens'],
  ['P2 no match', 'none matches'],
  ['P2 no rule', 'none'],
];

/**
 * Starts everything that is measured, or what is in `only` and E0, each as a process of its own, and adds it to `subjects` as soon as it runs.
 * `log`: a file. `orderCount`: orders that each of them has, which nobody has paid.
 */
export async function startSubjects(
  subjects: Subject[],
  folder: string,
  secrets: Secrets,
  log: number,
  only: readonly string[],
  orderCount: number,
) {
  const isWanted = (name: string): boolean => only.length === 0 || only.includes(name);
  const firstOrder = Math.floor(Date.now() / 1000);
  const orders = Array.from({ length: orderCount }, (_, index) => firstOrder + index);
  const env = { ...secrets.env, PORT: '0', OPS_PORT: '0', DEMO_SHOP: 'false', LICENCE_KEY: 'demo', LOG_LEVEL: 'warn' };
  const add = async (name: string, product: Product, rules: RuleSet): Promise<void> => {
    const dataDir = name === 'P3' ? {} : { dataDir: dataDirOf(name) };
    subjects.push(await productSubject(name, product, secrets, { rules, firstOrder, orders: orderCount, ...dataDir }));
  };
  const dataDirOf = (name: string): string => join(folder, name.replaceAll(' ', '-'));
  const embedded = (name: string): Promise<Product> =>
    startEmbedded({ env: { ...env, DATA_DIR: dataDirOf(name) }, log });

  for (const name of references)
    if (name === 'E0' || isWanted(name)) subjects.push(await startReference(name, secrets.cardSecret));
  const since = performance.now();
  const first = await embedded('P1');
  const seconds = (performance.now() - since) / 1000;
  const resident = (): number => residentMegabytes([...first.started.values()].map(({ pid }) => pid));
  await delay(1_000);
  const megabytes = resident();
  if (isWanted('P1')) await delay(untilIdle);
  const startUp: StartUp = { seconds, megabytes, idle: resident() };
  if (isWanted('P1')) await add('P1', first, 'none');
  else await first.stop();
  for (const [name, rules] of rulesOf) if (isWanted(name)) await add(name, await embedded(name), rules);
  const { NATS_URL = '', MONGODB_URI = '' } = process.env;
  if (NATS_URL && MONGODB_URI && isWanted('P3')) {
    const namespace = freshNamespace('bench');
    const product = await startDistributed({ env: { ...env, NATS_URL, MONGODB_URI, NAMESPACE: namespace }, log });
    const forget = async (): Promise<number | null> => {
      const code = await product.stop();
      await Promise.all([dropStreams(NATS_URL, namespace), dropDatabases(MONGODB_URI, namespace)]);
      return code;
    };
    await add('P3', { ...product, stop: forget }, 'one matches');
  }
  return { startUp, firstOrder, orders };
}
