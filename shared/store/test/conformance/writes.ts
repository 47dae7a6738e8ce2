import { duplicateKeyIndexes, isDuplicateKey } from '../../src/errors';
import { deleteInPages, updateInPages } from '../../src/in-pages';
import { rejection, type Subject } from './subject';

const unique = [{ key: { text: 1 }, name: 'text', unique: true }] as const;

/** Inserts, updates, deletes, what they report, and what a failed one leaves behind. */
export function writeConformance(subject: Subject): void {
  describe('writes', () => {
    insertTests(subject);
    updateTests(subject);
    failureTests(subject);
    operatorTests(subject);
    pageTests(subject);
  });
}

function insertTests({ items, current }: Subject): void {
  test('an _id is taken once', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', n: 1 });
    expect(isDuplicateKey(await rejection(documents.insertOne({ _id: 'a', n: 2 })))).toBe(true);
    expect(await documents.find({}).toArray()).toEqual([{ _id: 'a', n: 1 }]);
  });

  test('an unordered insertMany goes on past duplicates and names them', async () => {
    const documents = await items(unique);
    await documents.insertOne({ _id: 'a', text: 'one' });
    const batch = [
      { _id: 'b', text: 'two' },
      { _id: 'a', text: 'three' },
      { _id: 'c', text: 'one' },
      { _id: 'd', text: 'four' },
      { _id: 'd', text: 'five' },
    ];
    const error = await rejection(documents.insertMany(batch, { ordered: false }));
    expect(duplicateKeyIndexes(error)).toEqual([1, 2, 4]);
    const ids = (await documents.find({}).sort({ _id: 1 }).toArray()).map((document) => document._id);
    expect(ids).toEqual(['a', 'b', 'd']);
  });

  test('an acknowledged write is there when the database is opened again', async () => {
    const documents = await items();
    await documents.insertMany([{ _id: 'a', n: 1 }, { _id: 'b' }]);
    await documents.updateOne({ _id: 'a' }, { $inc: { n: 1 } });
    await documents.deleteMany({ _id: 'b' });
    const reopened = await (await current().reopen()).collection<{ _id: string }>('items');
    expect(await reopened.find({}).toArray()).toEqual([{ _id: 'a', n: 2 }]);
  });
}

function updateTests({ items }: Subject): void {
  test('updateOne says whether it found the document', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', n: 1, text: 'x' });
    const set = { $set: { n: 2, text: 'y' } };
    expect(await documents.updateOne({ _id: 'a', n: 1 }, set)).toMatchObject({ matchedCount: 1 });
    expect(await documents.updateOne({ _id: 'a' }, set)).toMatchObject({ matchedCount: 1 });
    expect(await documents.updateOne({ _id: 'a', n: 1 }, set)).toMatchObject({ matchedCount: 0 });
    expect(await documents.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 2, text: 'y' });
  });

  test('updateOne changes one of those it finds, updateMany all', async () => {
    const documents = await items([{ key: { n: 1 }, name: 'n' }]);
    await documents.insertMany([{ _id: 'a', n: 1 }, { _id: 'b', n: 1 }, { _id: 'c' }, { _id: 'd', n: 1 }]);
    expect(await documents.updateOne({ n: 1 }, { $set: { text: 'one' } })).toMatchObject({ matchedCount: 1 });
    expect(await documents.countDocuments({ text: 'one' })).toBe(1);
    const update = { $set: { n: 2, text: null, nested: { a: 1, list: [1, 2] } } };
    const filter = { _id: { $in: ['a', 'b', 'c', 'missing'] }, n: { $exists: true } };
    expect(await documents.updateMany(filter, update)).toMatchObject({ matchedCount: 2 });
    expect(await documents.find({ n: 2 }).sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', n: 2, text: null, nested: { a: 1, list: [1, 2] } },
      { _id: 'b', n: 2, text: null, nested: { a: 1, list: [1, 2] } },
    ]);
  });

  test('a replacement leaves nothing of the document but its _id, and moves it in the indexes', async () => {
    const documents = await items([{ key: { n: 1 }, name: 'n' }, ...unique]);
    await documents.insertMany([
      { _id: 'a', n: 1, text: 'x', nested: { a: 1, list: [1] } },
      { _id: 'b', n: 2, text: 'y' },
    ]);
    const steps = [
      { replaceOne: { filter: { _id: 'a', n: 1 }, replacement: { n: 5 } } },
      { replaceOne: { filter: { _id: 'b', n: 1 }, replacement: { n: 6 } } },
      { replaceOne: { filter: { _id: 'c' }, replacement: { n: 7 } } },
    ];
    expect(await documents.bulkWrite(steps, { ordered: false })).toMatchObject({ matchedCount: 1 });
    expect(await documents.find({ n: 5 }).toArray()).toEqual([{ _id: 'a', n: 5 }]);
    expect(await documents.countDocuments({ n: 1 })).toBe(0);
    expect(await documents.countDocuments({})).toBe(2);
    const taken = [{ replaceOne: { filter: { _id: 'a' }, replacement: { n: 8, text: 'y' } } }];
    expect(duplicateKeyIndexes(await rejection(documents.bulkWrite(taken)))).toEqual([0]);
    expect(await documents.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 5 });
  });

  test('bulkWrite counts what its updates found', async () => {
    const documents = await items();
    await documents.insertMany([{ _id: 'a', n: 1 }, { _id: 'b' }]);
    const result = await documents.bulkWrite([
      { updateOne: { filter: { _id: 'a' }, update: { $set: { n: 1 } } } },
      { updateOne: { filter: { _id: 'b' }, update: { $inc: { n: 3 } } } },
      { updateOne: { filter: { _id: 'none' }, update: { $set: { n: 5 } } } },
    ]);
    expect(result).toMatchObject({ matchedCount: 2 });
    expect(await documents.findOne({ _id: 'b' })).toEqual({ _id: 'b', n: 3 });
  });

  test('deletes all that match', async () => {
    const documents = await items();
    await documents.insertMany([{ _id: 'a', n: 1 }, { _id: 'b', n: 1 }, { _id: 'c' }]);
    expect(await documents.deleteMany({ n: 1 })).toMatchObject({ deletedCount: 2 });
    expect(await documents.deleteMany({ n: 1 })).toMatchObject({ deletedCount: 0 });
    expect(await documents.find({}).toArray()).toEqual([{ _id: 'c' }]);
  });
}

