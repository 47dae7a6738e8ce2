import { UnsupportedQueryError } from '../errors';
import type { Index, IndexDescription } from '../port';
import type { JsonObject } from './codec';
import { booleanSql, type Column, type Columns, columnName, columnsOf, typeSql, valueSql } from './columns';
import { operatorsOf } from './operators';
import { literal, prefixesOf, safeName } from './path';
import { kindOf } from './scalar';
import { isWordIndex, type Words, wordsTable } from './word-index';

/** One conjunct of a partial index: what a query must ask for so that the index may serve it, and the SQL that says so. */
export type PartialTerm = {
  readonly path: string;
  readonly operator: '$exists' | '$eq';
  readonly operand: unknown;
  readonly sql: string;
};

export type Schema = {
  readonly name: string;
  readonly indexes: readonly IndexDescription[];
  readonly words: readonly Words[];
  /** Paths of indexes, which hold neither arrays nor objects. */
  readonly indexedPaths: ReadonlySet<string>;
  /** Those paths and all above them: no array may stand there. */
  readonly arrayFree: ReadonlySet<string>;
  readonly columns: Columns;
  /** The same columns, in words that SQLite answers from no index. */
  readonly unindexed: Columns;
  /** The statement that inserts the row number, the id, the contents of the columns and the document, bound in this order. */
  readonly insertSql: string;
  /** The same, for a document that may be there already. */
  readonly insertNewSql: string;
  /** What stands behind SET where a whole document is replaced: contents of the columns and the document, bound in this order. */
  readonly replaceSql: string;
  /** The terms of each partial or sparse index. */
  readonly partials: readonly (readonly PartialTerm[])[];
  /** The texts of updates by their operators and paths (`updateSql`). */
  readonly updates: Map<string, string>;
};

export function makeSchema(name: string, declared: readonly Index[], present: readonly Column[] = []): Schema {
  const indexes = declared.filter((index): index is IndexDescription => !isWordIndex(index));
  const paths = indexes.flatMap((index) => Object.keys(index.key)).filter((path) => path !== '_id');
  const columns = columnsOf(indexes, present);
  const names = ['seq', 'id', ...columns.all.map(columnName), 'doc'].join(',');
  const contents = Array.from({ length: columns.all.length + 3 }, () => '?').join(',');
  return {
    name: safeName(name),
    indexes,
    words: declared.filter(isWordIndex).map((index) => wordsTable(name, index)),
    indexedPaths: new Set(paths),
    arrayFree: new Set(paths.flatMap(prefixesOf)),
    columns,
    unindexed: { ...columns, values: new Map([...columns.values].map(([path, name]) => [path, `+${name}`])) },
    insertSql: `INSERT INTO ${name}(${names}) VALUES(${contents})`,
    insertNewSql: `INSERT INTO ${name}(${names}) VALUES(${contents}) ON CONFLICT DO NOTHING`,
    replaceSql: [...columns.all.map(columnName), 'doc'].map((name) => `${name} = ?`).join(', '),
    partials: indexes.map((index) => partialTerms(index, columns)).filter((terms) => terms.length > 0),
    updates: new Map(),
  };
}

function partialTerms(index: IndexDescription, columns: Columns): PartialTerm[] {
  const declared = Object.entries(index.partialFilterExpression ?? {}).flatMap(([path, condition]) =>
    operatorsOf(path, condition).map(([operator, operand]) => partialTerm(path, operator, operand, columns)),
  );
  const [first, ...others] = Object.keys(index.key);
  if (index.sparse !== true || first === undefined) return declared;
  if (others.length > 0)
    throw new UnsupportedQueryError(`Index ${index.name}: only an index on one path can be sparse`);
  return [...declared, partialTerm(first, '$exists', true, columns)];
}

function partialTerm(path: string, operator: string, operand: unknown, columns: Columns): PartialTerm {
  const value = valueSql(path, columns);
  const type = typeSql(path, columns);
  if (operator === '$exists' && operand === true) return { path, operator, operand, sql: `${type} IS NOT NULL` };
  if (operator === '$eq') {
    const kind = kindOf(operand, path);
    const sql = {
      null: `${value} IS NULL`,
      number: `${value} = ${Number(operand)}`,
      text: `${value} = ${literal(String(operand))}`,
      boolean: booleanSql(value, type, operand === true),
    };
    return { path, operator, operand, sql: sql[kind] };
  }
  throw new UnsupportedQueryError(`A partial index on ${path} by ${operator} is not supported`);
}

/**
 * The table of an empty collection. Rows lie in the order of their ids where these are integers (`seq` is the id), else of their arrival. `id` has
 * no type, so that a text of digits stays a text. The document stands last: in front of a column it has to be walked past.
 */
export function tableSql({ name, columns }: Schema): string {
  const rest = [...columns.all.map(columnName), 'doc TEXT NOT NULL'].join(', ');
  return `CREATE TABLE ${name} (seq INTEGER PRIMARY KEY, id NOT NULL UNIQUE, ${rest})`;
}

export type IndexSql = { readonly name: string; readonly sql: string };

/**
 * The indexes of a collection. SQLite's unique indexes let NULLs repeat, MongoDB's do not: a second index, over the rows that lack
 * a value only and so empty where there are none, keeps those apart.
 */
export function indexSql(schema: Schema): IndexSql[] {
  return schema.indexes.flatMap((index) => {
    const name = `${schema.name}__${safeName(index.name)}`;
    const keys = Object.entries(index.key).map(([path, direction]) => ({
      value: valueSql(path, schema.columns),
      direction,
    }));
    const terms = partialTerms(index, schema.columns).map((term) => term.sql);
    const columns = keys.map((key) => `${key.value}${key.direction === -1 ? ' DESC' : ''}`).join(', ');
    const unique = index.unique === true ? 'UNIQUE ' : '';
    const main = { name, sql: `CREATE ${unique}INDEX ${name} ON ${schema.name} (${columns})${where(terms)}` };
    if (index.unique !== true) return [main];
    const absent = `(${keys.map((key) => `${key.value} IS NULL`).join(' OR ')})`;
    const apart = keys.map((key) => `ifnull(${key.value}, x'')`).join(', ');
    const sql = `CREATE UNIQUE INDEX ${name}__null ON ${schema.name} (${apart})${where([...terms, absent])}`;
    return [main, { name: `${name}__null`, sql }];
  });
}

const where = (terms: readonly string[]): string => (terms.length === 0 ? '' : ` WHERE ${terms.join(' AND ')}`);

/** Refuses a document that holds an array or an object where an index needs one value. */
export function checkIndexable(
  indexedPaths: ReadonlySet<string>,
  arrayFree: ReadonlySet<string>,
  document: unknown,
): void {
  for (const path of arrayFree) {
    const value = valueAt(document, path);
    if (typeof value !== 'object' || value === null) continue;
    if (Array.isArray(value) || indexedPaths.has(path))
      throw new UnsupportedQueryError(`${path} is indexed: it holds a scalar, and no array stands above it`);
  }
}

/** The value at a path through objects only. */
export function valueAt(document: unknown, path: string): unknown {
  if (!path.includes('.')) return own(document, path);
  let value = document;
  for (const segment of path.split('.')) {
    value = own(value, segment);
    if (value === undefined) return undefined;
  }
  return value;
}

const own = (value: unknown, key: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as JsonObject)[key] : undefined;
