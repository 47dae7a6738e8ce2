import type { Documents, Filter, IndexDescription, Store } from '@order-automation/store';

export type SessionDocument = {
  /** Keyed hash of the token in the cookie: who reads the database cannot log in with it. */
  readonly _id: string;
  readonly user_id: string;
  readonly created_at: string;
  readonly expires_at: string;
};

export const sessionIndexes: readonly IndexDescription[] = [{ name: 'by_expiry', key: { expires_at: 1 } }];

/** Every filter on this collection. */
export const sessionQueries = {
  live: (ids: readonly string[], now: string): Filter<SessionDocument> => ({
    _id: { $in: ids },
    expires_at: { $gt: now },
  }),
  expired: (now: string): Filter<SessionDocument> => ({ expires_at: { $lte: now } }),
};

export type Sessions = {
  add(session: SessionDocument): Promise<void>;
  /** The session under any of these ids that has not expired at `now` (ISO 8601). */
  findLive(ids: readonly string[], now: string): Promise<SessionDocument | null>;
  remove(id: string): Promise<void>;
  removeExpired(now: string): Promise<void>;
};

export async function openSessions(store: Store): Promise<Sessions> {
  const documents: Documents<SessionDocument> = await store.collection<SessionDocument>('sessions', sessionIndexes);
  return {
    add: async (session) => {
      await documents.insertOne(session);
    },
    findLive: (ids, now) => documents.findOne(sessionQueries.live(ids, now)),
    remove: async (id) => {
      await documents.deleteOne({ _id: id });
    },
    removeExpired: async (now) => {
      await documents.deleteMany(sessionQueries.expired(now));
    },
  };
}
