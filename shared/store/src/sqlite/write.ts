import {
  BulkWriteError,
  DuplicateKeyError,
  UnsupportedQueryError,
  UpdateRefusedError,
  type WriteError,
} from '../errors';
import { decode, type JsonObject } from './codec';
import type { Connection } from './connection';
import { whereSql } from './filter';
import type { Change, Write } from './protocol';
import { type Schema, valueAt } from './schema';
import { duplicateFrom } from './tables';
import { updateSql } from './update';
import { textOf } from './word-index';

type DocumentWrite = Exclude<Write, { kind: 'collection' | 'check' | 'scrub' }>;

/** Carries out a write inside the transaction that is open. What it throws concerns this write only, or is SQLite's own error. */
export function write(connection: Connection, schema: Schema, operation: DocumentWrite): unknown {
  switch (operation.kind) {
    case 'insert': {
      const { ids, docs, words, ordered } = operation;
      inOrder(docs, ordered, (doc, index) => {
        const id = ids[index] as string | bigint;
        insert(connection, schema, id, doc);
        for (const [n, { path, insertSql }] of schema.words.entries()) {
          // An index that was made after the caller opened the collection finds its words here.
          const text = words[n]?.[index] ?? textOf(valueAt(decode(doc), path));
          if (text !== '') connection.prepare(insertSql).run(id, text);
        }
      });
      return null;
    }
    case 'update': {
      let matchedCount = 0;
      inOrder(operation.changes, operation.ordered, (change) => {
        matchedCount += update(connection, schema, change, true);
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

function insert(connection: Connection, schema: Schema, id: string | bigint, doc: string): void {
  const seq = typeof id === 'bigint' ? id : null;
  if (seq === null && schema.words.length > 0)
    throw new UnsupportedQueryError('A collection with a word index has integers as _id');
  try {
    connection.prepare(schema.insertSql).run(seq, id, { doc });
  } catch (error) {
    throw duplicateFrom(error, schema) ?? error;
  }
}

/** Resolves with how many documents the filter found. What was updated before a failure stays (OR FAIL), as in MongoDB. */
function update(connection: Connection, schema: Schema, change: Change, one: boolean): number {
  const where = whereSql(decode<JsonObject>(change.filter), schema);
  const { text, values } =
    'doc' in change
      ? { text: schema.replaceSql, values: { doc: change.doc } }
      : updateSql(decode<JsonObject>(change.update), schema);
  const found = one ? `seq = (SELECT seq FROM ${schema.name} WHERE ${where.text} LIMIT 1)` : where.text;
  try {
    const statement = connection.prepare(`UPDATE OR FAIL ${schema.name} SET ${text} WHERE ${found}`);
    return statement.run(...where.values, values).changes;
  } catch (error) {
    throw duplicateFrom(error, schema) ?? error;
  }
}

/** Each by itself; when they are ordered, up to the first failure. Throws a BulkWriteError with all failures. */
function inOrder<S>(steps: readonly S[], ordered: boolean, carryOut: (step: S, index: number) => void): void {
  const failures: WriteError[] = [];
  for (const [index, step] of steps.entries()) {
    try {
      carryOut(step, index);
    } catch (error) {
      if (!(error instanceof DuplicateKeyError || error instanceof UpdateRefusedError)) throw error;
      failures.push({ index, code: error.code, errmsg: error.message });
      if (ordered) break;
    }
  }
  if (failures.length > 0) throw new BulkWriteError(failures);
}
