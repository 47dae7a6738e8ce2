import type { Document, Documents, Filter, Sort, Store } from './port';

/**
 * Throws unless the engine walks an index for this query, for the order too; for the tests of named queries.
 * SecantusDB, the stand-in for MongoDB, says nothing here: it sorts every result and scans for a list beside a range, where MongoDB
 * walks the index.
 */
export async function expectUsesIndex<T extends Document>(
  store: Store,
  documents: Documents<T>,
  filter: Filter<T>,
  sort?: Sort<T>,
): Promise<void> {
  const plan = await store.explain(documents, filter, sort);
  if (plan.usesIndex || plan.engine === 'secantus') return;
  const query = JSON.stringify({ filter, sort });
  throw new Error(`${documents.collectionName} is scanned or sorted for ${query}: ${plan.detail} (${plan.engine})`);
}
