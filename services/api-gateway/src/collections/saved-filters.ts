import type { AuditFilters } from '@order-automation/contracts';
import type { Filter, IndexDescription, Store } from '@order-automation/store';
import { nameKey } from '../auth/identity';
import { isInserted, renamed } from './taken-names';

export type SavedFilterDocument = {
  readonly _id: string;
  readonly user_id: string;
  /** Name of that user at the time, for the others who see a shared filter. */
  readonly owner: string;
  readonly name: string;
  /** The name in small letters: one user has each once. */
  readonly name_key: string;
  readonly shared: boolean;
  readonly filter: Partial<AuditFilters>;
  readonly view?: { readonly page: 'orders' | 'events'; readonly query: Readonly<Record<string, string>> };
  readonly created_at: string;
  readonly updated_at: string;
};

export type SavedFilterChanges = Partial<Pick<SavedFilterDocument, 'name' | 'shared' | 'filter' | 'view'>> &
  Pick<SavedFilterDocument, 'updated_at'>;

const indexes: readonly IndexDescription[] = [
  { name: 'by_user', key: { user_id: 1, name_key: 1 }, unique: true },
  { name: 'by_shared', key: { shared: 1, name_key: 1 } },
];

/** Of one user, and shared ones of all users together. */
export const maxSavedFilters = 100;

export async function openSavedFilters(store: Store) {
  const documents = await store.collection<SavedFilterDocument>('saved_filters', indexes);
  const listed = (filter: Filter<SavedFilterDocument>) =>
    documents.find(filter).sort({ name_key: 1 }).limit(maxSavedFilters).toArray();
  return {
    find: (id: string) => documents.findOne({ _id: id }),
    /** Those of a user and the shared ones of others, each by name. */
    visibleTo: async (userId: string) => {
      const [own, others] = await Promise.all([listed({ user_id: userId }), listed({ shared: true })]);
      return [...own, ...others.filter(({ user_id }) => user_id !== userId)];
    },
    countOf: (userId: string) => documents.countDocuments({ user_id: userId }),
    countShared: () => documents.countDocuments({ shared: true }),
    /** False when the user has a filter of this name. */
    add: (document: Omit<SavedFilterDocument, 'name_key'>) =>
      isInserted(documents.insertOne({ ...document, name_key: nameKey(document.name) })),
    change: (id: string, changes: SavedFilterChanges) => {
      const $set = { ...changes, ...(changes.name !== undefined && { name_key: nameKey(changes.name) }) };
      return renamed(documents.updateOne({ _id: id }, { $set }));
    },
    remove: async (id: string) => (await documents.deleteMany({ _id: id })).deletedCount > 0,
    /** Deletes what nobody else sees. */
    removePrivate: async (userId: string) => {
      const own = (await listed({ user_id: userId })).filter((saved) => !saved.shared);
      await documents.deleteMany({ _id: { $in: own.map(({ _id }) => _id) } });
    },
  };
}
