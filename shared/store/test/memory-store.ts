import { BulkWriteError, DuplicateKeyError, UpdateRefusedError, type WriteError } from '../src/errors';
import type { BulkOperation, Cursor, Document, Documents, Index, IndexDescription, Store } from '../src/port';
import { mayHoldHalfPair, wellFormed } from '../src/well-formed';
import { type Fields, fieldAt, isMatch, rankOf, sorted } from './memory-queries';

/** A document as it is kept: parsed for queries, as text for copies of it. */
type Kept = { readonly fields: Fields; readonly text: string };
type Unique = { readonly index: IndexDescription; readonly owners: Map<string, unknown> };

/** The store port in this thread's memory, for simulations: a call has happened when it returns, and is answered in the next microtask. */
export function memoryStore(): Store {
  const collections = new Map<string, ReturnType<typeof memoryCollection>>();
  return {
    collection: async <T extends Document>(name: string, indexes: readonly Index[] = []) => {
      const found = collections.get(name) ?? memoryCollection(name);
      collections.set(name, found);
      found.declare(indexes);
      return found.documents as unknown as Documents<T>;
    },
    check: async () => ({ ok: true }),
    scrub: async () => undefined,
    close: async () => undefined,
  };
}

function memoryCollection(collectionName: string) {
  const kept = new Map<unknown, Kept>();
  const uniques = new Map<string, Unique>();
  const put = (before: Kept | undefined, fields: Fields): void => {
    const made = keptOf(fields);
    for (const { index, owners } of uniques.values()) {
      const key = keyIn(index, made.fields);
      const owner = key === undefined ? undefined : owners.get(key);
      if (owner !== undefined && owner !== fields._id) throw new DuplicateKeyError(`E11000 index ${index.name}`);
    }
    for (const { index, owners } of uniques.values()) {
      const old = before && keyIn(index, before.fields);
      if (old !== undefined) owners.delete(old);
      const key = keyIn(index, made.fields);
      if (key !== undefined) owners.set(key, fields._id);
    }
    kept.set(fields._id, made);
  };
  const matching = (filter: Fields): Kept[] => {
    const { _id } = filter;
    const named = typeof _id === 'object' && _id !== null && '$in' in _id ? (_id.$in as unknown[]) : undefined;
    const ids = named ?? (typeof _id === 'string' || typeof _id === 'number' ? [_id] : undefined);
    const asked = ids ? [...new Set(ids)].flatMap((id) => kept.get(id) ?? []) : [...kept.values()];
    return asked.filter(({ fields }) => isMatch(fields, filter));
  };
  const insert = (document: Fields): void => {
    if (kept.has(document._id)) throw new DuplicateKeyError('E11000 index _id_');
    put(undefined, document);
  };
  const update = (found: readonly Kept[], change: Fields): { matchedCount: number } => {
    for (const before of found) put(before, changed(before, change));
    return { matchedCount: found.length };
  };
  const write = (operation: BulkOperation<Document>): number => {
    if ('updateOne' in operation) {
      const { filter, update: change } = operation.updateOne;
      return update(matching(filter as Fields).slice(0, 1), change as Fields).matchedCount;
    }
    const { filter, replacement } = operation.replaceOne;
    const [before] = matching(filter as Fields);
    if (before) put(before, { _id: before.fields._id, ...replacement });
    return before ? 1 : 0;
  };
  const find = (filter: Fields, { projection, ...asked }: Options = {}) =>
    cursorOf(asked, async ({ sort, skip = 0, limit }) => {
      const found = sort ? sorted(matching(filter), sort) : matching(filter);
      return found.slice(skip, limit ? skip + limit : undefined).map((one) => shown(one, projection));
    });
  const documents = {
    collectionName,
    insertOne: async (document: Fields) => insert(document),
    insertMany: async (all: readonly Fields[], { ordered = true } = {}) => void inBulk(all, ordered, insert),
    findOne: async (filter: Fields, options?: Options) => (await find(filter, options).limit(1).toArray())[0] ?? null,
    find,
    updateOne: async (filter: Fields, change: Fields) => update(matching(filter).slice(0, 1), change),
    updateMany: async (filter: Fields, change: Fields) => update(matching(filter), change),
    bulkWrite: async (operations: readonly BulkOperation<Document>[], { ordered = true } = {}) => ({
      matchedCount: inBulk(operations, ordered, write).reduce((sum, count) => sum + count, 0),
    }),
    deleteMany: async (filter: Fields) => {
      const found = matching(filter);
      for (const { fields } of found) {
        kept.delete(fields._id);
        for (const { index, owners } of uniques.values()) owners.delete(keyIn(index, fields) ?? '');
      }
      return { deletedCount: found.length };
    },
    countDocuments: async (filter: Fields) => matching(filter).length,
  };
  return {
    documents,
    declare: (indexes: readonly Index[]): void => {
      for (const index of indexes) {
        if (!('key' in index) || !index.unique || uniques.has(index.name)) continue;
        const all = [...kept.values()].map(({ fields }) => [keyIn(index, fields) ?? '', fields._id] as const);
        uniques.set(index.name, { index, owners: new Map(all.filter(([key]) => key !== '')) });
      }
    },
  };
}

