import { UnsupportedQueryError } from '../errors';
import { encode, type JsonObject } from './codec';
import { booleanSql, type Columns, typeSql, valueSql } from './columns';
import { impliesTerm, operatorsOf } from './operators';
import { prefixesOf } from './path';
import { kindOf, numberInJson } from './scalar';
import type { Schema } from './schema';
import { splitWords } from './word-index';

/** A piece of SQL and the values bound to its question marks, in order. */
export type Sql = { readonly text: string; readonly values: readonly (string | number | bigint)[] };

/** The filter as a WHERE expression with MongoDB's meaning; for a partial index that serves it, with the words of that index. */
export function whereSql(filter: JsonObject, schema: Schema): Sql {
  const { asked, rest } = splitWords(filter, schema.words);
  const words = asked.map(({ table, match }) => ({
    text: `seq IN (SELECT rowid FROM ${table} WHERE ${table} MATCH ?)`,
    values: [match],
  }));
  // SQLite knows no numbers of rows: left alone it may walk all documents of a state instead of those that are named.
  const named = namesIds(filter);
  const columns = named ? schema.unindexed : schema.columns;
  const conditions = Object.entries(rest).map(([path, condition]) => conditionSql(path, condition, schema, columns));
  const helpful = schema.partials.filter((terms) => !named && terms.every((term) => impliesTerm(term, rest)));
  const partial = [...new Set(helpful.flat().map((term) => term.sql))].map((text) => ({ text, values: [] }));
  return join([...words, ...conditions, ...partial], ' AND ');
}

function join(parts: readonly Sql[], by: string): Sql {
  const [first, ...others] = parts;
  if (first === undefined) return { text: '1', values: [] };
  if (others.length === 0) return first;
  return { text: `(${parts.map((part) => part.text).join(by)})`, values: parts.flatMap((part) => part.values) };
}

export function namesIds({ _id }: { readonly _id?: unknown }): boolean {
  if (typeof _id !== 'object' || _id === null) return _id !== undefined;
  return '$eq' in _id || '$in' in _id;
}

function conditionSql(path: string, condition: unknown, schema: Schema, columns: Columns): Sql {
  if (path.startsWith('$')) throw new UnsupportedQueryError(`Operator ${path} is not supported in a filter`);
  const operators = operatorsOf(path, condition);
  const sql = join(
    operators.map(([operator, operand]) => operatorSql(path, operator, operand, columns, isClosed(operators, path))),
    ' AND ',
  );
  if (path === '_id' || schema.indexedPaths.has(path)) return sql;
  // What a condition means where it meets an array is not for this adapter to guess.
  const prefixes = prefixesOf(path);
  const ownMayBeArray = operators.every(([operator]) => operator === '$exists');
  const types = (ownMayBeArray ? prefixes.slice(0, -1) : prefixes).map((prefix) => typeSql(prefix, columns));
  if (types.length === 0) return sql;
  return {
    text: `CASE WHEN 'array' IN (${types.join(',')}) THEN refuse_array('${path}') ELSE ${sql.text} END`,
    values: sql.values,
  };
}

/** Whether it has both ends, of one type: what lies between is of that type too, and an index can be walked from one to the other. */
function isClosed(operators: readonly (readonly [string, unknown])[], path: string): boolean {
  const [low, high] = ['$gt', '$lt'].map((end) => operators.find(([operator]) => operator.startsWith(end)));
  return low !== undefined && high !== undefined && kindOf(low[1], path) === kindOf(high[1], path);
}

function operatorSql(path: string, operator: string, operand: unknown, columns: Columns, closed: boolean): Sql {
  switch (operator) {
    case '$eq':
      return equalSql(path, operand, columns);
    case '$ne':
      return not(equalSql(path, operand, columns));
    case '$in':
      return inSql(path, operand as unknown[], columns);
    case '$exists':
      if (path === '_id') return { text: operand === true ? '1' : '0', values: [] };
      return { text: `${typeSql(path, columns)} IS ${operand === true ? 'NOT NULL' : 'NULL'}`, values: [] };
    default: {
      const comparison = `${operator.startsWith('$gt') ? '>' : '<'}${operator.endsWith('e') ? '=' : ''}`;
      return rangeSql(path, comparison, operand, columns, closed);
    }
  }
}

const not = (sql: Sql): Sql => ({ text: `NOT ifnull(${sql.text},0)`, values: sql.values });

