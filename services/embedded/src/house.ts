import { join } from 'node:path';
import type { Bus } from '@order-automation/bus';
import {
  type Clock,
  type Closing,
  createMetrics,
  type MetricsSource,
  metricsOf,
  problemsOf,
  type Readiness,
  type Service,
  type ServiceDeps,
} from '@order-automation/service';
import { type SqliteHost, sqliteHost, sqliteStore } from '@order-automation/store';
import type { Logger } from 'pino';

/** What the services of one thread share. */
export type House = {
  readonly bus: Bus;
  readonly dataDir: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly closing: Closing;
  readonly readiness: Readiness;
  readonly metrics: MetricsSource[];
};

export const processName = 'embedded';

/** Where database files are opened, and how they are made: `pageSize` in bytes. */
export type Files = { readonly host: SqliteHost; readonly pageSize?: number };

/** Files in a thread of their own. */
export function openFiles({ closing }: House, name: string): Files {
  const host = sqliteHost({ thread: 'worker' });
  closing.add(`${name} files`, () => host.close());
  return { host };
}

/** Starts a service on a file of its own. */
export async function start<Config, Started extends Service>(
  house: House,
  files: Files,
  name: string,
  startService: (deps: ServiceDeps, config: Config) => Promise<Started>,
  config: Config,
): Promise<Started> {
  const { bus, dataDir, clock, closing, readiness, log } = house;
  const store = await sqliteStore({ file: join(dataDir, `${name}.sqlite`), ...files });
  closing.add(`${name} store`, () => store.close());
  const metrics = createMetrics(name);
  house.metrics.push(metricsOf(metrics));
  const service = await startService({ bus, store, log: log.child({ service: name }), metrics, clock }, config);
  closing.add(name, () => service.close());
  readiness.probe(name, () => problemsOf(store, service));
  return service;
}
