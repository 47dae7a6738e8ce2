import type { Flush } from './disk';
import type { HalfLoad } from './half-load';
import type { StartUp } from './set-up';
import { median, table } from './table';

/**
 * `rate` per second; for each event `cpu` microseconds of all processes, bytes `written` to disk, and bytes by which the database files have grown
 * (`kept`); `p50` and `p99` milliseconds to the answer.
 */
export type Sample = {
  readonly rate: number;
  readonly cpu: number;
  readonly written: number;
  readonly kept: number;
  readonly p50: number;
  readonly p99: number;
};

/** `beside`: rate and processor time of E0 right before and after a product, on average. */
export type Round = {
  readonly flush: Flush;
  readonly samples: ReadonlyMap<string, Sample>;
  readonly beside: ReadonlyMap<string, Pick<Sample, 'rate' | 'cpu'>>;
};

const thousands = (value: number): string => (value < 1000 ? value.toFixed(0) : `${(value / 1000).toFixed(1)}k`);
const milliseconds = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

/** Requests or events a second of every round, and what a flush cost then. */
export function roundsTable(rounds: readonly Round[]): string {
  const names = [...(rounds[0]?.samples.keys() ?? [])];
  const rows = rounds.map(({ flush, samples }, index) => [
    String(index + 1),
    ...names.map((name) => thousands(samples.get(name)?.rate ?? Number.NaN)),
    milliseconds(flush.p50),
    milliseconds(flush.p99),
  ]);
  return table([['round', ...names.map((name) => `${name}/s`), 'fdatasync p50', 'p99 ms'], ...rows]);
}

/** Medians over the rounds; a ratio is the median of what it was in each. */
export function summaryTable(rounds: readonly Round[]): string {
  const names = [...(rounds[0]?.samples.keys() ?? [])];
  const rows = names.map((name) => [
    name,
    thousands(rateOf(rounds, name)),
    ratio(rounds, name, 'E0'),
    ratio(rounds, name, 'E1'),
    medianOf(rounds, name, 'cpu').toFixed(0),
    milliseconds(medianOf(rounds, name, 'p50')),
    milliseconds(medianOf(rounds, name, 'p99')),
  ]);
  return table([['median', 'per second', 'x E0', 'x E1', 'CPU us each', 'answer p50 ms', 'p99 ms'], ...rows]);
}

/** Latencies at half load, and start-up, beside their goals. */
export function latencies(half: ReadonlyMap<string, HalfLoad>, startUp: StartUp): string[] {
  const reference = half.get('N1');
  const lines = [...half].flatMap(([name, { p50, p99, doneP50, doneP99 }]) => {
    if (!reference || name === 'N1') return [];
    const times = (p99 / reference.p99).toFixed(1);
    return [
      `P4 ${name}: answer p99 ${milliseconds(p99)} ms = ${times} x node:http with signature (goal 5), p50 ${milliseconds(p50)} ms (goal 1.5)`,
      `P5 ${name}: webhook to done p50 within ${doneP50} ms (goal 10), p99 within ${doneP99} ms (goal 50)`,
    ];
  });
  return [
    ...lines,
    `P8 takes webhooks ${startUp.seconds.toFixed(2)} s after its first start (goal 1.5), has ${startUp.megabytes.toFixed(0)} MB then and ${startUp.idle.toFixed(0)} MB idle (goal 150)`,
  ];
}

/** The figures that goals are set for, one line each (goals: the product's performance figures P1 to P3). */
export function conclusions(rounds: readonly Round[]): string[] {
  const p3 = rounds[0]?.samples.has('P3');
  return [
    `P1 ${ratio(rounds, 'P1', 'E0')} x E0 (floor 0.90, goal 1.4)`,
    `P2 ${ratio(rounds, 'P2', 'E0')} x E0 (ten rules listen; floor 0.35, goal 1.0; no match ${ratio(rounds, 'P2 no match', 'E0')}, goal 1.4)`,
    `P2 one rule ${ratio(rounds, 'P2 one rule', 'E0')} x E0 (floor 0.50)`,
    p3 ? `P3 ${ratio(rounds, 'P3', 'E0')} x E0 (floor 0.25, goal 0.5)` : 'P3 skipped: no servers',
  ];
}

/** Median requests or events a second. */
export function rateOf(rounds: readonly Round[], name: string): number {
  return medianOf(rounds, name, 'rate');
}

function medianOf(rounds: readonly Round[], name: string, field: keyof Sample): number {
  return median(rounds.map(({ samples }) => samples.get(name)?.[field] ?? Number.NaN));
}

function ratio(rounds: readonly Round[], name: string, reference: 'E0' | 'E1'): string {
  const inRound = ({ samples, beside }: Round): number => {
    const compared = reference === 'E0' ? beside.get(name)?.rate : undefined;
    return (samples.get(name)?.rate ?? Number.NaN) / (compared ?? samples.get(reference)?.rate ?? Number.NaN);
  };
  return median(rounds.map(inRound)).toFixed(2);
}
