import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type StoreFactory, storeConformance } from '../src/conformance';
import { sqliteStore } from '../src/sqlite/store';

function factory(thread: 'inline' | 'worker'): StoreFactory {
  return async () => {
    const directory = await mkdtemp(join(tmpdir(), 'store-'));
    const file = join(directory, 'store.db');
    let store = await sqliteStore({ file, thread });
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await sqliteStore({ file, thread });
        return store;
      },
      dispose: async () => {
        await store.close();
        await rm(directory, { recursive: true });
      },
    };
  };
}

storeConformance('SQLite inline', factory('inline'));
storeConformance('SQLite in a worker', factory('worker'));
