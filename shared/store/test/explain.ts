import { MongoClient } from 'mongodb';
import type { Document, Documents, Filter, Index, Sort, Store } from '../src/port';
import { encodeQuery } from '../src/sqlite/codec';
import { openReadConnection } from '../src/sqlite/connection';
import { selection } from '../src/sqlite/read';
import { schemaInFile } from '../src/sqlite/tables';

/** How the engine runs a query. `engine` is `sqlite` or the server's name. */
export type QueryPlan = { readonly usesIndex: boolean; readonly detail: string; readonly engine: string };

/** Where a store keeps its documents: a file of SQLite, or a database of MongoDB. */
type Place = { readonly file: string } | { readonly uri: string; readonly database: string };

/** A store whose plans tests may ask for. */
export type ExplainableStore = Store & {
  readonly place: Place;
  readonly declared: ReadonlyMap<string, readonly Index[]>;
};

/** Remembers what is declared in the store, by which SQLite's queries are made. */
export function explainable(store: Store, place: Place): ExplainableStore {
  const declared = new Map<string, readonly Index[]>();
  const collection: Store['collection'] = (name, indexes = []) => {
    declared.set(name, [...(declared.get(name) ?? []), ...indexes]);
    return store.collection(name, indexes);
  };
  return { ...store, collection, place, declared };
}

/** How the engine of a store runs a query. */
export function explain<T extends Document>(
  store: Store,
  { collectionName: name }: Documents<T>,
  filter: Filter<T>,
  sort: Sort<T> = {} as Sort<T>,
): Promise<QueryPlan> {
  const { place, declared } = store as ExplainableStore;
  if ('uri' in place) return mongoPlan(place.uri, place.database, name, filter, { ...sort });
  return Promise.resolve(
    sqlitePlan(place.file, name, declared.get(name) ?? [], encodeQuery(filter), encodeQuery(sort)),
  );
}

function sqlitePlan(file: string, name: string, indexes: readonly Index[], filter: string, sort: string): QueryPlan {
  const connection = openReadConnection(file, { busyTimeout: 1_000, pageSize: 4_096 });
  try {
    const schema = schemaInFile(connection, name, indexes);
    const { text, values } = selection(schema, 'doc', filter, sort);
    const rows = connection.database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[];
    const details = rows.map((row) => row.detail);
    const isPoor = details.some((detail) => detail.startsWith('USE TEMP B-TREE') || detail === `SCAN ${schema.name}`);
    return { usesIndex: !isPoor, detail: details.join('; '), engine: 'sqlite' };
  } finally {
    connection.close();
  }
}

type Plan = { readonly queryPlanner?: { winningPlan?: unknown }; readonly serverInfo?: { host?: unknown } };

async function mongoPlan(
  uri: string,
  database: string,
  name: string,
  filter: object,
  sort: Record<string, 1 | -1>,
): Promise<QueryPlan> {
  const client = await MongoClient.connect(uri);
  try {
    const found = client.db(database).collection(name).find(filter).sort(sort);
    const { queryPlanner, serverInfo } = (await found.explain('queryPlanner')) as Plan;
    const stages = stagesOf(queryPlanner?.winningPlan);
    const usesIndex = stages.length > 0 && !stages.includes('COLLSCAN') && !stages.includes('SORT');
    return { usesIndex, detail: stages.join(' < '), engine: String(serverInfo?.host ?? 'mongodb') };
  } finally {
    await client.close();
  }
}

/** Names of the stages of a plan, from the last to the first. */
function stagesOf(plan: unknown): string[] {
  if (typeof plan !== 'object' || plan === null) return [];
  const { stage, inputStage, inputStages, queryPlan } = plan as Record<string, unknown>;
  const below = [queryPlan, inputStage, ...(Array.isArray(inputStages) ? inputStages : [])];
  return [...(typeof stage === 'string' ? [stage] : []), ...below.flatMap(stagesOf)];
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
 * SecantusDB 0.7, which may stand in for MongoDB, sorts every result, and scans the collection for a range beside another condition, for words, and where
 * the sort alone names an index. MongoDB walks the index for all of these; the tests on SQLite ask for them.
 */
function secantusCannotPlan(filter: object): boolean {
  const operators = new Set(
    Object.values(filter).flatMap((condition) =>
      typeof condition === 'object' && condition !== null ? Object.keys(condition) : [],
    ),
  );
  const isRange = ['$gt', '$gte', '$lt', '$lte'].some((operator) => operators.has(operator));
  const { length } = Object.keys(filter);
  return length === 0 || operators.has('$all') || operators.has('$elemMatch') || (length > 1 && isRange);
}
