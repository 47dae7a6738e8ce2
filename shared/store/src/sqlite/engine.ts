import { type Call, type Reply, textOf } from '@order-automation/base';
import { StoreUnavailableError, storeErrors } from '../errors';
import { type FileOptions, unavailableFrom } from './connection';
import { abandon, type DatabaseFile, databaseFile, type Job, open, runReads, runWrites } from './database';
import type { Operation, Read, Request, Write } from './protocol';

/** One database file in one thread. */
type Engine = {
  /** Queues an operation; its reply is delivered with those of its group. */
  submit(id: number, operation: Operation): void;
  /** Carries out what is queued, at once. */
  run(): void;
  /** Carries out what is queued and closes the file. */
  close(): void;
};

/** Milliseconds without a write after which the write-ahead log is moved into the database file. A page that was changed many times is moved once. */
const idleBeforeCheckpoint = 10_000;

/**
 * Group commit: all that arrived while the last group was committed is the next group, one transaction and one flush. The reads of
 * a group run before its writes. Throws when the file cannot be opened.
 */
function openEngine(file: string, options: FileOptions, deliver: (replies: Reply[]) => void): Engine {
  const database = databaseFile(file, options, false);
  open(database);
  let queue: Job[] = [];
  let scheduled: NodeJS.Immediate | undefined;
  let idle: NodeJS.Timeout | undefined;

  const run = (): void => {
    clearImmediate(scheduled);
    scheduled = undefined;
    if (queue.length === 0) return;
    const jobs = queue;
    queue = [];
    const reads = jobs.filter(isRead);
    const writes = jobs.filter((job): job is Job<Write> => !isRead(job) && job.operation.kind !== 'scrub');
    const scrubs = jobs.filter(({ operation }) => operation.kind === 'scrub');
    if (reads.length > 0) deliver(runReads(database, reads));
    if (writes.length > 0) deliver(runWrites(database, writes));
    if (scrubs.length > 0) deliver(scrubs.map(({ id }) => scrub(database, id)));
    clearTimeout(idle);
    idle = setTimeout(() => checkpoint(database, 'PASSIVE'), idleBeforeCheckpoint).unref();
  };

  return {
    submit: (id, operation) => {
      queue.push({ id, operation });
      scheduled ??= setImmediate(run);
    },
    run,
    close: () => {
      run();
      clearTimeout(idle);
      checkpoint(database, 'TRUNCATE');
      abandon(database);
    },
  };
}

/** A second connection to an engine's file, for long reads; it carries out each operation when it arrives. Throws when the file cannot be opened. */
function openReader(file: string, options: FileOptions, deliver: (replies: Reply[]) => void): Engine {
  const database = databaseFile(file, options, true);
  open(database);
  return {
    submit: (id, operation) => {
      if (operation.kind === 'collection' || isReading(operation)) deliver(runReads(database, [{ id, operation }]));
      else throw new Error(`A reader does not carry out ${operation.kind}.`);
    },
    run: () => undefined,
    close: () => abandon(database),
  };
}

const isReading = (operation: Operation): operation is Read => operation.kind === 'find' || operation.kind === 'count';

const isRead = (job: Job): job is Job<Read> => isReading(job.operation);

/** Moves the whole log into the file and empties it: its pages hold what was there before. */
function scrub(database: DatabaseFile, id: number): Reply {
  try {
    const rows = database.connection?.database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[] | undefined;
    if (rows?.[0]?.busy === 0) return { id, ok: true, value: undefined };
    throw new StoreUnavailableError('The log of the database file is being read.');
  } catch (error) {
    return { id, ok: false, error: storeErrors.write(unavailableFrom(error, database.file) ?? error) };
  }
}

/** Moves the write-ahead log into the database file. A failure loses nothing: the log stays and the next attempt takes it up. */
function checkpoint(database: DatabaseFile, mode: 'PASSIVE' | 'TRUNCATE'): void {
  try {
    database.connection?.database.pragma(`wal_checkpoint(${mode})`);
  } catch {
    abandon(database);
  }
}

/** What a thread does with its files: `all`, or only reads beside a thread that does. */
export type Part = 'all' | 'reads';

export function startEngines(part: Part, deliver: (replies: Reply[]) => void) {
  const engines = new Map<number, Engine>();
  const open = part === 'all' ? openEngine : openReader;

  const receive = ({ id, asked: request }: Call<Request>): void => {
    const { database } = request;
    try {
      if (request.kind === 'open') {
        engines.set(database, open(request.file, request.options, deliver));
        deliver([{ id, ok: true, value: null }]);
      } else if (request.kind === 'close') {
        engines.get(database)?.close();
        engines.delete(database);
        deliver([{ id, ok: true, value: null }]);
      } else {
        const engine = engines.get(database);
        if (engine === undefined) throw new StoreUnavailableError('The store is closed.');
        engine.submit(id, request.operation);
      }
    } catch (error) {
      const text = `The database file cannot be opened: ${textOf(error)}`;
      const file = request.kind === 'open' ? request.file : '';
      const reason = unavailableFrom(error, file) ?? new StoreUnavailableError(text);
      deliver([{ id, ok: false, error: storeErrors.write(reason) }]);
    }
  };

  return {
    receive: (calls: readonly Call<Request>[]): void => calls.forEach(receive),
    /** Carries out what was received at once, instead of with what comes next. */
    run: (): void => {
      for (const engine of engines.values()) engine.run();
    },
    close: (): void => {
      for (const engine of engines.values()) engine.close();
      engines.clear();
    },
  };
}
