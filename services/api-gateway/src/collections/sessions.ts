import type { Filter, IndexDescription, Store } from '@order-automation/store';

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

export const sessionIndexes: readonly IndexDescription[] = [
  { name: 'by_expiry', key: { expires_at: 1 } },
  { name: 'by_user', key: { user_id: 1, expires_at: 1 } },
];

export const sessionQueries = {
  live: (ids: readonly string[], now: string): Filter<SessionDocument> => ({
    _id: { $in: ids },
    expires_at: { $gt: now },
  }),
  liveOfUser: (userId: string, now: string): Filter<SessionDocument> => ({ user_id: userId, expires_at: { $gt: now } }),
  one: (id: string, userId: string): Filter<SessionDocument> => ({ _id: id, user_id: userId }),
  ofUser: (userId: string): Filter<SessionDocument> => ({ user_id: userId }),
  othersOfUser: (userId: string, kept: string): Filter<SessionDocument> => ({ user_id: userId, _id: { $ne: kept } }),
  expired: (now: string): Filter<SessionDocument> => ({ expires_at: { $lte: now } }),
};

/** More than these are listed nowhere. */
const maxListed = 200;

export type Sessions = Awaited<ReturnType<typeof openSessions>>;

export async function openSessions(store: Store) {
  const documents = await store.collection<SessionDocument>('sessions', sessionIndexes);
  const { live, liveOfUser, one, ofUser, othersOfUser, expired } = sessionQueries;
  return {
    add: (session: SessionDocument) => documents.insertOne(session),
    /** The session under any of these ids that has not expired at `now` (ISO 8601). */
    findLive: (ids: readonly string[], now: string) => documents.findOne(live(ids, now)),
    /** Whether anybody has signed in, as far as sessions are kept. */
    any: async () => (await documents.find({}).limit(1).toArray()).length > 0,
    /** Those of a user that have not expired, newest first. */
    ofUser: (userId: string, now: string) =>
      documents.find(liveOfUser(userId, now)).sort({ expires_at: -1 }).limit(maxListed).toArray(),
    /** False when this user has no such session. */
    remove: async (id: string, userId: string) => (await documents.deleteMany(one(id, userId))).deletedCount > 0,
    /** Ends every session of a user but `kept`; resolves with how many. */
    removeAll: async (userId: string, kept?: string) => {
      const filter = kept === undefined ? ofUser(userId) : othersOfUser(userId, kept);
      return (await documents.deleteMany(filter)).deletedCount;
    },
    removeExpired: (now: string) => documents.deleteMany(expired(now)),
  };
}
