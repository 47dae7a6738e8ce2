import { openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startEmbedded } from '../services/run/test/product';
import { apiClient, type Client, newSecrets } from '../services/run/test/product-client';
import { newFolder } from './disk';
import { type Figures, type Generator, startGenerator } from './load';
import { residentMegabytes } from './processes';
import { productSubject, type Subject } from './subjects';
import { median } from './table';

const help = `npm run bench:backtest -- [--events 10000] [--rate 100] [--seconds 10] [--rounds 5]
Records events, then sends webhooks at an even rate, in turn with and without a back-test over all of them beside it, and prints how far the p99 of
the answers moves and how much memory the process has meanwhile.
`;

/** The p99 of answers may be so many times that without a back-test, and the memory so many times that before. */
const goal = { p99: 1.2, memory: 1.05 };

type Options = { readonly events: number; readonly rate: number; readonly seconds: number; readonly rounds: number };
type Job = { readonly id: string; readonly state: string; readonly looked: number };
type Round = { readonly alone: Figures; readonly beside: Figures; readonly jobs: number };

/** Runs the rounds and prints a line for each. 0 when both goals are met, else 1. */
export async function main(args: string[]): Promise<number> {
  const text = (standard: string) => ({ type: 'string', default: standard }) as const;
  const options = { events: text('10000'), rate: text('100'), seconds: text('10'), rounds: text('5') };
  const { values } = parseArgs({ args, options: { ...options, help: { type: 'boolean', default: false } } });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const [events = 0, rate = 0, seconds = 0, rounds = 0] = Object.keys(options).map((name) =>
    Number(values[name as keyof typeof options]),
  );
  const folder = newFolder('backtest-');
  const secrets = newSecrets();
  const env = { ...secrets.env, PORT: '0', OPS_PORT: '0', DEMO_SHOP: 'false', LICENCE_KEY: 'demo', LOG_LEVEL: 'warn' };
  const product = await startEmbedded({
    env: { ...env, DATA_DIR: join(folder, 'data') },
    log: openSync(join(folder, 'log'), 'a'),
  });
  const generator = startGenerator();
  try {
    const firstOrder = Math.floor(Date.now() / 1000);
    const subject = await productSubject('product', product, secrets, {
      rules: 'one listens',
      firstOrder,
      orders: 8_000,
    });
    const load = loads(subject, generator, secrets.cardSecret, firstOrder);
    await load(events, undefined);
    const client = apiClient(product.port, secrets);
    return conclude(
      await measure(client, subject, load, { events, rate, seconds, rounds }),
      await memory(client, subject, events),
    );
  } finally {
    generator.close();
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Load = (count: number, rate: number | undefined) => Promise<Figures>;

/** Sends so many webhooks and waits until they are done. */
function loads(subject: Subject, generator: Generator, secret: string, firstOrder: number): Load {
  const orders = Array.from({ length: 8_000 }, (_, index) => firstOrder + index);
  let run = 0;
  return async (count, rate) => {
    run += 1;
    const before = await subject.done();
    const job = { port: subject.port, secret, connections: 64, orders, count, prefix: `${firstOrder}r${run}n` };
    const figures = await generator.run({ ...job, ...(rate !== undefined && { rate }) });
    if (figures.refused > 0) throw new Error(`${figures.refused} of ${count} webhooks were refused`);
    await subject.drained?.(before, count);
    return figures;
  };
}

async function measure(client: Client, subject: Subject, load: Load, options: Options): Promise<Round[]> {
  const { events, rate, seconds, rounds } = options;
  const done: Round[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const alone = await load(rate * seconds, rate);
    const tests = backTests(client, events);
    const beside = await load(rate * seconds, rate);
    const jobs = await tests.stop();
    // The first round warms up.
    if (round === 0) continue;
    done.push({ alone, beside, jobs });
    const megabytes = residentMegabytes(subject.pids()).toFixed(0);
    process.stdout.write(
      `p99 ${alone.p99.toFixed(1)} ms alone, ${beside.p99.toFixed(1)} ms beside ${jobs} back-tests, ${megabytes} MB\n`,
    );
  }
  return done;
}

/** One back-test after the other until it is stopped; `stop` resolves with how many were begun. */
function backTests(client: Client, events: number): { stop(): Promise<number> } {
  const ending = new AbortController();
  let begun = 0;
  const work = (async () => {
    while (!ending.signal.aborted) {
      begun += 1;
      await backTest(client, events, ending.signal);
    }
  })();
  return {
    stop: async () => {
      ending.abort();
      await work;
      return begun;
    },
  };
}

/** Resolves when the job is done, or cancelled because `ending` was. */
async function backTest(client: Client, last: number, ending?: AbortSignal): Promise<Job> {
  const data = {
    trigger: { id: 'order_processing', settings: {} },
    conditions: [{ id: 'order_total', settings: { operator: 'gt', amount: 1_000 } }],
    primaryAction: { id: 'change_status_to_completed', settings: {} },
    secondaryActions: [],
  };
  let { data: job } = await client<{ data: Job }>('POST', '/pro/v1/debug-rule/backtest', { last, rule_data: data });
  const path = `/pro/v1/debug-rule/backtests/${job.id}`;
  while (!['done', 'failed', 'cancelled'].includes(job.state)) {
    await delay(200);
    ({ data: job } = await client<{ data: Job }>(ending?.aborted ? 'DELETE' : 'GET', path));
    if (ending?.aborted) return job;
  }
  if (job.state !== 'done') throw new Error(`the back-test ended as ${job.state}`);
  return job;
}

/** Megabytes before one back-test over all events, and the most during it, without a load. */
async function memory(client: Client, subject: Subject, events: number): Promise<{ before: number; most: number }> {
  await delay(10_000);
  const resident = () => residentMegabytes(subject.pids());
  const before = resident();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, resident());
  }, 100);
  const since = performance.now();
  const { looked } = await backTest(client, events);
  clearInterval(watch);
  process.stdout.write(`${looked} events in ${((performance.now() - since) / 1000).toFixed(1)} s without a load\n`);
  return { before, most };
}

function conclude(rounds: readonly Round[], { before, most }: { before: number; most: number }): number {
  const p99 = median(rounds.map(({ alone, beside }) => beside.p99 / alone.p99));
  const p50 = median(rounds.map(({ alone, beside }) => beside.p50 / alone.p50));
  process.stdout.write(
    `answers beside a back-test: p50 ${p50.toFixed(2)} x, p99 ${p99.toFixed(2)} x (goal ${goal.p99}); memory ${before.toFixed(0)} MB before, ` +
      `at most ${most.toFixed(0)} MB during it = ${(most / before).toFixed(2)} x (goal ${goal.memory})\n`,
  );
  return p99 <= goal.p99 && most <= goal.memory * before ? 0 : 1;
}
