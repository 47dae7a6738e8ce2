import { retryOf, within } from '@order-automation/base';
import type { Db, MongoClientOptions } from 'mongodb';
import { late, UnsupportedQueryError } from '../errors';
import type {
  BulkOperation,
  Cursor,
  Document,
  Documents,
  Filter,
  Index,
  IndexDescription,
  Store,
  StoreStatus,
  Update,
} from '../port';
import { asStoreError } from './mongo-errors';
import { ensureIndexes } from './mongo-indexes';

type MongoServerOptions = {
  readonly uri: string;
  /** Milliseconds to look for a primary. Default 2,000. */
  readonly serverSelectionTimeoutMS?: number;
  /** Milliseconds after which an operation fails, whatever the server does. Default 2,500. */
  readonly timeoutMS?: number;
};

/** The databases of a server over one pool of connections. Closing a store of one does nothing; `close` closes all. */
export type MongoServer = { store(database: string): Store; close(): Promise<void> };

/** Milliseconds of silence after which a connection is closed: as long as building an index may take. */
const longestOperation = 300_000;

/** A store in one MongoDB database, as those of `mongoServer`, that closes its connections. */
export async function mongoStore(options: MongoServerOptions & { readonly database: string }): Promise<Store> {
  const server = await mongoServer(options);
  return { ...server.store(options.database), close: server.close };
}

/**
 * Stores in MongoDB databases; their collections are the driver's own with a time limit. Writes are acknowledged by a majority that has them in the journal,
 * reads are of the primary. Rejects with StoreUnavailableError when no primary answers within `serverSelectionTimeoutMS`; later outages end by themselves.
 */
export async function mongoServer(options: MongoServerOptions): Promise<MongoServer> {
  const { MongoClient } = await import('mongodb');
  const client = new MongoClient(options.uri, clientOptions(options));
  const timeout = options.serverSelectionTimeoutMS ?? 2000;
  try {
    await within(
      timeout + 250,
      client.connect().then(() => client.db().command({ ping: 1 })),
      late(timeout),
    );
  } catch (error) {
    await client.close().catch(() => undefined);
    throw asStoreError(error);
  }
  return { store: (database) => storeOf(client.db(database), options.timeoutMS ?? 2500), close: () => client.close() };
}

function clientOptions({ serverSelectionTimeoutMS = 2000, timeoutMS = 2500 }: MongoServerOptions): MongoClientOptions {
  return {
    appName: 'order-automation',
    maxPoolSize: 50,
    serverSelectionTimeoutMS,
    waitQueueTimeoutMS: timeoutMS,
    connectTimeoutMS: serverSelectionTimeoutMS,
    socketTimeoutMS: longestOperation,
    heartbeatFrequencyMS: 2000,
    retryReads: true,
    retryWrites: true,
    readPreference: 'primary',
    readConcern: { level: 'majority' },
    writeConcern: { w: 'majority', journal: true },
  };
}

function storeOf(db: Db, timeout: number): Store {
  const declared = new Map<string, readonly Index[]>();
  return {
    collection: async <T extends Document>(name: string, indexes: readonly Index[] = []) => {
      const collection = db.collection(name);
      if (indexes.length > 0) {
        const union = [
          ...new Map([...(declared.get(name) ?? []), ...indexes].map((each) => [each.name, each])).values(),
        ];
        declared.set(name, union);
        await ensureIndexes(collection, union.map(descriptionOf)).catch((error: unknown) => {
          throw asStoreError(error);
        });
      }
      return bounded(collection as unknown as Documents<T>, timeout);
    },
    check: (limit = 1000) => check(db, limit),
    scrub: async () => undefined,
    close: async () => undefined,
  };
}

/** A word index is an ordinary index, of many keys a document. */
const descriptionOf = (index: Index): IndexDescription =>
  'words' in index ? { name: index.name, key: { [index.words]: 1, _id: -1 } } : { ...index };

