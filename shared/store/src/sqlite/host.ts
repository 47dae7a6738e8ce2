import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StoreUnavailableError } from '../errors';
import type { FileOptions } from './connection';
import { type Engines, type Part, startEngines } from './engines';
import { fromWire, type Operation, type Reply, type Request } from './protocol';

/** Where database files are opened: a worker thread, or this one. Several stores may share one. */
export type SqliteHost = {
  /** Opens a file; rejects with StoreUnavailableError when that is not possible. */
  open(file: string, options: FileOptions): Promise<OpenFile>;
  /** After it everything is unavailable. Idempotent. */
  close(): Promise<void>;
};

export type OpenFile = {
  run<V>(operation: Operation): Promise<V>;
  close(): Promise<void>;
};

type Call = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never;
type Pending = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void };
type Settle = (replies: readonly Reply[]) => void;
type Transport = { send(requests: Request[]): void; busy(waiting: boolean): void; close(): Promise<void> };

/**
 * A host of database files. `worker` keeps the flushes off this thread, and reads that may take long off the thread that writes: two threads,
 * and the process ends when one of them dies. `inline` is for a thread that has nothing else to do meanwhile, for tests and for tools.
 */
export function sqliteHost(options: { thread: 'worker' | 'inline' }): SqliteHost {
  const threads = options.thread === 'worker';
  const main = startCalls(threads ? (settle) => workerTransport('all', settle) : inlineTransport);
  const reads = threads ? startCalls((settle) => workerTransport('reads', settle)) : undefined;
  let lastFile = 0;
  return {
    close: async () => {
      await reads?.close();
      await main.close();
    },
    open: async (file, fileOptions) => {
      lastFile += 1;
      const database = lastFile;
      const both = async (call: Call): Promise<unknown> => {
        const answer = await main.call(call);
        await reads?.call(call);
        return answer;
      };
      await both({ kind: 'open', database, file, options: fileOptions });
      return {
        run: <V>(operation: Operation) => {
          const call: Call = { kind: 'operation', database, operation };
          if (operation.kind === 'collection') return both(call) as Promise<V>;
          return reads !== undefined && mayTakeLong(operation) ? reads.call<V>(call) : main.call<V>(call);
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
function mayTakeLong(operation: Operation): boolean {
  return operation.kind === 'count' || operation.kind === 'explain' || (operation.kind === 'find' && !operation.named);
}

type Calls = {
  call<V>(request: Call): Promise<V>;
  close(): Promise<void>;
};

const closedMessage = 'The store is closed.';

/**
 * Pending calls by id. Ids are used again: a Map with ever new keys is rebuilt again and again, and its outgrown tables keep what was in it alive until
 * the next full collection.
 */
function newPending() {
  const places: (Pending | undefined)[] = [];
  const free: number[] = [];
  return {
    size: () => places.length - free.length,
    add: (waiting: Pending): number => {
      const id = free.pop() ?? places.length;
      places[id] = waiting;
      return id;
    },
    take: (id: number): Pending | undefined => {
      const waiting = places[id];
      if (waiting === undefined) return undefined;
      places[id] = undefined;
      free.push(id);
      return waiting;
    },
    takeAll: (): Pending[] => {
      free.length = 0;
      return places.splice(0).filter((waiting) => waiting !== undefined);
    },
  };
}

/**
 * From this many documents on a bulk goes on its way as soon as the code that asked for it pauses, with what it asked for in the same breath,
 * so that the database works on it while this thread prepares the next.
 */
const longBulk = 16;

function isLong(call: Call): boolean {
  if (call.kind !== 'operation') return false;
  const { operation } = call;
  if (operation.kind === 'insert') return operation.docs.length >= longBulk;
  return operation.kind === 'update' && operation.changes.length >= longBulk;
}

/** Requests of one turn of the event loop travel together; each gets its reply, or StoreUnavailableError. */
function startCalls(start: (settle: Settle) => Transport): Calls {
  const pending = newPending();
  let closed = false;
  let outgoing: Request[] = [];

  const transport = start((replies) => {
    for (const reply of replies) {
      const waiting = pending.take(reply.id);
      if (reply.ok) waiting?.resolve(reply.value as never);
      else waiting?.reject(fromWire(reply.error));
    }
    if (pending.size() === 0) transport.busy(false);
  });
  const flush = (): void => {
    const requests = outgoing;
    outgoing = [];
    if (!closed && requests.length > 0) transport.send(requests);
  };

  return {
    call: <V>(request: Call) => {
      if (closed) return Promise.reject(new StoreUnavailableError(closedMessage));
      if (pending.size() === 0) transport.busy(true);
      return new Promise<V>((resolve, reject) => {
        const id = pending.add({ resolve, reject });
        const first = outgoing.push({ ...request, id } as Request) === 1;
        if (isLong(request)) queueMicrotask(flush);
        else if (first) setImmediate(flush);
      });
    },
    close: async () => {
      flush();
      closed = true;
      await transport.close();
      for (const { reject } of pending.takeAll()) reject(new StoreUnavailableError(closedMessage));
    },
  };
}

function inlineTransport(settle: Settle): Transport {
  const engines: Engines = startEngines('all', settle);
  return {
    // Nothing else can come while this thread commits: to wait for more would only keep it from answering.
    send: (requests) => {
      engines.receive(requests);
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
    send: (requests) => worker.postMessage(requests),
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