function keptOf(fields: Fields): Kept {
  const json = JSON.stringify(fields);
  const text = mayHoldHalfPair(json) ? JSON.stringify(wellFormed(fields)) : json;
  return { fields: JSON.parse(text), text };
}

/** What a unique index has for the document; undefined where it leaves it out. */
function keyIn({ key, sparse, partialFilterExpression }: IndexDescription, fields: Fields): string | undefined {
  if (partialFilterExpression && !isMatch(fields, partialFilterExpression)) return undefined;
  const values = Object.keys(key).map((path) => fieldAt(fields, path));
  if (sparse && values.every((value) => value === undefined)) return undefined;
  return JSON.stringify(values.map((value) => value ?? null));
}

function shown({ text }: Kept, projection: Fields = {}): Fields {
  const fields: Fields = JSON.parse(text);
  const names = Object.keys(projection);
  if (names.length === 0) return fields;
  const isOut = names.some((name) => projection[name] === 0);
  const isShown = (name: string): boolean => (isOut ? !names.includes(name) : name === '_id' || names.includes(name));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => isShown(name)));
}

type Options = Asked & { readonly projection?: Fields };
type Asked = { readonly sort?: Fields; readonly skip?: number; readonly limit?: number };

function cursorOf(asked: Asked, read: (asked: Asked) => Promise<Fields[]>): Cursor<Fields> {
  return {
    sort: (sort) => cursorOf({ ...asked, sort: sort as Fields }, read),
    skip: (skip) => cursorOf({ ...asked, skip }, read),
    limit: (limit) => cursorOf({ ...asked, limit }, read),
    toArray: () => read(asked),
  };
}

/** Each by itself: an ordered bulk ends at the first failure. Throws what failed in the shape of the driver's error. */
function inBulk<V, R>(all: readonly V[], ordered: boolean, act: (one: V) => R): R[] {
  const writeErrors: WriteError[] = [];
  const results: R[] = [];
  for (const [index, one] of all.entries()) {
    try {
      results.push(act(one));
    } catch (error) {
      const { code, message } = error as DuplicateKeyError;
      writeErrors.push({ index, code, errmsg: message });
      if (ordered) break;
    }
  }
  if (writeErrors.length > 0) throw new BulkWriteError(writeErrors);
  return results;
}

/** The document after `$set`, `$inc`, `$max` and `$unset`. Throws UpdateRefusedError with MongoDB's code. */
function changed({ text }: Kept, { $set = {}, $inc = {}, $max = {}, $unset = {} }: Fields): Fields {
  const document: Fields = JSON.parse(text);
  for (const [path, value] of Object.entries($set as Fields))
    if (value !== undefined) setAt(document, path, () => value);
  for (const [path, by] of Object.entries($inc as Record<string, number>))
    setAt(document, path, (held) => {
      if (held !== undefined && typeof held !== 'number') throw new UpdateRefusedError(14, `${path} is no number`);
      return (held ?? 0) + by;
    });
  for (const [path, value] of Object.entries($max as Fields))
    setAt(document, path, (held) => (held === undefined || rankOf(value, held) > 0 ? value : held));
  for (const path of Object.keys($unset as Fields)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const parent = names.length === 0 ? document : fieldAt(document, names.join('.'));
    if (typeof parent === 'object' && parent !== null && !Array.isArray(parent)) delete (parent as Fields)[last];
  }
  return document;
}

function setAt(document: Fields, path: string, next: (held: unknown) => unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  let parent = document;
  for (const name of names) {
    parent[name] ??= name in parent ? null : {};
    const below = parent[name];
    if (typeof below !== 'object' || below === null || Array.isArray(below))
      throw new UpdateRefusedError(28, `cannot create a field below ${name}`);
    parent = below as Fields;
  }
  parent[last] = next(parent[last]);
}
