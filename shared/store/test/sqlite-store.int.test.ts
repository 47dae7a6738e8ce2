import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sqliteStore } from '../src/sqlite/store';
import { storeConformance } from './conformance';
import type { StoreFactory } from './conformance/subject';
import { explainable } from './explain';

function factory(thread: 'inline' | 'worker', options: { compressFrom?: number } = {}): StoreFactory {
  return async () => {
    const directory = await mkdtemp(join(tmpdir(), 'store-'));
    const file = join(directory, 'store.db');
    const open = async () => explainable(await sqliteStore({ file, thread, ...options }), { file });
    let store = await open();
    return {
      store,
      shared: false,
      reopen: async () => {
        await store.close();
        store = await open();
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

test('documents that become short leave no gaps between them, and are found as before', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'store-'));
  const file = join(directory, 'store.db');
  const store = await sqliteStore({ file, thread: 'inline', compressFrom: Number.POSITIVE_INFINITY });
  type Kept = { _id: string; state: string; text: string };
  const kept = await store.collection<Kept>('kept', [{ name: 'state', key: { state: 1 } }]);
  const ids = Array.from({ length: 600 }, (_, at) => `evt_${String(at).padStart(4, '0')}`);
  for (let at = 0; at < ids.length; at += 60) {
    const some = ids.slice(at, at + 60);
    await kept.insertMany(some.map((_id) => ({ _id, state: 'open', text: 'x'.repeat(3_500) })));
    await kept.bulkWrite(
      some.map((_id) => ({
        replaceOne: { filter: { _id, state: 'open' }, replacement: { state: 'done', text: 'y'.repeat(900) } },
      })),
    );
  }
  expect(
    await kept.bulkWrite([{ replaceOne: { filter: { _id: 'none' }, replacement: { state: '', text: '' } } }]),
  ).toMatchObject({ matchedCount: 0 });
  expect(await kept.countDocuments({ state: 'done' })).toBe(ids.length);
  expect(await kept.countDocuments({ state: 'open' })).toBe(0);
  const found = await kept.find({}).sort({ _id: 1 }).toArray();
  expect(found.map(({ _id }) => _id)).toEqual(ids);
  await kept.insertOne({ _id: 'evt_last', state: 'open', text: '' });
  expect(await kept.findOne({ _id: 'evt_0000' })).toMatchObject({ state: 'done' });
  await store.close();
  // 600 documents of 1 kB; where each kept its place in a page of 4 kB it was 2.5 MB.
  expect((await stat(file)).size).toBeLessThan(1_300_000);
  await rm(directory, { recursive: true });
});
