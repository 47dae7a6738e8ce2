import { UnsupportedQueryError } from '../errors';
import { encode, type JsonObject } from './codec';
import { type Columns, dateSql, typeSql, valueSql } from './columns';
import { compareValues, rank, sameValue } from './compare';
import { branchesOf, operatorsOf } from './match';
import { prefixesOf } from './path';
import type { PartialTerm, Schema } from './schema';
import { splitWords } from './word-index';

/** A piece of SQL and the values bound to its question marks, in order. */
export type Sql = { readonly text: string; readonly values: readonly (string | number | bigint)[] };

const all: Sql = { text: '1', values: [] };
const none: Sql = { text: '0', values: [] };

/**
 * The filter as a WHERE expression with MongoDB's meaning. What SQL cannot say exactly, as arrays on the way and whole objects, is left to
 * the function `matches(filter, doc)` of the connection, for the documents that need it only.
 */
export function whereSql(filter: JsonObject, schema: Schema): Sql {
  const { asked, rest } = splitWords(filter, schema.words);
  if (asked.length > 0) {
    const words = asked.map(({ table, match }) => ({
      text: `seq IN (SELECT rowid FROM ${table} WHERE ${table} MATCH ?)`,
      values: [match],
    }));
    return join([...words, whereSql(rest, schema)], ' AND ');
  }
  const own = filterSql(filter, schema);
  const helpful = schema.partials.filter((terms) => terms.every((term) => isImplied(term, filter)));
  const texts = new Set(helpful.flat().map((term) => term.sql));
  return texts.size === 0 ? own : { text: [own.text, ...texts].join(' AND '), values: own.values };
}

function filterSql(filter: JsonObject, schema: Schema): Sql {
  const parts = Object.entries(filter).map(([key, condition]) => {
    if (key === '$and' || key === '$or') {
      const branches = branchesOf(key, condition).map((branch) => filterSql(branch, schema));
      return join(branches, key === '$and' ? ' AND ' : ' OR ');
    }
    if (key.startsWith('$')) throw new UnsupportedQueryError(`Operator ${key} is not supported in a filter`);
    return key === '_id' ? idSql(operatorsOf(key, condition)) : pathSql(key, condition, schema);
  });
  return join(parts, ' AND ');
}

function join(parts: readonly Sql[], by: string): Sql {
  const [first, ...others] = parts;
  if (first === undefined) return all;
  if (others.length === 0) return first;
  return { text: `(${parts.map((part) => part.text).join(by)})`, values: parts.flatMap((part) => part.values) };
}

function pathSql(path: string, condition: unknown, schema: Schema): Sql {
  const operators = operatorsOf(path, condition);
  const whole: Sql = { text: 'matches(?,doc)', values: [encode({ [path]: condition })] };
  if (operators.some(([, operand]) => holdsObject(operand))) return whole;
  const scalar = join(
    operators.map(([operator, operand]) => operatorSql(path, operator, operand, schema.columns)),
    ' AND ',
  );
  if (schema.indexedPaths.has(path)) return scalar;
  const types = prefixesOf(path)
    .map((prefix) => typeSql(prefix, schema.columns))
    .join(',');
  return {
    text: `CASE WHEN 'array' IN (${types}) THEN ${whole.text} ELSE ${scalar.text} END`,
    values: [...whole.values, ...scalar.values],
  };
}

function holdsObject(operand: unknown): boolean {
  const kind = rank(operand);
  return kind === 4 || (kind === 5 && (operand as unknown[]).some((element) => [4, 5].includes(rank(element))));
}

function operatorSql(path: string, operator: string, operand: unknown, columns: Columns): Sql {
  switch (operator) {
    case '$eq':
      return Array.isArray(operand)
        ? { text: 'matches(?,doc)', values: [encode({ [path]: operand })] }
        : equalSql(path, operand, columns);
    case '$ne':
      return not(operatorSql(path, '$eq', operand, columns));
    case '$in':
      return inSql(path, operand as unknown[], columns);
    case '$nin':
      return not(inSql(path, operand as unknown[], columns));
    case '$exists':
      return { text: `${typeSql(path, columns)} IS ${operand === true ? 'NOT NULL' : 'NULL'}`, values: [] };
    default:
      return rangeSql(path, sqlOperator(operator), operand, columns);
  }
}

