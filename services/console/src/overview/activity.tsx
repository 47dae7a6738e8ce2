import type { ComponentType } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { countText, exactTime } from '../shell/format';
import { chosenOf, Table, Tabs } from '../shell/listing';
import { useGet } from '../shell/load';
import { Card, Problem, Waiting } from '../shell/parts';
import { place } from '../shell/router';
import { type Series, seriesOf, total } from './series';

const day = 86_400_000;
const periods = { day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days', hour: 'Last hour' } as const;
const steps = {
  hour: { length: day / 24, by: 'minute' },
  day: { length: day, by: 'hour' },
  week: { length: 7 * day, by: 'hour' },
  month: { length: 30 * day, by: 'day' },
} as const;

/** What happened over time, as a chart and as a table. */
export function Activity() {
  const range = chosenOf('range', periods);
  const { length, by } = steps[range];
  const period = useMemo(() => ({ from: Date.now() - length, to: Date.now() }), [range]);
  const query = { by, from: new Date(period.from).toISOString(), to: new Date(period.to).toISOString() };
  const stats = useGet('GET /v1/audit-log/stats', { query });
  const series = useMemo(
    () => stats.data && seriesOf(stats.data.buckets, period.from, period.to, by),
    [stats.data, period],
  );
  return (
    <Card title="Activity" actions={<Tabs label="Period" name="range" options={periods} />}>
      <div class="chartroom">
        {series ? <Drawn series={series} label={periods[range]} /> : stats.failure ? null : <Waiting rows={6} />}
        <Problem failure={stats.failure} retry={() => void stats.reload()} />
      </div>
      {series && <Figures series={series} />}
    </Card>
  );
}

function Drawn({ series, label }: { series: Series; label: string }) {
  const [Chart, setChart] = useState<ComponentType<{ series: Series; label: string }>>();
  useEffect(() => {
    void import('./chart').then((loaded) => setChart(() => loaded.Chart));
  }, []);
  const { received, done, failed } = series;
  const text = `${label}: ${total(received)} webhooks received, ${total(done)} actions done, ${total(failed)} failed`;
  return Chart ? <Chart series={series} label={text} /> : <Waiting rows={6} />;
}

const startText = (seconds: number): string =>
  exactTime(new Date(seconds * 1_000).toISOString(), place.timeZone).split(` ${place.timeZone}`)[0] ?? '';

function Figures({ series: { times, received, done, failed } }: { series: Series }) {
  const rows = times
    .map((at, index) => ({ at, received: received[index] ?? 0, done: done[index] ?? 0, failed: failed[index] ?? 0 }))
    .filter((row) => row.received + row.done + row.failed > 0)
    .reverse();
  return (
    <details>
      <summary>Show as table</summary>
      <div class="tablescroll">
        <Table
          folds={false}
          rows={rows}
          columns={{
            From: (row) => startText(row.at),
            'Webhooks received': { class: 'number', cell: (row) => countText(row.received) },
            'Actions done': { class: 'number', cell: (row) => countText(row.done) },
            Failed: { class: 'number', cell: (row) => countText(row.failed) },
          }}
        />
      </div>
    </details>
  );
}
