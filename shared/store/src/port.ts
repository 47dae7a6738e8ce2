/**
 * The store port: the words and types of the MongoDB driver's `Collection<T>`, narrowed to what every adapter keeps.
 * The driver's collection satisfies `Documents<T>` without a wrapper; what is not listed here does not compile,
 * and the SQLite adapter refuses it at run time too.
 */

export type Scalar = string | number | boolean | null | Date;

/** What a document may hold: JSON, and Date. No undefined, no bytes, no class instances. */
export type Value = Scalar | readonly Value[] | { readonly [key: string]: Value };

type Element<V> = V extends readonly (infer E)[] ? E : never;

export type Comparison<V> = {
  $eq?: V | Element<V> | null;
  $ne?: V | Element<V> | null;
  $in?: readonly (V | Element<V> | null)[];
  $nin?: readonly (V | Element<V> | null)[];
  $gt?: V | Element<V>;
  $gte?: V | Element<V>;
  $lt?: V | Element<V>;
  $lte?: V | Element<V>;
  $exists?: boolean;
};

/** Dotted paths of T, two levels below the top are enough for our documents. */
export type Path<T> = Extract<keyof T, string> | `${Extract<keyof T, string>}.${string}`;

type At<T, P> = P extends keyof T ? NonNullable<T[P]> : Scalar;

export type Filter<T> = {
  [P in Path<T>]?: At<T, P> | Element<At<T, P>> | null | Comparison<At<T, P>>;
} & {
  $and?: readonly Filter<T>[];
  $or?: readonly Filter<T>[];
};

type Push<V> = Element<V> | { $each: readonly Element<V>[]; $slice?: number };

export type Update<T> = {
  $set?: { [P in Path<T>]?: P extends keyof T ? T[P] : Value };
  $setOnInsert?: { [P in Path<T>]?: P extends keyof T ? T[P] : Value };
  $unset?: { [P in Path<T>]?: '' | true | 1 };
  $inc?: { [P in Path<T>]?: number };
  $max?: { [P in Path<T>]?: number | string | Date };
  $min?: { [P in Path<T>]?: number | string | Date };
  $push?: { [P in Path<T>]?: P extends keyof T ? Push<NonNullable<T[P]>> : Value };
  $addToSet?: { [P in Path<T>]?: P extends keyof T ? Push<NonNullable<T[P]>> : Value };
  $pull?: { [P in Path<T>]?: P extends keyof T ? Element<NonNullable<T[P]>> | null : Scalar };
};

export type Sort<T> = { [P in Path<T>]?: 1 | -1 };

export type Document = { readonly _id: string | number };

export interface Cursor<T> {
  sort(sort: Sort<T>): Cursor<T>;
  skip(count: number): Cursor<T>;
  limit(count: number): Cursor<T>;
  toArray(): Promise<T[]>;
}

export type FindOptions<T> = { projection?: { [P in Path<T>]?: 0 | 1 } };

export type BulkOperation<T> =
  | { insertOne: { document: T } }
  | { updateOne: { filter: Filter<T>; update: Update<T>; upsert?: boolean } }
  | { deleteOne: { filter: Filter<T> } };

export type IndexDescription = {
  /** Path to 1 or -1. */
  key: Record<string, 1 | -1>;
  name: string;
  unique?: boolean;
  sparse?: boolean;
  /** Only `{path: {$exists: true}}`, `{path: scalar}` and `{path: {$eq|$gt: scalar}}`, all of which must hold. */
  partialFilterExpression?: Record<string, unknown>;
};

/**
 * One collection. Writes resolve when they are flushed to disk (majority and journal; SQLite synchronous=FULL).
 * A broken unique index rejects with `code` 11000 (see `isDuplicateKey`); an unordered `insertMany` or `bulkWrite` goes on past
 * it and reports all of them (see `duplicateKeyIndexes`).
 */
export interface Documents<T extends Document> {
  readonly collectionName: string;
  insertOne(document: T): Promise<{ acknowledged: boolean }>;
  insertMany(documents: readonly T[], options?: { ordered?: boolean }): Promise<{ insertedCount: number }>;
  findOne(filter: Filter<T>, options?: FindOptions<T>): Promise<T | null>;
  find(filter: Filter<T>, options?: FindOptions<T>): Cursor<T>;
  updateOne(
    filter: Filter<T>,
    update: Update<T>,
    options?: { upsert?: boolean },
  ): Promise<{ matchedCount: number; modifiedCount: number; upsertedCount: number }>;
  updateMany(filter: Filter<T>, update: Update<T>): Promise<{ matchedCount: number; modifiedCount: number }>;
  findOneAndUpdate(
    filter: Filter<T>,
    update: Update<T>,
    options?: { upsert?: boolean; returnDocument?: 'before' | 'after' },
  ): Promise<T | null>;
  bulkWrite(
    operations: readonly BulkOperation<T>[],
    options?: { ordered?: boolean },
  ): Promise<{
    insertedCount: number;
    matchedCount: number;
    modifiedCount: number;
    upsertedCount: number;
    deletedCount: number;
  }>;
  deleteOne(filter: Filter<T>): Promise<{ deletedCount: number }>;
  deleteMany(filter: Filter<T>): Promise<{ deletedCount: number }>;
  countDocuments(filter: Filter<T>): Promise<number>;
}

/** The explanation of a query, for the tests that prove each named query walks an index. */
export type QueryPlan = { readonly usesIndex: boolean; readonly detail: string };

export type StoreStatus = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** One service's database: its collections, and nobody else's. */
export interface Store {
  /**
   * The collection of that name, made with its indexes when it is not there yet. An indexed path never holds an array.
   * Rejects with code `unavailable` when the database does not answer.
   */
  collection<T extends Document>(name: string, indexes?: readonly IndexDescription[]): Promise<Documents<T>>;
  /** How the engine would run this query. */
  explain<T extends Document>(documents: Documents<T>, filter: Filter<T>, sort?: Sort<T>): Promise<QueryPlan>;
  /** Proves that a write can be flushed now, within `timeout` milliseconds. */
  check(timeout?: number): Promise<StoreStatus>;
  close(): Promise<void>;
}
