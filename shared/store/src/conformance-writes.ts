/// <reference types="jest" />
import { rejection, type Subject } from './conformance';
import { duplicateKeyIndexes, isDuplicateKey } from './errors';

/** Inserts, updates, deletes and what they report. */
export function writeConformance(subject: Subject): void {
  describe('writes', () => {
    insertTests(subject);
    updateTests(subject);
    failureTests(subject);
    operatorTests(subject);
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
    const documents = await items([{ key: { text: 1 }, name: 'text', unique: true }]);
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

  test('an ordered insertMany ends at the first duplicate', async () => {
    const documents = await items();
    const error = await rejection(documents.insertMany([{ _id: 'a' }, { _id: 'a' }, { _id: 'b' }]));
    expect(duplicateKeyIndexes(error)).toEqual([1]);
    expect(await documents.countDocuments({})).toBe(1);
  });

  test('an unordered bulkWrite goes on past duplicates, names them, and counts the rest', async () => {
    const documents = await items([{ key: { text: 1 }, name: 'text', unique: true }]);
    await documents.insertMany([
      { _id: 'a', text: 'one' },
      { _id: 'b', text: 'two' },
    ]);
    const error = await rejection(
      documents.bulkWrite(
        [
          { updateOne: { filter: { _id: 'a' }, update: { $set: { text: 'two' } } } },
          { insertOne: { document: { _id: 'b' } } },
          { updateOne: { filter: { _id: 'b' }, update: { $set: { n: 7 } } } },
          { insertOne: { document: { _id: 'c', text: 'three' } } },
        ],
        { ordered: false },
      ),
    );
    expect(duplicateKeyIndexes(error)).toEqual([0, 1]);
    expect(await documents.find({}).sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', text: 'one' },
      { _id: 'b', text: 'two', n: 7 },
      { _id: 'c', text: 'three' },
    ]);
  });

  test('bulkWrite counts what it did', async () => {
    const documents = await items();
    await documents.insertMany([{ _id: 'a', n: 1 }, { _id: 'b' }, { _id: 'c' }]);
    const result = await documents.bulkWrite([
      { insertOne: { document: { _id: 'd' } } },
      { updateOne: { filter: { _id: 'a' }, update: { $set: { n: 1 } } } },
      { updateOne: { filter: { _id: 'b' }, update: { $inc: { n: 3 } } } },
      { updateOne: { filter: { _id: 'e' }, update: { $set: { n: 5 } }, upsert: true } },
      { updateOne: { filter: { _id: 'none' }, update: { $set: { n: 5 } } } },
      { deleteOne: { filter: { _id: 'c' } } },
    ]);
    expect(result).toMatchObject({
      insertedCount: 1,
      matchedCount: 2,
      modifiedCount: 1,
      upsertedCount: 1,
      deletedCount: 1,
    });
  });

  test('an acknowledged write is there when the database is opened again', async () => {
    const documents = await items();
    await documents.insertMany([{ _id: 'a', n: 1 }, { _id: 'b' }]);
    await documents.updateOne({ _id: 'a' }, { $inc: { n: 1 } });
    await documents.deleteOne({ _id: 'b' });
    const reopened = await (await current().reopen()).collection<{ _id: string }>('items');
    expect(await reopened.find({}).toArray()).toEqual([{ _id: 'a', n: 2 }]);
  });
}

function updateTests({ items }: Subject): void {
  test('updateOne tells matched from modified', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', n: 1, text: 'x' });
    const set = { $set: { n: 2, text: 'y' } };
    expect(await documents.updateOne({ _id: 'a' }, set)).toMatchObject({ matchedCount: 1, modifiedCount: 1 });
    expect(await documents.updateOne({ _id: 'a' }, set)).toMatchObject({ matchedCount: 1, modifiedCount: 0 });
    expect(await documents.updateOne({ _id: 'a', n: 1 }, set)).toMatchObject({ matchedCount: 0, modifiedCount: 0 });
    expect(await documents.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 2, text: 'y' });
  });

  test('updateMany by a list of ids sets scalars, null and objects, and counts', async () => {
    const documents = await items();
    await documents.insertMany([{ _id: 'a', n: 1 }, { _id: 'b', n: 2 }, { _id: 'c' }, { _id: 'd', n: 1 }]);
    const update = { $set: { n: 2, text: null, nested: { a: 1, list: [1, 2] } } };
    const result = await documents.updateMany(
      { _id: { $in: ['a', 'b', 'c', 'missing'] }, n: { $exists: true } },
      update,
    );
    expect(result).toMatchObject({ matchedCount: 2, modifiedCount: 2 });
    const again = await documents.updateMany({ _id: { $in: ['a', 'b', 'c'] } }, update);
    expect(again).toMatchObject({ matchedCount: 3, modifiedCount: 1 });
    expect(await documents.countDocuments({ n: 2, text: null, 'nested.list': 2 })).toBe(3);
  });

  test('findOneAndUpdate returns the document before, or after', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', n: 1 });
    expect(await documents.findOneAndUpdate({ n: 1 }, { $set: { n: 2 } })).toEqual({ _id: 'a', n: 1 });
    expect(await documents.findOneAndUpdate({ n: 2 }, { $set: { n: 3 } }, { returnDocument: 'after' })).toEqual({
      _id: 'a',
      n: 3,
    });
    expect(await documents.findOneAndUpdate({ n: 9 }, { $set: { n: 3 } })).toBeNull();
  });

  test('an update that breaks a unique index changes nothing', async () => {
    const documents = await items([{ key: { text: 1 }, name: 'text', unique: true }]);
    await documents.insertMany([
      { _id: 'a', text: 'one' },
      { _id: 'b', text: 'two' },
    ]);
    const inPlace = await rejection(documents.updateOne({ _id: 'a' }, { $set: { text: 'two' } }));
    const rewritten = await rejection(documents.updateOne({ _id: 'a' }, { $set: { text: 'two' }, $inc: { n: 1 } }));
    expect([inPlace, rewritten].map(isDuplicateKey)).toEqual([true, true]);
    expect(await documents.findOne({ _id: 'a' })).toEqual({ _id: 'a', text: 'one' });
  });

  test('deletes one, or all that match', async () => {
    const documents = await items();
    await documents.insertMany([{ _id: 'a', n: 1 }, { _id: 'b', n: 1 }, { _id: 'c', n: 1 }, { _id: 'd' }]);
    expect(await documents.deleteOne({ n: 1 })).toMatchObject({ deletedCount: 1 });
    expect(await documents.deleteMany({ n: 1 })).toMatchObject({ deletedCount: 2 });
    expect(await documents.deleteOne({ n: 1 })).toMatchObject({ deletedCount: 0 });
    expect(await documents.find({}).toArray()).toEqual([{ _id: 'd' }]);
  });
}