/** Guards tell apart what json_extract makes alike: 1 and true, an object and its text. */
function guarded(text: string, value: string | number | bigint, guard: string | false): Sql {
  return { text: guard === false ? text : `(${text} AND ${guard})`, values: [value] };
}

const isBit = (operand: unknown): boolean => operand === 0 || operand === 1;
const looksLikeJson = (operand: unknown): boolean => /^\{/.test(String(operand));

function equalSql(path: string, operand: unknown, columns: Columns): Sql {
  const value = valueSql(path, columns);
  if (path === '_id') return idSql(`${value} = ?`, operand);
  const type = typeSql(path, columns);
  switch (kindOf(operand, path)) {
    case 'null':
      return { text: `${value} IS NULL`, values: [] };
    case 'number': {
      const guard = isBit(operand) && `${type} IN ('integer','real')`;
      return guarded(`${value} = ?`, numberInJson(operand as number), guard);
    }
    case 'text':
      return guarded(`${value} = ?`, String(operand), looksLikeJson(operand) && `${type} = 'text'`);
    case 'boolean':
      return { text: `(${booleanSql(value, type, operand === true)})`, values: [] };
  }
}

const bound = (operand: unknown): string | number | bigint =>
  typeof operand === 'number' ? numberInJson(operand) : String(operand);

/** Values of a list that are bound one by one; SQLite takes several times as long to walk a list of JSON. */
const maxBoundAlone = 3;

/** A longer list of plain texts and numbers is one bound value, so that one prepared statement serves lists of any length. */
function inSql(path: string, operands: readonly unknown[], columns: Columns): Sql {
  const isPlain = (operand: unknown): boolean => {
    const kind = kindOf(operand, path);
    if (path === '_id') return kind !== 'null' && kind !== 'boolean';
    return kind === 'text' ? !looksLikeJson(operand) : kind === 'number' && !isBit(operand);
  };
  const plain = operands.filter(isPlain);
  const value = valueSql(path, columns);
  const list =
    plain.length <= maxBoundAlone
      ? { text: `${value} IN (${plain.map(() => '?').join(',')})`, values: plain.map(bound) }
      : { text: `${value} IN (SELECT value FROM json_each(?))`, values: [encode(plain)] };
  const others = operands.filter((operand) => !isPlain(operand)).map((operand) => equalSql(path, operand, columns));
  if (plain.length === 0) return others.length === 0 ? { text: '0', values: [] } : join(others, ' OR ');
  return join([list, ...others], ' OR ');
}

/**
 * A comparison within one type: numbers lie below every text and texts below every blob, so both ends can be bounded in the index. SQLite takes the
 * first upper bound it meets for its walk: a range that is `closed` has its own.
 */
function rangeSql(path: string, operator: string, operand: unknown, columns: Columns, closed: boolean): Sql {
  const value = valueSql(path, columns);
  if (path === '_id') return idSql(`${value} ${operator} ?`, operand);
  const type = typeSql(path, columns);
  const upward = operator.startsWith('>');
  switch (kindOf(operand, path)) {
    case 'number': {
      const bound = upward && !closed ? ` AND ${value} < ''` : '';
      const guard = `(${value} NOT IN (0,1) OR ${type} IN ('integer','real'))`;
      return { text: `(${value} ${operator} ?${bound} AND ${guard})`, values: [numberInJson(operand as number)] };
    }
    case 'text': {
      const bound = closed ? '' : ` AND ${value} ${upward ? `< x''` : `>= ''`}`;
      const guard = `(${value} < '{' OR ${value} >= '|' OR ${type} = 'text')`;
      return { text: `(${value} ${operator} ?${bound} AND ${guard})`, values: [String(operand)] };
    }
    case 'boolean':
      return guarded(`${value} ${operator} ?`, Number(operand), `${type} IN ('true','false')`);
    default:
      throw new UnsupportedQueryError(`Filter on ${path}: a range wants a number, a text or a boolean`);
  }
}

/** An `_id` is a text or an integer. */
function idSql(text: string, operand: unknown): Sql {
  if (typeof operand === 'number') return { text, values: [numberInJson(operand)] };
  return typeof operand === 'string' ? { text, values: [operand] } : { text: '0', values: [] };
}

export function orderSql(sort: JsonObject, schema: Schema): string {
  const terms = Object.entries(sort).map(([path, direction]) => {
    if (direction !== 1 && direction !== -1) throw new UnsupportedQueryError(`Sort by ${path}: 1 or -1, no other`);
    return `${valueSql(path, schema.columns)}${direction === 1 ? '' : ' DESC'}`;
  });
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
}
