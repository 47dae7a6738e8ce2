import { DuplicateKeyError } from '../errors';
import type { Index, IndexDescription } from '../port';
import { decode } from './codec';
import { type Column, columnName, columnNamed, contentSql, longName, longNamed } from './columns';
import { type Connection, sqliteCode } from './connection';
import { indexSql, makeSchema, type Schema, tableSql, valueAt } from './schema';
import { wordIndexSql } from './word-index';

/** What was declared of a collection. A table that has a column of long text keeps it. */
export type Declaration = { readonly indexes: readonly Index[]; readonly longText: string | undefined };

/** The schema of what is declared, with the columns that the table has besides. */
export function schemaInFile(connection: Connection, name: string, { indexes, longText }: Declaration): Schema {
  const names = columnNames(connection, name);
  const [long] = names.flatMap((column) => longNamed(column) ?? []);
  return makeSchema(name, indexes, columnsIn(names), long ?? longText);
}

/** Makes the table, the columns and the indexes that are not there yet, remakes an index that is declared otherwise now. */
export function ensureCollection(connection: Connection, name: string, declaration: Declaration): Schema {
  const { database } = connection;
  const known = database.prepare('SELECT sql FROM sqlite_master WHERE name = ?').pluck();
  const schema = schemaInFile(connection, name, declaration);
  const wanted = indexSql(schema).filter((index) => known.get(index.name) !== index.sql);
  for (const index of wanted) database.exec(`DROP INDEX IF EXISTS ${index.name}`);
  if (known.get(schema.name) === undefined) database.exec(tableSql(schema));
  else addColumns(connection, schema);
  for (const words of schema.words)
    if (known.get(words.table) === undefined) for (const sql of wordIndexSql(words, schema.name)) database.exec(sql);
  for (const index of wanted) {
    try {
      database.exec(index.sql);
    } catch (error) {
      throw duplicateFrom(error, schema, undefined) ?? error;
    }
  }
  return schema;
}

const columnsIn = (names: readonly string[]): Column[] => names.flatMap((name) => columnNamed(name) ?? []);

function columnNames(connection: Connection, table: string): string[] {
  return connection.database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];
}

/** Adds the columns that the table lacks and fills them in the rows that are there. */
function addColumns(connection: Connection, schema: Schema): void {
  const { database } = connection;
  const names = columnNames(connection, schema.name);
  const present = new Set(columnsIn(names).map(columnName));
  const lacking = schema.columns.all.filter((column) => !present.has(columnName(column)));
  for (const column of lacking) database.exec(`ALTER TABLE ${schema.name} ADD COLUMN ${columnName(column)}`);
  const contents = lacking.map((column) => `${columnName(column)} = ${contentSql(column, 'doc')}`);
  if (lacking.length > 0) database.exec(`UPDATE ${schema.name} SET ${contents.join(', ')}`);
  if (schema.longText !== undefined && !names.some((name) => longNamed(name) !== undefined))
    database.exec(`ALTER TABLE ${schema.name} ADD COLUMN ${longName(schema.longText)} TEXT`);
}

/** The broken unique index, as the driver reports it; undefined for any other error. */
export function duplicateFrom(error: unknown, schema: Schema, doc: string | undefined): DuplicateKeyError | undefined {
  const code = sqliteCode(error);
  if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return undefined;
  const index = brokenIndex((error as Error).message, schema);
  const keyPattern = index?.key ?? { _id: 1 };
  const document = doc === undefined ? {} : decode(doc);
  const keyValue = Object.fromEntries(Object.keys(keyPattern).map((path) => [path, valueAt(document, path) ?? null]));
  const where = `${schema.name} index: ${index?.name ?? '_id_'}`;
  return new DuplicateKeyError(`E11000 duplicate key error collection: ${where}`, keyPattern, keyValue);
}

/** SQLite names an index over expressions, and of any other the columns. Undefined for the index of `_id`. */
function brokenIndex(message: string, schema: Schema): IndexDescription | undefined {
  const named = /index '(\w+?)__null'$/.exec(message)?.[1];
  const columns = message.slice(message.indexOf(': ') + 2);
  return schema.indexes.find(({ name, key, unique }) => {
    if (unique !== true) return false;
    if (named !== undefined) return `${schema.name}__${name}` === named;
    const paths = Object.keys(key).map((path) => (path === '_id' ? 'id' : columnName({ kind: 'value', path })));
    return paths.map((path) => `${schema.name}.${path.replaceAll('"', '')}`).join(', ') === columns;
  });
}
