import fc from 'fast-check';
import { isDuplicateKey } from '../src/errors';
import type { Filter, IndexDescription, Update } from '../src/port';
import { sqliteStore } from '../src/sqlite/store';
import { type AnyDocument, documents, oracleIndexes, updates } from './arbitrary-queries';
import { type Item, indexes, inFile, opened, trueColumns } from './columns';
import { rejection } from './conformance/subject';
import { expectUsesIndex } from './explain';

test('an index added to a collection with documents finds them', () =>
  inFile(async (file) => {
    await opened(file, [], async (items, store) => {
      await items.insertMany([
        { _id: 'a', order: { status: 'new' }, due: 1, open: true },
        { _id: 'b', order: { status: 'paid', at: '2026' }, key: 'k' },
        { _id: 'c' },
      ]);
      const again = await store.collection<Item>('items', indexes);
      expect(await again.find({ 'order.status': 'paid' }).toArray()).toMatchObject([{ _id: 'b' }]);
      await expectUsesIndex(store, again, { 'order.status': 'paid' }, { _id: -1 });
      await expectUsesIndex(store, again, { due: { $gt: 0 }, open: true, 'meta.kind': { $exists: true } });
      await items.insertOne({ _id: 'd', order: { status: 'new' }, value: 1, Value: '1' });
      expect(isDuplicateKey(await rejection(items.insertOne({ _id: 'e', key: 'k' })))).toBe(true);
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
      expect(isDuplicateKey(await rejection(items.insertOne({ _id: 'd', key: 1 })))).toBe(true);
    });
    expect(trueColumns(file)).toBe(12);
  }));

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
      await items.insertMany([{ _id: 'b' }, { _id: 'c', order: { status: 'sent' } }]);
      await items.updateOne({ _id: 'b' }, { $set: { 'order.status': 'sent' } });
      await items.updateOne({ _id: 'c' }, { $unset: { 'order.status': '' } });
      expect([await having('sent'), await having(null)]).toEqual([1, 2]);
    });
    expect(trueColumns(file)).toBe(12);
  }));

test('a duplicate is reported whichever index it breaks', () =>
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
      expect(errors.map((error) => isDuplicateKey(error))).toEqual([true, true, true, true]);
      expect(isDuplicateKey(await rejection(items.updateOne({ _id: 'y' }, { $set: { a: 1 } })))).toBe(true);
    });
  }));

test.each([0, 700])(
  'whatever is written, each column says what its document says, compressed from %i characters on',
  (compressFrom) =>
    inFile(async (file) => {
      const property = fc.asyncProperty(documents, fc.array(updates, { maxLength: 4 }), async (stored, changes) => {
        const store = await sqliteStore({ file, thread: 'inline', compressFrom });
        const items = await store.collection<AnyDocument>('items', oracleIndexes);
        await items.deleteMany({});
        await items.insertMany(stored);
        await Promise.allSettled(changes.map((change) => items.updateMany({}, change as Update<AnyDocument>)));
        await store.close();
        expect(trueColumns(file)).toBe(3);
      });
      await fc.assert(property, { numRuns: 150 });
    }),
  60_000,
);
