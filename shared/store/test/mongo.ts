import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { mongoStore } from '../src/mongo/mongo';
import type { StoreUnderTest } from './conformance/subject';
import { explainable } from './explain';

/** An empty database of its own on this server. */
export async function mongoUnderTest(uri: string): Promise<StoreUnderTest> {
  const database = `store_test_${randomBytes(6).toString('hex')}`;
  const open = async () => explainable(await mongoStore({ uri, database, timeoutMS: 20_000 }), { uri, database });
  let store = await open();
  return {
    store,
    shared: true,
    reopen: async () => {
      await store.close();
      store = await open();
      return store;
    },
    dispose: async () => {
      await store.close();
      const client = await MongoClient.connect(uri);
      await client.db(database).dropDatabase();
      await client.close();
    },
  };
}
