import type { Documents, Filter } from '../../src/port';
import type { Item, Numbered, Subject } from './subject';

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
    expect(await idsOf(documents, { text: { $ne: 'x' } })).toBe('ab');
    expect(await idsOf(documents, { text: { $in: [] } })).toBe('');
  });

  test('an undefined field is left out, in a new document and in a replacement', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', text: undefined } as never);
    expect(await idsOf(documents, { text: { $exists: true } })).toBe('');
    const replacement = { nested: { a: undefined, b: 'x' }, text: undefined } as never;
    await documents.bulkWrite([{ replaceOne: { filter: { _id: 'a' }, replacement } }]);
    expect(await idsOf(documents, { 'nested.b': 'x', 'nested.a': { $exists: false }, text: { $exists: false } })).toBe(
      'a',
    );
  });

  test('a path leads through objects; $exists asks of arrays and objects too', async () => {
    const documents = await items();
    await documents.insertMany([
      { _id: 'a', nested: { a: 1, b: 'x' } },
      { _id: 'b', nested: null, parts: [] },
      { _id: 'c', text: 'nested' },
    ]);
    expect(await idsOf(documents, { 'nested.a': 1, 'nested.b': { $in: ['x', 'y'] } })).toBe('a');
    expect(await idsOf(documents, { 'nested.a': null })).toBe('bc');
    expect(await idsOf(documents, { nested: { $exists: true } })).toBe('ab');
    expect(await idsOf(documents, { parts: { $exists: true } })).toBe('b');
  });

  test('types are never mixed up', async () => {
    const documents = await items();
    await documents.insertMany([
      { _id: 'a', n: 1, text: '1', flag: true },
      { _id: 'b', n: 0, text: 'true', flag: false },
      { _id: 'c', text: '{"a":1}', nested: { a: 1 } },
    ]);
    const everything = [1, 0, '1', 'true', true, false, '{"a":1}'];
    const hits: Record<string, readonly (readonly [unknown, string])[]> = {
      n: [
        [1, 'a'],
        [0, 'b'],
      ],
      text: [
        ['1', 'a'],
        ['true', 'b'],
        ['{"a":1}', 'c'],
      ],
      flag: [
        [true, 'a'],
        [false, 'b'],
      ],
      nested: [],
    };
    for (const [path, found] of Object.entries(hits))
      for (const value of everything) {
        const expected = found.find(([held]) => held === value)?.[1] ?? '';
        expect([path, value, await idsOf(documents, { [path]: value } as Filter<Item>)]).toEqual([
          path,
          value,
          expected,
        ]);
        expect(await idsOf(documents, { [path]: { $in: [value] } } as Filter<Item>)).toBe(expected);
      }
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
    const above = documents.find({ text: { $gt: '' } }).sort({ text: 1 });
    const sorted = (await above.toArray()).map(({ text }) => text);
    expect(sorted).toEqual(['B', 'a', 'a b', 'b', 'é', '\uFFFF', '\u{1F600}']);
    expect((await documents.findOne({ text: { $gt: '\uFFFF' } }))?._id).toBe('0');
  });

  test('pages with skip and limit', async () => {
    const documents = await items();
    await documents.insertMany(Array.from({ length: 10 }, (_, n) => ({ _id: String(n), n })));
    const page = documents.find({ n: { $gte: 2 } }).sort({ n: -1 });
    expect((await page.skip(3).limit(2).toArray()).map((document) => document.n)).toEqual([6, 5]);
    expect(await documents.find({}).sort({ n: 1 }).skip(20).limit(5).toArray()).toEqual([]);
    const asOptions = documents.find({ n: { $gte: 2 } }, { sort: { n: -1 }, skip: 3, limit: 2, projection: { n: 1 } });
    expect(await asOptions.toArray()).toEqual([
      { _id: '6', n: 6 },
      { _id: '5', n: 5 },
    ]);
    expect((await documents.findOne({ n: { $lt: 8 } }, { sort: { n: -1 } }))?.n).toBe(7);
    expect(await documents.countDocuments({ n: { $lt: 4 } })).toBe(4);
  });

  test('integer ids are integers and sort as such', async () => {
    const numbers = await current().store.collection<Numbered>('numbers');
    await numbers.insertMany([9, 10, -3, 4].map((_id) => ({ _id, value: `v${_id}` })));
    const all = numbers.find({ _id: { $gt: -5 } }).sort({ _id: -1 });
    expect((await all.toArray()).map(({ _id }) => _id)).toEqual([10, 9, 4, -3]);
    expect(await numbers.find({ _id: { $in: [10, 11] } }).toArray()).toEqual([{ _id: 10, value: 'v10' }]);
  });
}

function shapeTests({ items }: Subject): void {
  test('projections name what is returned beside _id, or what is left out', async () => {
    const documents = await items();
    await documents.insertOne({ _id: 'a', n: 1, nested: { a: 1, b: 'x' }, parts: [{ id: 'p', size: 1 }] });
    const one = (projection: NonNullable<Parameters<typeof documents.findOne>[1]>['projection']) =>
      documents.findOne({ _id: 'a' }, { projection: projection ?? {} });
    expect(await one({ n: 1 })).toEqual({ _id: 'a', n: 1 });
    expect(await one({ nested: 1, parts: 1, text: 1 })).toEqual({
      _id: 'a',
      nested: { a: 1, b: 'x' },
      parts: [{ id: 'p', size: 1 }],
    });
    expect(await one({ _id: 1 })).toEqual({ _id: 'a' });
    expect(await one({ nested: 0, text: 0, parts: 0 })).toEqual({ _id: 'a', n: 1 });
  });

  test('documents come back as they were, whatever their text', async () => {
    const documents = await items();
    const text = 'quote \' " \\ back \u0000 nul \u2028 line 😀 pair ; DROP TABLE items --';
    const document: Item = { _id: text, text, n: -0.1e-10, nested: { b: text, list: [] }, parts: [], tags: [text] };
    await documents.insertOne(document);
    expect(await documents.findOne({ _id: text, text })).toEqual(document);
    await documents.updateOne({ _id: text }, { $set: { nested: { b: '{"$date":1}' } }, $unset: { tags: '' } });
    expect(await documents.findOne({ 'nested.b': '{"$date":1}' })).toMatchObject({
      text,
      nested: { b: '{"$date":1}' },
    });
    await documents.insertOne({ _id: 'half', text: 'a\ud83db' });
    expect(await documents.findOne({ _id: 'half' })).toEqual({ _id: 'half', text: 'a\ufffdb' });
  });
}
