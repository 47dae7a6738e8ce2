import { databaseName } from '@order-automation/service/run';
import { type Collection, type Filter, MongoClient, MongoServerError } from 'mongodb';
import type { Compared } from './compare';
import type { StoredDocument } from './source';

/** Beside the version of a store: services refuse to start until it says `done` (shared/service, `checkStoreVersion`). */
const markId = 'migration';
/** `compared`: all documents of the service are there and equal those of the folder. */
export type Moved = { readonly state: 'copying' | 'compared' | 'done'; readonly collections: readonly Compared[] };
type Mark = Moved & { readonly _id: typeof markId; readonly migration: string };

export type TargetCollection = {
  /** Undefined when it is empty. */
  lastId(): Promise<string | number | undefined>;
  count(): Promise<number>;
  /** In the order of their `_id`, flushed to a majority. False when one of them is there already. */
  insert(documents: readonly StoredDocument[]): Promise<boolean>;
  walk(): AsyncIterable<StoredDocument>;
};

export type Target = Awaited<ReturnType<typeof openTarget>>;

const duplicateKey = 11000;

/** The databases of the distributed mode. Rejects when no primary answers. */
export async function openTarget(uri: string, namespace: string) {
  const client = new MongoClient(uri, {
    appName: 'order-automation-migrate',
    serverSelectionTimeoutMS: 10_000,
    readPreference: 'primary',
    readConcern: { level: 'majority' },
    writeConcern: { w: 'majority', journal: true },
    ignoreUndefined: false,
  });
  await client.connect().catch((cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`MongoDB does not answer at ${hostsOf(uri)} (${reason}). Nothing was written.`, { cause });
  });
  const db = (service: string) => client.db(databaseName(namespace, service));
  const marks = (service: string) => db(service).collection<Mark>(marked);
  const readMark = (service: string) => marks(service).findOne({ _id: markId });
  return {
    /** Hosts and namespace. */
    name: `${hostsOf(uri)}, databases ${namespace}_*`,
    collection: (service: string, name: string) => targetCollection(db(service).collection<StoredDocument>(name)),
    /** What the databases of these services hold that is of no migration, or of another one: `database.collection`. */
    foreign: async (services: readonly string[], migration: string | undefined): Promise<string[]> => {
      const found: string[] = [];
      for (const service of services) {
        const mark = await readMark(service);
        if (mark && mark.migration === migration) continue;
        for (const { name } of await db(service).listCollections({}, { nameOnly: true }).toArray())
          if (name !== '_check' && !name.startsWith('system.') && (await db(service).collection(name).findOne()))
            found.push(`${databaseName(namespace, service)}.${name}`);
      }
      return found;
    },
    mark: async (service: string, migration: string, moved: Moved): Promise<void> => {
      await marks(service).updateOne({ _id: markId }, { $set: { migration, ...moved } }, { upsert: true });
    },
    /** How far the service is moved; undefined where it was not begun. */
    moved: async (service: string): Promise<Moved | undefined> => (await readMark(service)) ?? undefined,
    close: () => client.close(),
  };
}

/** Where our own mark stands, which is not of the data. */
const marked = 'store_version';
/** Documents that one query walks over and, as far as they fit, one answer brings: no cursor stays open for as long as a large log takes. */
const walkPage = 1_000;

function targetCollection(documents: Collection<StoredDocument>): TargetCollection {
  const data = documents.collectionName === marked ? { _id: { $ne: markId } } : {};
  return {
    lastId: async () => {
      const [last] = await documents.find(data, { projection: { _id: 1 }, sort: { _id: -1 }, limit: 1 }).toArray();
      return last?._id;
    },
    count: () => documents.countDocuments(data),
    insert: async (page) => {
      try {
        await documents.insertMany([...page]);
        return true;
      } catch (error) {
        if (error instanceof MongoServerError && error.code === duplicateKey) return false;
        throw error;
      }
    },
    walk: () => walk(documents, data),
  };
}

async function* walk(documents: Collection<StoredDocument>, data: Filter<StoredDocument>) {
  let last: string | number | undefined;
  for (let walked = walkPage; walked === walkPage; ) {
    walked = 0;
    const rest = last === undefined ? data : { $and: [data, { _id: { $gt: last } }] };
    for await (const document of documents.find(rest, { batchSize: walkPage }).sort({ _id: 1 }).limit(walkPage)) {
      yield document;
      last = document._id;
      walked += 1;
    }
  }
}

/** Of a connection string, without credentials and options. */
const hostsOf = (uri: string): string => uri.replace(/^[^/]*\/\/([^/]*@)?/, '').split(/[/?]/)[0] ?? '';
