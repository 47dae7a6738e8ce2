import type { FileOptions } from './connection';
import { abandon, type DatabaseFile, databaseFile, type Job, open, runReads, runWrites } from './database';
import type { Operation, Read, Reply, Write } from './protocol';

/** One database file and the only hand of this process that writes it. */
export type Engine = {
  /** Queues an operation; its reply is delivered with those of its group. */
  submit(id: number, operation: Operation): void;
  /** Carries out what is queued, at once. */
  run(): void;
  /** Carries out what is queued and closes the file. */
  close(): void;
};

/** Milliseconds without a write after which the write-ahead log is moved into the database file. */
const idleBeforeCheckpoint = 200;

/**
 * Group commit: all that arrived while the last group was committed is the next group, one transaction and one flush. The reads of
 * a group run before its writes. Throws when the file cannot be opened.
 */
export function openEngine(file: string, options: FileOptions, deliver: (replies: Reply[]) => void): Engine {
  const database = databaseFile(file, options);
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
    const writes = jobs.filter(isWrite);
    if (reads.length > 0) deliver(runReads(database, reads));
    if (writes.length === 0) return;
    deliver(runWrites(database, writes));
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

function isRead(job: Job): job is Job<Read> {
  return job.operation.kind === 'find' || job.operation.kind === 'count' || job.operation.kind === 'explain';
}

function isWrite(job: Job): job is Job<Write> {
  return !isRead(job);
}

/** Moves the write-ahead log into the database file. A failure loses nothing: the log stays and the next attempt takes it up. */
function checkpoint(database: DatabaseFile, mode: 'PASSIVE' | 'TRUNCATE'): void {
  try {
    database.connection?.database.pragma(`wal_checkpoint(${mode})`);
  } catch {
    abandon(database);
  }
}
