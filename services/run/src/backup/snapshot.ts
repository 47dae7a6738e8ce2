import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import Database from 'better-sqlite3';
import { type BackedUpFile, sha256Of } from './manifest';

/** A database file as it was when the snapshot was opened, whatever is written to it since. */
export type Snapshot = ReturnType<typeof openSnapshot>;

/** Pages that are copied at a time: 16 MiB of the usual size, so that a signal is heard in between. */
const pagesAtATime = 4_096;

/**
 * Opens a snapshot beside the process that writes the file. It holds a read transaction until it is closed: the writer goes on, and its
 * write-ahead log grows meanwhile. Throws when the file cannot be read.
 */
export function openSnapshot(file: string) {
  const database = new Database(file, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    database.exec('BEGIN');
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    /** Writes it to the folder under the same name. */
    copyTo: async (folder: string): Promise<BackedUpFile> => {
      const copy = join(folder, basename(file));
      await database.backup(copy, { progress: () => pagesAtATime });
      return {
        name: basename(file),
        bytes: statSync(copy).size,
        sha256: await sha256Of(copy),
        documents: countsOf(database),
      };
    },
    close: (): void => void database.close(),
  };
}

export const collectionNames = (database: Database.Database): string[] =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%doc TEXT NOT NULL%' ORDER BY name")
    .pluck()
    .all() as string[];

export const countOf = (database: Database.Database, name: string): number =>
  database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number;

export const countsOf = (database: Database.Database): Record<string, number> =>
  Object.fromEntries(collectionNames(database).map((name) => [name, countOf(database, name)]));
