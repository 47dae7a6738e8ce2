import { DuplicateKeyError } from '../errors';
import type { Index } from '../port';
import { type Column, columnName, columnNamed, contentSql } from './columns';
import { docSql } from './compression';
import { type Connection, sqliteCode } from './connection';
import { indexSql, makeSchema, type Schema, tableSql } from './schema';
import { wordIndexSql, wordTriggers } from './word-index';

/** The schema of what is declared, with the columns that the table has besides. */
export const schemaInFile = (connection: Connection, name: string, indexes: readonly Index[]): Schema =>
  makeSchema(name, indexes, columnsIn(connection, name));

/** Leaves the table with the declared columns and indexes: adds what is missing, rebuilds what is declared differently, drops indexes that are not declared. */
export function ensureCollection(connection: Connection, name: string, indexes: readonly Index[]): Schema {
  const { database } = connection;
  const known = database.prepare('SELECT sql FROM sqlite_master WHERE name = ?').pluck();
  const schema = schemaInFile(connection, name, indexes);
  const declared = indexSql(schema);
  const wanted = declared.filter((index) => known.get(index.name) !== index.sql);
  if (indexes.length > 0) dropUndeclared(connection, schema.name, new Set(declared.map((index) => index.name)));
  for (const index of wanted) database.exec(`DROP INDEX IF EXISTS ${index.name}`);
  if (known.get(schema.name) === undefined) database.exec(tableSql(schema));
  else addColumns(connection, schema);
  for (const words of schema.words) {
    if (known.get(words.table) === undefined) for (const sql of wordIndexSql(words, schema.name)) database.exec(sql);
    for (const { name: trigger, sql } of wordTriggers(words, schema.name))
      if (known.get(trigger) !== sql) database.exec(`DROP TRIGGER IF EXISTS ${trigger}; ${sql}`);
  }
  for (const index of wanted) {
    try {
      database.exec(index.sql);
    } catch (error) {
      throw duplicateFrom(error, schema) ?? error;
    }
  }
  return schema;
}

function dropUndeclared({ database }: Connection, table: string, declared: ReadonlySet<string>): void {
  // An index without SQL belongs to a constraint of the table.
  const existing = database.prepare(
    "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
  );
  for (const name of existing.pluck().all(table) as string[])
    if (!declared.has(name)) database.exec(`DROP INDEX ${name}`);
}

function columnsIn({ database }: Connection, table: string): Column[] {
  const names = database.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(table) as string[];
  return names.flatMap((name) => columnNamed(name) ?? []);
}

/** Adds the columns that the table lacks and fills them in the rows that are there. */
function addColumns(connection: Connection, schema: Schema): void {
  const { database } = connection;
  const present = new Set(columnsIn(connection, schema.name).map(columnName));
  const lacking = schema.columns.all.filter((column) => !present.has(columnName(column)));
  for (const column of lacking) database.exec(`ALTER TABLE ${schema.name} ADD COLUMN ${columnName(column)}`);
  if (lacking.length === 0) return;
  const contents = lacking.map((column) => contentSql(column, docSql));
  const sets = lacking.map((column, index) => `${columnName(column)} = ${contents[index]}`);
  // A new column is NULL: rows that have nothing to put there need not be written.
  const holds = contents.map((content) => `${content} IS NOT NULL`);
  database.exec(`UPDATE ${schema.name} SET ${sets.join(', ')} WHERE ${holds.join(' OR ')}`);
}

/** The broken unique index; undefined for any other error. */
export function duplicateFrom(error: unknown, schema: Schema): DuplicateKeyError | undefined {
  const code = sqliteCode(error);
  if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return undefined;
  // SQLite names an index over expressions, and of any other the columns.
  const { message } = error as Error;
  return new DuplicateKeyError(
    `E11000 duplicate key error collection: ${schema.name} ${message.replace(/^[^:]*: /, '')}`,
  );
}
