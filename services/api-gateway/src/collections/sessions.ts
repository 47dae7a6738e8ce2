import type { IndexDescription, Store } from '@order-automation/store';

export type SessionDocument = {
  /** Keyed hash of the token in the cookie: a reader of the database cannot log in with it. */
  readonly _id: string;
  readonly user_id: string;
  readonly created_at: string;
  readonly expires_at: string;
  /** Where the login came from, for its owner to recognise it. */
  readonly address: string;
  readonly user_agent: string | null;
};

const indexes: readonly IndexDescription[] = [
  { name: 'by_expiry', key: { expires_at: 1 } },
  { name: 'by_user', key: { user_id: 1, expires_at: 1 } },
];

/** More than these are listed nowhere. */
const maxListed = 200;

export type Sessions = Awaited<ReturnType<typeof openSessions>>;

export async function openSessions(store: Store) {
  const documents = await store.collection<SessionDocument>('sessions', indexes);
  return {
    add: (session: SessionDocument) => documents.insertOne(session),
    /** The session under any of these ids that has not expired at `now` (ISO 8601). */
    findLive: (ids: readonly string[], now: string) =>
      documents.findOne({ _id: { $in: ids }, expires_at: { $gt: now } }),
    /** Whether anybody has signed in, as far as sessions are kept. */
    any: async () => (await documents.find({}).limit(1).toArray()).length > 0,
    /** Those of a user that have not expired, newest first. */
    ofUser: (userId: string, now: string) =>
      documents
        .find({ user_id: userId, expires_at: { $gt: now } }, { sort: { expires_at: -1 }, limit: maxListed })
        .toArray(),
    /** False when this user has no such session. */
    remove: async (id: string, userId: string) =>
      (await documents.deleteMany({ _id: id, user_id: userId })).deletedCount > 0,
    /** Ends every session of a user but `kept`; resolves with how many. */
    removeAll: async (userId: string, kept?: string) => {
      const others = kept === undefined ? {} : { _id: { $ne: kept } };
      return (await documents.deleteMany({ user_id: userId, ...others })).deletedCount;
    },
    removeExpired: (now: string) => documents.deleteMany({ expires_at: { $lte: now } }),
  };
}
