import { Registry } from 'prom-client';

/** A registry of one service: each of its samples carries the label `service`. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return registry;
}

/** Several registries as one Prometheus text: a metric that several services have is declared once. */
export async function metricsText(registries: readonly Registry[]): Promise<string> {
  const families = new Map<string, string[]>();
  for (const registry of registries) {
    for (const { name } of registry.getMetricsAsArray()) {
      const [help = '', type = '', ...samples] = (await registry.getSingleMetricAsString(name)).split('\n');
      const family = families.get(name) ?? [help, type];
      family.push(...samples);
      families.set(name, family);
    }
  }
  return `${[...families.values()].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
