import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createMetrics, type MetricsSource, metricsOf } from '@order-automation/service';
import { Gauge } from 'prom-client';

/** How full the disk of the data folder is, read at each scrape. */
export function diskMetrics(service: string, dataDir: string): MetricsSource {
  const registry = createMetrics(service);
  const gauge = (name: string, help: string, bytes: (disk: StatsFs) => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        this.set(bytes(await statfs(dataDir)));
      },
    });
  gauge(
    'order_automation_data_free_bytes',
    'Bytes that this process may still write to the disk of DATA_DIR',
    ({ bavail, bsize }) => bavail * bsize,
  );
  gauge('order_automation_data_size_bytes', 'Bytes of the disk of DATA_DIR', ({ blocks, bsize }) => blocks * bsize);
  return metricsOf(registry);
}
