import {
  type BulkCounts,
  BulkWriteError,
  DuplicateKeyError,
  UnsupportedQueryError,
  UpdateRefusedError,
  type WriteError,
} from '../errors';
import { decode, encode, type JsonObject } from './codec';
import { type Content, columnName, contentSql, depends } from './columns';
import type { Connection } from './connection';
import { whereSql } from './filter';
import type { BulkStep, Change, Insert, Write } from './protocol';
import { checkIndexable, type Schema } from './schema';
import { setInPlace } from './set-in-place';
import { duplicateFrom } from './tables';
import { applyUpdate, stepsOf, upsertDocument } from './update';

export type Changed = { readonly matchedCount: number; readonly modifiedCount: number; readonly upsertedCount: number };

type DocumentWrite = Exclude<Write, { kind: 'collection' | 'check' }>;

/** Carries out a write inside the transaction that is open. What it throws concerns this write only, or is SQLite's own error. */
export function write(connection: Connection, schema: Schema, operation: DocumentWrite): unknown {
  switch (operation.kind) {
    case 'insertOne':
      return insert(connection, schema, operation.insert);
    case 'insertMany':
      return insertMany(connection, schema, operation);
    case 'bulk':
      return bulk(connection, schema, operation.steps, operation.ordered);
    case 'updateOne':
      return update(connection, schema, operation.change, 1);
    case 'updateMany':
      return update(connection, schema, operation.change, -1);
    case 'findOneAndUpdate':
      return findOneAndUpdate(connection, schema, operation.change, operation.after);
    case 'deleteOne':
      return remove(connection, schema, operation.filter, 1);
    case 'deleteMany':
      return remove(connection, schema, operation.filter, -1);
  }
}

/** `contents`: what the columns hold, where that is known; SQLite finds it otherwise. */
function insert(
  connection: Connection,
  schema: Schema,
  { id, doc, long }: Insert,
  contents?: readonly Content[],
): void {
  try {
    const seq = typeof id === 'bigint' ? id : null;
    if (seq === null && schema.words.length > 0)
      throw new UnsupportedQueryError('A collection with a word index has integers as _id');
    if (contents) connection.prepare(schema.insertBoundSql).run([seq, id, ...contents, doc]);
    else
      connection
        .prepare(schema.insertSql)
        .run(seq, id, schema.longText === undefined ? { doc } : { doc, long: long ?? null });
  } catch (error) {
    throw duplicateFrom(error, schema, doc) ?? error;
  }
}

type Row = { readonly seq: number; readonly doc: string };

function select(connection: Connection, schema: Schema, filter: JsonObject, limit: number): Row[] {
  const where = whereSql(filter, schema);
  const sql = `SELECT rowid AS seq, doc FROM ${schema.name} WHERE ${where.text} LIMIT ?`;
  return connection.prepare(sql).all(...where.values, limit) as Row[];
}

/** Updates up to `limit` documents, all when it is -1. */
function update(connection: Connection, schema: Schema, change: Change, limit: number): Changed {
  const filter = decode<JsonObject>(change.filter);
  const description = decode<JsonObject>(change.update);
  const inPlace = setInPlace(connection, schema, filter, description, limit);
  if (inPlace !== undefined && (inPlace.matchedCount > 0 || !change.upsert)) return inPlace;
  const steps = stepsOf(description);
  const rows = select(connection, schema, filter, limit);
  if (rows.length === 0 && change.upsert) {
    insertUpserted(connection, schema, filter, steps);
    return { matchedCount: 0, modifiedCount: 0, upsertedCount: 1 };
  }
  let modifiedCount = 0;
  const sql = updateSql(schema, steps);
  for (const row of rows) if (updateRow(connection, schema, row, steps, sql) !== row.doc) modifiedCount += 1;
  return { matchedCount: rows.length, modifiedCount, upsertedCount: 0 };
}

type Steps = ReturnType<typeof stepsOf>;

function insertUpserted(connection: Connection, schema: Schema, filter: JsonObject, steps: Steps): string {
  const document = upsertDocument(filter, steps);
  checkIndexable(schema.indexedPaths, schema.arrayFree, document);
  const doc = encode(document);
  const { _id: id } = document;
  insert(connection, schema, { id: typeof id === 'number' ? BigInt(id) : String(id), doc });
  return doc;
}

