import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startDistributed, startEmbedded } from '../services/embedded/test/product';
import { newSecrets } from '../services/embedded/test/product-client';
import { type Flush, measureFlush } from './disk';
import { type Generator, startGenerator } from './load';
import { cpuSeconds } from './processes';
import { conclusions, type Round, roundsTable, type Sample, summaryTable } from './report';
import type { RuleSet } from './rules';
import { productSubject, type Subject, startReference } from './subjects';

const help = `npm run bench -- [--rounds 5] [--events 8000] [--connections 64]
Interleaved rounds of the references N0 (node:http), E0 (bare express), E1 (express, signature, parse) and of the product:
P1 webhooks answered, embedded; P2 the same until effects and log are stored, with 100 rules of which 10 are hot and one (or none)
matches; P3 as P2, distributed, where NATS_URL and MONGODB_URI are given. Loopback only; data in ./data/bench-*, deleted at the end.
`;

type Options = { readonly rounds: number; readonly events: number; readonly connections: number };

const orders = 400;
const firstOrder = Math.floor(Date.now() / 1000);
const orderIds = Array.from({ length: orders }, (_, index) => firstOrder + index);

/** Runs the bench and prints its tables. Resolves with the exit code. */
export async function main(args: string[]): Promise<number> {
  const options = readOptions(args);
  if (!options) {
    process.stdout.write(help);
    return 0;
  }
  const data = join(__dirname, '..', 'data');
  mkdirSync(data, { recursive: true });
  const folder = mkdtempSync(join(data, 'bench-'));
  const generator = startGenerator();
  const subjects: Subject[] = [];
  try {
    const secrets = newSecrets();
    await startSubjects(subjects, folder, secrets);
    const rounds = await runRounds(subjects, generator, secrets.cardSecret, folder, options);
    process.stdout.write(`\n${summaryTable(rounds)}\n\n${conclusions(rounds).join('\n')}\n`);
    return 0;
  } finally {
    generator.close();
    await Promise.all(subjects.map((subject) => subject.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

function readOptions(args: string[]): Options | undefined {
  const { values } = parseArgs({
    args,
    options: {
      rounds: { type: 'string', default: '5' },
      events: { type: 'string', default: '8000' },
      connections: { type: 'string', default: '64' },
      help: { type: 'boolean', default: false },
    },
  });
  const [rounds, events, connections] = [values.rounds, values.events, values.connections].map(Number);
  const usable = [rounds, events, connections].every((value) => Number.isInteger(value) && Number(value) > 0);
  if (values.help || !usable) return undefined;
  return { rounds: rounds ?? 5, events: events ?? 8000, connections: connections ?? 64 };
}

async function startSubjects(
  subjects: Subject[],
  folder: string,
  secrets: ReturnType<typeof newSecrets>,
): Promise<void> {
  const env = { ...secrets.env, PORT: '0', OPS_PORT: '0', DEMO_SHOP: 'false', LICENCE_KEY: 'demo', LOG_LEVEL: 'warn' };
  const embedded = async (name: string, rules: RuleSet): Promise<void> => {
    const own = { ...env, DATA_DIR: join(folder, name.replaceAll(' ', '-')) };
    const product = await startEmbedded({ env: own, log: 2 });
    subjects.push(await productSubject(name, product, secrets, { rules, firstOrder, orders }));
  };
  for (const name of ['N0', 'E0', 'E1'] as const) subjects.push(await startReference(name, secrets.cardSecret));
  await embedded('P1', 'none');
  await embedded('P2', 'one matches');
  await embedded('P2 no match', 'none matches');
  const servers = { NATS_URL: process.env.NATS_URL ?? '', MONGODB_URI: process.env.MONGODB_URI ?? '' };
  if (!servers.NATS_URL || !servers.MONGODB_URI) return;
  const product = await startDistributed({ env: { ...env, ...servers }, log: 2 });
  subjects.push(await productSubject('P3', product, secrets, { rules: 'one matches', firstOrder, orders }));
}

async function runRounds(
  subjects: readonly Subject[],
  generator: Generator,
  secret: string,
  folder: string,
  { rounds, events, connections }: Options,
): Promise<Round[]> {
  const load = (subject: Subject, round: string, count: number): Promise<Sample> => {
    const prefix = `${firstOrder}${subject.name.replaceAll(' ', '')}r${round}n`;
    const job = { port: subject.port, secret, prefix, count, connections, orders: orderIds };
    return measure(subject, generator, job);
  };
  for (const subject of subjects) await load(subject, 'w', Math.ceil(events / 2));
  const done: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const samples = new Map<string, Sample>();
    const flush: Flush = measureFlush(folder);
    for (const subject of subjects) samples.set(subject.name, await load(subject, String(round), events));
    done.push({ flush, samples });
    process.stderr.write(`round ${round} of ${rounds} done\n`);
  }
  process.stdout.write(`${roundsTable(done)}\n`);
  return done;
}

/** Sends the load; what is refused counts as a failure of the whole bench. P1 ends with the last answer, P2 and P3 when all is done. */
async function measure(subject: Subject, generator: Generator, job: Parameters<Generator['run']>[0]): Promise<Sample> {
  const before = await subject.done();
  const cpuBefore = cpuSeconds(subject.pids());
  const { startedAt, seconds, refused, p50, p99 } = await generator.run(job);
  if (refused > 0) throw new Error(`${subject.name} refused ${refused} of ${job.count} webhooks`);
  await subject.drained?.(before, job.count);
  const whole = subject.name === 'P1' || !subject.drained ? seconds : (Date.now() - startedAt) / 1000;
  const cpu = ((cpuSeconds(subject.pids()) - cpuBefore) * 1e6) / job.count;
  return { rate: job.count / whole, cpu, p50, p99 };
}
