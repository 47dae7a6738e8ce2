/// <reference types="jest" />
import { rejection, type Subject } from './conformance';
import { isDuplicateKey } from './errors';

/** Upserts, and many callers at once. */
export function contentionConformance(subject: Subject): void {
  describe('contention', () => {
    upsertTests(subject);
    raceTests(subject);
  });
}

function upsertTests({ items }: Subject): void {
  test('an upsert inserts what the filter and the update say, once', async () => {
    const documents = await items();
    const upsert = () =>
      documents.updateOne(
        { _id: 'a', text: { $eq: 'x' } },
        { $setOnInsert: { flag: true }, $inc: { n: 1 } },
        { upsert: true },
      );
    expect(await upsert()).toMatchObject({ matchedCount: 0, upsertedCount: 1 });
    expect(await upsert()).toMatchObject({ matchedCount: 1, modifiedCount: 1, upsertedCount: 0 });
    expect(await documents.find({}).toArray()).toEqual([{ _id: 'a', text: 'x', flag: true, n: 2 }]);
  });

  test('an upserting $set by _id inserts', async () => {
    const documents = await items();
    expect(await documents.updateOne({ _id: 'a' }, { $set: { n: 1 } }, { upsert: true })).toMatchObject({
      upsertedCount: 1,
    });
    const after = { upsert: true, returnDocument: 'after' } as const;
    expect(await documents.findOneAndUpdate({ _id: 'b' }, { $set: { n: 2 } }, after)).toEqual({ _id: 'b', n: 2 });
    expect(await documents.findOneAndUpdate({ _id: 'c' }, { $set: { n: 3 } }, { upsert: true })).toBeNull();
    expect(await documents.countDocuments({})).toBe(3);
  });

  test('an upsert whose filter misses an existing _id is a duplicate', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', n: 1 });
    const error = await rejection(documents.updateOne({ _id: 'a', n: 2 }, { $set: { text: 'x' } }, { upsert: true }));
    expect(isDuplicateKey(error)).toBe(true);
  });
}

function raceTests({ items }: Subject): void {
  test('concurrent $inc loses none', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', n: 0 });
    await Promise.all(Array.from({ length: 40 }, () => documents.updateOne({ _id: 'a' }, { $inc: { n: 1 } })));
    expect(await documents.findOne({ _id: 'a' })).toEqual({ _id: 'a', n: 40 });
  });

  test('one of many inserts of an _id wins', async () => {
    const documents = await items();
    const inserts = Array.from({ length: 20 }, (_, n) => documents.insertOne({ _id: 'a', n }));
    const outcomes = await Promise.allSettled(inserts);
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1);
    const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
    expect(errors.every(isDuplicateKey)).toBe(true);
  });

  test('one of many that compare and set wins', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', n: 1 });
    const takeovers = Array.from({ length: 20 }, (_, index) =>
      documents.updateOne({ _id: 'a', n: 1 }, { $set: { text: `taken by ${index}` }, $inc: { n: 1 } }),
    );
    const results = await Promise.all(takeovers);
    expect(results.filter((result) => result.modifiedCount === 1)).toHaveLength(1);
    expect(await documents.findOne({ _id: 'a' })).toMatchObject({ n: 2 });
  });
}
