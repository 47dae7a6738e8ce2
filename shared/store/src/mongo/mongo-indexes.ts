import type { Collection } from 'mongodb';
import type { IndexDescription } from '../port';

const namespaceNotFound = 26;
const indexNotFound = 27;
/** IndexOptionsConflict, IndexKeySpecsConflict. */
const conflicts = [85, 86];

/**
 * Makes the declared indexes, rebuilds what is declared differently and drops what is not declared, unless it is unique: while instances of two
 * versions run on one database, the other may rely on it.
 */
export async function ensureIndexes(collection: Collection, declared: readonly IndexDescription[]): Promise<void> {
  const existing = (await existingIndexes(collection)).filter(({ name }) => name !== '_id_');
  const names = new Set(declared.map(({ name }) => name));
  await drop(
    collection,
    existing.filter(({ name, unique }) => !names.has(name) && !unique),
  );
  try {
    await collection.createIndexes([...declared]);
  } catch (error) {
    if (!isServerError(error, conflicts)) throw error;
    const same = new Set(declared.map(comparable));
    await drop(
      collection,
      existing.filter((index) => names.has(index.name) && !same.has(comparable(index))),
    );
    await collection.createIndexes([...declared]);
  }
}

async function existingIndexes(collection: Collection): Promise<IndexDescription[]> {
  try {
    return (await collection.listIndexes().toArray()) as IndexDescription[];
  } catch (error) {
    if (isServerError(error, [namespaceNotFound])) return [];
    throw error;
  }
}

/** Another instance that starts at the same time may have dropped it already. */
async function drop(collection: Collection, indexes: readonly IndexDescription[]): Promise<void> {
  for (const { name } of indexes) {
    try {
      await collection.dropIndex(name);
    } catch (error) {
      if (!isServerError(error, [indexNotFound])) throw error;
    }
  }
}

const comparable = ({ name, key, unique, sparse, partialFilterExpression }: IndexDescription): string =>
  JSON.stringify([name, Object.entries(key), unique === true, sparse === true, partialFilterExpression ?? null]);

/** By its name, so that a process without MongoDB need not load the driver. */
function isServerError(error: unknown, codes: readonly number[]): boolean {
  if (!(error instanceof Error) || error.name !== 'MongoServerError') return false;
  return 'code' in error && codes.includes(Number(error.code));
}
