/// <reference types="jest" />
import type { Item, Numbered, Subject } from './conformance';
import type { Documents, Filter } from './port';

/** Finding, order, pages, projections and counts. */
export function queryConformance(subject: Subject): void {
  describe('queries', () => {
    equalityTests(subject);
    comparisonTests(subject);
    orderTests(subject);
    shapeTests(subject);
  });
}

async function idsOf(documents: Documents<Item>, filter: Filter<Item>): Promise<string> {
  return (await documents.find(filter).sort({ _id: 1 }).toArray()).map((document) => document._id).join('');
}

function equalityTests({ items }: Subject): void {
  test('null means null or missing, $exists tells them apart', async () => {
    const documents = await items();
    await documents.insertMany([{ _id: 'a', text: null }, { _id: 'b' }, { _id: 'c', text: 'x' }]);
    expect(await idsOf(documents, { text: null })).toBe('ab');
    expect(await idsOf(documents, { text: { $ne: null } })).toBe('c');
    expect(await idsOf(documents, { text: { $exists: true } })).toBe('ac');
    expect(await idsOf(documents, { text: { $exists: false } })).toBe('b');
    expect(await idsOf(documents, { text: { $in: [null, 'x'] } })).toBe('abc');
    expect(await idsOf(documents, { text: { $nin: [null, 'y'] } })).toBe('c');
    expect(await idsOf(documents, { text: { $ne: 'x' } })).toBe('ab');
    expect(await idsOf(documents, { text: { $in: [] } })).toBe('');
  });

  test('an array matches when one element does', async () => {
    const documents = await items();
    await documents.insertMany([
      { _id: 'a', tags: ['x', 'y'], parts: [{ id: 'p', size: 1 }] },
      { _id: 'b', tags: ['y'], parts: [{ id: 'p' }, { id: 'q', size: 3 }] },
      { _id: 'c', tags: [], nested: { list: [1, 5] } },
    ]);
    expect(await idsOf(documents, { tags: 'x' })).toBe('a');
    expect(await idsOf(documents, { tags: { $ne: 'x' } })).toBe('bc');
    expect(await idsOf(documents, { tags: { $in: ['x', 'y'] } })).toBe('ab');
    expect(await idsOf(documents, { 'parts.id': 'q' })).toBe('b');
    expect(await idsOf(documents, { 'parts.size': { $gte: 2 } })).toBe('b');
    expect(await idsOf(documents, { 'parts.size': null })).toBe('bc');
    expect(await idsOf(documents, { 'nested.list': { $gt: 2, $lt: 4 } })).toBe('c');
    expect(await idsOf(documents, { 'parts.0.id': 'p', 'parts.1.id': { $exists: false } })).toBe('a');
  });

  test('null below an array: a missing field of an element counts, an element without fields does not', async () => {
    const documents = await items();
    await documents.insertMany([
      { _id: 'a', parts: [] },
      { _id: 'b', parts: [1, 'x'] as never },
      { _id: 'c', parts: [{ id: 'p' }] },
      { _id: 'd', parts: [{ id: 'p', size: 1 }] },
      { _id: 'e', parts: null as never },
      { _id: 'f' },
    ]);
    expect(await idsOf(documents, { 'parts.size': null })).toBe('cef');
    expect(await idsOf(documents, { 'parts.size': { $ne: null } })).toBe('abd');
    expect(await idsOf(documents, { 'parts.size': { $exists: false } })).toBe('abcef');
  });

  test('types are never mixed up', async () => {
    const documents = await items();
    const at = new Date('2026-01-31T10:00:00.000Z');
    await documents.insertMany([
      { _id: 'a', n: 1 },
      { _id: 'b', text: '1' },
      { _id: 'c', flag: true },
      { _id: 'd', at },
      { _id: 'e', text: '{"$date":"2026-01-31T10:00:00.000Z"}' },
    ]);
    for (const path of ['n', 'text', 'flag', 'at'] as const) {
      const hits = { n: 'a', text: 'b', flag: 'c', at: 'd' };
      const values = { n: 1, text: '1', flag: true, at };
      for (const value of Object.values(values)) {
        const expected = values[path] === value ? hits[path] : '';
        expect(await idsOf(documents, { [path]: value } as Filter<Item>)).toBe(expected);
        expect(await idsOf(documents, { [path]: { $in: [value] } } as Filter<Item>)).toBe(expected);
      }
    }
    expect(await idsOf(documents, { text: '{"$date":"2026-01-31T10:00:00.000Z"}' })).toBe('e');
  });

  test('$and and $or nest', async () => {
    const documents = await items();
    await documents.insertMany([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 2 },
      { _id: 'c', n: 3, flag: true },
    ]);
    expect(await idsOf(documents, { $or: [{ n: 1 }, { $and: [{ n: { $gt: 2 } }, { flag: true }] }] })).toBe('ac');
    expect(await idsOf(documents, { n: { $lt: 3 }, $or: [{ flag: true }, { _id: { $in: ['b', 'c'] } }] })).toBe('b');
  });
}

