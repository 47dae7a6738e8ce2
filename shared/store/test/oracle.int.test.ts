import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { Query } from 'mingo';
import { MongoClient } from 'mongodb';
import { mongoStore } from '../src/mongo';
import type { Documents, Filter, IndexDescription, Store } from '../src/port';
import { compileFilter } from '../src/sqlite/match';
import { sqliteStore } from '../src/sqlite/store';
import { type AnyDocument, type AnyFilter, documents, filters } from './arbitrary-queries';

const indexes: readonly IndexDescription[] = [
  { key: { indexed: 1, _id: 1 }, name: 'indexed' },
  { key: { 'deep.indexed': -1 }, name: 'deep', sparse: true },
  { key: { indexed: -1 }, name: 'some', partialFilterExpression: { indexed: { $gt: 0 } } },
];

const cases = fc.tuple(documents, fc.array(filters, { minLength: 1, maxLength: 6 }));

/** mingo finds what MongoDB finds, with the exceptions of `differs`. */
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

async function compare(store: Store, runs: number): Promise<void> {
  const collection = await store.collection<AnyDocument>('oracle', indexes);
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
  const directory = await mkdtemp(join(tmpdir(), 'store-'));
  const store = await sqliteStore({ file: join(directory, 'oracle.db'), thread: 'inline' });
  try {
    await compare(store, 600);
  } finally {
    await store.close();
    await rm(directory, { recursive: true });
  }
}, 120_000);

const uri = process.env.MONGODB_URI;
const onMongo = uri === undefined ? test.skip : test;
onMongo(
  'MongoDB finds what mingo finds',
  async () => {
    const server = String(uri);
    const database = `store_test_${randomBytes(6).toString('hex')}`;
    const store = await mongoStore({ uri: server, database, timeoutMS: 20_000 });
    try {
      await compare(store, 40);
    } finally {
      await store.close();
      const client = await MongoClient.connect(server);
      await client.db(database).dropDatabase();
      await client.close();
    }
  },
  120_000,
);
