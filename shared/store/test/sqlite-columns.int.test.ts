import fc from 'fast-check';
import { rejection } from '../src/conformance';
import { DuplicateKeyError } from '../src/errors';
import { expectUsesIndex } from '../src/expect-uses-index';
import type { Filter, IndexDescription, Update } from '../src/port';
import { step } from './arbitrary-writes';
import { type Item, indexes, inFile, opened, raw, trueColumns } from './columns';

test('an index added to a collection with documents finds them', () =>
  inFile(async (file) => {
    await opened(file, [], async (items, store) => {
      await items.insertMany([
        { _id: 'a', order: { status: 'new' }, due: 1, open: true },
        { _id: 'b', order: { status: 'paid', at: new Date(5) }, key: 'k' },
        { _id: 'c' },
      ]);
      const again = await store.collection<Item>('items', indexes);
      expect(await again.find({ 'order.status': 'paid' }).toArray()).toMatchObject([{ _id: 'b' }]);
      await expectUsesIndex(store, again, { 'order.status': 'paid' }, { _id: -1 });
      await expectUsesIndex(store, again, { due: { $gt: 0 }, open: true, 'meta.kind': { $exists: true } });
      await items.insertOne({ _id: 'd', order: { status: 'new' }, value: 1, Value: '1' });
      expect(await rejection(items.insertOne({ _id: 'e', key: 'k' }))).toMatchObject({ keyPattern: { key: 1 } });
    });
    expect(trueColumns(file)).toBe(12);
  }));

test('indexes that nobody declares any more stay true and hold', () =>
  inFile(async (file) => {
    await opened(file, indexes, (items) => items.insertOne({ _id: 'a', key: 1, order: { status: 'x' } }));
    await opened(file, [], async (items) => {
      await items.insertMany([{ _id: 'b', order: { status: 'y' } }, { _id: 'c' }]);
      await items.updateMany({}, { $set: { open: true } });
      await items.updateOne({ _id: 'a' }, { $set: { 'order.status': 'z' } });
      expect(await rejection(items.insertOne({ _id: 'd', key: 1 }))).toBeInstanceOf(DuplicateKeyError);
    });
    expect(trueColumns(file)).toBe(12);
  }));

test('the columns outlive a change of the kind of ids', () =>
  inFile(async (file) => {
    await opened(file, indexes, async (items) => {
      await items.insertMany([{ _id: 1, key: 'a', order: { status: 'new' } }]);
      expect(await items.findOne({ 'order.status': 'new' })).toMatchObject({ _id: 1 });
    });
    expect(trueColumns(file)).toBe(12);
  }));

test.each<[Update<Item>, string[]]>([
  [{ $set: { other: 1 } }, ['key', 'order.status', 'open']],
  [{ $set: { open: false }, $unset: { other: '' } }, ['key', 'order.status']],
  [{ $inc: { 'count.n': 1 } }, ['key', 'order.status', 'open']],
  [{ $set: { 'order.total': 5 } }, ['key', 'order.status', 'open']],
  [{ $set: { order: { status: 'paid' } } }, ['key', 'open']],
  [{ $push: { list: 1 } }, ['key', 'order.status', 'open']],
])('%j leaves the columns %j and so their indexes alone', (update, left) =>
  inFile(async (file) => {
    await opened(file, indexes, (items) =>
      items.insertOne({ _id: 'a', key: 'k', open: true, order: { status: 'new' } }),
    );
    const planted = left.map((path) => `"v:${path}" = 'planted'`).join(', ');
    raw(file, (database) => database.exec(`UPDATE items SET ${planted}`));
    await opened(file, indexes, (items) => items.updateOne({ _id: 'a' }, update));
    const names = left.map((path) => `"v:${path}"`).join(', ');
    const row = raw(file, (database) => database.prepare(`SELECT ${names} FROM items`).raw().get());
    expect(row).toEqual(left.map(() => 'planted'));
  }),
);

test('a path changes with what stands above it', () =>
  inFile(async (file) => {
    await opened(file, indexes, async (items) => {
      const having = async (status: unknown) => items.countDocuments({ 'order.status': status } as Filter<Item>);
      await items.insertOne({ _id: 'a', order: { status: 'new' } });
      await items.updateOne({ _id: 'a' }, { $set: { order: { status: 'paid', total: 1 } } });
      expect([await having('new'), await having('paid')]).toEqual([0, 1]);
      await items.updateOne({ _id: 'a' }, { $set: { 'order.status': 'sent' } });
      expect([await having('paid'), await having('sent')]).toEqual([0, 1]);
      await items.updateOne({ _id: 'a' }, { $set: { order: 'none' } });
      expect([await having('sent'), await having(null)]).toEqual([0, 1]);
      await items.updateMany({}, { $unset: { order: '' } });
      await items.updateOne({ _id: 'b' }, { $set: { 'order.status': 'sent' } }, { upsert: true });
      await items.findOneAndUpdate({ _id: 'c' }, { $set: { order: { status: 'sent' } } }, { upsert: true });
      await items.updateOne({ _id: 'c' }, { $unset: { 'order.status': '' } });
      expect([await having('sent'), await having(null)]).toEqual([1, 2]);
    });
    expect(trueColumns(file)).toBe(12);
  }));

test('a duplicate is reported by the index it breaks', () =>
  inFile((file) => {
    const unique: IndexDescription[] = [
      { key: { a: 1 }, name: 'a', unique: true, sparse: true },
      { key: { 'b.c': 1, D: -1 }, name: 'pair', unique: true },
      { key: { a: 1, _id: 1 }, name: 'with_id', unique: true },
    ];
    return opened(file, unique, async (items) => {
      await items.insertMany([{ _id: 'x', a: 1, b: { c: 1 }, D: 1 }, { _id: 'y' }]);
      const attempts = [
        { _id: 'x', D: 5 },
        { _id: 'z', a: 1, D: 2 },
        { _id: 'z', b: { c: 1 }, D: 1 },
        { _id: 'z', D: null },
      ];
      const errors = await Promise.all(attempts.map((item) => rejection(items.insertOne(item))));
      expect(errors.map((error) => (error as DuplicateKeyError).keyPattern)).toEqual([
        { _id: 1 },
        { a: 1 },
        { 'b.c': 1, D: -1 },
        { 'b.c': 1, D: -1 },
      ]);
      expect(errors[2]).toMatchObject({ keyValue: { 'b.c': 1, D: 1 }, message: expect.stringContaining('pair') });
      expect(await rejection(items.updateOne({ _id: 'y' }, { $set: { a: 1 } }))).toMatchObject({
        keyPattern: { a: 1 },
      });
    });
  }));

test(
  'whatever is written, each column says what its document says',
  () =>
    inFile(async (file) => {
      let done = 0;
      const property = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        await opened(file, indexes, async (items) => {
          const outcomes = await Promise.allSettled(steps.map((work) => work(items)));
          done += outcomes.filter((outcome) => outcome.status === 'fulfilled').length;
        });
        trueColumns(file);
      });
      await fc.assert(property, { numRuns: 150 });
      expect(done).toBeGreaterThan(100);
    }),
  60_000,
);