function not(sql: Sql): Sql {
  return { text: `NOT ifnull(${sql.text},0)`, values: sql.values };
}

function sqlOperator(operator: string): string {
  return `${operator.startsWith('$gt') ? '>' : '<'}${operator.endsWith('e') ? '=' : ''}`;
}

/** Equality on a path that leads through no array. Guards tell apart what json_extract makes alike: 1 and true, Date and its text. */
function equalSql(path: string, operand: unknown, columns: Columns): Sql {
  const value = valueSql(path, columns);
  const type = typeSql(path, columns);
  switch (rank(operand)) {
    case 1:
      return { text: `${value} IS NULL`, values: [] };
    case 2:
      return guarded(`${value} = ?`, asStored(operand as number), isBit(operand) && `${type} IN ('integer','real')`);
    case 3:
      return guarded(`${value} = ?`, String(operand), looksLikeJson(operand) && `${type} = 'text'`);
    case 8:
      return guarded(`${value} = ?`, Number(operand), `${type} = '${operand === true}'`);
    default:
      return guarded(`${value} = ?`, encode(operand), `${type} = 'object'`);
  }
}

const isBit = (operand: unknown): boolean => operand === 0 || operand === 1;
const looksLikeJson = (operand: unknown): boolean => /^[{[]/.test(String(operand));

function guarded(text: string, value: string | number | bigint, guard: string | false): Sql {
  return { text: guard === false ? text : `(${text} AND ${guard})`, values: [value] };
}

/**
 * A number as SQLite reads it in a document: beyond 2^53 JSON has the shortest digits that mean it, which SQLite takes as an integer of its own
 * as long as they fit into 64 bits.
 */
function asStored(value: number): number | bigint {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? BigInt(String(value)) : value;
}

/** A list of plain texts and numbers is one bound value, so that one prepared statement serves lists of any length. */
function inSql(path: string, operands: readonly unknown[], columns: Columns): Sql {
  const plain = operands.filter((operand) => isPlain(operand));
  const others = operands.filter((operand) => !isPlain(operand)).map((operand) => equalSql(path, operand, columns));
  const parts = plain.length > 0 ? [listSql(valueSql(path, columns), plain), ...others] : others;
  return parts.length === 0 ? none : join(parts, ' OR ');
}

function isPlain(operand: unknown): boolean {
  return rank(operand) === 3 ? !looksLikeJson(operand) : rank(operand) === 2 && !isBit(operand);
}

function listSql(value: string, operands: readonly unknown[]): Sql {
  return { text: `${value} IN (SELECT value FROM json_each(?))`, values: [encode(operands)] };
}

/** A comparison within one type: numbers lie below every text and texts below every blob, so both ends can be bounded in the index. */
function rangeSql(path: string, operator: string, operand: unknown, columns: Columns): Sql {
  const value = valueSql(path, columns);
  const type = typeSql(path, columns);
  const upward = operator.startsWith('>');
  switch (rank(operand)) {
    case 2: {
      const bound = upward ? ` AND ${value} < ''` : '';
      const guard = `(${value} NOT IN (0,1) OR ${type} IN ('integer','real'))`;
      return { text: `(${value} ${operator} ?${bound} AND ${guard})`, values: [asStored(operand as number)] };
    }
    case 3: {
      const bound = upward ? `${value} < x''` : `${value} >= ''`;
      const guard = `(${value} < '{' OR ${value} >= '|' OR ${type} = 'text')`;
      return { text: `(${value} ${operator} ? AND ${bound} AND ${guard})`, values: [String(operand)] };
    }
    case 8:
      return guarded(`${value} ${operator} ?`, Number(operand), `${type} IN ('true','false')`);
    default: {
      const bound = upward ? `${value} < '{"$date":"~'` : `${value} >= '{"$date":"'`;
      return guarded(`${value} ${operator} ?`, encode(operand), `${bound} AND ${type} = 'object'`);
    }
  }
}

function idSql(operators: readonly [string, unknown][]): Sql {
  return join(
    operators.map(([operator, operand]) => idOperatorSql(operator, operand)),
    ' AND ',
  );
}

const isId = (value: unknown): value is string | number => rank(value) === 2 || rank(value) === 3;

function idOperatorSql(operator: string, operand: unknown): Sql {
  switch (operator) {
    case '$exists':
      return operand === true ? all : none;
    case '$eq':
      return isId(operand) ? { text: 'id = ?', values: [operand] } : none;
    case '$ne':
      return isId(operand) ? { text: 'id <> ?', values: [operand] } : all;
    case '$in':
      return listSql('id', (operand as unknown[]).filter(isId));
    case '$nin':
      return not(listSql('id', (operand as unknown[]).filter(isId)));
    default:
      return isId(operand) ? { text: `id ${sqlOperator(operator)} ?`, values: [operand] } : none;
  }
}

/** Whether every document that the filter finds satisfies the term of a partial index. */
function isImplied(term: PartialTerm, filter: JsonObject): boolean {
  return Object.entries(filter).some(([key, condition]) => {
    if (key === '$and') return branchesOf(key, condition).some((branch) => isImplied(term, branch));
    if (key !== term.path) return false;
    return operatorsOf(key, condition).some(([operator, operand]) => implies(operator, operand, term));
  });
}

function implies(operator: string, operand: unknown, term: PartialTerm): boolean {
  const positive = operator !== '$ne' && operator !== '$nin' && operator !== '$exists';
  const operands = operator === '$in' ? (operand as unknown[]) : [operand];
  switch (term.operator) {
    case '$exists':
      return (operator === '$exists' && operand === true) || (positive && !operands.includes(null));
    case '$eq':
      return (operator === '$eq' || operator === '$in') && operands.every((value) => sameValue(value, term.operand));
    case '$gt':
      return impliesGreater(operator, operands, term.operand);
  }
}

function impliesGreater(operator: string, operands: readonly unknown[], bound: unknown): boolean {
  const above = (value: unknown): boolean => rank(value) === rank(bound) && compareValues(value, bound) > 0;
  if (operator === '$gt') return operands.every((value) => above(value) || sameValue(value, bound));
  return ['$gte', '$eq', '$in'].includes(operator) && operands.length > 0 && operands.every(above);
}

/** ORDER BY of a sort; `id` is SQL for what orders as `_id` does. A path without an index is ordered by type first; one with an index holds values of one type. */
export function orderSql(sort: JsonObject, schema: Schema, id = 'id'): string {
  const terms = Object.entries(sort).flatMap(([path, direction]) => {
    if (direction !== 1 && direction !== -1) throw new UnsupportedQueryError(`Sort by ${path}: 1 or -1, no other`);
    const way = direction === 1 ? '' : ' DESC';
    const value = `${path === '_id' ? id : valueSql(path, schema.columns)}${way}`;
    return path === '_id' || schema.indexedPaths.has(path)
      ? [value]
      : [`${rankSql(path, schema.columns)}${way}`, value];
  });
  return terms.length === 0 ? '' : ` ORDER BY ${terms.join(', ')}`;
}

function rankSql(path: string, columns: Columns): string {
  return (
    `CASE ${typeSql(path, columns)} WHEN 'integer' THEN 2 WHEN 'real' THEN 2 WHEN 'text' THEN 3 WHEN 'array' THEN 5 ` +
    `WHEN 'true' THEN 8 WHEN 'false' THEN 8 WHEN 'object' THEN iif(${dateSql(path)} IS NULL, 4, 9) ELSE 1 END`
  );
}