function comparisonTests({ items }: Subject): void {
  test('comparisons stay within their type', async () => {
    const documents = await items();
    await documents.insertMany([
      { _id: 'a', n: 1.5 },
      { _id: 'b', n: 10 },
      { _id: 'c', n: null },
      { _id: 'd' },
      { _id: 'e', text: 'm' },
      { _id: 'f', text: '' },
    ]);
    expect(await idsOf(documents, { n: { $gt: 1 } })).toBe('ab');
    expect(await idsOf(documents, { n: { $lte: 1.5 } })).toBe('a');
    expect(await idsOf(documents, { n: { $lt: 100, $gte: 2 } })).toBe('b');
    expect(await idsOf(documents, { text: { $lt: 'z' } })).toBe('ef');
    expect(await idsOf(documents, { text: { $gt: '' } })).toBe('e');
    expect(await idsOf(documents, { _id: { $gt: 'b', $lt: 'e' } })).toBe('cd');
  });

  test('integers beyond 2^53 are found as they were written', async () => {
    const documents = await items();
    const numbers = [2 ** 53 + 2, 2 ** 60, -(2 ** 60), 2 ** 63, 1e21];
    await documents.insertMany(numbers.map((n, index) => ({ _id: 'abcde'.charAt(index), n })));
    for (const [index, n] of numbers.entries()) {
      const id = 'abcde'.charAt(index);
      expect(await idsOf(documents, { n })).toBe(id);
      expect(await idsOf(documents, { n: { $in: [n, 5] } })).toBe(id);
      expect(await idsOf(documents, { n: { $gte: n, $lte: n } })).toBe(id);
    }
    await documents.updateOne({ _id: 'a' }, { $set: { n: 2 ** 61 } });
    await documents.updateOne({ _id: 'b' }, { $inc: { n: 2 ** 60 } });
    expect(await idsOf(documents, { n: 2 ** 61 })).toBe('ab');
    expect(await idsOf(documents, { n: { $gt: 2 ** 60, $lt: 2 ** 63 } })).toBe('ab');
  });

  test('dates are dates: they come back, compare and sort', async () => {
    const documents = await items();
    const days = [3, 1, 2].map((day) => new Date(Date.UTC(2026, 0, day)));
    await documents.insertMany(days.map((at, index) => ({ _id: 'abc'.charAt(index), at })));
    expect(await idsOf(documents, { at: { $gte: new Date(Date.UTC(2026, 0, 2)) } })).toBe('ac');
    expect(await idsOf(documents, { at: new Date(Date.UTC(2026, 0, 1)) })).toBe('b');
    const sorted = await documents.find({}).sort({ at: -1 }).toArray();
    expect(sorted.map((document) => document.at?.toISOString().slice(0, 10))).toEqual([
      '2026-01-03',
      '2026-01-02',
      '2026-01-01',
    ]);
    await documents.updateOne({ _id: 'b' }, { $max: { at: new Date(Date.UTC(2026, 1, 1)) } });
    expect((await documents.findOne({ _id: 'b' }))?.at).toEqual(new Date(Date.UTC(2026, 1, 1)));
  });
}

