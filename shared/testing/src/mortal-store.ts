import { type Document, type Documents, type Index, type Store, StoreUnavailableError } from '@order-automation/store';

const writes = new Set(['insertOne', 'insertMany', 'updateOne', 'updateMany', 'bulkWrite', 'deleteMany']);

export type Death = {
  /** Which write is the last one, counted from 1. */
  readonly at: number;
  /** Whether that write reaches the disk. Its answer is lost in any case. */
  readonly stored: boolean;
};

/** The same store as seen by a process that dies at one of its writes: nothing it does afterwards arrives. */
export function mortalStore(store: Store, death: Death): Store & { readonly isDead: () => boolean } {
  let count = 0;
  let dead = false;
  const gone = () => new StoreUnavailableError('the process has died');
  const mortal = <T extends Document>(documents: Documents<T>): Documents<T> =>
    new Proxy(documents, {
      get: (target, name: keyof Documents<T> & string) => {
        const method = target[name];
        if (typeof method !== 'function') return method;
        const call = (method as (...args: unknown[]) => unknown).bind(target);
        if (!writes.has(name)) return (...args: unknown[]) => (dead ? fail(name, gone()) : call(...args));
        return async (...args: unknown[]) => {
          if (dead) throw gone();
          count += 1;
          if (count < death.at) return call(...args);
          dead = true;
          if (death.stored) await call(...args);
          throw gone();
        };
      },
    });
  return {
    collection: async <T extends Document>(name: string, indexes?: readonly Index[]) =>
      mortal(await store.collection<T>(name, indexes)),
    explain: store.explain.bind(store),
    check: store.check.bind(store),
    close: async () => undefined,
    isDead: () => dead,
  };
}

function fail(name: string, error: Error): unknown {
  if (name !== 'find') return Promise.reject(error);
  const cursor = { sort: () => cursor, skip: () => cursor, limit: () => cursor, toArray: () => Promise.reject(error) };
  return cursor;
}
