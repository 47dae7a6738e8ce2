import { randomBytes } from 'node:crypto';
import { MongoClient } from 'mongodb';
import { type StoreFactory, storeConformance } from '../src/conformance';
import { mongoStore } from '../src/mongo';

const uri = process.env.MONGODB_URI;

function factory(server: string): StoreFactory {
  return async () => {
    const database = `store_test_${randomBytes(6).toString('hex')}`;
    const open = () => mongoStore({ uri: server, database, timeoutMS: 20_000 });
    let store = await open();
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await open();
        return store;
      },
      dispose: async () => {
        await store.close();
        const client = await MongoClient.connect(server);
        await client.db(database).dropDatabase();
        await client.close();
      },
    };
  };
}

if (uri === undefined) test.skip('MongoDB: MONGODB_URI is not set', () => undefined);
else storeConformance('MongoDB', factory(uri));
