import { once, within } from '@order-automation/base';
import { late } from '../errors';
import type { Document, Index, Store, StoreStatus } from '../port';
import { sqliteCollection } from './collection';
import type { FileOptions } from './connection';
import type { IndexedPaths } from './database';
import { type OpenFile, type SqliteHost, sqliteHost } from './host';

export type SqliteStoreOptions = Partial<FileOptions> & {
  /** The database file; its directory must exist. Beside it SQLite keeps `-wal` and `-shm`. */
  readonly file: string;
  /** `worker`: flushes happen in a thread of their own. `inline`: in this one. */
  readonly thread?: 'worker' | 'inline';
  /** A thread that several stores share, instead of one of its own; its owner closes it. */
  readonly host?: SqliteHost;
};

/** Milliseconds; pages good for documents that change one here and one there. */
const defaults = { busyTimeout: 1_000, pageSize: 4_096 };

/** A store in one SQLite file, every write flushed before it resolves. Rejects with StoreUnavailableError when it cannot be opened. */
export async function sqliteStore(options: SqliteStoreOptions): Promise<Store> {
  const { file: name, thread = 'worker', host: shared, ...fileOptions } = options;
  const own = shared === undefined ? sqliteHost({ thread }) : undefined;
  const host = shared ?? (own as SqliteHost);
  try {
    const file = await host.open(name, { ...defaults, ...fileOptions });
    const closeFile = async (): Promise<void> => {
      await file.close();
      await own?.close();
    };
    return storeOf(file, closeFile);
  } catch (error) {
    await own?.close();
    throw error;
  }
}

function storeOf(file: OpenFile, closeFile: () => Promise<void>): Store {
  return {
    collection: async <T extends Document>(name: string, indexes: readonly Index[] = []) => {
      const paths = await file.run<IndexedPaths>({ kind: 'collection', collection: name, indexes });
      return sqliteCollection<T>(file, name, paths);
    },
    check: (timeout = 1000) => check(file, timeout),
    scrub: () => file.run<void>({ kind: 'scrub' }),
    indexesApart: true,
    close: once(closeFile),
  };
}

async function check(file: OpenFile, timeout: number): Promise<StoreStatus> {
  try {
    await within(timeout, file.run({ kind: 'check' }), late(timeout));
    return { ok: true };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : 'The database does not work.' };
  }
}
