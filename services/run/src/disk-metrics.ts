import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { collecting, createMetrics, type MetricsSource, metricsOf, metricsOfTable } from '@order-automation/service';
import type { Gauge } from 'prom-client';
import table from './disk-metrics.json';

/** How full the disk of the data folder is, read at each scrape. */
export function diskMetrics(service: string, dataDir: string): MetricsSource {
  const registry = createMetrics(service);
  const { gauges } = metricsOfTable(registry, 'data', table);
  const filled = (gauge: Gauge, bytes: (disk: StatsFs) => number) =>
    collecting(gauge, async () => gauge.set(bytes(await statfs(dataDir))));
  filled(gauges.free_bytes, ({ bavail, bsize }) => bavail * bsize);
  filled(gauges.size_bytes, ({ blocks, bsize }) => blocks * bsize);
  return metricsOf(registry);
}
