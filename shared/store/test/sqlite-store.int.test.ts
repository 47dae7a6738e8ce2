import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '../src/sqlite/store';
import { storeConformance } from './conformance';
import type { StoreFactory } from './conformance/subject';

function factory(thread: 'inline' | 'worker', options: { compressFrom?: number } = {}): StoreFactory {
  return async () => {
    const directory = await mkdtemp(join(tmpdir(), 'store-'));
    const file = join(directory, 'store.db');
    let store = await sqliteStore({ file, thread, ...options });
    return {
      store,
      shared: false,
      reopen: async () => {
        await store.close();
        store = await sqliteStore({ file, thread, ...options });
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
storeConformance('SQLite with every document compressed', factory('inline', { compressFrom: 0 }));

test('a file keeps the size of its pages, whatever later openings ask for', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'store-'));
  const file = join(directory, 'store.db');
  const write = async (pageSize?: number): Promise<void> => {
    const store = await sqliteStore({ file, thread: 'inline', ...(pageSize === undefined ? {} : { pageSize }) });
    await (await store.collection('things')).insertOne({ _id: `of ${pageSize}` });
    await store.close();
  };
  await write(16_384);
  await write();
  // Where the file format has it: two bytes, the higher first.
  expect((await readFile(file)).readUInt16BE(16)).toBe(16_384);
  await rm(directory, { recursive: true });
});
