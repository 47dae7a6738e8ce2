import { duplicateKeyIndexes, isDuplicateKey } from '../../src/errors';
import type { Index } from '../../src/port';
import { expectUsesIndex, explain } from '../explain';
import { type Item, rejection, type Subject } from './subject';

/** Unique, sparse and partial indexes, plans, and the state of the database. */
export function indexConformance(subject: Subject): void {
  describe('indexes', () => {
    uniqueTests(subject);
    declarationTests(subject);
    planTests(subject);
  });
}

export function uniqueTests({ items, current }: Subject): void {
  test('a unique index counts missing and null as one value', async () => {
    const documents = await items([{ key: { text: 1 }, name: 'text', unique: true }]);
    await documents.insertOne({ _id: 'a' });
    expect(isDuplicateKey(await rejection(documents.insertOne({ _id: 'b', text: null })))).toBe(true);
  });

  test('a unique index over two paths wants the pair to be unique', async () => {
    const documents = await items([{ key: { text: 1, n: -1 }, name: 'pair', unique: true }]);
    await documents.insertMany([
      { _id: 'a', text: 'x', n: 1 },
      { _id: 'b', text: 'x', n: 2 },
      { _id: 'c', text: 'x' },
    ]);
    const batch = [
      { _id: 'd', text: 'x', n: 2 },
      { _id: 'e', text: 'x' },
      { _id: 'f', text: 'y', n: 2 },
    ];
    const error = await rejection(documents.insertMany(batch, { ordered: false }));
    expect(duplicateKeyIndexes(error)).toEqual([0, 1]);
  });

  test('a sparse unique index leaves out documents without the field', async () => {
    const documents = await items([{ key: { text: 1 }, name: 'text', unique: true, sparse: true }]);
    await documents.insertMany([{ _id: 'a' }, { _id: 'b' }, { _id: 'c', text: 'x' }]);
    expect(isDuplicateKey(await rejection(documents.insertOne({ _id: 'd', text: 'x' })))).toBe(true);
    expect(await documents.countDocuments({ text: null })).toBe(2);
  });

  test('a partial unique index watches its documents only', async () => {
    const documents = await items([
      { key: { text: 1 }, name: 'open', unique: true, partialFilterExpression: { flag: true } },
    ]);
    await documents.insertMany([
      { _id: 'a', text: 'x' },
      { _id: 'b', text: 'x', flag: false },
    ]);
    await documents.insertOne({ _id: 'c', text: 'x', flag: true });
    expect(isDuplicateKey(await rejection(documents.insertOne({ _id: 'd', text: 'x', flag: true })))).toBe(true);
    const into = await rejection(documents.updateOne({ _id: 'a' }, { $set: { flag: true } }));
    expect(isDuplicateKey(into)).toBe(true);
    await documents.updateOne({ _id: 'c' }, { $set: { flag: false } });
    expect(await documents.updateOne({ _id: 'a' }, { $set: { flag: true } })).toMatchObject({ matchedCount: 1 });
  });

  test('an index made later holds for what is there already', async () => {
    const documents = await items();
    await documents.insertMany([
      { _id: 'a', text: 'x' },
      { _id: 'b', text: 'y' },
    ]);
    await items([{ key: { text: 1 }, name: 'text', unique: true }]);
    expect(isDuplicateKey(await rejection(documents.insertOne({ _id: 'c', text: 'x' })))).toBe(true);
  });

  test('a write can be flushed, and the store says so', async () => {
    expect(await current().store.check(5000)).toEqual({ ok: true });
  });
}

