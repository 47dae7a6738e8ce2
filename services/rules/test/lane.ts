import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Bus, inProcessBus, natsBus } from '@order-automation/bus';
import { newId } from '@order-automation/contracts';
import { mongoStore, type Store, sqliteStore } from '@order-automation/store';
import { lanes } from '@order-automation/testing';

export type Lane = { readonly name: string; readonly missing: string | null; open(): Promise<Opened> };
export type Opened = { readonly bus: Bus; readonly store: Store; close(): Promise<void> };

const { nats, mongodb } = lanes();

/** A fresh database and a bus, in each way to run. */
export const bothLanes: readonly Lane[] = [
  {
    name: 'embedded',
    missing: null,
    open: async () => {
      const directory = await mkdtemp(join(tmpdir(), 'rules-'));
      const store = await sqliteStore({ file: join(directory, 'rules.sqlite'), thread: 'inline' });
      const bus = inProcessBus();
      return { bus, store, close: () => closeAll(bus, store, () => rm(directory, { recursive: true })) };
    },
  },
  {
    name: 'distributed',
    missing: 'missing' in nats ? nats.missing : 'missing' in mongodb ? mongodb.missing : null,
    open: async () => {
      if ('missing' in nats || 'missing' in mongodb) throw new Error('no servers');
      const database = newId('run', Date.now()).toLowerCase();
      const store = await mongoStore({ uri: mongodb.uri, database });
      const bus = await natsBus({ servers: [nats.uri] });
      return { bus, store, close: () => closeAll(bus, store, async () => {}) };
    },
  },
];

async function closeAll(bus: Bus, store: Store, remove: () => Promise<void>): Promise<void> {
  await bus.close();
  await store.close();
  await remove();
}
