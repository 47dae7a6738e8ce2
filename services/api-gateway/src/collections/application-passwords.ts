import type { Filter, IndexDescription, Store } from '@order-automation/store';
import type { Scope } from '../auth/identity';
import { isInserted } from './taken-names';

export type ApplicationPasswordDocument = {
  readonly _id: string;
  readonly user_id: string;
  readonly name: string;
  /** Keyed hash of the password without spaces. */
  readonly hash: string;
  readonly last4: string;
  readonly scope: Scope;
  readonly created_at: string;
  readonly last_used_at: string | null;
  /** Comes from ADMIN_APPLICATION_PASSWORD and follows it. */
  readonly provisioned: boolean;
};

export const applicationPasswordIndexes: readonly IndexDescription[] = [
  { name: 'by_hash', key: { hash: 1 }, unique: true },
  { name: 'by_user', key: { user_id: 1, created_at: 1 } },
];

/** Every filter on this collection, for the code below and for the test that proves each walks an index. */
export const applicationPasswordQueries = {
  byHash: (hashes: readonly string[]): Filter<ApplicationPasswordDocument> => ({ hash: { $in: hashes } }),
  ofUser: (userId: string): Filter<ApplicationPasswordDocument> => ({ user_id: userId }),
  one: (id: string, userId: string): Filter<ApplicationPasswordDocument> => ({ _id: id, user_id: userId }),
};

/** More than these would be a mistake of a script. */
export const maxApplicationPasswords = 100;

export type ApplicationPasswords = Awaited<ReturnType<typeof openApplicationPasswords>>;

export async function openApplicationPasswords(store: Store) {
  const documents = await store.collection<ApplicationPasswordDocument>(
    'application_passwords',
    applicationPasswordIndexes,
  );
  const { byHash, ofUser, one } = applicationPasswordQueries;
  return {
    findByHash: (hashes: readonly string[]) => documents.findOne(byHash(hashes)),
    /** Oldest first. */
    ofUser: (userId: string) =>
      documents.find(ofUser(userId)).sort({ created_at: 1 }).limit(maxApplicationPasswords).toArray(),
    /** False when the same password is there already. */
    add: (document: ApplicationPasswordDocument) => isInserted(documents.insertOne(document)),
    used: (id: string, at: string) => documents.updateOne({ _id: id }, { $set: { last_used_at: at } }),
    removeAll: (userId: string) => documents.deleteMany(ofUser(userId)),
    /** False when this user has no such password. */
    remove: async (id: string, userId: string) => (await documents.deleteMany(one(id, userId))).deletedCount > 0,
  };
}
