/**
 * The store port: the words and types of the MongoDB driver's `Collection<T>`, narrowed to what every adapter keeps.
 * The driver's collection satisfies `Documents<T>` without a wrapper; what is not listed here does not compile,
 * and the SQLite adapter refuses it at run time too.
 */

export type Scalar = string | number | boolean | null | Date;

/** What a document may hold: JSON, and Date. No undefined, no bytes, no class instances. */
export type Value = Scalar | readonly Value[] | { readonly [key: string]: Value };

type Element<V> = V extends readonly (infer E)[] ? E : never;

/** The named fields of T; an index signature, as loose schemas have it, names none. */
type Field<T> = Extract<keyof { [K in keyof T as string extends K ? never : K]: unknown }, string>;

/** A path below a field, as `lease.until`; what it holds is not typed. */
type DeepPath<T> = `${Field<T>}.${string}`;

/** A field of T or a path below one. */
export type Path<T> = Field<T> | DeepPath<T>;

/** The fields of T that hold a V, alone or beside null. */
type FieldOf<T, V> = { [P in Field<T>]-?: NonNullable<T[P]> extends V ? P : never }[Field<T>];

export type Comparison<V> = {
  $eq?: V;
  $ne?: V;
  $in?: readonly V[];
  $nin?: readonly V[];
  $gt?: V;
  $gte?: V;
  $lt?: V;
  $lte?: V;
  $exists?: boolean;
};

/** Documents whose array at the path has every one of these words; for the path of a word index. */
type HasWords = { $all: readonly string[] };

/** A value means equality; null also matches a missing field; an array field matches when one element does. */
export type Condition<V> =
  | V
  | Element<V>
  | Comparison<V | Element<V>>
  | (NonNullable<V> extends readonly string[] ? HasWords : never);

export type Filter<T> = { [P in Field<T>]?: Condition<T[P]> } & { [P in DeepPath<T>]: Condition<Value> } & {
  $and?: Filter<T>[];
  $or?: Filter<T>[];
};

type Push<V> = Element<V> | { $each: Element<V>[]; $slice?: number };
type Pull<V> = V extends Scalar ? V : Partial<V>;

/** Operators by field. A path may stand in one operator only, and `_id` in none but `$setOnInsert`. */
export type Update<T> = {
  $set?: { [P in Field<T>]?: T[P] } & { [P in DeepPath<T>]: Value };
  $setOnInsert?: { [P in Field<T>]?: T[P] } & { [P in DeepPath<T>]: Value };
  $unset?: { [P in Field<T>]?: '' } & { [P in DeepPath<T>]: '' };
  $inc?: { [P in FieldOf<T, number>]?: number } & { [P in DeepPath<T>]: number };
  $max?: { [P in FieldOf<T, Scalar>]?: T[P] } & { [P in DeepPath<T>]: Scalar };
  $min?: { [P in FieldOf<T, Scalar>]?: T[P] } & { [P in DeepPath<T>]: Scalar };
  $push?: { [P in FieldOf<T, readonly unknown[]>]?: Push<NonNullable<T[P]>> } & { [P in DeepPath<T>]: Value };
  $addToSet?: { [P in FieldOf<T, readonly unknown[]>]?: Element<T[P]> | { $each: Element<T[P]>[] } } & {
    [P in DeepPath<T>]: Value;
  };
  /** Removes the elements that are equal or, when they are objects, equal in every field given. */
  $pull?: { [P in FieldOf<T, readonly unknown[]>]?: Pull<Element<T[P]>> } & { [P in DeepPath<T>]: Value };
};

/** Field to direction, the most significant first. */
export type Sort<T> = { [P in Field<T>]?: 1 | -1 } & { [P in DeepPath<T>]: 1 | -1 };

export type Document = { readonly _id: string | number };

export interface Cursor<T> {
  sort(sort: Sort<T>): Cursor<T>;
  skip(count: number): Cursor<T>;
  limit(count: number): Cursor<T>;
  toArray(): Promise<T[]>;
}

export type FindOptions<T> = { projection?: { [P in Field<T>]?: 0 | 1 } & { [P in DeepPath<T>]: 0 | 1 } };

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
 * An index of an array of texts, for searches by words in a collection whose `_id` are integers: `{ [words]: { $all: [...] } }` finds the documents
 * that have all of them, and a sort by `_id` walks the index. Words are compared exactly; `wordsOf` makes them of a text.
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

/** The explanation of a query, for the tests that prove each named query walks an index. `engine` is `sqlite` or the server's name. */
export type QueryPlan = { readonly usesIndex: boolean; readonly detail: string; readonly engine: string };

export type CollectionOptions<T> = {
  /**
   * A field of long text that comes and goes with its document: it lies beside it as it is, where no reader of the document has to walk past
   * it. Filters, sorts and updates do not name it, and `findOneAndUpdate` is not for such a collection.
   */
  readonly longText?: FieldOf<T, string> & string;
};

export type StoreStatus = { readonly ok: true } | { readonly ok: false; readonly reason: string };

/** One service's database: its collections, and nobody else's. */
export interface Store {
  /**
   * Whether writes that are asked for without waiting in between are flushed in one transaction, so that nobody ever sees the later one
   * without the earlier. Where it is false, whoever needs an order waits for the first write.
   */
  readonly joinsWrites: boolean;
  /**
   * The collection of that name, made with its indexes when it is not there yet. An indexed path never holds an array, but for that of a word index.
   * Rejects with code `unavailable` when the database does not answer.
   */
  collection<T extends Document>(
    name: string,
    indexes?: readonly Index[],
    options?: CollectionOptions<T>,
  ): Promise<Documents<T>>;
  /** How the engine would run this query. */
  explain<T extends Document>(documents: Documents<T>, filter: Filter<T>, sort?: Sort<T>): Promise<QueryPlan>;
  /** Proves that a write can be flushed now, within `timeout` milliseconds. */
  check(timeout?: number): Promise<StoreStatus>;
  close(): Promise<void>;
}
