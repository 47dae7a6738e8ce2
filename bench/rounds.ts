import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { measureFlush } from './disk';
import { atHalfLoad, type HalfLoad } from './half-load';
import type { Generator, Job } from './load';
import { cpuSeconds, writtenBytes } from './processes';
import { type Round, rateOf, type Sample } from './report';
import type { Subject } from './subjects';

export type RoundOptions = {
  readonly rounds: number;
  readonly events: number;
  readonly connections: number;
  readonly warmUp: number;
};

/** Events that a subject has before its half load. */
export const eventsOf = ({ rounds, events, warmUp }: RoundOptions): number => warmUp + rounds * events;

export type Loads = RoundOptions & {
  readonly folder: string;
  readonly generator: Generator;
  readonly secret: string;
  /** Makes the events of this run unique. */
  readonly run: string;
  readonly orders: readonly number[];
};

/** How many events each subject has had. */
const sent = new Map<Subject, number>();

/** As long as there are orders that nobody has paid, each event pays one of them: a payment of an order that is paid is another story, with an alarm. */
function jobOf(subject: Subject, round: string, count: number, { secret, run, connections, orders }: Loads): Job {
  const first = (sent.get(subject) ?? 0) % orders.length;
  sent.set(subject, first + count);
  return {
    count,
    port: subject.port,
    secret,
    prefix: `${run}${subject.name.replaceAll(' ', '')}r${round}n`,
    connections,
    orders: [...orders.slice(first), ...orders.slice(0, first)],
  };
}

const warmUpParts = 4;
/** Least requests that warm a reference up: it answers them in seconds, and one that is not warm flatters the product. */
const referenceWarmUp = 48_000;

/** Milliseconds after each load, and then until it is on disk: what a subject still moves to its files is not a burden of the next one. */
const settling = 700;

/**
 * Warms everybody up (V8 goes on compiling for tens of thousands of events, and what is measured is the pace that lasts), then measures all of them in turn, round after round.
 */
export async function runRounds(subjects: readonly Subject[], loads: Loads): Promise<Round[]> {
  const { rounds, events, warmUp, generator, folder } = loads;
  for (const subject of subjects) {
    const count = Math.ceil((subject.drained ? warmUp : Math.max(warmUp, referenceWarmUp)) / warmUpParts);
    for (let part = 1; part <= warmUpParts; part += 1)
      await measure(subject, generator, jobOf(subject, `w${part}`, count, loads));
  }
  process.stderr.write('warmed up\n');
  const done: Round[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    const flush = measureFlush(folder);
    let turn = 0;
    const take = async (subject: Subject): Promise<Sample> => {
      turn += 1;
      const job = jobOf(subject, `${round}t${turn}`, events, loads);
      // A reference cools down while the products are measured, and its load is over before it is warm again: the second time counts.
      if (!subject.drained) await measure(subject, generator, job);
      return measure(subject, generator, job);
    };
    done.push({ flush, ...(await oneRound(subjects, take)) });
    process.stderr.write(`round ${round} of ${rounds} done\n`);
  }
  return done;
}

/** Everybody in turn. A machine that others share is not as fast as it was a few seconds ago: before and after each product it is E0's turn again. */
async function oneRound(
  subjects: readonly Subject[],
  take: (subject: Subject) => Promise<Sample>,
): Promise<Omit<Round, 'flush'>> {
  const samples = new Map<string, Sample>();
  const beside = new Map<string, Pick<Sample, 'rate' | 'cpu'>>();
  const reference = subjects.find(({ name }) => name === 'E0');
  let before: Sample | undefined;
  for (const subject of subjects) {
    if (subject.drained && reference) before ??= await take(reference);
    samples.set(subject.name, await take(subject));
    if (!before || !reference) continue;
    const after = await take(reference);
    beside.set(subject.name, { rate: (before.rate + after.rate) / 2, cpu: (before.cpu + after.cpu) / 2 });
    before = after;
  }
  return { samples, beside };
}

/** Latencies of node:http with a signature and of the product, each at half of what it sustains. */
export async function runHalfLoads(
  subjects: readonly Subject[],
  rounds: readonly Round[],
  loads: Loads,
): Promise<ReadonlyMap<string, HalfLoad>> {
  const measured = new Map<string, HalfLoad>();
  for (const subject of subjects) {
    if (!['N1', 'P2', 'P3'].includes(subject.name)) continue;
    const sustained = rateOf(rounds, subject.name);
    measured.set(subject.name, await atHalfLoad(subject, loads.generator, jobOf(subject, 'h', 0, loads), sustained));
  }
  return measured;
}

/** Sends the load; what is refused fails the bench. P1 and the references end with the last answer, P2 and P3 when all is done. */
async function measure(subject: Subject, generator: Generator, job: Job): Promise<Sample> {
  const before = await subject.done();
  const [cpuBefore, writtenBefore, keptBefore] = [
    cpuSeconds(subject.pids()),
    writtenBytes(subject.pids()),
    subject.kept(),
  ];
  const { startedAt, seconds, refused, p50, p99 } = await generator.run(job);
  if (refused > 0) throw new Error(`${subject.name} refused ${refused} of ${job.count} webhooks`);
  await subject.drained?.(before, job.count);
  const whole = subject.name === 'P1' || !subject.drained ? seconds : (Date.now() - startedAt) / 1000;
  const cpu = ((cpuSeconds(subject.pids()) - cpuBefore) * 1e6) / job.count;
  await delay(settling);
  await written();
  const each = {
    written: (writtenBytes(subject.pids()) - writtenBefore) / job.count,
    kept: (subject.kept() - keptBefore) / job.count,
  };
  return { rate: job.count / whole, cpu, ...each, p50, p99 };
}

/** Resolves when the system has on disk what was written to it; at once where it has no `sync`. */
async function written(): Promise<void> {
  await promisify(execFile)('sync').catch(() => undefined);
}