/** Writes the updated document with the statement for these steps; returns its text. */
function updateRow(connection: Connection, schema: Schema, row: Row, steps: Steps, sql: string): string {
  const document = decode<JsonObject>(row.doc);
  applyUpdate(document, steps, false);
  const doc = encode(document);
  if (doc === row.doc) return doc;
  checkIndexable(schema.indexedPaths, schema.arrayFree, document);
  try {
    connection.prepare(sql).run(row.seq, { doc });
  } catch (error) {
    throw duplicateFrom(error, schema, doc) ?? error;
  }
  return doc;
}

/** The statement that replaces the document of a row, and of its columns those that the steps can change. */
function updateSql(schema: Schema, steps: Steps): string {
  const columns = schema.columns.all.filter((column) => steps.some(({ path }) => depends(column, path)));
  const set = columns.map((column) => `,${columnName(column)}=${contentSql(column, '@doc')}`).join('');
  return `UPDATE ${schema.name} SET doc = @doc${set} WHERE rowid = ?`;
}

function findOneAndUpdate(connection: Connection, schema: Schema, change: Change, after: boolean): string | null {
  const filter = decode<JsonObject>(change.filter);
  const steps = stepsOf(decode<JsonObject>(change.update));
  const [row] = select(connection, schema, filter, 1);
  if (row !== undefined) {
    const doc = updateRow(connection, schema, row, steps, updateSql(schema, steps));
    return after ? doc : row.doc;
  }
  if (!change.upsert) return null;
  const doc = insertUpserted(connection, schema, filter, steps);
  return after ? doc : null;
}

function remove(connection: Connection, schema: Schema, filterText: string, limit: number): number {
  const where = whereSql(decode<JsonObject>(filterText), schema);
  const rows = `SELECT rowid FROM ${schema.name} WHERE ${where.text} LIMIT 1`;
  const condition = limit === 1 ? `rowid = (${rows})` : where.text;
  return connection.prepare(`DELETE FROM ${schema.name} WHERE ${condition}`).run(...where.values).changes;
}

type InsertMany = Extract<Write, { kind: 'insertMany' }>;

/** As a bulk of inserts: an ordered one ends at the first failure. Throws a BulkWriteError with all failures. */
function insertMany(connection: Connection, schema: Schema, { ids, docs, contents, ordered }: InsertMany): BulkCounts {
  const failures: WriteError[] = [];
  const width = schema.columns.all.length;
  const values = contents?.columns === schema.columns.names ? contents.values : undefined;
  let insertedCount = 0;
  for (const [index, doc] of docs.entries()) {
    const id = ids[index] as string | bigint;
    try {
      insert(connection, schema, { id, doc }, values?.slice(index * width, (index + 1) * width));
      insertedCount += 1;
    } catch (error) {
      failures.push(writeError(error, index));
      if (ordered) break;
    }
  }
  const counts = { ...noCounts, insertedCount };
  if (failures.length > 0) throw new BulkWriteError(failures, counts);
  return counts;
}

const noCounts: BulkCounts = { insertedCount: 0, matchedCount: 0, modifiedCount: 0, upsertedCount: 0, deletedCount: 0 };

/** Every step by itself; an ordered bulk ends at the first failure. Throws a BulkWriteError with all failures. */
function bulk(connection: Connection, schema: Schema, steps: readonly BulkStep[], ordered: boolean): BulkCounts {
  const counts = { ...noCounts };
  const failures: WriteError[] = [];
  for (const [index, step] of steps.entries()) {
    try {
      if (step.kind === 'insert') {
        insert(connection, schema, step.insert);
        counts.insertedCount += 1;
      } else if (step.kind === 'delete') counts.deletedCount += remove(connection, schema, step.filter, 1);
      else {
        const changed = update(connection, schema, step.change, 1);
        counts.matchedCount += changed.matchedCount;
        counts.modifiedCount += changed.modifiedCount;
        counts.upsertedCount += changed.upsertedCount;
      }
    } catch (error) {
      failures.push(writeError(error, index));
      if (ordered) break;
    }
  }
  if (failures.length > 0) throw new BulkWriteError(failures, counts);
  return counts;
}

function writeError(error: unknown, index: number): WriteError {
  if (error instanceof DuplicateKeyError) {
    const { message, keyPattern, keyValue } = error;
    return { index, code: 11000, errmsg: message, keyPattern, keyValue };
  }
  if (error instanceof UpdateRefusedError) return { index, code: error.code, errmsg: error.message };
  throw error;
}
