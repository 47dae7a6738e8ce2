import { UnsupportedQueryError } from '../errors';
import { decode, type JsonObject } from './codec';
import { docSql, plainText, type StoredText } from './compression';
import type { Connection } from './connection';
import { orderSql, type Sql, whereSql } from './filter';
import { jsonPath, segmentsOf } from './path';
import { projectedSql } from './project';
import type { Read } from './protocol';
import type { Schema } from './schema';
import { splitWords } from './word-index';

/** Carries out a read: texts of documents, or a count. */
export function read(connection: Connection, schema: Schema, operation: Read): unknown {
  if (operation.kind === 'find') return find(connection, schema, operation);
  const { text, values } = selection(schema, 'count(*)', operation.filter);
  const counting = connection.prepare(text).pluck();
  return counting.get(...values);
}

/** The statement of a filter, and what is bound in it. */
export function selection(schema: Schema, what: string, filterText: string, sortText = '{}'): Sql {
  const filter = decode<JsonObject>(filterText);
  const sort = decode<JsonObject>(sortText);
  const {
    asked: [walked, ...others],
    rest,
  } = splitWords(filter, schema.words);
  if (walked === undefined) {
    const { text, values } = whereSql(filter, schema);
    return { text: `SELECT ${what} FROM ${schema.name} WHERE ${text}${orderSql(sort, schema)}`, values };
  }
  if (others.length > 0) throw new UnsupportedQueryError('A filter asks one word index');
  const { table, match } = walked;
  // An id is the number of its row: a range of ids is a range of the word index.
  const id = `${table}.rowid`;
  const columns = { ...schema.columns, id };
  const where = whereSql(rest, { ...schema, columns, unindexed: { ...schema.unindexed, id } });
  const from = `${table} CROSS JOIN ${schema.name} ON ${schema.name}.seq = ${table}.rowid`;
  const order = orderSql(sort, { ...schema, columns });
  return {
    text: `SELECT ${what} FROM ${from} WHERE ${table} MATCH ? AND ${where.text}${order}`,
    values: [match, ...where.values],
  };
}

function find(connection: Connection, schema: Schema, operation: Read & { kind: 'find' }): string[] {
  const gone = operation.without.map((path) => jsonPath(segmentsOf(path)));
  const some = gone.length === 0 ? 'doc' : `json_remove(${docSql},${gone.join(',')})`;
  const what = operation.only.length === 0 ? some : projectedSql(operation.only);
  const { text, values } = selection(schema, what, operation.filter, operation.sort);
  const statement = connection.prepare(`${text} LIMIT ? OFFSET ?`).pluck();
  const rows = statement.all(...values, operation.limit === 0 ? -1 : operation.limit, operation.skip);
  return (rows as StoredText[]).map(plainText);
}
