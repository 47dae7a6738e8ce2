import {
  type Documents,
  type Filter,
  type IndexDescription,
  isDuplicateKey,
  type Store,
} from '@order-automation/store';
import { type AttemptCounter, forgottenAt } from '../auth/guess-limit';

export type LoginAttemptDocument = {
  /** Keyed hash of what is counted: neither names nor addresses are stored. */
  readonly _id: string;
  readonly failures: number;
  readonly window_start: number;
  readonly last_attempt: number;
  /** Milliseconds since the epoch after which the row may go. */
  readonly forgotten_at: number;
};

export const loginAttemptIndexes: readonly IndexDescription[] = [{ name: 'by_forgotten', key: { forgotten_at: 1 } }];

/** Every filter on this collection. */
export const loginAttemptQueries = {
  byIds: (ids: readonly string[]): Filter<LoginAttemptDocument> => ({ _id: { $in: ids } }),
  asSeen: (id: string, seen: AttemptCounter): Filter<LoginAttemptDocument> => ({
    _id: id,
    failures: seen.failures,
    window_start: seen.windowStart,
    last_attempt: seen.lastAttempt,
  }),
  forgotten: (now: number): Filter<LoginAttemptDocument> => ({ forgotten_at: { $lte: now } }),
};

export type LoginAttempts = {
  read(ids: readonly string[]): Promise<ReadonlyMap<string, AttemptCounter>>;
  /** Compare and set: false when somebody else changed the counter since it was `seen`. */
  write(id: string, seen: AttemptCounter | undefined, next: AttemptCounter): Promise<boolean>;
  forget(id: string): Promise<void>;
  /** Takes back one attempt that succeeded. */
  takeBack(id: string): Promise<void>;
  removeForgotten(now: number): Promise<void>;
};

export async function openLoginAttempts(store: Store): Promise<LoginAttempts> {
  const documents: Documents<LoginAttemptDocument> = await store.collection<LoginAttemptDocument>(
    'login_attempts',
    loginAttemptIndexes,
  );
  return {
    read: async (ids) => {
      const found = await documents.find(loginAttemptQueries.byIds(ids)).toArray();
      return new Map(found.map((row) => [row._id, counterOf(row)]));
    },
    write: (id, seen, next) => writeCounter(documents, id, seen, next),
    forget: async (id) => {
      await documents.deleteOne({ _id: id });
    },
    takeBack: async (id) => {
      await documents.updateOne({ _id: id, failures: { $gt: 0 } }, { $inc: { failures: -1 } });
    },
    removeForgotten: async (now) => {
      await documents.deleteMany(loginAttemptQueries.forgotten(now));
    },
  };
}

function counterOf(row: LoginAttemptDocument): AttemptCounter {
  return { failures: row.failures, windowStart: row.window_start, lastAttempt: row.last_attempt };
}

async function writeCounter(
  documents: Documents<LoginAttemptDocument>,
  id: string,
  seen: AttemptCounter | undefined,
  next: AttemptCounter,
): Promise<boolean> {
  const fields = {
    failures: next.failures,
    window_start: next.windowStart,
    last_attempt: next.lastAttempt,
    forgotten_at: forgottenAt(next.lastAttempt),
  };
  if (seen) {
    const { matchedCount } = await documents.updateOne(loginAttemptQueries.asSeen(id, seen), { $set: fields });
    return matchedCount === 1;
  }
  try {
    await documents.insertOne({ _id: id, ...fields });
    return true;
  } catch (error) {
    if (isDuplicateKey(error)) return false;
    throw error;
  }
}
