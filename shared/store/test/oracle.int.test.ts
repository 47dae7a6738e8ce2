import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import fc from 'fast-check';
import { Query } from 'mingo';
import { MongoClient } from 'mongodb';
import { mongoStore } from '../src/mongo';
import type { Documents, Filter, IndexDescription, Store, Update } from '../src/port';
import { encode } from '../src/sqlite/codec';
import { compileFilter } from '../src/sqlite/match';
import { sqliteStore } from '../src/sqlite/store';
import { applyUpdate, stepsOf } from '../src/sqlite/update';
import { type AnyDocument, type AnyFilter, documents, filters } from './arbitrary-queries';
import { inDirectory } from './directory';

const indexes: readonly IndexDescription[] = [
  { key: { indexed: 1, _id: 1 }, name: 'indexed' },
  { key: { 'deep.indexed': -1 }, name: 'deep', sparse: true },
  { key: { indexed: -1 }, name: 'some', partialFilterExpression: { indexed: { $gt: 0 } } },
];

const cases = fc.tuple(documents, fc.array(filters, { minLength: 1, maxLength: 6 }));

/** What mingo finds; where it differs from MongoDB is written in arbitrary-queries.ts. */
function expected(stored: readonly AnyDocument[], filter: AnyFilter): string {
  const query = new Query(filter);
  return stored.flatMap((document) => (query.test(document) ? [document._id] : [])).join('');
}

async function found(collection: Documents<AnyDocument>, filter: AnyFilter): Promise<string> {
  const hits = await collection
    .find(filter as Filter<AnyDocument>)
    .sort({ _id: 1 })
    .toArray();
  return hits.map((document) => document._id).join('');
}

async function compare(store: Store, keys: readonly IndexDescription[], runs: number): Promise<void> {
  const collection = await store.collection<AnyDocument>('oracle', keys);
  const property = fc.asyncProperty(cases, async ([stored, asked]) => {
    await collection.deleteMany({});
    await collection.insertMany(stored);
    for (const filter of asked)
      expect([filter, await found(collection, filter)]).toEqual([filter, expected(stored, filter)]);
  });
  await fc.assert(property, { numRuns: runs });
}

test('the predicate over one document agrees with mingo', () => {
  const property = fc.property(cases, ([stored, asked]) => {
    for (const filter of asked) {
      const matches = compileFilter(filter);
      const ids = stored.flatMap((document) => (matches(document) ? [document._id] : [])).join('');
      expect([filter, ids]).toEqual([filter, expected(stored, filter)]);
    }
  });
  fc.assert(property, { numRuns: 3000 });
});

test('SQLite finds what mingo finds', async () => {
  await inDirectory(async (directory) => {
    const store = await sqliteStore({ file: join(directory, 'oracle.db'), thread: 'inline' });
    await compare(store, indexes, 600);
    await store.close();
  });
}, 120_000);

const fields = fc.record(
  {
    other: fc.oneof(fc.constantFrom(1, 'a', null, true, new Date(0), [], {}), fc.jsonValue({ maxDepth: 2 })),
    'plain-name': fc.string({ unit: 'binary', maxLength: 5 }),
    indexed: fc.constantFrom(1, 'a', null),
  },
  { requiredKeys: [], noNullPrototype: true },
);

const names = fc.uniqueArray(fc.constantFrom('other', 'plain-name', 'indexed'));

test('SQLite sets and unsets fields in place as the update applied to each document would', async () => {
  await inDirectory(async (directory) => {
    const store = await sqliteStore({ file: join(directory, 'oracle.db'), thread: 'inline' });
    const collection = await store.collection<AnyDocument>('oracle', indexes);
    const property = fc.asyncProperty(documents, fields, names, filters, async (stored, set, named, filter) => {
      const gone = named.filter((name) => !Object.hasOwn(set, name)).map((name) => [name, '']);
      const update = { $set: set, ...(gone.length > 0 ? { $unset: Object.fromEntries(gone) } : {}) };
      await collection.deleteMany({});
      await collection.insertMany(stored);
      const matches = compileFilter(filter);
      const after = structuredClone(stored);
      for (const document of after) if (matches(document)) applyUpdate(document, stepsOf(update), false);
      const changed = after.filter((document, index) => encode(document) !== encode(stored[index])).length;
      const result = await collection.updateMany(filter as Filter<AnyDocument>, update as Update<AnyDocument>);
      expect(result).toMatchObject({ matchedCount: stored.filter(matches).length, modifiedCount: changed });
      const written = (await collection.find({}).sort({ _id: 1 }).toArray()).map((document) => encode(document));
      expect(written).toEqual(after.map((document) => encode(document)));
    });
    await fc.assert(property, { numRuns: 400 });
    await store.close();
  });
}, 60_000);

/** SecantusDB 0.7, which may stand in for MongoDB here, finds nothing at or above the empty text through a descending index. */
const ascending = indexes.map((index) =>
  index.name === 'deep' ? { ...index, key: { 'deep.indexed': 1 as const } } : index,
);

const uri = process.env.MONGODB_URI;
const onMongo = uri === undefined ? test.skip : test;
onMongo(
  'MongoDB finds what mingo finds',
  async () => {
    const server = String(uri);
    const database = `store_test_${randomBytes(6).toString('hex')}`;
    const store = await mongoStore({ uri: server, database, timeoutMS: 20_000 });
    try {
      await compare(store, ascending, 40);
    } finally {
      await store.close();
      const client = await MongoClient.connect(server);
      await client.db(database).dropDatabase();
      await client.close();
    }
  },
  120_000,
);
