import type { RequestInput, RequestOutput } from '@order-automation/contracts';
import { aspectsOf } from '../records/facets';
import type { CountedEntry } from '../records/record-summary';

/** Upper ends of the latency buckets, in milliseconds; the last bucket has none. */
const latencyBuckets = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

type Counts = Record<string, number>;

/** What entries of one time say, in numbers. Test and debug entries do not count. */
export type Stats = {
  total: number;
  readonly statuses: Counts;
  readonly event_types: Counts;
  readonly sources: Counts;
  readonly gateways: Counts;
  /** Evaluations by rule id: how many matched, how many did not. */
  readonly rules: Record<string, { matched: number; not_matched: number }>;
  /** Outcomes by how long they took, one count for each bucket and one more. */
  readonly latencies: number[];
};

export type StatsUnit = RequestInput<'audit.stats.get.v1'>['by'];

/** The beginning of the minute, hour or day of UTC. */
export const startOf: Readonly<Record<StatsUnit, (timestamp: string) => string>> = {
  minute: (timestamp) => `${timestamp.slice(0, 16)}:00.000Z`,
  hour: (timestamp) => `${timestamp.slice(0, 13)}:00:00.000Z`,
  day: (timestamp) => `${timestamp.slice(0, 10)}T00:00:00.000Z`,
};

const emptyStats = (): Stats => ({
  total: 0,
  statuses: {},
  event_types: {},
  sources: {},
  gateways: {},
  rules: {},
  latencies: new Array<number>(latencyBuckets.length + 1).fill(0),
});

function count(counts: Counts, name: string, by = 1): void {
  counts[name] = (counts[name] ?? 0) + by;
}

function countRule(rules: Stats['rules'], id: string, matched: number, not_matched: number): void {
  const counted = rules[id] ?? { matched: 0, not_matched: 0 };
  rules[id] = counted;
  counted.matched += matched;
  counted.not_matched += not_matched;
}

/** The statistics of each minute or hour that these entries are of. */
export function statsOf(entries: readonly CountedEntry[], unit: StatsUnit): Map<string, Stats> {
  const found = new Map<string, Stats>();
  for (const entry of entries) {
    if (aspectsOf(entry.facet).kind !== 'normal') continue;
    const start = startOf[unit](entry.timestamp);
    const stats = found.get(start) ?? emptyStats();
    found.set(start, stats);
    countEntry(stats, entry);
  }
  return found;
}

/** The statistics of the longer times that these are of. */
export function summedBy(unit: StatsUnit, found: Iterable<readonly [start: string, stats: Stats]>): Map<string, Stats> {
  const sums = new Map<string, Stats>();
  for (const [start, stats] of found) {
    const at = startOf[unit](start);
    const sum = sums.get(at) ?? emptyStats();
    sums.set(at, sum);
    add(sum, stats);
  }
  return sums;
}

function countEntry(stats: Stats, { facet, rule_id, duration_ms: took, gateway }: CountedEntry): void {
  const { status, event_type, source } = aspectsOf(facet);
  stats.total += 1;
  count(stats.statuses, status);
  // A call in the queue, or an action that changed nothing, is none that was done.
  if (event_type !== 'action_executed' || status === 'success') count(stats.event_types, event_type);
  count(stats.sources, source);
  if (event_type === 'webhook_received' && gateway !== undefined) count(stats.gateways, gateway);
  // Of a rule in shadow the status is `info`.
  if (event_type === 'rule_evaluation' && status !== 'info' && rule_id !== undefined) {
    const matched = status === 'success' ? 1 : 0;
    countRule(stats.rules, String(rule_id), matched, 1 - matched);
  }
  if (event_type === 'process_completed' && took !== undefined) {
    const at = latencyBuckets.findIndex((end) => took <= end);
    const bucket = at < 0 ? latencyBuckets.length : at;
    stats.latencies[bucket] = (stats.latencies[bucket] ?? 0) + 1;
  }
}

function add(to: Stats, from: Stats): void {
  to.total += from.total;
  for (const name of ['statuses', 'event_types', 'sources', 'gateways'] as const)
    for (const [value, times] of Object.entries(from[name])) count(to[name], value, times);
  for (const [id, { matched, not_matched }] of Object.entries(from.rules))
    countRule(to.rules, id, matched, not_matched);
  for (const [index, times] of from.latencies.entries()) to.latencies[index] = (to.latencies[index] ?? 0) + times;
}

/** The upper end of the bucket in which a share of the outcomes lies; null when there are none. */
function percentile(latencies: readonly number[], share: number): number | null {
  const total = latencies.reduce((all, times) => all + times, 0);
  if (total === 0) return null;
  let seen = 0;
  for (const [index, times] of latencies.entries()) {
    seen += times;
    if (seen >= share * total) return latencyBuckets[index] ?? latencyBuckets.at(-1) ?? null;
  }
  return null;
}

/** The most frequent first. */
const listed = (counts: Counts) =>
  Object.entries(counts)
    .map(([value, times]) => ({ value, count: times }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));

type Output = RequestOutput<'audit.stats.get.v1'>;

/** Minutes, hours, or days of UTC, with entries, the earliest first. */
export function bucketsOf(found: Iterable<readonly [start: string, stats: Stats]>, by: StatsUnit): Output['buckets'] {
  return [...summedBy(by, found)]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([at, { total, statuses, event_types, sources, gateways, rules, latencies }]) => ({
      at,
      total,
      statuses: listed(statuses),
      event_types: listed(event_types),
      sources: listed(sources),
      gateways: listed(gateways),
      rules: Object.entries(rules).map(([id, counted]) => ({ rule_id: Number(id), ...counted })),
      latency_ms: {
        count: latencies.reduce((all, times) => all + times, 0),
        p50: percentile(latencies, 0.5),
        p95: percentile(latencies, 0.95),
        p99: percentile(latencies, 0.99),
      },
    }));
}
