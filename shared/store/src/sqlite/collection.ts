import { toUSVString } from 'node:util';
import { UnsupportedQueryError } from '../errors';
import type { Cursor, Document, Documents, Filter, FindOptions, Update } from '../port';
import { checkDocument, decode, encode, encodeQuery } from './codec';
import { type Contents, contentOf } from './columns';
import type { IndexedPaths } from './database';
import { namesIds } from './filter';
import type { OpenFile } from './host';
import { excludedFields, type Projection, returned } from './project';
import type { FieldUpdate, Replacement } from './protocol';
import { checkIndexable, valueAt } from './schema';
import { textOf } from './word-index';

/** A collection of an SQLite store. Arguments are written down when a method is called; changing them later changes nothing. */
export function sqliteCollection<T extends Document>(
  file: OpenFile,
  collection: string,
  paths: IndexedPaths,
): Documents<T> {
  const inserted = insertOf(paths);
  const replaced = replacementOf(paths);
  const find = (filter: Filter<T>, { projection, ...options }: FindOptions<T> = {}): Cursor<T> =>
    cursor({ file, collection, filter, projection, sort: {}, skip: 0, limit: 0, ...options });
  return {
    collectionName: collection,
    insertOne: async (document) => file.run({ kind: 'insert', collection, ...inserted([document]), ordered: true }),
    insertMany: async (documents, options) =>
      file.run({ kind: 'insert', collection, ...inserted(documents), ordered: options?.ordered ?? true }),
    bulkWrite: async (operations, options) => {
      const changes = operations.map((operation) => {
        if ('updateOne' in operation) return changeOf(operation.updateOne.filter, operation.updateOne.update);
        if ('replaceOne' in operation) return replaced(operation.replaceOne);
        throw new UnsupportedQueryError(`bulkWrite does not know ${Object.keys(operation).join(', ')}`);
      });
      return file.run({ kind: 'update', collection, changes, ordered: options?.ordered ?? true });
    },
    updateOne: async (filter, update) => file.run({ kind: 'updateOne', collection, change: changeOf(filter, update) }),
    updateMany: async (filter, update) =>
      file.run({ kind: 'updateMany', collection, change: changeOf(filter, update) }),
    deleteMany: async (filter) => file.run({ kind: 'deleteMany', collection, filter: encodeQuery(filter) }),
    find,
    findOne: async (filter, options) => (await find(filter, options).limit(1).toArray())[0] ?? null,
    countDocuments: async (filter) => file.run({ kind: 'count', collection, filter: encodeQuery(filter) }),
  };
}

function changeOf<T>(filter: Filter<T>, update: Update<T>): FieldUpdate {
  return { filter: encodeQuery(filter), update: encodeQuery(update) };
}

type Query = {
  readonly file: OpenFile;
  readonly collection: string;
  readonly filter: { readonly _id?: unknown };
  readonly projection: Projection | undefined;
  readonly sort: object;
  readonly skip: number;
  readonly limit: number;
};

/** As with the driver, a mistake in the query rejects when the documents are asked for. */
function cursor<T>(query: Query): Cursor<T> {
  return {
    sort: (sort) => cursor({ ...query, sort }),
    skip: (skip) => cursor({ ...query, skip }),
    limit: (limit) => cursor({ ...query, limit }),
    toArray: async () => {
      const { file, collection, projection, skip, limit } = query;
      const [filter, sort] = [encodeQuery(query.filter), encodeQuery(query.sort)];
      for (const count of [skip, limit])
        if (!Number.isSafeInteger(count) || count < 0)
          throw new UnsupportedQueryError(`skip and limit want whole numbers, not ${count}`);
      const without = excludedFields(projection ?? {});
      const only = projection === undefined || without.length > 0 ? [] : returned(projection);
      const named = namesIds(query.filter);
      const docs = await file.run<string[]>({
        kind: 'find',
        collection,
        filter,
        sort,
        skip,
        limit,
        without,
        only,
        named,
      });
      return docs.map((doc) => decode<T>(doc));
    },
  };
}

/** The ids, texts and contents of columns of documents. */
function insertOf(paths: IndexedPaths) {
  const rowOf = rowOfDocument(paths);
  return (documents: readonly Document[]) => {
    const words = paths.words.map((path) => documents.map((document) => textOf(valueAt(document, path))));
    const rows = documents.map(rowOf);
    const [docs, contents] = [rows.map((row) => row.doc), rows.map((row) => row.contents)];
    return { ids: documents.map(idOf), docs, contents, words };
  };
}

/** A whole document in place of the one that the filter finds, which must name it by `_id`. */
function replacementOf(paths: IndexedPaths) {
  const rowOf = rowOfDocument(paths);
  return ({ filter, replacement }: { filter: { readonly _id?: unknown }; replacement: object }): Replacement => {
    const { _id } = filter;
    if (typeof _id !== 'string' && typeof _id !== 'number')
      throw new UnsupportedQueryError('A replaceOne names its document by _id');
    const document = '_id' in replacement ? replacement : { _id, ...replacement };
    if (document._id !== _id) throw new UnsupportedQueryError('_id cannot be updated');
    return { filter: encodeQuery(filter), ...rowOf(document) };
  };
}

function rowOfDocument({ indexed, arrayFree, columns }: IndexedPaths) {
  const [scalars, free] = [new Set(indexed), new Set(arrayFree)];
  return (document: object): { doc: string; contents: Contents } => {
    checkDocument(document);
    checkIndexable(scalars, free, document);
    const contents = columns.map((column) => contentOf(column, valueAt(document, column.path)));
    return { doc: encode(document), contents };
  };
}

function idOf({ _id }: Document): string | bigint {
  if (typeof _id === 'string') return toUSVString(_id);
  if (Number.isSafeInteger(_id)) return BigInt(_id);
  throw new UnsupportedQueryError('A document wants an _id, a text or an integer');
}
