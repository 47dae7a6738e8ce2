import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { place } from '../shell/router';
import 'uplot/dist/uPlot.min.css';
import { countText } from '../shell/format';
import type { Series } from './series';

const height = 220;
const barPaths = uPlot.paths.bars?.({ size: [0.7, 40] });

const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const day = 86_400;

/** Hours within days, days beyond, by the clocks of the shop. */
function tickText(seconds: number, step: number): string {
  const format: Intl.DateTimeFormatOptions =
    step < day ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : { day: 'numeric', month: 'short' };
  return new Intl.DateTimeFormat('en-GB', { ...format, timeZone: place.timeZone }).format(seconds * 1_000);
}

/** Bars of what was done and, upon them, what failed; lines of what came, then and a week before. */
function options(width: number, { times: [first = 0, second = 0], done, failed }: Series): uPlot.Options {
  const axis = { stroke: colour('soft'), grid: { stroke: colour('line'), width: 1 }, ticks: { show: false } };
  const shown = (count: number | null | undefined) => (count === null || count === undefined ? '' : countText(count));
  const bars = (label: string, fill: string, counts: readonly number[]) => ({
    label,
    fill: colour(fill),
    ...(barPaths && { paths: barPaths }),
    points: { show: false },
    value: (_: uPlot, __: number, ___: number, at: number | null) => shown(at === null ? null : counts[at]),
  });
  const line = (label: string, stroke: string, dash: number[] = []) => ({
    label,
    stroke: colour(stroke),
    width: 2,
    dash,
    points: { show: false },
    value: (_: uPlot, count: number | null) => shown(count),
  });
  return {
    width,
    height,
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), place.timeZone),
    cursor: { y: false },
    axes: [
      { ...axis, grid: { show: false }, values: (_, splits, __, ___, step) => splits.map((at) => tickText(at, step)) },
      { ...axis, size: 46, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 50_000, 100_000] },
    ],
    scales: {
      x: { range: (_, from, to) => [from - (second - first) / 2, to + (second - first) / 2] },
      y: { range: (_, __, max) => [0, Math.max(4, Math.ceil(max * 1.1))] },
    },
    series: [
      { label: 'Time', value: '{D} {MMM}, {HH}:{mm}' },
      bars('Failed', 'bad', failed),
      bars('Actions done', 'good', done),
      line('Webhooks received', 'accent'),
      line('A week before', 'edge', [4, 4]),
    ],
  };
}

export type ChartProps = { readonly series: Series; readonly label: string; readonly open: (index: number) => void };

/** Events over time; a click opens the log of its bar. */
export function Chart({ series, label, open }: ChartProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = box.current;
    if (!parent) return;
    const { times, received, before, done, failed } = series;
    const stacked = done.map((count, index) => count + (failed[index] ?? 0));
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(options(parent.clientWidth, series), [times, stacked, done, received, before], parent);
      plot.over.onclick = () => typeof plot?.cursor.idx === 'number' && open(plot.cursor.idx);
    };
    draw();
    const resized = new ResizeObserver(() => plot?.setSize({ width: parent.clientWidth, height }));
    resized.observe(parent);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      dark.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [series]);
  return <div class="chart" ref={box} role="img" aria-label={label} />;
}
