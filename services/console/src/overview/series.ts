import type { Body } from '../shell/session';

type Counted = Body<'GET /v1/audit-log/stats'>['buckets'][number];
export type Bucket = Pick<Counted, 'at' | 'event_types'> & Partial<Pick<Counted, 'latency_ms'>>;

export type Series = {
  /** Beginnings of the buckets, in seconds since the epoch. */
  readonly times: number[];
  readonly received: number[];
  /** Received a week before. */
  readonly before: number[];
  readonly done: number[];
  readonly failed: number[];
  /** Milliseconds within which 95 % of the events were processed; null where there were none. */
  readonly within: (number | null)[];
};

const lengths = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
export const week = 7 * lengths.day;

/** Counts by minute, hour or day from `from` to `to` (milliseconds), from buckets of that time and of a week before; where nothing happened, the answer has no bucket and the chart a zero. */
export function seriesOf(buckets: readonly Bucket[], from: number, to: number, by: keyof typeof lengths): Series {
  const length = lengths[by];
  const series: Series = { times: [], received: [], before: [], done: [], failed: [], within: [] };
  const byTime = new Map(buckets.map((bucket) => [Date.parse(bucket.at), bucket]));
  for (let at = Math.floor(from / length) * length; at <= to; at += length) {
    const bucket = byTime.get(at);
    const count = countIn(bucket);
    series.times.push(at / 1_000);
    series.received.push(count('webhook_received'));
    series.before.push(countIn(byTime.get(at - week))('webhook_received'));
    series.done.push(count('action_executed'));
    series.failed.push(count('action_failed') + count('dead_lettered') + count('webhook_rejected'));
    series.within.push(bucket?.latency_ms?.p95 ?? null);
  }
  return series;
}

function countIn(bucket: Bucket | undefined): (type: string) => number {
  return (type) => bucket?.event_types.find(({ value }) => value === type)?.count ?? 0;
}

/** The slowest of these times; null where there is none. */
export const slowest = (within: readonly (number | null)[]): number | null =>
  within.reduce((most, one) => (one !== null && one > (most ?? 0) ? one : most), null);

export const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