/** MongoDB manual, "Bulk Write Operations" and "Atomicity and Transactions": only a write of one document is atomic. */
function failureTests({ items }: Subject): void {
  const unique = [{ key: { text: 1 }, name: 'text', unique: true }] as const;
  const insert = (_id: string, text: string) => ({ insertOne: { document: { _id, text } } });

  test('what an ordered bulkWrite did before its failure stays, what comes after is not done', async () => {
    const documents = await items(unique);
    await documents.insertMany([
      { _id: 'a', text: 'one', n: 1 },
      { _id: 'b', text: 'two' },
    ]);
    const increase = { updateOne: { filter: { _id: 'a' }, update: { $inc: { n: 1 } } } };
    const collide = { updateOne: { filter: { _id: 'a' }, update: { $set: { text: 'two', n: 9 } } } };
    const refused = { updateOne: { filter: { _id: 'a' }, update: { $inc: { 'text.x': 1 } } } };
    expect(
      duplicateKeyIndexes(await rejection(documents.bulkWrite([increase, insert('c', 'c'), collide, increase]))),
    ).toEqual([2]);
    await rejection(documents.bulkWrite([increase, refused, insert('d', 'd')]));
    expect(await documents.find({}).sort({ _id: 1 }).toArray()).toEqual([
      { _id: 'a', text: 'one', n: 3 },
      { _id: 'b', text: 'two' },
      { _id: 'c', text: 'c' },
    ]);
  });

  test('what an ordered insertMany inserted before its failure stays', async () => {
    const documents = await items(unique);
    const rows = ['one', 'two', 'one', 'three'].map((text, index) => ({ _id: 'abcd'.charAt(index), text }));
    expect(duplicateKeyIndexes(await rejection(documents.insertMany(rows)))).toEqual([2]);
    expect((await documents.find({}).sort({ _id: 1 }).toArray()).map(({ _id }) => _id)).toEqual(['a', 'b']);
  });

  test('an updateMany that fails leaves what it had updated', async () => {
    const documents = await items(unique);
    const rows = ['one', 'two', 'three'].map((text, index) => ({ _id: 'abc'.charAt(index), text, n: 1 }));
    await documents.insertMany(rows);
    const everyWay = [{ $set: { text: 'same' } }, { $set: { text: 'like' }, $inc: { n: 1 } }];
    for (const update of everyWay) {
      const error = await rejection(documents.updateMany({ _id: { $in: ['a', 'b', 'c'] } }, update));
      expect(isDuplicateKey(error)).toBe(true);
      expect(await documents.countDocuments({ text: update.$set.text })).toBe(1);
    }
    await documents.updateOne({ _id: 'c' }, { $set: { n: null } });
    await rejection(documents.updateMany({}, { $inc: { n: 10 } }));
    expect(await documents.findOne({ _id: 'c' })).toMatchObject({ n: null });
  });
}

