import { randomUUID } from 'node:crypto';
import type { IndexDescription, Store } from '@order-automation/store';
import { nameKey, type Role } from '../auth/identity';
import { orTaken, renamed } from './taken-names';

export type UserDocument = {
  readonly _id: string;
  readonly name: string;
  readonly name_key: string;
  readonly email: string | null;
  readonly role: Role;
  /** A disabled user keeps everything and may do nothing. */
  readonly disabled: boolean;
  /** argon2id, in its own text form. */
  readonly password_hash: string;
  /** Milliseconds since the epoch; tokens that were issued before are no longer valid. */
  readonly password_changed_at: number;
  readonly created_at: string;
};

export type NewUser = Omit<UserDocument, '_id' | 'name_key'>;

const indexes: readonly IndexDescription[] = [
  { name: 'by_name', key: { name_key: 1 }, unique: true },
  { name: 'by_role', key: { role: 1, disabled: 1 } },
];

export type Users = Awaited<ReturnType<typeof openUsers>>;

export async function openUsers(store: Store) {
  const documents = await store.collection<UserDocument>('users', indexes);
  return {
    find: (id: string) => documents.findOne({ _id: id }),
    /** By a name in any case and composition. */
    findByName: (name: string) => documents.findOne({ name_key: nameKey(name) }),
    any: async () => (await documents.find({}).limit(1).toArray()).length > 0,
    /** By name, pages counted from 1, and how many there are in all. */
    page: async (page: number, limit: number) => ({
      users: await documents.find({}, { sort: { name_key: 1 }, skip: (page - 1) * limit, limit }).toArray(),
      total: await documents.countDocuments({}),
    }),
    /** Null when the name is taken: of two instances that add the same user, one adds it. */
    add: async (user: NewUser): Promise<UserDocument | null> => {
      const document = { _id: randomUUID(), name_key: nameKey(user.name), ...user };
      return (await orTaken(documents.insertOne(document).then(() => document))) ?? null;
    },
    /** Whether the user was there to be changed, and the new name free. */
    change: (id: string, changes: Partial<Omit<UserDocument, '_id' | 'name_key' | 'created_at'>>) => {
      const $set = { ...changes, ...(changes.name !== undefined && { name_key: nameKey(changes.name) }) };
      return renamed(documents.updateOne({ _id: id }, { $set }));
    },
    remove: async (id: string) => (await documents.deleteMany({ _id: id })).deletedCount > 0,
    restore: (user: UserDocument) => orTaken(documents.insertOne(user)),
    /** How many administrators are not disabled. */
    administrators: () => documents.countDocuments({ role: 'administrator', disabled: false }),
  };
}
