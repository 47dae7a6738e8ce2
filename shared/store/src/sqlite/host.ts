import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { StoreUnavailableError } from '../errors';
import type { FileOptions } from './connection';
import { type Engines, startEngines } from './engines';
import { fromWire, type Operation, type Reply, type Request } from './protocol';

/** Where database files are opened: a worker thread, or this one. Several stores may share one. */
export type SqliteHost = {
  /** Opens a file; rejects with StoreUnavailableError when that is not possible. */
  open(file: string, options: FileOptions): Promise<OpenFile>;
  /** Why nothing can be done here any more; undefined while it can. */
  failure(): string | undefined;
  close(): Promise<void>;
};

export type OpenFile = {
  run<V>(operation: Operation): Promise<V>;
  close(): Promise<void>;
};

type Call = Request extends infer R ? (R extends Request ? Omit<R, 'id'> : never) : never;
type Pending = { readonly resolve: (value: never) => void; readonly reject: (error: Error) => void };
type Settle = (replies: readonly Reply[]) => void;
type Fail = (reason: string) => void;
type Transport = { send(requests: Request[]): void; busy(waiting: boolean): void; close(): Promise<void> };

/**
 * A host of database files. `worker` keeps the flushes off this thread; `inline` is for a thread that has nothing else to do meanwhile, for
 * tests and for tools.
 */
export function sqliteHost(options: { thread: 'worker' | 'inline' }): SqliteHost {
  const { call, failure, close } = startCalls(options.thread === 'worker' ? workerTransport : inlineTransport);
  let lastFile = 0;
  return {
    failure,
    close,
    open: async (file, fileOptions) => {
      lastFile += 1;
      const database = lastFile;
      await call({ kind: 'open', database, file, options: fileOptions });
      return {
        run: (operation) => call({ kind: 'operation', database, operation }),
        close: () => call({ kind: 'close', database }),
      };
    },
  };
}

type Calls = {
  call<V>(request: Call): Promise<V>;
  failure(): string | undefined;
  close(): Promise<void>;
};

/**
 * Who waits for which reply, in places that are used again: a Map that is added to and deleted from for ever is rebuilt again and
 * again, and its outgrown tables keep what was in it alive until the next full collection.
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
  if (operation.kind === 'insertMany') return operation.docs.length >= longBulk;
  return operation.kind === 'bulk' && operation.steps.length >= longBulk;
}

/** Requests of one turn of the event loop travel together; each gets its reply, or StoreUnavailableError. */
function startCalls(start: (settle: Settle, fail: Fail) => Transport): Calls {
  const pending = newPending();
  let failure: string | undefined;
  let outgoing: Request[] = [];

  const fail: Fail = (reason) => {
    failure ??= reason;
    for (const { reject } of pending.takeAll()) reject(new StoreUnavailableError(failure));
  };
  const transport = start((replies) => {
    for (const reply of replies) {
      const waiting = pending.take(reply.id);
      if (reply.ok) waiting?.resolve(reply.value as never);
      else waiting?.reject(fromWire(reply.error));
    }
    if (pending.size() === 0) transport.busy(false);
  }, fail);
  const flush = (): void => {
    const requests = outgoing;
    outgoing = [];
    if (failure === undefined && requests.length > 0) transport.send(requests);
  };

  return {
    failure: () => failure,
    call: <V>(request: Call) => {
      if (failure !== undefined) return Promise.reject(new StoreUnavailableError(failure));
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
      failure ??= 'The store is closed.';
      await transport.close();
      fail(failure);
    },
  };
}

function inlineTransport(settle: Settle): Transport {
  const engines: Engines = startEngines(settle);
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
function startWorker(): Worker {
  const extension = extname(__filename);
  const execArgv = extension === '.ts' ? ['--require', require.resolve('tsx/cjs')] : [];
  return new Worker(join(__dirname, `worker${extension}`), { execArgv, name: 'store' });
}

function workerTransport(settle: Settle, fail: Fail): Transport {
  const worker = startWorker();
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      fail(`The thread of the database has ended (code ${code}).`);
      resolve();
    });
  });
  worker.on('message', settle);
  worker.on('messageerror', (error) => fail(`The thread of the database sent what cannot be read: ${error.message}`));
  worker.on('error', (error) => fail(`The thread of the database has failed: ${String(error)}`));
  worker.unref();
  return {
    send: (requests) => worker.postMessage(requests),
    /** The process lives as long as somebody waits for an answer, not merely because a store is open. */
    busy: (waiting) => (waiting ? worker.ref() : worker.unref()),
    close: async () => {
      worker.ref();
      worker.postMessage('close');
      await exited;
    },
  };
}
