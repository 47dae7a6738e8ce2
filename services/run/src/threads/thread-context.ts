import { join } from 'node:path';
import type { Bus } from '@order-automation/bus';
import {
  type Clock,
  type Closing,
  checkStoreVersion,
  createMetrics,
  type MetricsSource,
  metricsOf,
  type Readiness,
  type Service,
  type ServiceDeps,
} from '@order-automation/service';
import { type SqliteHost, type SqliteStoreOptions, type Store, sqliteHost, sqliteStore } from '@order-automation/store';
import type { Logger } from 'pino';

export type ThreadContext = {
  readonly bus: Bus;
  readonly dataDir: string;
  readonly log: Logger;
  readonly clock: Clock;
  readonly closing: Closing;
  readonly readiness: Readiness;
  readonly metrics: MetricsSource[];
};

export const processName = 'embedded';

/** The thread that runs the queries of a service's database, the page size of a new database file in bytes, and what it compresses. */
export type DatabaseOptions = { readonly host: SqliteHost } & Pick<SqliteStoreOptions, 'pageSize' | 'compressFrom'>;

/** Starts a database thread; databases that share it wait for each other's flushes. */
export function startDatabaseThread({ closing }: ThreadContext, name: string): DatabaseOptions {
  const host = sqliteHost({ thread: 'worker' });
  closing.add(`${name} database thread`, () => host.close());
  return { host };
}

/** Starts a service on a database file of its own. */
export async function startService<Config, Started extends Service>(
  context: ThreadContext,
  database: DatabaseOptions,
  name: string,
  start: (deps: ServiceDeps, config: Config) => Promise<Started>,
  config: Config,
): Promise<Started> {
  const { bus, dataDir, clock, closing, readiness, log } = context;
  const store = await sqliteStore({ file: join(dataDir, `${name}.sqlite`), ...database });
  closing.add(`${name} store`, () => store.close());
  await checkStoreVersion(store, name, 'DATA_DIR');
  const metrics = createMetrics(name);
  context.metrics.push(metricsOf(metrics));
  const service = await start({ bus, store, log: log.child({ service: name }), metrics, clock }, config);
  closing.add(name, () => service.close());
  readiness.probe(name, () => problemsOf(store, service));
  return service;
}

/** What a service that runs on this store cannot do now. */
async function problemsOf(store: Store, service: Service): Promise<readonly string[]> {
  const status = await store.check();
  return [...(status.ok ? [] : [status.reason]), ...((await service.problems?.()) ?? [])];
}
