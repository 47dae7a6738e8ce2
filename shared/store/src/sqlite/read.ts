import type { QueryPlan } from '../port';
import { decode, type JsonObject } from './codec';
import type { Connection } from './connection';
import { orderSql, type Sql, whereSql } from './filter';
import type { Read } from './protocol';
import type { Schema } from './schema';

/** Carries out a read: texts of documents, a count, or a plan. */
export function read(connection: Connection, schema: Schema, operation: Read): unknown {
  switch (operation.kind) {
    case 'find':
      return find(connection, schema, operation);
    case 'count': {
      const where = whereSql(decode<JsonObject>(operation.filter), schema);
      const sql = `SELECT count(*) FROM ${schema.name} WHERE ${where.text}`;
      return connection
        .prepare(sql)
        .pluck()
        .get(...where.values);
    }
    case 'explain':
      return explain(connection, schema, operation);
  }
}

function selection(schema: Schema, filter: string, sort: string, short: boolean): Sql {
  const where = whereSql(decode<JsonObject>(filter), schema);
  const order = orderSql(decode<JsonObject>(sort), schema);
  return {
    text: `SELECT ${short ? 'doc' : schema.docSql} FROM ${schema.name} WHERE ${where.text}${order}`,
    values: where.values,
  };
}

function find(connection: Connection, schema: Schema, operation: Read & { kind: 'find' }): unknown[] {
  const { text, values } = selection(schema, operation.filter, operation.sort, operation.short);
  const statement = connection.prepare(`${text} LIMIT ? OFFSET ?`).pluck();
  return statement.all(...values, operation.limit === 0 ? -1 : operation.limit, operation.skip);
}

function explain(connection: Connection, schema: Schema, operation: Read & { kind: 'explain' }): QueryPlan {
  const { text, values } = selection(schema, operation.filter, operation.sort, true);
  const rows = connection.database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values) as { detail: string }[];
  const details = rows.map((row) => row.detail);
  const poor = details.some((detail) => detail.startsWith('USE TEMP B-TREE') || detail === `SCAN ${schema.name}`);
  return { usesIndex: !poor, detail: details.join('; '), engine: 'sqlite' };
}
