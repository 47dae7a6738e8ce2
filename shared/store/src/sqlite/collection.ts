import { toUSVString } from 'node:util';
import { UnsupportedQueryError } from '../errors';
import type { BulkOperation, Cursor, Document, Documents, Filter, FindOptions, Update } from '../port';
import { decode, encode } from './codec';
import { contentsFor } from './contents';
import type { IndexedPaths } from './database';
import type { OpenFile } from './host';
import { partedBy, queryTextWithout } from './long-text';
import { project, shows } from './project';
import type { BulkStep, Change, Insert } from './protocol';
import { checkIndexable } from './schema';
import type { Changed } from './write';

/** A collection of an SQLite store. Arguments are written down when a method is called; changing them later changes nothing. */
export function sqliteCollection<T extends Document>(
  file: OpenFile,
  collection: string,
  paths: IndexedPaths,
): Documents<T> {
  const { longText } = paths;
  const toInsert = insertOf(paths);
  const text = queryTextWithout(longText);
  const changeOf: ToChange<T> = (filter, update, upsert = false) => ({
    filter: text(filter),
    update: text(update),
    upsert,
  });
  const contentsOf = contentsFor(paths.columns);
  return {
    collectionName: collection,
    insertOne: async (document) => {
      await file.run({ kind: 'insertOne', collection, insert: toInsert(document) });
      return { acknowledged: true };
    },
    insertMany: async (documents, options) => {
      const ordered = options?.ordered ?? true;
      if (longText !== undefined) {
        const steps = documents.map((document): BulkStep => ({ kind: 'insert', insert: toInsert(document) }));
        return file.run({ kind: 'bulk', collection, steps, ordered });
      }
      const ids: (string | bigint)[] = [];
      const docs: string[] = [];
      for (const document of documents) {
        const { id, doc } = toInsert(document);
        ids.push(id);
        docs.push(doc);
      }
      const contents = contentsOf(documents);
      return file.run({ kind: 'insertMany', collection, ids, docs, contents, ordered });
    },
    bulkWrite: async (operations, options) => {
      const steps = operations.map((operation) => bulkStep(operation, toInsert, changeOf, text));
      return file.run({ kind: 'bulk', collection, steps, ordered: options?.ordered ?? true });
    },
    updateOne: async (filter, update, options) =>
      file.run<Changed>({ kind: 'updateOne', collection, change: changeOf(filter, update, options?.upsert) }),
    updateMany: async (filter, update) =>
      file.run<Changed>({ kind: 'updateMany', collection, change: changeOf(filter, update, false) }),
    findOneAndUpdate: async (filter, update, options) => {
      if (longText !== undefined) throw new UnsupportedQueryError('findOneAndUpdate where there is long text');
      const change = changeOf(filter, update, options?.upsert);
      const after = options?.returnDocument === 'after';
      const doc = await file.run<string | null>({ kind: 'findOneAndUpdate', collection, change, after });
      return doc === null ? null : decode<T>(doc);
    },
    deleteOne: async (filter) => ({
      deletedCount: await file.run<number>({ kind: 'deleteOne', collection, filter: text(filter) }),
    }),
    deleteMany: async (filter) => ({
      deletedCount: await file.run<number>({ kind: 'deleteMany', collection, filter: text(filter) }),
    }),
    ...reading<T>({ file, collection, longText, text }),
  };
}

type Source = {
  readonly file: OpenFile;
  readonly collection: string;
  readonly longText: string | undefined;
  readonly text: (query: object) => string;
};

function reading<T extends Document>(source: Source): Pick<Documents<T>, 'find' | 'findOne' | 'countDocuments'> {
  const { file, collection, text } = source;
  const find = (filter: Filter<T>, options?: FindOptions<T>): Cursor<T> =>
    cursor({ ...source, filter, options, sort: {}, skip: 0, limit: 0 });
  return {
    find,
    findOne: async (filter, options) => (await find(filter, options).limit(1).toArray())[0] ?? null,
    countDocuments: async (filter) => file.run<number>({ kind: 'count', collection, filter: text(filter) }),
  };
}

type Query<T> = Source & {
  readonly filter: object;
  readonly options: FindOptions<T> | undefined;
  readonly sort: object;
  readonly skip: number;
  readonly limit: number;
};

/** As with the driver, a mistake in the query rejects when the documents are asked for. */
function cursor<T>(query: Query<T>): Cursor<T> {
  return {
    sort: (sort) => cursor({ ...query, sort }),
    skip: (skip) => cursor({ ...query, skip }),
    limit: (limit) => cursor({ ...query, limit }),
    toArray: async () => {
      const { file, collection, longText, text, options, skip, limit } = query;
      const [filter, sort] = [text(query.filter), text(query.sort)];
      for (const count of [skip, limit])
        if (!Number.isSafeInteger(count) || count < 0)
          throw new UnsupportedQueryError(`skip and limit want whole numbers, not ${count}`);
      const projection = options?.projection;
      const short = longText !== undefined && projection !== undefined && !shows(projection, longText);
      const named = namesIds(query.filter);
      const docs = await file.run<string[]>({ kind: 'find', collection, filter, sort, skip, limit, named, short });
      return docs.map((doc) => (projection ? project(decode<T>(doc), projection) : decode<T>(doc)));
    },
  };
}

function namesIds(filter: { readonly _id?: unknown }): boolean {
  const { _id } = filter;
  if (typeof _id !== 'object' || _id === null) return _id !== undefined;
  return '$eq' in _id || '$in' in _id;
}

function insertOf(paths: IndexedPaths): (document: Document) => Insert {
  const indexed = new Set(paths.indexed);
  const arrayFree = new Set(paths.arrayFree);
  const parted = partedBy(paths.longText);
  return (document) => {
    const { _id: id } = document;
    if (typeof id !== 'string' && typeof id !== 'number')
      throw new UnsupportedQueryError('A document wants an _id, text or integer');
    if (typeof id === 'number' && !Number.isSafeInteger(id))
      throw new UnsupportedQueryError('A numeric _id must be an integer');
    checkIndexable(indexed, arrayFree, document);
    const { rest, long } = parted(document);
    return { id: typeof id === 'string' ? toUSVString(id) : BigInt(id), doc: encode(rest), long };
  };
}

type ToChange<T> = (filter: Filter<T>, update: Update<T>, upsert: boolean | undefined) => Change;

function bulkStep<T extends Document>(
  operation: BulkOperation<T>,
  toInsert: (document: Document) => Insert,
  changeOf: ToChange<T>,
  text: (query: object) => string,
): BulkStep {
  if ('insertOne' in operation) return { kind: 'insert', insert: toInsert(operation.insertOne.document) };
  if ('updateOne' in operation) {
    const { filter, update, upsert } = operation.updateOne;
    return { kind: 'update', change: changeOf(filter, update, upsert) };
  }
  if ('deleteOne' in operation) return { kind: 'delete', filter: text(operation.deleteOne.filter) };
  throw new UnsupportedQueryError(`bulkWrite does not know ${Object.keys(operation).join(', ')}`);
}
