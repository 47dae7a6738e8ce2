import type { IndexDescription, Store } from '@order-automation/store';
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

const indexes: readonly IndexDescription[] = [
  { name: 'by_hash', key: { hash: 1 }, unique: true },
  { name: 'by_user', key: { user_id: 1, created_at: 1 } },
];

/** More than these would be a mistake of a script. */
export const maxApplicationPasswords = 100;

export type ApplicationPasswords = Awaited<ReturnType<typeof openApplicationPasswords>>;

export async function openApplicationPasswords(store: Store) {
  const documents = await store.collection<ApplicationPasswordDocument>('application_passwords', indexes);
  return {
    findByHash: (hashes: readonly string[]) => documents.findOne({ hash: { $in: hashes } }),
    /** Oldest first. */
    ofUser: (userId: string) =>
      documents.find({ user_id: userId }).sort({ created_at: 1 }).limit(maxApplicationPasswords).toArray(),
    /** False when the same password is there already. */
    add: (document: ApplicationPasswordDocument) => isInserted(documents.insertOne(document)),
    used: (id: string, at: string) => documents.updateOne({ _id: id }, { $set: { last_used_at: at } }),
    removeAll: (userId: string) => documents.deleteMany({ user_id: userId }),
    /** False when this user has no such password. */
    remove: async (id: string, userId: string) =>
      (await documents.deleteMany({ _id: id, user_id: userId })).deletedCount > 0,
  };
}
