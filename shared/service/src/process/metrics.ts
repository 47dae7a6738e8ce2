import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';

/** A registry of one service: each of its samples carries the label `service`. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return registry;
}

type Described = { readonly help: string; readonly labels?: string[]; readonly buckets?: number[] };
type MetricsTable = Readonly<Record<'counters' | 'gauges' | 'histograms', Readonly<Record<string, Described>>>>;

/** Makes the metrics of a table, called `order_automation_`, then `prefix`, then their name. A start that is tried again finds its metrics. */
export function metricsOfTable<T extends MetricsTable>(registry: Registry, prefix: string, table: T) {
  const made = <Name extends PropertyKey, M extends Metric>(
    described: Readonly<Record<string, Described>>,
    make: (common: { name: string; help: string; labelNames: string[]; registers: Registry[] }, one: Described) => M,
  ) =>
    Object.fromEntries(
      Object.entries(described).map(([short, one]) => {
        const name = `order_automation_${prefix}_${short}`;
        const common = { name, help: one.help, labelNames: one.labels ?? [], registers: [registry] };
        return [short, (registry.getSingleMetric(name) as M | undefined) ?? make(common, one)];
      }),
    ) as Record<Name, M>;
  return {
    counters: made<keyof T['counters'], Counter>(table.counters, (common) => new Counter(common)),
    gauges: made<keyof T['gauges'], Gauge>(table.gauges, (common) => new Gauge(common)),
    histograms: made<keyof T['histograms'], Histogram>(
      table.histograms,
      (common, { buckets = [] }) => new Histogram({ ...common, buckets }),
    ),
  };
}

/** Has the metric filled in before each look. */
export const collecting = (metric: Metric, collect: () => void | Promise<void>): void =>
  void Object.assign(metric, { collect });

/** What every process tells of itself: its build, memory, processor, garbage collection and the delay of its event loop. */
export function createProcessMetrics(name: string): Registry {
  const registry = createMetrics(name);
  // Each look wakes the process up.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 40 });
  const manifest: unknown = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8'));
  new Gauge({
    name: 'order_automation_build_info',
    help: 'Always 1; its labels say which version runs on which Node.js',
    labelNames: ['version', 'node'],
    registers: [registry],
  }).set({ version: String((manifest as { version?: unknown }).version), node: process.versions.node }, 1);
  return registry;
}

/** A metric as Prometheus text: its help, its type and its samples. */
export type MetricFamily = { readonly name: string; readonly text: string };

/** Metrics as they are now, of a registry in this thread or in another one. */
export type MetricsSource = () => Promise<readonly MetricFamily[]>;

export function metricsOf(registry: Registry): MetricsSource {
  return async () =>
    Promise.all(
      registry
        .getMetricsAsArray()
        .map(async ({ name }) => ({ name, text: await registry.getSingleMetricAsString(name) })),
    );
}

export function joinedMetrics(sources: readonly MetricsSource[]): MetricsSource {
  return async () => (await Promise.all(sources.map((source) => source()))).flat();
}

/** Several sources as one Prometheus text: a metric that several services have is declared once. */
export async function metricsText(sources: readonly MetricsSource[]): Promise<string> {
  const merged = new Map<string, string[]>();
  for (const { name, text } of await joinedMetrics(sources)()) {
    const [help = '', type = '', ...samples] = text.split('\n');
    const lines = merged.get(name) ?? [help, type];
    lines.push(...samples);
    merged.set(name, lines);
  }
  return `${[...merged.values()].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
