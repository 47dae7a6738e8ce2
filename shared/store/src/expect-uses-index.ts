import type { Document, Documents, Filter, Sort, Store } from './port';

/**
 * Throws unless the engine walks an index for this query, for the order too; for the tests of named queries.
 * SecantusDB, the stand-in for MongoDB, sorts every result, so there the filter alone is looked at.
 */
export async function expectUsesIndex<T extends Document>(
  store: Store,
  documents: Documents<T>,
  filter: Filter<T>,
  sort?: Sort<T>,
): Promise<void> {
  const plan = await store.explain(documents, filter, sort);
  if (plan.usesIndex) return;
  const { detail, usesIndex } = plan.engine === 'secantus' ? await store.explain(documents, filter) : plan;
  if (usesIndex || (plan.engine === 'secantus' && Object.keys(filter).length === 0)) return;
  const query = JSON.stringify({ filter, sort });
  throw new Error(`${documents.collectionName} is scanned or sorted for ${query}: ${detail} (${plan.engine})`);
}
