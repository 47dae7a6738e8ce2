import {
  type Documents,
  type Filter,
  type IndexDescription,
  isDuplicateKey,
  type Store,
} from '@order-automation/store';
import { type Counter, forgottenAt, knownFor } from '../auth/guess-limit';

export type LoginAttemptDocument = {
  /** Keyed hash of what is counted: neither names nor addresses are stored. */
  readonly _id: string;
  readonly revision: number;
  readonly failures: number;
  /** Milliseconds since the epoch, as the others. */
  readonly last_attempt: number;
  readonly recent: readonly number[];
  /** When the row may go. */
  readonly forgotten_at: number;
};

export const loginAttemptIndexes: readonly IndexDescription[] = [{ name: 'by_forgotten', key: { forgotten_at: 1 } }];

/** Every filter on this collection. */
export const loginAttemptQueries = {
  byIds: (ids: readonly string[]): Filter<LoginAttemptDocument> => ({ _id: { $in: ids } }),
  asSeen: (id: string, revision: number): Filter<LoginAttemptDocument> => ({ _id: id, revision }),
  forgotten: (now: number): Filter<LoginAttemptDocument> => ({ forgotten_at: { $lte: now } }),
};

export type LoginAttempts = {
  read(ids: readonly string[]): Promise<ReadonlyMap<string, Counter>>;
  /** Compare and set: false when somebody else changed the counter since it was `seen`. */
  write(id: string, seen: Counter | undefined, next: Counter): Promise<boolean>;
  forget(id: string): Promise<void>;
  /** Remembers a fact for as long as a login makes an address known. */
  remember(id: string, now: number): Promise<void>;
  removeForgotten(now: number): Promise<void>;
};

export async function openLoginAttempts(store: Store): Promise<LoginAttempts> {
  const documents: Documents<LoginAttemptDocument> = await store.collection<LoginAttemptDocument>(
    'login_attempts',
    loginAttemptIndexes,
  );
  const write = (id: string, seen: Counter | undefined, next: Counter) =>
    writeRow(documents, id, seen, { ...fieldsOf(next), forgotten_at: forgottenAt(next) });
  return {
    read: async (ids) => {
      const found = await documents.find(loginAttemptQueries.byIds(ids)).toArray();
      return new Map(found.map((row) => [row._id, counterOf(row)]));
    },
    write,
    forget: async (id) => {
      await documents.deleteMany({ _id: id });
    },
    remember: async (id, now) => {
      const row = { revision: 1, failures: 0, last_attempt: now, recent: [], forgotten_at: now + knownFor };
      if (await writeRow(documents, id, undefined, row)) return;
      await documents.updateOne({ _id: id }, { $set: { last_attempt: now, forgotten_at: row.forgotten_at } });
    },
    removeForgotten: async (now) => {
      await documents.deleteMany(loginAttemptQueries.forgotten(now));
    },
  };
}

function counterOf({ revision, failures, last_attempt, recent }: LoginAttemptDocument): Counter {
  return { revision, failures, lastAttempt: last_attempt, recent };
}

function fieldsOf({ revision, failures, lastAttempt, recent }: Counter) {
  return { revision, failures, last_attempt: lastAttempt, recent };
}

async function writeRow(
  documents: Documents<LoginAttemptDocument>,
  id: string,
  seen: Counter | undefined,
  fields: Omit<LoginAttemptDocument, '_id'>,
): Promise<boolean> {
  if (seen) {
    const { matchedCount } = await documents.updateOne(loginAttemptQueries.asSeen(id, seen.revision), { $set: fields });
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
