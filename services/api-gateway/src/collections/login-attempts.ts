import type { Documents, IndexDescription, Store } from '@order-automation/store';
import { type Counter, forgottenAt, knownFor } from '../auth/guess-limit';
import { isInserted } from './taken-names';

/** A counter under a keyed hash of what is counted: neither names nor addresses are stored. */
export type LoginAttemptDocument = Counter & {
  readonly _id: string;
  /** When the row may go, in milliseconds since the epoch. */
  readonly forgotten_at: number;
};

const indexes: readonly IndexDescription[] = [{ name: 'by_forgotten', key: { forgotten_at: 1 } }];

export type LoginAttempts = Awaited<ReturnType<typeof openLoginAttempts>>;

export async function openLoginAttempts(store: Store) {
  const documents = await store.collection<LoginAttemptDocument>('login_attempts', indexes);
  return {
    read: async (ids: readonly string[]): Promise<ReadonlyMap<string, Counter>> => {
      const found = await documents.find({ _id: { $in: ids } }).toArray();
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
    removeForgotten: (now: number) => documents.deleteMany({ forgotten_at: { $lte: now } }),
  };
}

async function writeRow(
  documents: Documents<LoginAttemptDocument>,
  id: string,
  seen: Counter | undefined,
  fields: Omit<LoginAttemptDocument, '_id'>,
): Promise<boolean> {
  if (seen) {
    const { revision } = seen;
    return (await documents.updateOne({ _id: id, revision }, { $set: fields })).matchedCount === 1;
  }
  return isInserted(documents.insertOne({ _id: id, ...fields }));
}
