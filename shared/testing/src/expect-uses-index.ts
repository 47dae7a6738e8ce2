import type { Document, Documents, ExplainingStore, Filter, QueryPlan, Sort, Store } from '@order-automation/store';

/** How the engine of a store runs a query: what both adapters can say beside the port. */
export function explain<T extends Document>(
  store: Store,
  documents: Documents<T>,
  filter: Filter<T>,
  sort?: Sort<T>,
): Promise<QueryPlan> {
  return (store as ExplainingStore).explain(documents, filter, sort);
}

/** Throws unless the engine walks an index for this query, for the order too; for the tests of named queries. */
export async function expectUsesIndex<T extends Document>(
  store: Store,
  documents: Documents<T>,
  filter: Filter<T>,
  sort?: Sort<T>,
): Promise<void> {
  const { usesIndex, detail, engine } = await explain(store, documents, filter, sort);
  if (usesIndex) return;
  if (engine === 'secantus' && (secantusCannotPlan(filter) || !detail.includes('COLLSCAN'))) return;
  const query = JSON.stringify({ filter, sort });
  throw new Error(`${documents.collectionName} is scanned or sorted for ${query}: ${detail} (${engine})`);
}

/**
 * SecantusDB 0.7, which may stand in for MongoDB, sorts every result, and scans the collection for a list beside a range, for words, and where the sort
 * alone names an index. MongoDB walks the index for all of these; the tests on SQLite ask for them.
 */
function secantusCannotPlan(filter: object): boolean {
  const operators = new Set(
    Object.values(filter).flatMap((condition) =>
      typeof condition === 'object' && condition !== null ? Object.keys(condition) : [],
    ),
  );
  const isRange = ['$gt', '$gte', '$lt', '$lte'].some((operator) => operators.has(operator));
  return (
    Object.keys(filter).length === 0 ||
    operators.has('$all') ||
    operators.has('$elemMatch') ||
    (operators.has('$in') && isRange)
  );
}
