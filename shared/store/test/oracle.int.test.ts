import { join } from 'node:path';
import { describeMongodb } from '@order-automation/testing';
import fc from 'fast-check';
import { Query, updateOne } from 'mingo';
import { UpdateRefusedError } from '../src/errors';
import type { Documents, Filter, IndexDescription, Store, Update } from '../src/port';
import { sqliteStore } from '../src/sqlite/store';
import {
  type AnyDocument,
  type AnyFilter,
  allows,
  documents,
  filters,
  oracleIndexes,
  updates,
} from './arbitrary-queries';
import { rejection } from './conformance/subject';
import { inDirectory } from './directory';
import { mongoUnderTest } from './mongo';

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

/** Characters from which on documents are compressed: all of them, or none. */
const compressFrom = [0, 100_000];

test.each(compressFrom)(
  'SQLite finds what mingo finds, in documents compressed from %i characters on',
  async (from) => {
    await inDirectory(async (directory) => {
      const store = await sqliteStore({ file: join(directory, 'oracle.db'), thread: 'inline', compressFrom: from });
      await compare(store, oracleIndexes, 600);
      await store.close();
    });
  },
  120_000,
);

test.each(compressFrom)(
  'SQLite updates as mingo does, documents compressed from %i characters on',
  async (from) => {
    await inDirectory(async (directory) => {
      const store = await sqliteStore({ file: join(directory, 'oracle.db'), thread: 'inline', compressFrom: from });
      const collection = await store.collection<AnyDocument>('oracle', oracleIndexes);
      const property = fc.asyncProperty(documents, filters, updates, async (stored, filter, update) => {
        await collection.deleteMany({});
        await collection.insertMany(stored);
        const after = structuredClone(stored);
        const query = new Query(filter);
        const found = after.filter((document) => query.test(document));
        const allowed = found.every((document) => allows(document, update));
        const write = collection.updateMany(filter as Filter<AnyDocument>, update as Update<AnyDocument>);
        if (!allowed) {
          expect(await rejection(write)).toBeInstanceOf(UpdateRefusedError);
          return;
        }
        for (const document of found) updateOne([document], {}, update as never);
        expect(await write).toEqual({ matchedCount: found.length });
        expect(await collection.find({}).sort({ _id: 1 }).toArray()).toEqual(after);
      });
      await fc.assert(property, { numRuns: 600 });
      await store.close();
    });
  },
  60_000,
);

/** SecantusDB 0.7, which may stand in for MongoDB here, finds nothing at or above the empty text through a descending index. */
const ascending = oracleIndexes.map((index) =>
  index.name === 'deep' ? { ...index, key: { 'deep.indexed': 1 as const } } : index,
);

describeMongodb('oracle', (uri) => {
  test('MongoDB finds what mingo finds', async () => {
    const { store, dispose } = await mongoUnderTest(uri);
    await compare(store, ascending, 40).finally(dispose);
  }, 120_000);
});