/** MongoDB manual, "Bulk Write Operations" and "Atomicity and Transactions": only a write of one document is atomic. */
function failureTests({ items }: Subject): void {
  const update = (_id: string, change: object) => ({ updateOne: { filter: { _id }, update: change } });

  test('an update that is refused or breaks a unique index changes nothing', async () => {
    const documents = await items(unique);
    await documents.insertMany([
      { _id: 'a', text: 'one' },
      { _id: 'b', text: 'two' },
    ]);
    const taken = [{ $set: { text: 'two' } }, { $set: { text: 'two' }, $inc: { n: 1 } }];
    for (const change of taken)
      expect(isDuplicateKey(await rejection(documents.updateOne({ _id: 'a' }, change)))).toBe(true);
    await rejection(documents.updateOne({ _id: 'a' }, { $set: { n: 1 }, $inc: { 'text.c': 1 } }));
    expect(await documents.findOne({ _id: 'a' })).toEqual({ _id: 'a', text: 'one' });
  });

  test('what an ordered insertMany inserted before its failure stays', async () => {
    const documents = await items(unique);
    const rows = ['one', 'two', 'one', 'three'].map((text, index) => ({ _id: 'abcd'.charAt(index), text }));
    expect(duplicateKeyIndexes(await rejection(documents.insertMany(rows)))).toEqual([2]);
    expect((await documents.find({}).sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual(['a', 'b']);
  });

  test('what an ordered bulkWrite did before its failure stays, what comes after is not done', async () => {
    const documents = await items(unique);
    await documents.insertMany([
      { _id: 'a', text: 'one', n: 1 },
      { _id: 'b', text: 'two', n: 1 },
    ]);
    const increase = update('a', { $inc: { n: 1 } });
    const collide = update('a', { $set: { text: 'two', n: 9 } });
    const refused = update('a', { $inc: { 'text.x': 1 } });
    const later = update('b', { $set: { n: 5 } });
    expect(duplicateKeyIndexes(await rejection(documents.bulkWrite([increase, increase, collide, later])))).toEqual([
      2,
    ]);
    await rejection(documents.bulkWrite([increase, refused, later]));
    expect(await documents.find({}).sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', text: 'one', n: 4 },
      { _id: 'b', text: 'two', n: 1 },
    ]);
  });

  test('an unordered bulkWrite goes on past failures and names them', async () => {
    const documents = await items(unique);
    await documents.insertMany(['one', 'two'].map((text, index) => ({ _id: 'ab'.charAt(index), text })));
    const steps = [
      update('a', { $set: { text: 'two' } }),
      update('b', { $set: { n: 7 } }),
      update('b', { $set: { text: 'one' } }),
    ];
    expect(duplicateKeyIndexes(await rejection(documents.bulkWrite(steps, { ordered: false })))).toEqual([0, 2]);
    expect(await documents.find({}).sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', text: 'one' },
      { _id: 'b', text: 'two', n: 7 },
    ]);
  });

  test('an updateMany that fails leaves what it had updated', async () => {
    const documents = await items(unique);
    const rows = ['one', 'two', 'three'].map((text, index) => ({ _id: 'abc'.charAt(index), text, n: 1 }));
    await documents.insertMany(rows);
    const everyWay = [{ $set: { text: 'same' } }, { $set: { text: 'like' }, $inc: { n: 1 } }];
    for (const change of everyWay) {
      const error = await rejection(documents.updateMany({ _id: { $in: ['a', 'b', 'c'] } }, change));
      expect(isDuplicateKey(error)).toBe(true);
      expect(await documents.countDocuments({ text: change.$set.text })).toBe(1);
    }
    await documents.updateOne({ _id: 'c' }, { $set: { n: null } });
    await rejection(documents.updateMany({}, { $inc: { n: 10 } }));
    expect(await documents.findOne({ _id: 'c' })).toMatchObject({ n: null });
  });
}

