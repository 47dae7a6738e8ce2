import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { place } from '../shell/router';
import 'uplot/dist/uPlot.min.css';
import { countText } from '../shell/format';
import type { Series } from './series';

const height = 220;

const colour = (name: string): string =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

const day = 86_400;

/** Hours within days, days beyond, by the clocks of the shop. */
function tickText(seconds: number, step: number): string {
  const format: Intl.DateTimeFormatOptions =
    step < day ? { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } : { day: 'numeric', month: 'short' };
  return new Intl.DateTimeFormat('en-GB', { ...format, timeZone: place.timeZone }).format(seconds * 1_000);
}

function options(width: number): uPlot.Options {
  const axis = { stroke: colour('soft'), grid: { stroke: colour('line'), width: 1 }, ticks: { show: false } };
  const line = (label: string, stroke: string) => ({
    label,
    stroke: colour(stroke),
    width: 2,
    points: { show: false },
    value: (_: uPlot, value: number | null) => (value === null ? '' : countText(value)),
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
    scales: { y: { range: (_, __, max) => [0, Math.max(4, Math.ceil(max * 1.1))] } },
    series: [
      { label: 'Time', value: '{D} {MMM}, {HH}:{mm}' },
      line('Webhooks received', 'accent'),
      line('Actions done', 'good'),
      line('Failed', 'bad'),
    ],
  };
}

/** Events over time. */
export function Chart({ series, label }: { series: Series; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parent = box.current;
    if (!parent) return;
    const { times, received, done, failed } = series;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(options(parent.clientWidth), [times, received, done, failed], parent);
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
