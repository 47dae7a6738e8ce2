/**
 * The store port: the words and types of the MongoDB driver's `Collection<T>`, narrowed to what services use. The driver's collection satisfies
 * `Documents<T>` without a wrapper; what is not listed here does not compile, and the SQLite adapter refuses it at run time too.
 */

type Scalar = string | number | boolean | null;

/** What a document may hold: JSON. No dates, no bytes, no class instances; fields that are undefined are left out. */
export type Value = Scalar | readonly Value[] | { readonly [key: string]: Value };

/** The named fields of T; an index signature, as loose schemas have it, names none. */
type Field<T> = Extract<keyof { [K in keyof T as string extends K ? never : K]: unknown }, string>;

/** A path below a field, as `lease.until`; what it holds is not typed. */
type DeepPath<T> = `${Field<T>}.${string}`;

/** The fields of T that hold a V, alone or beside null. */
type FieldOf<T, V> = { [P in Field<T>]-?: NonNullable<T[P]> extends V ? P : never }[Field<T>];

type Comparison<V> = { $eq?: V; $ne?: V; $in?: readonly V[]; $gt?: V; $gte?: V; $lt?: V; $lte?: V; $exists?: boolean };

/** Documents whose array at the path, of a word index, has all of these words, one of them, or one that begins with a text (`$lt`: that and `\uffff`). */
type HasWords =
  | { $all: readonly string[] }
  | { $in: readonly string[] }
  | { $elemMatch: { $gte: string; $lt: string } };

/** A value means equality; null also matches a missing field. No condition looks into an array or compares a whole object. */
type Condition<V> =
  | Extract<V, Scalar>
  | Comparison<Extract<V, Scalar>>
  | (NonNullable<V> extends readonly string[] ? HasWords : never);

export type Filter<T> = { [P in Field<T>]?: Condition<T[P]> } & { [P in DeepPath<T>]: Condition<Scalar> | HasWords };

/** Operators by field. A path and one below it stand in one operator only, `_id` and paths through arrays in none. */
export type Update<T> = {
  $set?: { [P in Field<T>]?: T[P] } & { [P in DeepPath<T>]: Value };
  $unset?: { [P in Field<T>]?: '' } & { [P in DeepPath<T>]: '' };
  $inc?: { [P in FieldOf<T, number>]?: number } & { [P in DeepPath<T>]: number };
  $max?: { [P in FieldOf<T, Scalar>]?: T[P] } & { [P in DeepPath<T>]: Scalar };
};

/** Field to direction, the most significant first. A path to sort by holds one type, or null, or nothing: those come first. */
export type Sort<T> = { [P in Field<T>]?: 1 | -1 } & { [P in DeepPath<T>]: 1 | -1 };

/** The ids of a collection are all texts or all integers. */
export type Document = { readonly _id: string | number };

export interface Cursor<T> {
  sort(sort: Sort<T>): Cursor<T>;
  skip(count: number): Cursor<T>;
  limit(count: number): Cursor<T>;
  toArray(): Promise<T[]>;
}

/** `projection`: the fields to return, beside `_id`, or those to leave out. The others as the cursor has them. */
export type FindOptions<T> = {
  projection?: { [P in Field<T>]?: 1 } | { [P in Exclude<Field<T>, '_id'>]?: 0 };
  sort?: Sort<T>;
  skip?: number;
  limit?: number;
};

/** A replacement keeps the `_id`, by which its filter names the document. */
export type BulkOperation<T extends Document> =
  | { updateOne: { filter: Filter<T>; update: Update<T> } }
  | { replaceOne: { filter: Filter<T> & Pick<T, '_id'>; replacement: Omit<T, '_id'> } };

export type IndexDescription = {
  /** Path to 1 or -1. */
  key: Record<string, 1 | -1>;
  name: string;
  unique?: boolean;
  sparse?: boolean;
  /** Only `{path: {$exists: true}}`, `{path: scalar}` and `{path: {$eq: scalar}}`, all of which must hold. */
  partialFilterExpression?: Record<string, unknown>;
};

/**
 * An index of an array of texts, for searches by words in a collection whose `_id` are integers: `{ [words]: { $all: [...] } }` finds the documents
 * that have all of them, and a sort by `_id` walks the index; `$in` finds those that have one, `$elemMatch` those that have one beginning so. Words are compared exactly; `wordsOf` makes them of a text.
 */
export type WordIndex = {
  /** Path of the array. */
  words: string;
  name: string;
};

export type Index = IndexDescription | WordIndex;

/**
 * One collection. Writes resolve when they are flushed to disk (majority and journal; SQLite synchronous=FULL).
 * A broken unique index rejects with `code` 11000 (see `isDuplicateKey`).
 *
 * A write of one document happens or does not. A call that writes several is no transaction, in either engine: what it wrote before a
 * failure stays. An ordered `insertMany` or `bulkWrite` ends at the first failure; an unordered one goes on past failures and reports
 * all of them (see `duplicateKeyIndexes`). `updateMany` ends at the first document that cannot be updated; which ones it had updated by
 * then is not known. A call that fails as unavailable may have happened, in part or as a whole.
 */
export interface Documents<T extends Document> {
  readonly collectionName: string;
  insertOne(document: T): Promise<unknown>;
  insertMany(documents: readonly T[], options?: { ordered?: boolean }): Promise<unknown>;
  findOne(filter: Filter<T>, options?: FindOptions<T>): Promise<T | null>;
  find(filter: Filter<T>, options?: FindOptions<T>): Cursor<T>;
  updateOne(filter: Filter<T>, update: Update<T>): Promise<{ matchedCount: number }>;
  updateMany(filter: Filter<T>, update: Update<T>): Promise<{ matchedCount: number }>;
  bulkWrite(
    operations: readonly BulkOperation<T>[],
    options?: { ordered?: boolean },
  ): Promise<{ matchedCount: number }>;
  deleteMany(filter: Filter<T>): Promise<{ deletedCount: number }>;
  countDocuments(filter: Filter<T>): Promise<number>;
}

export type StoreStatus = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** One service's database: its collections, and nobody else's. */
export interface Store {
  /**
   * The collection of that name, made with its indexes when it is not there yet. An indexed path never holds an array or an object, but for that
   * of a word index. Rejects with code `unavailable` when the database does not answer.
   */
  collection<T extends Document>(name: string, indexes?: readonly Index[]): Promise<Documents<T>>;
  /** Proves that a write can be flushed now, within `timeout` milliseconds. */
  check(timeout?: number): Promise<StoreStatus>;
  /**
   * Takes what was deleted or changed before out of files that the engine keeps beside its data. On SQLite no byte of it is left in the file or in
   * its log afterwards; MongoDB keeps its journal and the space of deleted documents for a while, and replaces them by itself. Rejects with code
   * `unavailable` while a reader holds an older state.
   */
  scrub(): Promise<void>;
  /**
   * Somebody who may write to its file can change an index and leave the documents as they are, so that what an index leads to is to be proven. Not so
   * with MongoDB, which alone writes to its files.
   */
  readonly indexesApart?: true;
  close(): Promise<void>;
}
