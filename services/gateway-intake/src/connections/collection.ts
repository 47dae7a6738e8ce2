import { type Filter, insertNew, type Sort, type Store } from '@order-automation/store';
import type { AuthMethod, FieldPaths } from '../gateways/connection';
import type { StoredReading } from './reading';
import type { StoredSecret } from './secret-set';

/** A sender of the generic gateway. `_id` is its name; secrets are encrypted, newest first. */
export type ConnectionDocument = StoredReading & {
  readonly _id: string;
  readonly id: string;
  readonly enabled: boolean;
  readonly auth_method: AuthMethod;
  readonly hmac_header: string;
  readonly encoding: 'hex' | 'base64';
  readonly prefix: string;
  readonly paths: FieldPaths;
  /** Absent: `major`. */
  readonly amount_unit?: 'major' | 'minor';
  readonly secrets: readonly StoredSecret[];
  readonly created_at: string;
  readonly updated_at: string;
  /** Counts changes: an update names the one it was made from. */
  readonly version: number;
};

type Query = { readonly filter: Filter<ConnectionDocument>; readonly sort?: Sort<ConnectionDocument> };

/** Every query of the collection. */
export const connectionQueries = {
  all: (): Query => ({ filter: {}, sort: { _id: 1 } }),
  byName: (name: string): Query => ({ filter: { _id: name } }),
  unchanged: (name: string, version: number): Query => ({ filter: { _id: name, version } }),
} as const;

export type ConnectionCollection = Awaited<ReturnType<typeof openConnections>>;

/** Connections are few: an administrator makes each by hand. */
export const maxConnections = 1_000;

const existedMark = 'connection existed';

/** Opens the collection. */
export async function openConnections(store: Store) {
  const documents = await store.collection<ConnectionDocument>('connections');
  const marks = await store.collection<{ readonly _id: string; readonly at: number }>('marks');
  const markExisted = async (): Promise<void> => void (await insertNew(marks, [{ _id: existedMark, at: Date.now() }]));
  return {
    /** Whether any was ever made, whatever became of it. */
    hasExisted: async () => (await marks.findOne({ _id: existedMark })) !== null,
    markExisted,
    documents,
    all: () => documents.find(connectionQueries.all().filter).sort({ _id: 1 }).limit(maxConnections).toArray(),
    byName: (name: string) => documents.findOne(connectionQueries.byName(name).filter),
    insert: async (document: ConnectionDocument) => {
      await markExisted();
      await documents.insertOne(document);
    },
    /** False when it has changed since. */
    replace: async ({ _id, ...fields }: ConnectionDocument): Promise<boolean> => {
      const { filter } = connectionQueries.unchanged(_id, fields.version - 1);
      return (await documents.updateOne(filter, { $set: fields })).matchedCount === 1;
    },
    remove: async (name: string) =>
      (await documents.deleteMany(connectionQueries.byName(name).filter)).deletedCount === 1,
  };
}
