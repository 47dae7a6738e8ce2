import type { Document, Documents, Filter, FindOptions, Index, Sort, Store } from '../src/port';
import { explain, type QueryPlan } from './explain';

type Query = { readonly documents: Documents<Document>; readonly filter: Filter<Document>; sort?: Sort<Document> };

const filtered = new Set(['find', 'findOne', 'countDocuments', 'updateOne', 'updateMany', 'deleteMany']);

/** The same store, and how the engine runs each query that is sent through it: a walk of everything that stops at a limit is none. */
export function recordedQueries(store: Store) {
  const sent: Query[] = [];
  const watching = <T extends Document>(documents: Documents<T>): Documents<T> =>
    new Proxy(documents, {
      get: (target, name: keyof Documents<T> & string) => {
        const method = target[name];
        if (typeof method !== 'function') return method;
        const call = (method as (...args: unknown[]) => unknown).bind(target);
        if (!filtered.has(name)) return call;
        return (...args: unknown[]) => {
          const { sort } = (name.startsWith('find') && (args[1] as FindOptions<Document>)) || {};
          const query = { documents, filter: args[0], ...(sort && { sort }) } as unknown as Query;
          sent.push(query);
          const answer = call(...args);
          return name === 'find' ? sorted(answer as object, query) : answer;
        };
      },
    });
  return {
    store: {
      ...store,
      collection: async <T extends Document>(name: string, indexes?: readonly Index[]) =>
        watching(await store.collection<T>(name, indexes)),
    } as Store,
    sent: sent as readonly Query[],
    /** What the queries are that were sent, and how each is run. */
    plans: async (): Promise<(Pick<Query, 'filter' | 'sort'> & QueryPlan)[]> => {
      const asked = sent.filter(({ filter, sort }) => Object.keys({ ...filter, ...sort }).length > 0);
      return Promise.all(
        asked.map(async ({ documents, filter, sort }) => ({
          filter,
          ...(sort && { sort }),
          ...(await explain(store, documents, filter, sort)),
        })),
      );
    },
  };
}

/** The cursor, and its order as it is chosen. */
const sorted = (cursor: object, query: Query): object =>
  new Proxy(cursor, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return (...args: unknown[]) => {
        if (name === 'sort') query.sort = args[0] as Sort<Document>;
        return method.apply(target, args);
      };
    },
  });
