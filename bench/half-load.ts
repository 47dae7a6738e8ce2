import type { Generator, Job } from './load';
import { boundOf } from './metrics';
import type { Subject } from './subjects';

/** Milliseconds to the answer, and the bounds that the events kept from arrival until done. */
export type HalfLoad = {
  readonly p50: number;
  readonly p99: number;
  readonly doneP50: number;
  readonly doneP99: number;
};

/** Latencies of a subject at half of the rate that it sustains, for five seconds. */
export async function atHalfLoad(
  subject: Subject,
  generator: Generator,
  job: Omit<Job, 'count' | 'rate'>,
  sustained: number,
): Promise<HalfLoad> {
  const rate = sustained / 2;
  const count = Math.ceil(rate * 5);
  const [done, before] = [await subject.done(), await subject.durations()];
  const { p50, p99, refused } = await generator.run({ ...job, count, rate });
  if (refused > 0) throw new Error(`${subject.name} refused ${refused} of ${count} webhooks at half load`);
  await subject.drained?.(done, count);
  const after = await subject.durations();
  return { p50, p99, doneP50: boundOf(before, after, 0.5), doneP99: boundOf(before, after, 0.99) };
}
