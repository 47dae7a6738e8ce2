import {
  BulkWriteError,
  DuplicateKeyError,
  UnsupportedQueryError,
  UpdateRefusedError,
  type WriteError,
} from '../errors';
import { decode, type JsonObject } from './codec';
import { type Contents, contentOf } from './columns';
import type { Connection } from './connection';
import { whereSql } from './filter';
import type { FieldUpdate, Replacement, Write } from './protocol';
import { type Schema, valueAt } from './schema';
import { duplicateFrom } from './tables';
import { updateSql } from './update';
import { textOf } from './word-index';

type DocumentWrite = Exclude<Write, { kind: 'collection' | 'check' | 'scrub' }>;

/** Carries out a write inside the transaction that is open. What it throws concerns this write only, or is SQLite's own error. */
export function write(connection: Connection, schema: Schema, operation: DocumentWrite): unknown {
  switch (operation.kind) {
    case 'insert': {
      const { ids, docs, contents, words, ordered } = operation;
      inOrder(docs, ordered, (doc, index) => {
        const id = ids[index] as string | bigint;
        const row = [...contentsOf(schema, doc, contents[index]), connection.compressed(doc)];
        if (!insert(connection, schema, id, row, ordered)) return duplicateIn(schema);
        for (const [n, { path, insertSql }] of schema.words.entries()) {
          // An index that was made after the caller opened the collection finds its words here.
          const text = words[n]?.[index] ?? textOf(valueAt(decode(doc), path));
          if (text !== '') connection.prepare(insertSql).run(id, text);
        }
        return undefined;
      });
      return null;
    }
    case 'update': {
      let matchedCount = 0;
      inOrder(operation.changes, operation.ordered, (change) => {
        matchedCount +=
          'doc' in change ? replace(connection, schema, change) : update(connection, schema, change, true);
        return undefined;
      });
      return { matchedCount };
    }
    case 'updateOne':
      return { matchedCount: update(connection, schema, operation.change, true) };
    case 'updateMany':
      return { matchedCount: update(connection, schema, operation.change, false) };
    case 'deleteMany': {
      const { text, values } = whereSql(decode<JsonObject>(operation.filter), schema);
      return { deletedCount: connection.prepare(`DELETE FROM ${schema.name} WHERE ${text}`).run(...values).changes };
    }
  }
}

/**
 * False where a unique index has it already. What names the index is an exception, which costs SQLite more than the insert: only the caller of an
 * ordered write gets it, because to find out what is there already is the use of the other.
 */
function insert(
  connection: Connection,
  schema: Schema,
  id: string | bigint,
  row: readonly unknown[],
  isIndexNamed: boolean,
): boolean {
  const seq = typeof id === 'bigint' ? id : null;
  if (seq === null && schema.words.length > 0)
    throw new UnsupportedQueryError('A collection with a word index has integers as _id');
  const sql = isIndexNamed ? schema.insertSql : schema.insertNewSql;
  try {
    return connection.prepare(sql).run(seq, id, ...row).changes === 1;
  } catch (error) {
    throw duplicateFrom(error, schema) ?? error;
  }
}

/** Characters of a document in whose place others fit once it has become short. */
const roomForOthers = 1_500;

/** A document that has become short moves to the end, with others of its kind: SQLite fills no gap that it would leave between those beside it. */
function replace(connection: Connection, schema: Schema, { filter, doc, contents }: Replacement): number {
  const { name, replaceSql } = schema;
  const { text, values } = whereSql(decode<JsonObject>(filter), schema);
  const found = `SELECT seq, length(doc) size, typeof(id) kind FROM ${name} WHERE ${text} LIMIT 1`;
  const row = connection.prepare(found).get(...values) as { seq: number; size: number; kind: string } | undefined;
  if (!row) return 0;
  const stored = connection.compressed(doc);
  // An integer that is the _id is the place as well.
  const moves = row.kind === 'text' && row.size > roomForOthers && stored.length * 2 < row.size;
  const set = moves ? `${replaceSql}, seq = (SELECT max(seq) + 1 FROM ${name})` : replaceSql;
  return changed(connection, schema, `${set} WHERE seq = ?`, [...contentsOf(schema, doc, contents), stored, row.seq]);
}

/** Resolves with how many documents the filter found. What was updated before a failure stays (OR FAIL), as in MongoDB. */
function update(connection: Connection, schema: Schema, change: FieldUpdate, one: boolean): number {
  const where = whereSql(decode<JsonObject>(change.filter), schema);
  const { text, values } = updateSql(decode<JsonObject>(change.update), schema);
  const found = one ? `seq = (SELECT seq FROM ${schema.name} WHERE ${where.text} LIMIT 1)` : where.text;
  return changed(connection, schema, `${text} WHERE ${found}`, [...where.values, values]);
}

/** Values by their place are bound before those that have names. */
function changed(connection: Connection, schema: Schema, set: string, values: readonly unknown[]): number {
  try {
    return connection.prepare(`UPDATE OR FAIL ${schema.name} SET ${set}`).run(...values).changes;
  } catch (error) {
    throw duplicateFrom(error, schema) ?? error;
  }
}

/** What the caller says, or what the document says where the table has columns that the caller did not know of. */
function contentsOf({ columns }: Schema, doc: string, said: Contents | undefined): Contents {
  if (said?.length === columns.all.length) return said;
  const document = decode(doc);
  return columns.all.map((column) => contentOf(column, valueAt(document, column.path)));
}

type Failure = Omit<WriteError, 'index'>;

const duplicateIn = ({ name }: Schema): Failure => ({
  code: 11000,
  errmsg: `E11000 duplicate key error collection: ${name}`,
});

/** Each by itself; when they are ordered, up to the first failure. Throws a BulkWriteError with all failures. */
function inOrder<S>(
  steps: readonly S[],
  ordered: boolean,
  carryOut: (step: S, index: number) => Failure | undefined,
): void {
  const failures: WriteError[] = [];
  for (const [index, step] of steps.entries()) {
    try {
      const failure = carryOut(step, index);
      if (failure) failures.push({ index, ...failure });
    } catch (error) {
      if (!(error instanceof DuplicateKeyError || error instanceof UpdateRefusedError)) throw error;
      failures.push({ index, code: error.code, errmsg: error.message });
      if (ordered) break;
    }
  }
  if (failures.length > 0) throw new BulkWriteError(failures);
}
