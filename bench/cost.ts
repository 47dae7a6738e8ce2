import { openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Cost, type CostRules, startCostMeter, usualCost } from '../services/run/test/cost-meter';
import { newSecrets } from '../services/run/test/product-client';
import { distributedLane, embeddedLane, type OpenLane } from '../shared/testing/test/lane';
import { newFolder } from './disk';
import { startGenerator } from './load';
import type { Round } from './report';
import { eventsOf, type RoundOptions, runRounds } from './rounds';
import { startSubjects } from './set-up';
import type { Subject } from './subjects';
import { median, table } from './table';

const help = `npm run bench:cost -- [--events 4000] [--warm-up 8000] [--rounds 1] [--counts-only]
What one webhook costs, with one rule that matches, ten that listen of which one matches, ten of which none does, and none that listens: calls of
the stores, documents and bytes written, messages and encodings, counted in one process (and on NATS and MongoDB, where NATS_URL and MONGODB_URI are
given); then, from outside, what an event costs the whole embedded product: processor time beside that of E0 (bare express) for a request in the same
run, and what is written to disk and kept there.
`;

const kinds: readonly (readonly [name: string, rules: CostRules, subject: string])[] = [
  ['one rule', { matching: 1, others: 0 }, 'P2 one rule'],
  ['ten rules', { matching: 1, others: 9 }, 'P2'],
  ['no match', { matching: 0, others: 10 }, 'P2 no match'],
  ['no rule', { matching: 0, others: 0 }, 'P2 no rule'],
];

/** Counts, measures and prints. Resolves with the exit code. */
export async function main(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      events: { type: 'string', default: '4000' },
      'warm-up': { type: 'string', default: '8000' },
      rounds: { type: 'string', default: '1' },
      'counts-only': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  const { NATS_URL = '', MONGODB_URI = '' } = process.env;
  const lanes = [embeddedLane(), ...(NATS_URL && MONGODB_URI ? [distributedLane()] : [])];
  for (const lane of lanes) process.stdout.write(`${await countsTable(lane)}\n\n`);
  if (values['counts-only']) return 0;
  const [events, warmUp, rounds] = [values.events, values['warm-up'], values.rounds].map(Number);
  process.stdout.write(
    `${await processorTable({ events: events ?? 0, warmUp: warmUp ?? 0, rounds: rounds ?? 0, connections: 64 })}\n`,
  );
  return 0;
}

async function countsTable({ lane, tidy }: OpenLane): Promise<string> {
  const columns: [string, Cost][] = [];
  for (const [name, rules] of kinds) {
    const meter = await startCostMeter(lane, rules);
    await meter.measure(2);
    columns.push([name, usualCost(await meter.measure(9))]);
    await meter.close();
  }
  await tidy();
  const figures = Object.keys(columns[0]?.[1] ?? {}) as (keyof Cost)[];
  const rows = figures.map((figure) => [figure, ...columns.map(([, cost]) => String(cost[figure]))]);
  return table([[`${lane.name}, for one webhook`, ...columns.map(([name]) => name)], ...rows]);
}

/** Processor time of all threads of the product, drained, for one event; of E0 for one request right before and after. */
async function processorTable(options: RoundOptions): Promise<string> {
  const folder = newFolder('cost-');
  const generator = startGenerator();
  const subjects: Subject[] = [];
  try {
    const secrets = newSecrets();
    const log = openSync(join(folder, 'log'), 'a');
    const only = kinds.map(([, , subject]) => subject);
    const { firstOrder, orders } = await startSubjects(subjects, folder, secrets, log, only, eventsOf(options));
    const loads = { ...options, folder, generator, secret: secrets.cardSecret, run: String(firstOrder), orders };
    const rounds = await runRounds(subjects, loads);
    const figures = (of: (round: Round) => number | undefined): number =>
      median(rounds.map((round) => of(round) ?? Number.NaN));
    const rows = kinds.map(([name, , subject]) => {
      const cpu = figures(({ samples }) => samples.get(subject)?.cpu);
      const reference = figures(({ beside }) => beside.get(subject)?.cpu);
      const kilobytes = (field: 'written' | 'kept'): string =>
        (figures(({ samples }) => samples.get(subject)?.[field]) / 1000).toFixed(1);
      return [
        name,
        cpu.toFixed(0),
        reference.toFixed(0),
        (cpu / reference).toFixed(1),
        kilobytes('written'),
        kilobytes('kept'),
      ];
    });
    return table([['for one event', 'CPU microseconds', 'E0 beside it', 'x E0', 'kB written', 'kB kept'], ...rows]);
  } finally {
    generator.close();
    await Promise.all(subjects.map((subject) => subject.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}
