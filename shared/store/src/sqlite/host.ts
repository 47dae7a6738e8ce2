import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type Call, type Calls, type Group, newCalls, type Reply } from '@order-automation/base';
import { StoreUnavailableError, storeErrors } from '../errors';
import type { FileOptions } from './connection';
import { type Part, startEngines } from './engine';
import type { Operation, Request } from './protocol';

/** Where database files are opened: a worker thread, or this one. Several stores may share one. */
export type SqliteHost = {
  /** Opens a file; rejects with StoreUnavailableError when that is not possible. */
  open(file: string, options: FileOptions): Promise<OpenFile>;
  /** After it everything is unavailable. Idempotent. */
  close(): Promise<void>;
};

export type OpenFile = { run<V>(operation: Operation): Promise<V>; close(): Promise<void> };

type Settle = (replies: readonly Reply[]) => void;
type Transport = { send(group: Group<Request>): void; busy(waiting: boolean): void; close(): Promise<void> };

/**
 * A host of database files. `worker` keeps the flushes off this thread, and reads that may take long off the thread that writes: two threads,
 * and the process ends when one of them dies. `inline` is for a thread that has nothing else to do meanwhile, for tests and for tools.
 */
export function sqliteHost(options: { thread: 'worker' | 'inline' }): SqliteHost {
  const threads = options.thread === 'worker';
  const main = startThread(threads ? (settle) => workerTransport('all', settle) : inlineTransport);
  const reads = threads ? startThread((settle) => workerTransport('reads', settle)) : undefined;
  let lastFile = 0;
  return {
    close: async () => {
      await reads?.close();
      await main.close();
    },
    open: async (file, fileOptions) => {
      lastFile += 1;
      const database = lastFile;
      const both = async (request: Request): Promise<unknown> => {
        const answer = await main.call(request);
        await reads?.call(request);
        return answer;
      };
      await both({ kind: 'open', database, file, options: fileOptions });
      let damage: Error | undefined;
      const remember = (error: Error): void => {
        if (/ is damaged \(/.test(error.message)) damage = error;
      };
      return {
        // A check writes elsewhere in the file and finds nothing wrong with a page that others cannot read.
        run: <V>(operation: Operation) => {
          if (damage && operation.kind === 'check') return Promise.reject(damage);
          const request: Request = { kind: 'operation', database, operation };
          const thread = (mayTakeLong(operation) && reads) || main;
          const done = operation.kind === 'collection' ? (both(request) as Promise<V>) : thread.call<V>(request);
          done.catch(remember);
          return done;
        },
        close: async () => {
          await reads?.call({ kind: 'close', database });
          await main.call({ kind: 'close', database });
        },
      };
    },
  };
}

/** Any read but of documents that are named. */
const mayTakeLong = (operation: Operation): boolean =>
  operation.kind === 'count' || (operation.kind === 'find' && !operation.named);

/**
 * From this many documents on a bulk goes on its way as soon as the code that asked for it pauses, with what it asked for in the same breath,
 * so that the database works on it while this thread prepares the next.
 */
const longBulk = 16;

function isLong(request: Request): boolean {
  if (request.kind !== 'operation') return false;
  const { operation } = request;
  if (operation.kind === 'insert') return operation.docs.length >= longBulk;
  return operation.kind === 'update' && operation.changes.length >= longBulk;
}

/** The calls to one thread, and what reaches it. */
type Thread = Pick<Calls<Request>, 'call'> & { close(): Promise<void> };

function startThread(start: (settle: Settle) => Transport): Thread {
  const transport = start((replies) => {
    for (const reply of replies) calls.settle(reply);
  });
  const calls = newCalls<Request>({ send: transport.send, errors: storeErrors, onWaiting: transport.busy });
  const gone = () => new StoreUnavailableError('The store is closed.');
  let isOpen = true;
  return {
    call: (request) => (isOpen ? calls.call(request, isLong(request)) : Promise.reject(gone())),
    close: async () => {
      calls.flush();
      isOpen = false;
      await transport.close();
      calls.end(gone);
    },
  };
}

function inlineTransport(settle: Settle): Transport {
  const engines = startEngines('all', settle);
  return {
    // Nothing else can come while this thread commits: to wait for more would only keep it from answering.
    send: (group) => {
      engines.receive(group as readonly Call<Request>[]);
      engines.run();
    },
    busy: () => undefined,
    close: async () => engines.close(),
  };
}

/** The worker runs the TypeScript source where this module does (tests, development), and the compiled file otherwise. */
function startWorker(part: Part): Worker {
  const extension = extname(__filename);
  const execArgv = extension === '.ts' ? ['--require', require.resolve('tsx/cjs')] : [];
  const name = part === 'all' ? 'store' : 'store reads';
  return new Worker(join(__dirname, `worker${extension}`), { execArgv, name, workerData: part });
}

/** Ends the process, as an error that nobody catches: without its database nothing here works again, and what was acknowledged is on the disk. */
function die(cause: unknown): never {
  const why = cause instanceof Error ? cause.message : String(cause);
  throw new Error(`The database thread has ended (${why}).`, { cause });
}

function workerTransport(part: Part, settle: Settle): Transport {
  const worker = startWorker(part);
  let closing = false;
  let failure: unknown;
  worker.on('message', settle);
  worker.on('messageerror', die);
  worker.on('error', (error) => {
    failure = error;
  });
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', (code) => (closing ? resolve() : die(failure ?? `code ${code}`)));
  });
  worker.unref();
  return {
    send: (group) => worker.postMessage(group),
    /** The process lives as long as somebody waits for an answer, not merely because a store is open. */
    busy: (waiting) => (waiting ? worker.ref() : worker.unref()),
    close: async () => {
      closing = true;
      worker.ref();
      worker.postMessage('close');
      await exited;
    },
  };
}
