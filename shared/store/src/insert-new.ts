import { duplicateKeyIndexes } from './errors';
import type { Document, Documents } from './port';

/**
 * Inserts what is not there yet. Resolves with the positions of those that broke a unique index, in ascending order; the others are
 * inserted. Rejects when anything else went wrong: then nothing may be assumed.
 */
export async function insertNew<T extends Document>(
  documents: Pick<Documents<T>, 'insertMany'>,
  rows: readonly T[],
): Promise<readonly number[]> {
  if (rows.length === 0) return [];
  try {
    await documents.insertMany(rows, { ordered: false });
    return [];
  } catch (error) {
    const duplicates = duplicateKeyIndexes(error);
    if (!duplicates) throw error;
    return duplicates;
  }
}
