import type { Cursor, Document, Documents, Index, Store } from '@order-automation/store';

/** What every call passes through. `what`: its name and the collection; `half`: the same for the first half of several documents. */
export type Pass = <V>(what: string, call: () => Promise<V>, half?: () => Promise<unknown>) => Promise<V>;

type Call = (...args: readonly unknown[]) => Promise<unknown>;

const single = ['insertOne', 'updateOne', 'updateMany', 'deleteMany', 'findOne', 'countDocuments'] as const;
const several = ['insertMany', 'bulkWrite'] as const;

const reading = /^(?:find|count|collection)/;
export const isRead = (what: string): boolean => reading.test(what);

/** The same store for an instance whose calls may fail, wait or be lost on their way. Closing it closes nothing. */
export function passingStore(store: Store, pass: Pass): Store {
  return {
    collection: async <T extends Document>(name: string, indexes?: readonly Index[]) =>
      passingDocuments(await pass(`collection ${name}`, () => store.collection<T>(name, indexes)), pass),
    check: store.check.bind(store),
    scrub: store.scrub.bind(store),
    close: async () => undefined,
  };
}

function passingDocuments<T extends Document>(documents: Documents<T>, pass: Pass): Documents<T> {
  const { collectionName } = documents;
  const of = (name: keyof Documents<T>): Call => (documents[name] as unknown as Call).bind(documents);
  const one = single.map((name) => [
    name,
    (...args: readonly unknown[]) => pass(`${name} ${collectionName}`, () => of(name)(...args)),
  ]);
  const many = several.map((name) => [
    name,
    (all: readonly unknown[], options?: object) => {
      const half = () => of(name)(all.slice(0, Math.ceil(all.length / 2)), options);
      return pass(`${name} ${collectionName}`, () => of(name)(all, options), all.length > 1 ? half : undefined);
    },
  ]);
  return {
    collectionName,
    ...(Object.fromEntries([...one, ...many]) as Omit<Documents<T>, 'collectionName' | 'find'>),
    find: (filter, options) => passingCursor(documents.find(filter, options), `find ${collectionName}`, pass),
  };
}

function passingCursor<T>(cursor: Cursor<T>, what: string, pass: Pass): Cursor<T> {
  return {
    sort: (sort) => passingCursor(cursor.sort(sort), what, pass),
    skip: (count) => passingCursor(cursor.skip(count), what, pass),
    limit: (count) => passingCursor(cursor.limit(count), what, pass),
    toArray: () => pass(what, () => cursor.toArray()),
  };
}
