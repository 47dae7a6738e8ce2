import { isDuplicateKey } from '@order-automation/store';

/** What became of a change to a document whose name is unique. */
export type Renamed = 'changed' | 'missing' | 'name_taken';

/** What the write resolves with; undefined when a unique index refuses it because the name is taken. */
export async function orTaken<T>(write: Promise<T>): Promise<T | undefined> {
  try {
    return await write;
  } catch (error) {
    if (isDuplicateKey(error)) return undefined;
    throw error;
  }
}

/** Whether a document was inserted: an insert resolves with nothing. False when a unique index refuses it. */
export const isInserted = async (insert: Promise<unknown>): Promise<boolean> =>
  (await orTaken(insert.then(() => true))) ?? false;

export async function renamed(update: Promise<{ readonly matchedCount: number }>): Promise<Renamed> {
  const updated = await orTaken(update);
  if (!updated) return 'name_taken';
  return updated.matchedCount === 1 ? 'changed' : 'missing';
}
