import type { ComponentType } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { countText, durationText, exactTime, plural } from '../shell/format';
import { chosenOf, Table, Tabs } from '../shell/listing';
import { useGet } from '../shell/load';
import { Card, Problem, Waiting } from '../shell/parts';
import { go, place, to } from '../shell/router';
import type { ChartProps } from './chart';
import { type Series, seriesOf, slowest, total, week } from './series';

const day = 86_400_000;
const iso = (at: number): string => new Date(at).toISOString();
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
  const queryAt = (earlier: number) => ({ by, from: iso(period.from - earlier), to: iso(period.to - earlier) });
  const stats = useGet('GET /v1/audit-log/stats', { query: queryAt(0) });
  const earlier = useGet('GET /v1/audit-log/stats', { query: queryAt(week) });
  const series = useMemo(() => {
    const buckets = stats.data && [...(earlier.data?.buckets ?? []), ...stats.data.buckets];
    return buckets && seriesOf(buckets, period.from, period.to, by);
  }, [stats.data, earlier.data, period]);
  return (
    <Card title="Activity" actions={<Tabs label="Period" name="range" options={periods} />}>
      <div class="chartroom">
        {series ? <Drawn series={series} step={by} /> : stats.failure ? null : <Waiting rows={6} />}
        <Problem failure={stats.failure} retry={() => void stats.reload()} />
      </div>
      {series && <Figures series={series} step={by} />}
    </Card>
  );
}

type SeriesProps = { readonly series: Series; readonly step: 'minute' | 'hour' | 'day' };

const logOf = (seconds: number, step: SeriesProps['step']) => {
  const end = seconds + { minute: 60, hour: 3_600, day: 86_400 }[step];
  return { date_from: iso(seconds * 1_000), date_to: iso(end * 1_000 - 1) };
};

function Drawn({ series, step }: SeriesProps) {
  const [Chart, setChart] = useState<ComponentType<ChartProps>>();
  useEffect(() => {
    void import('./chart').then((loaded) => setChart(() => loaded.Chart));
  }, []);
  const { times, received, before, done, failed, within } = series;
  const [came, acted, fell] = [received, done, failed].map(total) as [number, number, number];
  const share = fell > 0 ? ` (${((100 * fell) / (acted + fell)).toFixed(1)} %)` : '';
  const text = `${plural(came, 'webhook')} received, ${countText(total(before))} a week before. ${plural(acted, 'action')} done, ${countText(fell)} failed or refused${share}.`;
  const slow = slowest(within);
  const speed =
    slow === null ? '' : ` In the slowest ${step}, one event in twenty took about ${durationText(slow)} or longer.`;
  return (
    <>
      <p class="soft">{text + speed}</p>
      {Chart ? (
        <Chart series={series} label={text} open={(index) => void go('/log', logOf(times[index] ?? 0, step))} />
      ) : (
        <Waiting rows={6} />
      )}
    </>
  );
}

const startText = (seconds: number): string =>
  exactTime(iso(seconds * 1_000), place.timeZone).split(` ${place.timeZone}`)[0] ?? '';

function Figures({ series: { times, received, done, failed, within }, step }: SeriesProps) {
  const rows = times
    .map((at, index) => ({
      at,
      received: received[index] ?? 0,
      done: done[index] ?? 0,
      failed: failed[index] ?? 0,
      within: within[index] ?? null,
    }))
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
            From: (row) => <a href={to('/log', logOf(row.at, step))}>{startText(row.at)}</a>,
            'Webhooks received': { class: 'number', cell: (row) => countText(row.received) },
            'Actions done': { class: 'number', cell: (row) => countText(row.done) },
            Failed: { class: 'number', cell: (row) => countText(row.failed) },
            'Slowest 5 %': {
              class: 'number',
              cell: ({ within: ms }) => (ms === null ? '–' : `${durationText(ms)} or longer`),
            },
          }}
        />
      </div>
    </details>
  );
}
