import { type Documents, isDuplicateKey, type Store } from '@order-automation/store';
import { type Role, userId } from '../auth/identity';

export type UserDocument = {
  /** The name as `userId` folds it. */
  readonly _id: string;
  readonly name: string;
  readonly role: Role;
  /** argon2id, in its own text form. */
  readonly password_hash: string;
  readonly created_at: string;
};

export type Users = {
  find(id: string): Promise<UserDocument | null>;
  /** Whether there is any user at all. */
  any(): Promise<boolean>;
  /** False when the name is taken: of two instances that add the same user, one adds it. */
  add(user: Omit<UserDocument, '_id'>): Promise<boolean>;
};

export async function openUsers(store: Store): Promise<Users> {
  const documents: Documents<UserDocument> = await store.collection<UserDocument>('users');
  return {
    find: (id) => documents.findOne({ _id: id }),
    any: async () => (await documents.find({}).limit(1).toArray()).length > 0,
    add: async (user) => {
      try {
        await documents.insertOne({ _id: userId(user.name), ...user });
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
  };
}