type Limit = { readonly maxTimeMS: number };
type Options = Limit & { readonly ordered?: boolean; readonly ignoreUndefined: true };
/** The calls of the driver with its options: a time limit for MongoDB itself, and those that write documents leave undefined fields out. */
type Driver<T extends Document> = {
  insertOne(document: T, options: Options): Promise<unknown>;
  insertMany(documents: readonly T[], options: Options): Promise<unknown>;
  updateOne(filter: Filter<T>, update: Update<T>, limit: Limit): Promise<{ matchedCount: number }>;
  updateMany(filter: Filter<T>, update: Update<T>, limit: Limit): Promise<{ matchedCount: number }>;
  bulkWrite(operations: readonly BulkOperation<T>[], options: Options): Promise<{ matchedCount: number }>;
  deleteMany(filter: Filter<T>, limit: Limit): Promise<{ deletedCount: number }>;
  countDocuments(filter: Filter<T>, limit: Limit): Promise<number>;
};

/** A condition that is left out would let every document through. */
function refuseUndefined<T extends Document>(operation: BulkOperation<T>): void {
  const { filter } = 'updateOne' in operation ? operation.updateOne : operation.replaceOne;
  if (Object.values<unknown>(filter).includes(undefined)) throw new UnsupportedQueryError('Undefined in a filter.');
}

/**
 * The driver's collection with an end to every call: its own `timeoutMS` has no effect in 7.8, and a call that is tried again may take
 * the sum of its time limits. MongoDB gives a call up after the same time; a write that timed out may still have happened.
 */
function bounded<T extends Document>(collection: Documents<T>, timeout: number): Documents<T> {
  const driver = collection as unknown as Driver<T>;
  const limit = { maxTimeMS: timeout };
  const writing = { ignoreUndefined: true, ...limit } as const;
  const end = <V>(work: Promise<V>): Promise<V> =>
    within(timeout, work, late(timeout)).catch((error: unknown) => {
      throw asStoreError(error);
    });
  return {
    collectionName: collection.collectionName,
    insertOne: (document) => end(driver.insertOne(document, writing)),
    insertMany: (documents, options) => end(driver.insertMany(documents, { ...options, ...writing })),
    findOne: (filter, options) => end(collection.findOne(filter, { ...options, ...limit })),
    find: (filter, options) => boundedCursor(collection.find(filter, { ...options, ...limit }), end),
    updateOne: (filter, update) => end(driver.updateOne(filter, update, limit)),
    updateMany: (filter, update) => end(driver.updateMany(filter, update, limit)),
    bulkWrite: async (operations, options) => {
      for (const operation of operations) refuseUndefined(operation);
      return end(driver.bulkWrite(operations, { ...options, ...writing }));
    },
    deleteMany: (filter) => end(driver.deleteMany(filter, limit)),
    countDocuments: (filter) => end(driver.countDocuments(filter, limit)),
  };
}

function boundedCursor<T>(cursor: Cursor<T>, end: <V>(work: Promise<V>) => Promise<V>): Cursor<T> {
  return {
    sort: (sort) => boundedCursor(cursor.sort(sort), end),
    skip: (count) => boundedCursor(cursor.skip(count), end),
    limit: (count) => boundedCursor(cursor.limit(count), end),
    toArray: () => end(cursor.toArray()),
  };
}

async function check(db: Db, timeout: number): Promise<StoreStatus> {
  try {
    const checks = db.collection<{ _id: number; token: number }>('_check');
    await within(timeout, checks.updateOne({ _id: 1 }, { $inc: { token: 1 } }, { upsert: true }), late(timeout));
    return { ok: true };
  } catch (error) {
    const isOutage = retryOf(asStoreError(error)) === 'later';
    return { ok: false, reason: isOutage ? 'MongoDB does not flush a write now.' : 'MongoDB refuses a write.' };
  }
}
