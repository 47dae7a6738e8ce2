import { insertNew, type Store } from '@order-automation/store';

/** A page or an article of the shop's site. */
export type PostDocument = {
  readonly _id: number;
  readonly title: string;
  readonly type: string;
  readonly status: string;
};

/** Posts that a search looks through. */
const mostPosts = 10_000;

export type Posts = Awaited<ReturnType<typeof openPosts>>;

export async function openPosts(store: Store) {
  const documents = await store.collection<PostDocument>('posts', []);
  return {
    documents,
    all: () => documents.find({}).sort({ _id: 1 }).limit(mostPosts).toArray(),
    /** Those that exist are left as they are. */
    insertNew: async (posts: readonly PostDocument[]): Promise<void> => {
      await insertNew(documents, posts);
    },
  };
}
