import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bus, inProcessBus, natsBus } from '@order-automation/bus';
import { newId } from '@order-automation/contracts';
import { createLogger, createMetrics, type ServiceDeps, systemClock } from '@order-automation/service';
import { mongoStore, type Store, sqliteStore } from '@order-automation/store';
import { lanes } from '@order-automation/testing';

export type LaneDeps = ServiceDeps & { close(): Promise<void> };
export type Lane = { deps(): Promise<LaneDeps> };

const { nats, mongodb } = lanes();

/** The same tests in each way to run; without its servers the distributed one is skipped and says so. */
export function describeLanes(name: string, tests: (lane: Lane) => void): void {
  describe(`${name}, embedded`, () => tests({ deps: embedded }));
  if ('missing' in nats || 'missing' in mongodb) {
    const missing = 'missing' in nats ? nats.missing : 'missing' in mongodb ? mongodb.missing : '';
    describe(`${name}, distributed`, () => test.skip(`no servers: ${missing}`, () => {}));
    return;
  }
  const servers = { nats: nats.uri, mongodb: mongodb.uri };
  describe(`${name}, distributed`, () => tests({ deps: () => distributed(servers) }));
}

async function embedded(): Promise<LaneDeps> {
  const directory = await mkdtemp(join(tmpdir(), 'intake-'));
  const store = await sqliteStore({ file: join(directory, 'intake.sqlite'), thread: 'inline' });
  return depsOf(inProcessBus(), store, () => rm(directory, { recursive: true }));
}

async function distributed(servers: { nats: string; mongodb: string }): Promise<LaneDeps> {
  const id = newId('run', Date.now()).toLowerCase();
  const store = await mongoStore({ uri: servers.mongodb, database: id });
  const bus = await natsBus({ servers: servers.nats, name: 'intake-test', profile: 'development', streamPrefix: id });
  return depsOf(bus, store, async () => {});
}

function depsOf(bus: Bus, store: Store, remove: () => Promise<void>): LaneDeps {
  return {
    bus,
    store,
    log: createLogger({ name: 'gateway-intake', level: 'silent' }),
    metrics: createMetrics('gateway-intake'),
    clock: systemClock,
    close: async () => {
      await bus.close();
      await store.close();
      await remove();
    },
  };
}
