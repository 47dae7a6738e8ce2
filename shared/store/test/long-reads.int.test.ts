import { join } from 'node:path';
import { sqliteHost } from '../src/sqlite/host';
import { sqliteStore } from '../src/sqlite/store';
import { inDirectory } from './directory';
import { explain, explainable } from './explain';

type Row = { readonly _id: number; text: string };

test('a read that takes long delays no write, neither of its own file nor of another of the host', async () => {
  await inDirectory(async (directory) => {
    const host = sqliteHost({ thread: 'worker' });
    const stores = await Promise.all(['a', 'b'].map((name) => sqliteStore({ file: join(directory, name), host })));
    const [one, other] = await Promise.all(stores.map((store) => store.collection<Row>('rows')));
    if (one === undefined || other === undefined) throw new Error('no collections');
    await one.insertMany(Array.from({ length: 30_000 }, (_, _id) => ({ _id, text: `${_id} ${'x'.repeat(500)}` })));
    for (const [at, documents] of [one, other].entries()) {
      let reading = true;
      const reads = Promise.all([0, 1, 2].map(() => one.countDocuments({ text: { $ne: 'y' } }))).then((counts) => {
        reading = false;
        return counts;
      });
      let written = 0;
      for (; reading; written += 1) await documents.insertOne({ _id: -1000 * at - 1 - written, text: 'small' });
      // On the thread that writes, the reads would be over when the first write is done.
      expect(written).toBeGreaterThan(3);
      expect(Math.min(...(await reads))).toBeGreaterThanOrEqual(30_000);
    }
    for (const store of stores) await store.close();
    await host.close();
  });
});

test('a read sees every write that was acknowledged before it, and what was declared since', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'a');
    const store = explainable(await sqliteStore({ file, thread: 'worker' }), { file });
    const rows = await store.collection<Row>('rows');
    for (let _id = 1; _id <= 50; _id += 1) {
      await rows.insertOne({ _id, text: `t${_id}` });
      expect(await rows.countDocuments({})).toBe(_id);
    }
    await store.collection<Row>('rows', [{ key: { text: 1 }, name: 'text' }]);
    expect(await explain(store, rows, { text: 't7' })).toMatchObject({ usesIndex: true });
    expect(await rows.find({ text: 't7' }).toArray()).toEqual([{ _id: 7, text: 't7' }]);
    await store.close();
  });
});
