import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sqliteStore } from '../src/sqlite/store';
import { inDirectory } from './directory';

type Row = { readonly _id: string; text?: string; more?: string };

test('after scrub no byte of what was removed or replaced is left in the file or its log, also of long documents', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'store.db');
    // What is compressed shows no words.
    const store = await sqliteStore({ file, compressFrom: 100_000 });
    const rows = await store.collection<Row>('rows');
    const ids = Array.from({ length: 200 }, (_, index) => `row ${index}`);
    await rows.insertMany(ids.map((_id, index) => ({ _id, text: `somebody ${'x'.repeat(index * 40)} somebody` })));
    for (const more of ['a', 'b'.repeat(3_000), 'c'])
      await rows.updateMany({ _id: { $in: ids } }, { $set: { more: `somebody ${more}` } });
    await rows.deleteMany({ _id: { $in: ids.slice(0, 50) } });
    await rows.updateMany({ _id: { $in: ids } }, { $unset: { text: '' }, $set: { more: 'nobody' } });
    const holders = () =>
      [file, `${file}-wal`]
        .filter((name) => readFileSync(name).includes('somebody'))
        .map((name) => name.slice(file.length));
    expect(holders()).toContain('-wal');
    await store.scrub();
    expect(holders()).toEqual([]);
    expect(await rows.countDocuments({ more: 'nobody' })).toBe(150);
    await store.close();
  });
});
