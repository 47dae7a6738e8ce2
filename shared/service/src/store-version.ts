import { isDuplicateKey, type Store } from '@order-automation/store';
import { ConfigError } from './config';

/**
 * The version of what services store. Raised by a change that an older version of this product would misread, together with what brings data of
 * the version before to it; a further optional field is none.
 */
export const storeVersion = 1;

type VersionDocument = { readonly _id: 'store'; readonly version: number };

/** The variable that says where the data is, with an example for the message. */
const places = {
  DATA_DIR: '/var/lib/order-automation',
  MONGODB_URI: 'mongodb://127.0.0.1:27017/?replicaSet=rs0',
} as const;

/** Refuses data that a newer version has written. Throws ConfigError; rejects when the store is unavailable. */
export async function checkStoreVersion(store: Store, service: string, place: keyof typeof places): Promise<void> {
  const documents = await store.collection<VersionDocument>('store_version');
  const known = await documents.findOne({ _id: 'store' });
  if (!known) {
    await documents.insertOne({ _id: 'store', version: storeVersion }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
    return;
  }
  if (known.version <= storeVersion) return;
  const problem = `holds data of a newer version of this product (${service}: ${known.version}, this version reads ${storeVersion}). Start the newer version, or restore the backup from before the upgrade`;
  throw new ConfigError([{ variable: place, problem, example: places[place] }]);
}
