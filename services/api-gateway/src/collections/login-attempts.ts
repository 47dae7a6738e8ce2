import type { Documents, Filter, IndexDescription, Store } from '@order-automation/store';
import { type Counter, forgottenAt, knownFor } from '../auth/guess-limit';
import { isInserted } from './taken-names';

/** A counter under a keyed hash of what is counted: neither names nor addresses are stored. */
export type LoginAttemptDocument = Counter & {
  readonly _id: string;
  /** When the row may go, in milliseconds since the epoch. */
  readonly forgotten_at: number;
};

export const loginAttemptIndexes: readonly IndexDescription[] = [{ name: 'by_forgotten', key: { forgotten_at: 1 } }];

export const loginAttemptQueries = {
  byIds: (ids: readonly string[]): Filter<LoginAttemptDocument> => ({ _id: { $in: ids } }),
  asSeen: (id: string, revision: number): Filter<LoginAttemptDocument> => ({ _id: id, revision }),
  forgotten: (now: number): Filter<LoginAttemptDocument> => ({ forgotten_at: { $lte: now } }),
};

export type LoginAttempts = Awaited<ReturnType<typeof openLoginAttempts>>;

export async function openLoginAttempts(store: Store) {
  const documents = await store.collection<LoginAttemptDocument>('login_attempts', loginAttemptIndexes);
  return {
    read: async (ids: readonly string[]): Promise<ReadonlyMap<string, Counter>> => {
      const found = await documents.find(loginAttemptQueries.byIds(ids)).toArray();
      return new Map(found.map(({ _id, ...counter }) => [_id, counter]));
    },
    /** Compare and set: false when somebody else changed the counter since it was `seen`. */
    write: (id: string, seen: Counter | undefined, next: Counter) =>
      writeRow(documents, id, seen, { ...next, forgotten_at: forgottenAt(next) }),
    forget: (id: string) => documents.deleteMany({ _id: id }),
    /** Remembers a fact for as long as a login makes an address known. */
    remember: async (id: string, now: number) => {
      const row = { revision: 1, failures: 0, last_attempt: now, recent: [], forgotten_at: now + knownFor };
      if (await writeRow(documents, id, undefined, row)) return;
      await documents.updateOne({ _id: id }, { $set: { last_attempt: now, forgotten_at: row.forgotten_at } });
    },
    removeForgotten: (now: number) => documents.deleteMany(loginAttemptQueries.forgotten(now)),
  };
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
  return isInserted(documents.insertOne({ _id: id, ...fields }));
}
