import type { Reply } from '@order-automation/base';
import { StoreUnavailableError, storeErrors, UnsupportedQueryError } from '../errors';
import type { Index } from '../port';
import type { Column } from './columns';
import { type Connection, type FileOptions, openConnection, openReadConnection, unavailableFrom } from './connection';
import type { Declare, Operation, Read, Write } from './protocol';
import { read } from './read';
import type { Schema } from './schema';
import { ensureCollection, schemaInFile } from './tables';
import { write } from './write';

export type Job<O extends Operation = Operation> = { readonly id: number; readonly operation: O };

/** A database file with what is declared in it. Without a connection it is opened by the next group. */
export type DatabaseFile = {
  readonly file: string;
  readonly readOnly: boolean;
  readonly options: FileOptions;
  readonly declared: Map<string, readonly Index[]>;
  readonly schemas: Map<string, Schema>;
  connection: Connection | undefined;
};

export function databaseFile(file: string, options: FileOptions, readOnly: boolean): DatabaseFile {
  return { file, options, readOnly, declared: new Map(), schemas: new Map(), connection: undefined };
}

/** The connection, opened and with every declared collection in place. */
export function open(database: DatabaseFile): Connection {
  if (database.connection !== undefined) return database.connection;
  const { file, options, readOnly } = database;
  const connection = readOnly ? openReadConnection(file, options) : openConnection(file, options);
  try {
    if (!readOnly)
      connection.database.exec('CREATE TABLE IF NOT EXISTS _check (id INTEGER PRIMARY KEY, token INTEGER NOT NULL)');
    for (const [name, indexes] of database.declared)
      database.schemas.set(name, schemaOf(database, connection, name, indexes));
  } catch (error) {
    connection.close();
    throw error;
  }
  database.connection = connection;
  return connection;
}

function schemaOf({ readOnly }: DatabaseFile, connection: Connection, name: string, indexes: readonly Index[]): Schema {
  return (readOnly ? schemaInFile : ensureCollection)(connection, name, indexes);
}

/** Closes the connection after a failure: its state may be wrong. The next group opens the file again. */
export function abandon(database: DatabaseFile): void {
  const { connection } = database;
  database.connection = undefined;
  try {
    connection?.close();
  } catch {
    // It is not used any more either way.
  }
}

/** Each for itself, in the order of their arrival. */
export function runReads(database: DatabaseFile, jobs: readonly Job<Read | Declare>[]): Reply[] {
  return jobs.flatMap((job) =>
    orUnavailable(database, [job], () => [answer(database, job, () => runRead(database, job.operation))]),
  );
}

function runRead(database: DatabaseFile, operation: Read | Declare): unknown {
  const { collection } = operation;
  const connection = open(database);
  if (operation.kind === 'collection') return declare(database, connection, operation);
  return read(connection, schemaFor(database, collection), operation);
}

/**
 * All writes in one transaction. One that fails does not undo the others, nor what it had done itself before it failed (port.ts); when the
 * commit fails, or SQLite cannot go on, nothing of the group is written and all fail as unavailable.
 */
export function runWrites(database: DatabaseFile, jobs: readonly Job<Write>[]): Reply[] {
  if (jobs.length === 0) return [];
  return orUnavailable(database, jobs, () => {
    const connection = open(database);
    connection.prepare('BEGIN IMMEDIATE').run();
    const replies = jobs.map((job) => answer(database, job, () => runWrite(database, connection, job.operation)));
    connection.prepare('COMMIT').run();
    return replies;
  });
}

function orUnavailable(database: DatabaseFile, jobs: readonly Job[], run: () => Reply[]): Reply[] {
  try {
    return run();
  } catch (error) {
    abandon(database);
    const reason =
      unavailableFrom(error, database.file) ?? new StoreUnavailableError(`The database failed: ${String(error)}`);
    return jobs.map(({ id }) => ({ id, ok: false, error: storeErrors.write(reason) }));
  }
}

/** The reply of one operation. Throws when the database, and not the operation, is at fault. */
function answer(database: DatabaseFile, job: Job, work: () => unknown): Reply {
  try {
    return { id: job.id, ok: true, value: work() };
  } catch (error) {
    const unavailable = unavailableFrom(error, database.file);
    if (unavailable !== undefined) throw unavailable;
    return { id: job.id, ok: false, error: storeErrors.write(error) };
  }
}

function runWrite(database: DatabaseFile, connection: Connection, operation: Write): unknown {
  switch (operation.kind) {
    case 'collection':
      return declare(database, connection, operation);
    case 'check':
      connection.prepare('INSERT INTO _check(id,token) VALUES(1,1) ON CONFLICT DO UPDATE SET token = token + 1').run();
      return null;
    case 'scrub':
      throw new Error('The log is emptied outside of transactions.');
    default:
      return write(connection, schemaFor(database, operation.collection), operation);
  }
}

export type IndexedPaths = {
  readonly columns: readonly Column[];
  readonly indexed: readonly string[];
  readonly arrayFree: readonly string[];
  readonly words: readonly string[];
};

/** Adds to the indexes that were declared before, and returns all paths that are indexed now. */
function declare(database: DatabaseFile, connection: Connection, { collection, indexes }: Declare): IndexedPaths {
  const before = database.declared.get(collection) ?? [];
  const union = [...new Map([...before, ...indexes].map((index) => [index.name, index])).values()];
  const schema = connection.database.transaction(() => schemaOf(database, connection, collection, union))();
  database.declared.set(collection, union);
  database.schemas.set(collection, schema);
  return {
    columns: schema.columns.all,
    indexed: [...schema.indexedPaths],
    arrayFree: [...schema.arrayFree],
    words: schema.words.map(({ path }) => path),
  };
}

function schemaFor(database: DatabaseFile, name: string): Schema {
  const schema = database.schemas.get(name);
  if (schema === undefined) throw new UnsupportedQueryError(`Collection ${name} was not opened`);
  return schema;
}
