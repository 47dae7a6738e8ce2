import { rejection } from '../src/conformance';
import { UnsupportedQueryError } from '../src/errors';
import { sqliteStore } from '../src/sqlite/store';
import { inFile, raw } from './columns';

type Letter = { readonly _id: string; n?: number; text?: string };
const options = { longText: 'text' } as const;

test('it lies beside the document, and in what was written before, in it', () =>
  inFile(async (file) => {
    const store = await sqliteStore({ file, thread: 'inline' });
    const before = await store.collection<Letter>('letters');
    await before.insertOne({ _id: 'old', text: 'within' });
    const letters = await store.collection<Letter>('letters', [], options);
    await letters.insertMany([
      { _id: 'new', n: 1, text: 'beside' },
      { _id: 'zero', text: '\0' },
    ]);
    const all = [
      { _id: 'new', n: 1, text: 'beside' },
      { _id: 'old', text: 'within' },
      { _id: 'zero', text: '\0' },
    ];
    for (const collection of [letters, before, await store.collection<Letter>('letters')])
      expect(await collection.find({}).sort({ _id: 1 }).toArray()).toEqual(all);
    await store.close();
    raw(file, (database) => {
      const rows = database.prepare('SELECT doc, "l:text" AS text FROM letters ORDER BY id').all();
      expect(rows).toEqual([
        { doc: '{"_id":"new","n":1}', text: 'beside' },
        { doc: '{"_id":"old","text":"within"}', text: null },
        { doc: '{"_id":"zero","text":"\\u0000"}', text: null },
      ]);
    });
  }));

test('no query names it', () =>
  inFile(async (file) => {
    const store = await sqliteStore({ file, thread: 'inline' });
    const letters = await store.collection<Letter>('letters', [], options);
    await letters.insertOne({ _id: 'a', text: 'a' });
    const named = { $or: [{ _id: 'b' }, { text: 'a' }] };
    const refused = [
      letters.find({ text: 'a' }).toArray(),
      letters.find({}).sort({ text: 1 }).toArray(),
      letters.countDocuments(named),
      letters.deleteMany(named),
      letters.deleteOne({ text: 'a' }),
      letters.updateOne({ _id: 'a' }, { $set: { text: 'b' } }),
      letters.updateMany({ text: { $ne: 'a' } }, { $set: { n: 1 } }),
      letters.bulkWrite([{ updateOne: { filter: { _id: 'a' }, update: { $unset: { text: '' } } } }]),
      letters.bulkWrite([{ deleteOne: { filter: { text: 'a' } } }]),
      letters.findOneAndUpdate({ _id: 'a' }, { $set: { n: 1 } }),
    ];
    const errors = await Promise.all(refused.map(rejection));
    expect(errors.filter((error) => !(error instanceof UnsupportedQueryError))).toEqual([]);
    expect(await letters.find({}).toArray()).toEqual([{ _id: 'a', text: 'a' }]);
    await store.close();
  }));