function orderTests({ items, current }: Subject): void {
  test('sorts by several fields, null and missing first', async () => {
    const documents = await items();
    await documents.insertMany([
      { _id: 'a', n: 2, text: 'x' },
      { _id: 'b', n: 1, text: 'x' },
      { _id: 'c', text: 'y' },
      { _id: 'd', n: null, text: 'x' },
    ]);
    const ids = async (sort: Parameters<ReturnType<typeof documents.find>['sort']>[0]) =>
      (await documents.find({}).sort(sort).toArray()).map((document) => document._id).join('');
    expect(await ids({ text: -1, n: 1 })).toBe('cdba');
    expect(await ids({ n: 1, _id: -1 })).toBe('dcba');
    expect(await ids({ n: -1, _id: 1 })).toBe('abcd');
  });

  test('texts are in the order of their bytes', async () => {
    const documents = await items();
    const texts = ['\u{1F600}', 'b', '\uFFFF', 'B', '', 'é', 'a b', 'a'];
    await documents.insertMany(texts.map((text, index) => ({ _id: String(index), text })));
    const sorted = (
      await documents
        .find({ text: { $gt: '' } })
        .sort({ text: 1 })
        .toArray()
    ).map(({ text }) => text);
    expect(sorted).toEqual(['B', 'a', 'a b', 'b', 'é', '\uFFFF', '\u{1F600}']);
    expect((await documents.findOne({ text: { $gt: '\uFFFF' } }))?._id).toBe('0');
  });

  test('pages with skip and limit', async () => {
    const documents = await items();
    await documents.insertMany(Array.from({ length: 10 }, (_, n) => ({ _id: String(n), n })));
    const page = await documents
      .find({ n: { $gte: 2 } })
      .sort({ n: -1 })
      .skip(3)
      .limit(2)
      .toArray();
    expect(page.map((document) => document.n)).toEqual([6, 5]);
    expect(await documents.find({}).sort({ n: 1 }).skip(20).limit(5).toArray()).toEqual([]);
    expect(await documents.countDocuments({ n: { $lt: 4 } })).toBe(4);
  });

  test('integer ids are integers and sort as such', async () => {
    const numbers = await current().store.collection<Numbered>('numbers');
    await numbers.insertMany([9, 10, -3].map((_id) => ({ _id, value: `v${_id}` })));
    await numbers.updateOne({ _id: 4 }, { $set: { value: 'new' } }, { upsert: true });
    const ids = (
      await numbers
        .find({ _id: { $gt: -5 } })
        .sort({ _id: -1 })
        .toArray()
    ).map(({ _id }) => _id);
    expect(ids).toEqual([10, 9, 4, -3]);
    expect(await numbers.find({ _id: { $in: [10, 11] } }).toArray()).toEqual([{ _id: 10, value: 'v10' }]);
  });
}

function shapeTests({ items }: Subject): void {
  test('projections include or exclude', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', n: 1, nested: { a: 1, b: 'x' }, parts: [{ id: 'p', size: 1 }] });
    const one = (projection: NonNullable<Parameters<typeof documents.findOne>[1]>['projection']) =>
      documents.findOne({ _id: 'a' }, { projection: projection ?? {} });
    expect(await one({ n: 1 })).toEqual({ _id: 'a', n: 1 });
    expect(await one({ _id: 0, 'nested.b': 1, 'parts.size': 1 })).toEqual({ nested: { b: 'x' }, parts: [{ size: 1 }] });
    expect(await one({ n: 0, 'nested.a': 0 })).toEqual({ _id: 'a', nested: { b: 'x' }, parts: [{ id: 'p', size: 1 }] });
    expect(await one({ _id: 1 })).toEqual({ _id: 'a' });
    expect(await one({})).toMatchObject({ _id: 'a', n: 1 });
  });

  test('documents come back as they were, whatever their text', async () => {
    const documents = await items();
    const text = 'quote \' " \\ back \u0000 nul \u2028 line 😀 pair ; DROP TABLE items --';
    const document: Item = { _id: text, text, n: -0.1e-10, nested: { b: text, list: [] }, parts: [] };
    await documents.insertOne(document);
    expect(await documents.findOne({ _id: text, text })).toEqual(document);
    const looksLikeDate = { $date: '2026-01-31T10:00:00.000Z' } as never;
    await documents.updateOne({ _id: text }, { $set: { nested: { b: looksLikeDate } } });
    expect((await documents.findOne({ _id: text }))?.nested).toEqual({ b: looksLikeDate });
  });
}
