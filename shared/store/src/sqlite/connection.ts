import { basename } from 'node:path';
import Database from 'better-sqlite3';
import { StoreUnavailableError } from '../errors';
import { type Compression, newCompression } from './compression';
import { updateFunctions } from './update';

/** A database file, opened; with its prepared statements. */
export type Connection = {
  readonly database: Database.Database;
  /** The prepared statement of an SQL text, from the cache. Its rows come as their first column. */
  readonly prepare: (sql: string) => Database.Statement;
  /** What the row of a document with this text has. */
  readonly compressed: Compression['compressed'];
  close(): void;
};

export type FileOptions = {
  /** Milliseconds to wait for another process that has the file locked. */
  readonly busyTimeout: number;
  /** Bytes of a page of a new file; an existing one keeps its own. Where nearly everything is appended, larger pages take fewer calls. */
  readonly pageSize: number;
  /** Most pages the file may have; for tests of a full disk. Default: what the disk holds. */
  readonly maxPages?: number;
  /** Characters from which on documents are compressed (compression.ts); for tests. */
  readonly compressFrom?: number;
};

/** KiB of the page cache: of the connection that writes, and of one that only reads. */
const cacheKiB = 8192;
const readerCacheKiB = 2048;

/** A burst is moved into the file when it is over, or in portions of this many bytes. */
const checkpointBytes = 64 * 1024 * 1024;

const maxStatements = 400;

/** Opens the file for writing that is flushed at every commit. Throws what better-sqlite3 throws. */
export function openConnection(file: string, options: FileOptions): Connection {
  return connectionOf(new Database(file, { timeout: options.busyTimeout }), options, (database) => {
    database.pragma(`page_size = ${options.pageSize}`);
    requireSetting(database, 'journal_mode', 'wal');
    requireSetting(database, 'synchronous', 2);
    const pageSize = Number(database.pragma('page_size', { simple: true }));
    database.pragma(`wal_autocheckpoint = ${Math.floor(checkpointBytes / pageSize)}`);
    // What a statement over many rows keeps to undo itself by stays in memory; by default it goes to a file.
    database.pragma('temp_store = MEMORY');
    database.pragma(`journal_size_limit = ${checkpointBytes}`);
    // What is deleted or changed is overwritten, so that an erasure reaches the file (`scrub`).
    requireSetting(database, 'secure_delete', 1);
    database.pragma(`cache_size = -${cacheKiB}`);
    if (options.maxPages !== undefined) database.pragma(`max_page_count = ${options.maxPages}`);
  });
}

/** SQLite keeps its own setting without an error where it cannot have this one, as on a file system without shared memory. */
function requireSetting(database: Database.Database, name: string, value: string | number): void {
  database.pragma(`${name} = ${value}`);
  const actual = database.pragma(name, { simple: true });
  if (actual !== value)
    throw new StoreUnavailableError(`The database file cannot be used: its ${name} is ${actual} and must be ${value}.`);
}

/** Opens the file for reading beside the connection that writes it: it sees what was committed before each read. */
export function openReadConnection(file: string, options: FileOptions): Connection {
  const readOnly = new Database(file, { readonly: true, fileMustExist: true, timeout: options.busyTimeout });
  return connectionOf(readOnly, options, (database) => {
    database.pragma('temp_store = MEMORY');
    database.pragma(`cache_size = -${readerCacheKiB}`);
  });
}

function connectionOf(
  database: Database.Database,
  { compressFrom }: FileOptions,
  prepareFile: (database: Database.Database) => void,
): Connection {
  const compression = newCompression(compressFrom);
  try {
    prepareFile(database);
    addFunctions(database, compression);
  } catch (error) {
    database.close();
    throw error;
  }
  const prepare = cached(maxStatements, (sql: string) => database.prepare(sql));
  return { database, prepare, compressed: compression.compressed, close: () => database.close() };
}

/** The functions that the SQL of this engine calls, and the triggers in its files: for whatever else opens one of them to change documents. */
export function addFunctions(database: Database.Database, compression = newCompression()): void {
  for (const [name, work] of Object.entries({ ...compression, ...updateFunctions }))
    database.function(name, { deterministic: true }, work as (...values: unknown[]) => unknown);
}

/** Remembers results by their key; forgets the one made first when there are too many. */
function cached<V>(maxKept: number, make: (key: string) => V): (key: string) => V {
  const values = new Map<string, V>();
  return (key) => {
    const known = values.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    const [oldest] = values.keys();
    if (values.size >= maxKept && oldest !== undefined) values.delete(oldest);
    values.set(key, value);
    return value;
  };
}

/** Failures of one statement that leave the transaction as it was. */
const ofOneStatement = /^SQLITE_(CONSTRAINT|ERROR|MISMATCH|TOOBIG|RANGE)/;

/** The error to report when SQLite could not do its work on the file at all; undefined when only the statement was wrong. */
export function unavailableFrom(error: unknown, file: string): StoreUnavailableError | undefined {
  if (error instanceof StoreUnavailableError) return error;
  const code = sqliteCode(error);
  if (code === undefined || ofOneStatement.test(code)) return undefined;
  return new StoreUnavailableError(unavailableText(code, basename(file)), { cause: error });
}

function unavailableText(code: string, name: string): string {
  if (code === 'SQLITE_FULL') return `The disk of the database is full (${code}).`;
  if (!/^SQLITE_(CORRUPT|NOTADB)/.test(code)) return `The database file ${name} cannot be written or read (${code}).`;
  return `The database file ${name} is damaged (${code}): restore the newest backup, as docs/operations/recover.md says.`;
}

/** The code of an SQLite error, as SQLITE_FULL. The driver's errors are no `Error` of ours where several realms share it. */
export function sqliteCode(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}
