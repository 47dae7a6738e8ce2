import { encode, type JsonObject } from './codec';
import { columnName, contentBelowSql, depends } from './columns';
import { rank } from './compare';
import type { Connection } from './connection';
import { whereSql } from './filter';
import { checkIndexable, type Schema } from './schema';
import { duplicateFrom } from './tables';
import { stepsOf } from './update';
import type { Changed } from './write';

/**
 * The commonest update, `$set` and `$unset` of whole fields, carried out by SQLite itself without reading the documents.
 * Undefined when this is not such an update, or when one document only is to be changed and the filter does not name it by `_id`.
 */
export function setInPlace(
  connection: Connection,
  schema: Schema,
  filter: JsonObject,
  update: JsonObject,
  limit: number,
): Changed | undefined {
  const named = namedIds(filter._id);
  if (limit === 1 && named !== 1) return undefined;
  const steps = stepsOf(update);
  if (steps.length === 0 || steps.some(({ operator, segments }) => !whole.has(operator) || segments.length > 1))
    return undefined;
  const fields = steps
    .filter(({ operator }) => operator === '$set')
    .map(({ path, operand }) => [path, operand] as const);
  checkIndexable(schema.indexedPaths, schema.arrayFree, Object.fromEntries(fields));
  const values = fields.map(([, value]) => encode(value));
  const where = whereSql(filter, schema);
  const gone = steps.filter(({ operator }) => operator === '$unset').map(({ path }) => path);
  const differs = [
    ...fields.map(([path]) => `doc -> '$."${path}"' IS NOT ?`),
    ...gone.map((path) => `doc -> '$."${path}"' IS NOT NULL`),
  ].join(' OR ');
  const names = fields.map(([path]) => path);
  const columns = changedColumns(schema, names, gone);
  const set = [`doc = ${changedDoc(names, gone)}`, ...columns.map(({ sql }) => sql)].join(',');
  const contents = columns.flatMap(({ field }) => (field === -1 ? [] : [values[field] as string]));
  // OR FAIL: what was changed before a failure stays, as in MongoDB.
  const sql = `UPDATE OR FAIL ${schema.name} SET ${set} WHERE ${where.text} AND (${differs}) RETURNING rowid`;
  const modified = run(connection, schema, sql, [...values, ...contents, ...where.values, ...values]);
  if (modified.length === named) return { matchedCount: named, modifiedCount: named, upsertedCount: 0 };
  const rest = `SELECT count(*) FROM ${schema.name} WHERE ${where.text} AND rowid NOT IN (SELECT value FROM json_each(?))`;
  const same = connection.prepare(rest).pluck();
  const unmodified = same.get(...where.values, JSON.stringify(modified)) as number;
  return { matchedCount: modified.length + unmodified, modifiedCount: modified.length, upsertedCount: 0 };
}

const whole = new Set(['$set', '$unset']);

/**
 * SQL of the document with some fields set, to values that are bound in that order, and others gone. Between the two it stays in
 * SQLite's own form of JSON, which need not be parsed again.
 */
function changedDoc(set: readonly string[], gone: readonly string[]): string {
  const values = set.map((path) => `'$."${path}"',json(?)`).join(',');
  if (gone.length === 0) return `json_set(doc,${values})`;
  const kept = set.length === 0 ? 'doc' : `jsonb_set(doc,${values})`;
  return `json_remove(${kept},${gone.map((path) => `'$."${path}"'`).join(',')})`;
}

/** What sets each column that depends on a field set or gone, and of which field the JSON is to be bound for it; -1 when of none. */
function changedColumns(
  schema: Schema,
  set: readonly string[],
  gone: readonly string[],
): { readonly sql: string; readonly field: number }[] {
  return schema.columns.all.flatMap((column) => {
    const field = set.findIndex((name) => depends(column, name));
    if (field !== -1) return [{ sql: `${columnName(column)} = ${contentBelowSql(column, '?')}`, field }];
    return gone.some((name) => depends(column, name)) ? [{ sql: `${columnName(column)} = NULL`, field }] : [];
  });
}

/** How many documents an `_id` condition can find at most; undefined when it does not say. */
function namedIds(condition: unknown): number | undefined {
  const kind = rank(condition);
  if (kind === 2 || kind === 3) return 1;
  if (kind !== 4) return undefined;
  const { $eq, $in } = condition as { $eq?: unknown; $in?: unknown };
  if ($eq !== undefined) return 1;
  return Array.isArray($in) ? new Set($in).size : undefined;
}

function run(
  connection: Connection,
  schema: Schema,
  sql: string,
  values: readonly (string | number | bigint)[],
): unknown[] {
  try {
    return connection
      .prepare(sql)
      .pluck()
      .all(...values);
  } catch (error) {
    throw duplicateFrom(error, schema, undefined) ?? error;
  }
}
