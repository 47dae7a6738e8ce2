import type { ComponentType } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { countText, exactTime } from '../shell/format';
import { useLoad } from '../shell/load';
import { Card, Problem, Table, Waiting } from '../shell/parts';
import { place } from '../shell/place';
import { address, to } from '../shell/router';
import { api } from '../shell/session';
import { type Series, seriesOf, total } from './series';

const day = 86_400_000;
const ranges = {
  hour: { label: 'Last hour', length: day / 24, by: 'minute' },
  day: { label: 'Last 24 hours', length: day, by: 'hour' },
  week: { label: 'Last 7 days', length: 7 * day, by: 'hour' },
  month: { label: 'Last 30 days', length: 30 * day, by: 'day' },
} as const;
type Range = keyof typeof ranges;

const isRange = (text: string | undefined): text is Range => text !== undefined && Object.hasOwn(ranges, text);

/** What happened over time, as a chart and as figures. */
export function Activity() {
  const { range: asked } = address.value.query;
  const range = isRange(asked) ? asked : 'day';
  const { label, length, by } = ranges[range];
  const period = useMemo(() => {
    const end = Date.now();
    return { from: end - length, to: end };
  }, [range]);
  const stats = useLoad(
    () =>
      api('GET /v1/audit-log/stats', {
        query: { by, from: new Date(period.from).toISOString(), to: new Date(period.to).toISOString() },
      }),
    [period],
  );
  const series = useMemo(
    () => stats.data && seriesOf(stats.data.buckets, period.from, period.to, by),
    [stats.data, period],
  );
  const links = (
    <nav class="buttons" aria-label="Period">
      {Object.entries(ranges).map(([name, { label: text }]) => (
        <a
          key={name}
          class="button small"
          href={to('/', { range: name === 'day' ? '' : name })}
          aria-current={name === range ? 'true' : undefined}
        >
          {text}
        </a>
      ))}
    </nav>
  );
  return (
    <Card title="Activity" actions={links}>
      <div class="chartroom">
        {series ? <Drawn series={series} label={label} /> : stats.failure ? null : <Waiting rows={6} />}
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

function Figures({ series }: { series: Series }) {
  const rows = series.times
    .map((time, index) => ({ time, counts: [series.received[index], series.done[index], series.failed[index]] }))
    .filter(({ counts }) => counts.some((count) => count !== 0))
    .reverse();
  return (
    <details>
      <summary>The same as figures</summary>
      <div class="tablescroll">
        <Table
          heads={['From', ['Webhooks received', 'number'], ['Actions done', 'number'], ['Failed', 'number']]}
          folds={false}
        >
          {rows.map(({ time, counts: [received = 0, done = 0, failed = 0] }) => (
            <tr key={time}>
              <td>{exactTime(new Date(time * 1_000).toISOString(), place.timeZone).split(` ${place.timeZone}`)[0]}</td>
              <td class="number">{countText(received)}</td>
              <td class="number">{countText(done)}</td>
              <td class="number">{countText(failed)}</td>
            </tr>
          ))}
        </Table>
      </div>
    </details>
  );
}
