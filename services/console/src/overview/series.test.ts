import { seriesOf, slowest, total } from './series';

const bucket = (at: string, counts: Record<string, number>) => ({
  at,
  event_types: Object.entries(counts).map(([value, count]) => ({ value, count })),
});

test('hours without entries are zeros, failures of all kinds are one series, and a week before has its own', () => {
  const buckets = [
    bucket('2026-11-16T04:00:00.000Z', { webhook_received: 5 }),
    bucket('2026-11-23T02:00:00.000Z', { webhook_received: 3, action_executed: 2 }),
    bucket('2026-11-23T04:00:00.000Z', { action_failed: 1, dead_lettered: 2, webhook_rejected: 4 }),
  ];
  const from = Date.parse('2026-11-23T02:48:00.000Z');
  const series = seriesOf(buckets, from, from + 2 * 3_600_000, 'hour');
  expect(series.times).toEqual([2, 3, 4].map((hour) => Date.UTC(2026, 10, 23, hour) / 1_000));
  expect(series.received).toEqual([3, 0, 0]);
  expect(series.before).toEqual([0, 0, 5]);
  expect(series.done).toEqual([2, 0, 0]);
  expect(series.failed).toEqual([0, 0, 7]);
  expect(total(series.failed)).toBe(7);
});

test('how long the slowest events took, where there were any', () => {
  const latency_ms = { count: 20, p50: 5, p95: 200, p99: 500 };
  const fast = { ...latency_ms, p95: 20 };
  const buckets = [
    { ...bucket('2026-11-23T02:00:00.000Z', {}), latency_ms },
    { ...bucket('2026-11-23T04:00:00.000Z', {}), latency_ms: fast },
  ];
  const { within } = seriesOf(buckets, Date.UTC(2026, 10, 23, 2), Date.UTC(2026, 10, 23, 4), 'hour');
  expect(within).toEqual([200, null, 20]);
  expect([slowest(within), slowest([null])]).toEqual([200, null]);
});

test('an hour in minutes', () => {
  const buckets = [bucket('2026-11-23T02:50:00.000Z', { webhook_received: 3 })];
  const from = Date.parse('2026-11-23T02:48:20.000Z');
  expect(seriesOf(buckets, from, from + 4 * 60_000, 'minute').received).toEqual([0, 0, 3, 0, 0]);
});
