import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client';

/** A registry of one service: each of its samples carries the label `service`. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return registry;
}

/** Makes metrics called `order_automation_`, then `prefix`, then their name. A start that is tried again finds its metrics. */
export function metricsOfService(registry: Registry, prefix: string) {
  const known = <T extends Metric>(name: string, make: (common: { name: string; registers: Registry[] }) => T): T => {
    const whole = `order_automation_${prefix}_${name}`;
    return (registry.getSingleMetric(whole) as T | undefined) ?? make({ name: whole, registers: [registry] });
  };
  return {
    counter: (name: string, help: string, labelNames: string[] = []) =>
      known(name, (common) => new Counter({ ...common, help, labelNames })),
    gauge: (name: string, help: string, labelNames: string[] = []) =>
      known(name, (common) => new Gauge({ ...common, help, labelNames })),
    histogram: (name: string, help: string, buckets: number[], labelNames: string[] = []) =>
      known(name, (common) => new Histogram({ ...common, help, buckets, labelNames })),
  };
}

type Described = { readonly help: string; readonly labels?: string[]; readonly buckets?: number[] };
type MetricsTable = Readonly<Record<'counters' | 'gauges' | 'histograms', Readonly<Record<string, Described>>>>;

/** Makes the metrics of a table, by their names without what `metricsOfService` puts before them. */
export function metricsOfTable<T extends MetricsTable>(registry: Registry, prefix: string, table: T) {
  const { counter, gauge, histogram } = metricsOfService(registry, prefix);
  const made = <Name extends PropertyKey, M>(described: object, make: (name: string, one: Described) => M) =>
    Object.fromEntries(Object.entries(described).map(([name, one]) => [name, make(name, one)])) as Record<Name, M>;
  return {
    counters: made<keyof T['counters'], Counter>(table.counters, (name, { help, labels }) =>
      counter(name, help, labels),
    ),
    gauges: made<keyof T['gauges'], Gauge>(table.gauges, (name, { help, labels }) => gauge(name, help, labels)),
    histograms: made<keyof T['histograms'], Histogram>(table.histograms, (name, { help, buckets = [], labels }) =>
      histogram(name, help, buckets, labels),
    ),
  };
}

/** What every process tells of itself: its build, memory, processor, garbage collection and the delay of its event loop. */
export function createProcessMetrics(name: string): Registry {
  const registry = createMetrics(name);
  // Each look wakes the process up.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 40 });
  const manifest: unknown = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8'));
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

/** Several sources as one. */
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
