import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { type Bus, inProcessBus } from '@order-automation/bus';
import { natsBus } from '@order-automation/bus/nats';
import { serveBus, threadBus } from '@order-automation/bus/threads';
import { createLogger, createMetrics, type ServiceDeps } from '@order-automation/service';
import { mongoStore, type SqliteHost, type Store, sqliteHost, sqliteStore } from '@order-automation/store';
import { explainable } from '../../store/test/explain';
import { type SettableClock, settableClock } from './clock';
import { dropNamespace, freshNamespace } from './namespace';
import { lanes } from './resolve-lanes';

/** Milliseconds for a request that names no limit: a busy machine takes its time. */
const timeout = 2_500 * Number(process.env.TEST_PATIENCE ?? 1);

const patient = (bus: Bus): Bus => ({
  ...bus,
  request: (type, input, options) => bus.request(type, input, { timeout, ...options }),
});

/** What a service is given in a test: its own bus and database unless they are passed, no log, a fresh registry, a clock to set. */
export type LaneDeps = ServiceDeps & {
  readonly clock: SettableClock;
  /** Closes the bus and the store that were made for it. The lane does it at the end of the suite at the latest. */
  close(): Promise<void>;
};

type LaneDepsOptions = {
  readonly bus?: Bus;
  readonly store?: Store;
  /** The same name gives the same database. Default: a fresh one. */
  readonly database?: string;
  readonly clock?: SettableClock;
};

export type Lane = {
  readonly name: 'embedded' | 'distributed';
  /** A bus that nothing else is on. With NATS the same `network` gives another connection to the same streams. */
  bus(network?: string): Promise<Bus>;
  /** A connection to a database of this suite alone; the same name gives the same database. Default: a fresh one. */
  store(database?: string): Promise<Store>;
  deps(options?: LaneDepsOptions): Promise<LaneDeps>;
};

/** A lane with what must be tidied up after it. */
export type OpenLane = { readonly lane: Lane; tidy(): Promise<void> };

type Factories = {
  readonly bus: (network: string) => Promise<Bus>;
  readonly store: (database: string) => Promise<Store>;
};

/** The bus over a message port, as the main thread of the product has it, and SQLite in a database thread, in a directory of its own below `root`. */
export function embeddedLane(root = tmpdir()): OpenLane {
  let directory: Promise<string> | undefined;
  let databases: SqliteHost | undefined;
  const dir = () => {
    directory ??= mkdtemp(join(root, 'order-automation-lane-'));
    return directory;
  };
  const host = () => {
    databases ??= sqliteHost({ thread: 'worker' });
    return databases;
  };
  const factories: Factories = {
    bus: async () => busOfAnotherThread(),
    store: async (database) => {
      const file = join(await dir(), `${database}.sqlite`);
      return explainable(await sqliteStore({ file, host: host() }), { file });
    },
  };
  return openLane('embedded', factories, async () => {
    await databases?.close();
    if (directory) await rm(await directory, { recursive: true, force: true });
  });
}

function busOfAnotherThread(): Bus {
  const hub = inProcessBus({ backoff: { first: 10, longest: 200 } });
  const { port1, port2 } = new MessageChannel();
  serveBus(hub, port1);
  const bus = threadBus(port2);
  const close = async (): Promise<void> => {
    await bus.close();
    await hub.close();
  };
  return { ...bus, close };
}

/** NATS and MongoDB, under names of its own. */
export function distributedLane(): OpenLane {
  const { nats, mongodb } = lanes();
  const namespace = freshNamespace();
  if (!('uri' in nats) || !('uri' in mongodb)) throw new Error('this lane has no servers');
  const factories: Factories = {
    bus: (network) =>
      natsBus({
        servers: nats.uri,
        name: 'test',
        profile: 'development',
        // Reserved for each of many prefixes on one server.
        streamBytes: 8 * 1024 * 1024,
        streamPrefix: `${namespace}-${network}`,
        backoff: { first: 50, longest: 1_000 },
      }),
    // One server, which may be a slow stand-in, serves every suite that runs at the same time.
    store: async (name) => {
      const place = { uri: mongodb.uri, database: `${namespace}_${name}` };
      return explainable(await mongoStore({ ...place, timeoutMS: 15_000 }), place);
    },
  };
  return openLane('distributed', factories, () => dropNamespace(namespace));
}

function openLane(name: Lane['name'], factories: Factories, tidy: () => Promise<void>): OpenLane {
  const open: { close(): Promise<void> }[] = [];
  let made = 0;
  const fresh = (): string => {
    made += 1;
    return `n${made}`;
  };
  const keep = <T extends { close(): Promise<void> }>(it: T): T => {
    open.push(it);
    return it;
  };
  const bus = async (network = fresh()) => keep(await factories.bus(network));
  const store = async (database = fresh()) => keep(await factories.store(database));
  const deps = async (options: LaneDepsOptions = {}): Promise<LaneDeps> => {
    const own = [
      ...(options.bus ? [] : [patient(await bus())]),
      ...(options.store ? [] : [await store(options.database)]),
    ] as const;
    return {
      bus: options.bus ?? (own[0] as Bus),
      store: options.store ?? (own.at(-1) as Store),
      log: createLogger({ name: 'test', level: 'silent' }),
      metrics: createMetrics('test'),
      clock: options.clock ?? settableClock(),
      close: async () => {
        for (const it of own) await it.close();
      },
    };
  };
  return {
    lane: { name, bus, store, deps },
    tidy: async () => {
      for (const it of open.reverse()) await it.close();
      await tidy();
    },
  };
}