function operatorTests({ items }: Subject): void {
  test('$inc, $max, $min and $unset make, change and remove', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', n: 5, text: 'm', flag: true });
    await documents.updateOne(
      { _id: 'a' },
      { $inc: { n: -2, 'nested.a': 3 }, $max: { text: 'k' }, $unset: { flag: '' } },
    );
    await documents.updateOne({ _id: 'a' }, { $max: { n: 9 }, $min: { text: 'b' }, $unset: { 'nested.b': '' } });
    expect(await documents.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 9, text: 'b', nested: { a: 3 } });
  });

  test('$push, $addToSet and $pull change arrays', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', tags: ['x'], parts: [{ id: 'p', size: 1 }, { id: 'q' }] });
    await documents.updateOne({ _id: 'a' }, { $push: { tags: { $each: ['y', 'z', 'y'], $slice: -3 } } });
    await documents.updateOne(
      { _id: 'a' },
      { $addToSet: { tags: { $each: ['y', 'w'] } }, $pull: { parts: { id: 'p' } } },
    );
    await documents.updateOne({ _id: 'a' }, { $pull: { tags: 'y' }, $push: { 'nested.list': 1 } });
    expect(await documents.findOne({ _id: 'a' })).toEqual({
      _id: 'a',
      tags: ['z', 'w'],
      parts: [{ id: 'q' }],
      nested: { list: [1] },
    });
  });

  test('an update that the document does not allow is refused, and changes nothing', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', text: 'x', nested: null });
    await rejection(documents.updateOne({ _id: 'a' }, { $set: { 'nested.a': 1 } }));
    await rejection(documents.updateOne({ _id: 'a' }, { $inc: { 'text.b': 1 } }));
    await rejection(documents.updateOne({ _id: 'a' }, { $set: { n: 1 }, $push: { 'text.c': 'y' } }));
    expect(await documents.findOne({ _id: 'a' })).toEqual({ _id: 'a', text: 'x', nested: null });
  });
}
