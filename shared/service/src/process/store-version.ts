import { insertNew, type Store } from '@order-automation/store';
import { ConfigError } from './config';

/**
 * The version of what services store. Raised by a change that an older version of this product would misread, together with what brings data of
 * the version before to it; a further optional field is none. 2: outcomes of events (ambiguous, foreign, partial payments) that b457727 does not know, and
 * settings of references that it would not heed. 3: long documents of SQLite are compressed.
 */
export const storeVersion = 3;

type VersionDocument = {
  readonly _id: 'store' | 'migration';
  readonly version?: number;
  /** Of `migration`, which `npm run migrate` leaves: anything but `done` is a copy that is not complete. */
  readonly state?: string;
};

/** The variable that says where the data is, with an example for the message. */
const places = {
  DATA_DIR: '/var/lib/order-automation',
  MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
} as const;

/** Refuses data of a newer version, and a database whose migration is not complete. Throws ConfigError; rejects when the store is unavailable. */
export async function checkStoreVersion(store: Store, service: string, place: keyof typeof places): Promise<void> {
  const documents = await store.collection<VersionDocument>('store_version');
  const found = await documents.find({}).toArray();
  const state = found.find(({ _id }) => _id === 'migration')?.state ?? 'done';
  if (state !== 'done')
    throw refusal(
      place,
      `holds an incomplete copy of data of the embedded mode (${service}). Run npm run migrate -- --to-distributed again, which goes on where it was interrupted`,
    );
  const version = found.find(({ _id }) => _id === 'store')?.version;
  if (version === undefined) await insertNew(documents, [{ _id: 'store', version: storeVersion }]);
  else if (version < storeVersion) await documents.updateOne({ _id: 'store' }, { $max: { version: storeVersion } });
  if (version === undefined || version <= storeVersion) return;
  throw refusal(
    place,
    `holds data of a newer version of this product (${service}: ${version}, this version reads ${storeVersion}). Start the newer version, or restore the backup from before the upgrade`,
  );
}

const refusal = (place: keyof typeof places, problem: string): ConfigError =>
  new ConfigError([{ variable: place, problem, example: places[place] }]);