function pageTests({ items }: Subject): void {
  test('many documents are updated or deleted in pages, those that pass the filter alone', async () => {
    const documents = await items();
    const rows = Array.from({ length: 1_203 }, (_, n) => ({ _id: `i${String(n).padStart(4, '0')}`, n }));
    await documents.insertMany(rows);
    expect(await updateInPages(documents, { n: { $gte: 3 } }, { $set: { n: -1, text: 'x' } })).toBe(1_200);
    expect(await documents.countDocuments({ text: 'x' })).toBe(1_200);
    expect(await updateInPages(documents, { n: { $gte: 3 } }, { $set: { n: -1 } })).toBe(0);
    expect(await deleteInPages(documents, { text: 'x' })).toBe(1_200);
    expect((await documents.find({}).sort({ _id: 1 }).toArray()).map(({ n }) => n)).toEqual([0, 1, 2]);
  });
}

function operatorTests({ items }: Subject): void {
  test('$set, $inc, $max and $unset make, change and remove, below objects too', async () => {
    const documents = await items([{ key: { 'nested.a': 1 }, name: 'nested' }]);
    await documents.insertOne({ _id: 'a', n: 5, text: 'm', flag: true });
    await documents.updateOne(
      { _id: 'a' },
      { $inc: { n: -2.5, 'nested.a': 3 }, $max: { text: 'k' }, $unset: { flag: '' }, $set: { 'nested.b': 'x' } },
    );
    expect(await documents.findOne({ 'nested.a': 3 })).toEqual({
      _id: 'a',
      n: 2.5,
      text: 'm',
      nested: { a: 3, b: 'x' },
    });
    await documents.updateOne({ _id: 'a' }, { $max: { n: 9, text: 'z', 'nested.a': 2 }, $unset: { 'nested.b': '' } });
    expect(await documents.findOne({ 'nested.a': 3 })).toEqual({ _id: 'a', n: 9, text: 'z', nested: { a: 3 } });
    await documents.updateOne({ _id: 'a' }, { $unset: { nested: '', 'text.x': '' } });
    expect(await documents.findOne({ 'nested.a': null })).toEqual({ _id: 'a', n: 9, text: 'z' });
  });

  test('an update below what is no object is refused', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', text: 'x', nested: null });
    await rejection(documents.updateOne({ _id: 'a' }, { $set: { 'nested.a': 1 } }));
    await rejection(documents.updateOne({ _id: 'a' }, { $inc: { 'text.b': 1 } }));
    await rejection(documents.updateOne({ _id: 'a' }, { $inc: { text: 1 } as never }));
    expect(await documents.findOne({ _id: 'a' })).toEqual({ _id: 'a', text: 'x', nested: null });
  });
}
