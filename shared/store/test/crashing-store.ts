import { StoreUnavailableError } from '../src/errors';
import type { Document, Documents, Index, Store } from '../src/port';

const writes = new Set(['insertOne', 'insertMany', 'updateOne', 'updateMany', 'bulkWrite', 'deleteMany']);

type Crash = {
  /** Which write is the last one, counted from 1. */
  readonly at: number;
  /** Whether that write reaches the disk. Its answer is lost in any case. */
  readonly stored: boolean;
};

/** The same store as seen by a process that dies at one of its writes: nothing it does afterwards arrives. */
export function crashingStore(store: Store, crash: Crash): Store & { readonly hasCrashed: () => boolean } {
  let count = 0;
  let crashed = false;
  const unavailable = () => new StoreUnavailableError('the process has died');
  const crashing = <T extends Document>(documents: Documents<T>): Documents<T> =>
    new Proxy(documents, {
      get: (target, name: keyof Documents<T> & string) => {
        const method = target[name];
        if (typeof method !== 'function') return method;
        const call = (method as (...args: unknown[]) => unknown).bind(target);
        if (!writes.has(name)) return (...args: unknown[]) => (crashed ? fail(name, unavailable()) : call(...args));
        return async (...args: unknown[]) => {
          if (crashed) throw unavailable();
          count += 1;
          if (count < crash.at) return call(...args);
          crashed = true;
          if (crash.stored) await call(...args);
          throw unavailable();
        };
      },
    });
  return {
    collection: async <T extends Document>(name: string, indexes?: readonly Index[]) =>
      crashing(await store.collection<T>(name, indexes)),
    check: store.check.bind(store),
    scrub: store.scrub.bind(store),
    close: async () => undefined,
    hasCrashed: () => crashed,
  };
}

function fail(name: string, error: Error): unknown {
  if (name !== 'find') return Promise.reject(error);
  const cursor = { sort: () => cursor, skip: () => cursor, limit: () => cursor, toArray: () => Promise.reject(error) };
  return cursor;
}
