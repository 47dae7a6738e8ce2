import { Gauge } from 'prom-client';
import { createMetrics, type MetricsSource, metricsOf } from './metrics';
import type { Readiness } from './readiness';

/** What `/readyz` says as a metric of the process `name`: 1 for each part that is ready, 0 for each that is not. */
export function readinessMetrics(name: string, readiness: Readiness): MetricsSource {
  const registry = createMetrics(name);
  new Gauge({
    name: 'order_automation_part_ready',
    help: 'Whether a part of this process is ready: 1, or 0 with the reason at /readyz',
    labelNames: ['part'],
    registers: [registry],
    async collect() {
      const missing = await readiness.missing();
      this.reset();
      for (const part of readiness.parts()) this.set({ part }, 1);
      for (const { part } of missing) this.set({ part }, 0);
    },
  });
  return metricsOf(registry);
}
