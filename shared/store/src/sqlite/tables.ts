import { DuplicateKeyError, UnsupportedQueryError } from '../errors';
import type { IndexDescription } from '../port';
import { decode } from './codec';
import { type Connection, sqliteCode } from './connection';
import { type IdKind, indexSql, makeSchema, type Schema, tableSql, valueAt } from './schema';

/** Makes the table and the indexes that are not there yet, remakes an index that is declared otherwise now. */
export function ensureCollection(connection: Connection, name: string, indexes: readonly IndexDescription[]): Schema {
  const schema = makeSchema(name, indexes, 'text');
  const known = connection.database.prepare('SELECT sql FROM sqlite_master WHERE name = ?').pluck();
  const table = known.get(name) as string | undefined;
  if (table === undefined) connection.database.exec(tableSql(schema));
  else schema.idKind = table.includes('(seq INTEGER PRIMARY KEY') ? 'text' : 'integer';
  for (const index of indexSql(schema)) {
    const present = known.get(index.name) as string | undefined;
    if (present === index.sql) continue;
    if (present !== undefined) connection.database.exec(`DROP INDEX ${index.name}`);
    try {
      connection.database.exec(index.sql);
    } catch (error) {
      throw duplicateFrom(error, schema, undefined) ?? error;
    }
  }
  return schema;
}

/** Gives an empty collection the table for ids of this kind. Refuses a second kind in a collection that is not empty. */
export function ensureIdKind(connection: Connection, schema: Schema, id: string | number): void {
  const kind: IdKind = typeof id === 'number' ? 'integer' : 'text';
  if (kind === 'integer' && !Number.isSafeInteger(id))
    throw new UnsupportedQueryError('A numeric _id must be an integer');
  if (kind === schema.idKind) return;
  if (connection.database.prepare(`SELECT 1 FROM ${schema.name} LIMIT 1`).get() !== undefined)
    throw new UnsupportedQueryError(`${schema.name}: the _id of a collection are all integers or all text`);
  connection.database.exec(`DROP TABLE ${schema.name}`);
  schema.idKind = kind;
  for (const sql of [tableSql(schema), ...indexSql(schema).map((index) => index.sql)]) connection.database.exec(sql);
}

/** The broken unique index, as the driver reports it; undefined for any other error. */
export function duplicateFrom(error: unknown, schema: Schema, doc: string | undefined): DuplicateKeyError | undefined {
  const code = sqliteCode(error);
  if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return undefined;
  const indexName = /index '(\w+?)(?:__null)?'$/.exec((error as Error).message)?.[1];
  const index = schema.indexes.find(({ name }) => `${schema.name}__${name}` === indexName);
  const keyPattern = index?.key ?? { _id: 1 };
  const document = doc === undefined ? {} : decode(doc);
  const keyValue = Object.fromEntries(Object.keys(keyPattern).map((path) => [path, valueAt(document, path) ?? null]));
  const where = `${schema.name} index: ${index?.name ?? '_id_'}`;
  return new DuplicateKeyError(`E11000 duplicate key error collection: ${where}`, keyPattern, keyValue);
}
