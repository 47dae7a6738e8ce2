import { once, within } from '@order-automation/base';
import { late } from '../errors';
import type { ExplainingStore, QueryPlan } from '../explain';
import type { Document, Index, StoreStatus } from '../port';
import { encodeQuery } from './codec';
import { sqliteCollection } from './collection';
import type { IndexedPaths } from './database';
import { type OpenFile, type SqliteHost, sqliteHost } from './host';

export type SqliteStoreOptions = {
  /** The database file; its directory must exist. Beside it SQLite keeps `-wal` and `-shm`. */
  readonly file: string;
  /** `worker`: flushes happen in a thread of their own. `inline`: in this one. */
  readonly thread?: 'worker' | 'inline';
  /** A thread that several stores share, instead of one of its own; its owner closes it. */
  readonly host?: SqliteHost;
  /** Milliseconds to wait for another process that writes the file. Default 1,000. */
  readonly busyTimeout?: number;
  /**
   * Bytes of a page when the file is made. Default 4,096, good for documents that change one here and one there; where nearly everything is
   * added at the end, larger pages are written with fewer calls.
   */
  readonly pageSize?: number;
  /** Most pages that the file may have. Default: what the disk holds. */
  readonly maxPages?: number;
  /** Characters from which on a document is compressed; for tests. */
  readonly compressFrom?: number;
};

/** A store in one SQLite file, every write flushed before it resolves. Rejects with StoreUnavailableError when it cannot be opened. */
export async function sqliteStore(options: SqliteStoreOptions): Promise<ExplainingStore> {
  const { maxPages, compressFrom, busyTimeout = 1000, pageSize = 4096, thread = 'worker' } = options;
  const own = options.host === undefined ? sqliteHost({ thread }) : undefined;
  const host = options.host ?? (own as SqliteHost);
  try {
    const file = await host.open(options.file, {
      busyTimeout,
      pageSize,
      ...(maxPages === undefined ? {} : { maxPages }),
      ...(compressFrom === undefined ? {} : { compressFrom }),
    });
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

function storeOf(file: OpenFile, closeFile: () => Promise<void>): ExplainingStore {
  return {
    collection: async <T extends Document>(name: string, indexes: readonly Index[] = []) => {
      const paths = await file.run<IndexedPaths>({ kind: 'collection', collection: name, indexes });
      return sqliteCollection<T>(file, name, paths);
    },
    explain: async (documents, filter, sort = {} as never) =>
      file.run<QueryPlan>({
        kind: 'explain',
        collection: documents.collectionName,
        filter: encodeQuery(filter),
        sort: encodeQuery(sort),
      }),
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