/** Each opens the database again, as the next version of a service does. */
function declarationTests({ items, current }: Subject): void {
  const next = async (indexes: readonly Index[]) => (await current().reopen()).collection<Item>('items', indexes);
  const pair = [
    { _id: 'a', text: 'x', n: 1 },
    { _id: 'b', text: 'x', n: 1 },
  ];

  test.each<[string, Index, Index]>([
    ['keys', { key: { text: 1 }, name: 'i', unique: true }, { key: { n: 1 }, name: 'i' }],
    ['uniqueness', { key: { text: 1 }, name: 'i', unique: true }, { key: { text: 1 }, name: 'i' }],
    [
      'filter',
      { key: { text: 1 }, name: 'i', unique: true },
      { key: { text: 1 }, name: 'i', unique: true, partialFilterExpression: { flag: true } },
    ],
  ])('an index whose %s changes is rebuilt', async (_, before, after) => {
    await (await items([before])).insertOne({ _id: 'z', text: 'z', n: 9 });
    const documents = await next([after]);
    await documents.insertMany(pair);
    expect(await documents.countDocuments({ text: 'x' })).toBe(2);
  });

  test('an index that is declared no more is dropped, and other calls add to what one store declares', async () => {
    const other: Index = { key: { n: 1 }, name: 'n', unique: true };
    await (await items([{ key: { text: 1 }, name: 'text' }, other])).insertOne({ _id: 'z', n: 9 });
    const store = await current().reopen();
    await store.collection<Item>('items', [other]);
    const documents = await store.collection<Item>('items', [{ key: { flag: 1 }, name: 'flag' }]);
    expect((await explain(store, documents, { text: 'x' }, {})).usesIndex).toBe(false);
    await documents.insertMany(pair.map((item, n) => ({ ...item, n })));
    expect(isDuplicateKey(await rejection(documents.insertOne({ _id: 'c', n: 1 })))).toBe(true);
  });

  test('a unique index that is declared no more stays where an instance of another version may rely on it', async () => {
    await items([{ key: { text: 1 }, name: 'text', unique: true }]);
    const documents = await next([{ key: { flag: 1 }, name: 'flag' }]);
    await documents.insertOne({ _id: 'a', text: 'x' });
    const second = documents.insertOne({ _id: 'b', text: 'x' }).then(() => undefined, isDuplicateKey);
    expect(await second).toBe(current().shared ? true : undefined);
  });

  test('a collection that is opened without a declaration keeps its indexes', async () => {
    await items([{ key: { text: 1 }, name: 'text', unique: true }]);
    const documents = await next([]);
    await documents.insertOne({ _id: 'a', text: 'x' });
    expect(isDuplicateKey(await rejection(documents.insertOne({ _id: 'b', text: 'x' })))).toBe(true);
  });
}

function planTests({ items, current }: Subject): void {
  const indexes = [
    { key: { text: 1, n: -1 }, name: 'text_n' },
    { key: { 'nested.a': 1 }, name: 'nested', partialFilterExpression: { flag: true } },
    { key: { flag: 1, _id: 1 }, name: 'flag', sparse: false },
  ] as const;

  test('queries that an index serves are explained so', async () => {
    const documents = await items(indexes);
    await documents.insertMany(
      Array.from({ length: 50 }, (_, n) => ({ _id: `k${n}`, text: `t${n % 5}`, n, flag: n % 2 === 0 })),
    );
    const { store } = current();
    await expectUsesIndex(store, documents, { text: 't1' }, { n: -1 });
    await expectUsesIndex(store, documents, { text: { $in: ['t1', 't2'] }, n: { $gt: 3 } });
    await expectUsesIndex(store, documents, { _id: { $in: ['k1', 'k2'] } });
    await expectUsesIndex(store, documents, { 'nested.a': { $lt: 5 }, flag: true });
    await expectUsesIndex(store, documents, {}, { flag: 1, _id: 1 });
  });

  test('queries that none serves are explained so', async () => {
    const documents = await items(indexes);
    await documents.insertMany(Array.from({ length: 50 }, (_, n) => ({ _id: `k${n}`, text: `t${n % 5}`, n })));
    const { store } = current();
    const plans = [
      await explain(store, documents, { n: 3 }),
      await explain(store, documents, { 'nested.a': { $lt: 5 } }),
      await explain(store, documents, { 'nested.b': 'x' }, { n: 1 }),
    ];
    expect(plans.map((plan) => plan.usesIndex)).toEqual([false, false, false]);
  });
}
