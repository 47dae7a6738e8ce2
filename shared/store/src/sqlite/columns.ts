import { toUSVString } from 'node:util';
import type { IndexDescription } from '../port';
import { docSql } from './compression';
import { jsonPath, segmentsOf } from './path';
import { numberInJson } from './scalar';

/**
 * A column that repeats, of the value at a path of the document, what json_extract (`value`) or json_type (`type`) says of it. Indexes
 * stand on these columns: SQLite leaves an index alone when an update sets none of its columns, whereas an index on an
 * expression over the document is written again with every change of the document.
 */
export type Column = { readonly kind: 'value' | 'type'; readonly path: string };

/** The columns of a table, and their quoted names by path. */
export type Columns = {
  /** SQL for the id of the document. */
  readonly id: string;
  readonly all: readonly Column[];
  readonly values: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, string>;
};

/** Those that the indexes ask for, and those that the table has besides: these are kept true for an index that asks for them later. */
export function columnsOf(indexes: readonly IndexDescription[], present: readonly Column[]): Columns {
  const named = new Map([...indexes.flatMap(ofIndex), ...present].map((column) => [columnName(column), column]));
  const byPath = (kind: Column['kind']): Map<string, string> =>
    new Map([...named].flatMap(([name, column]) => (column.kind === kind ? [[column.path, name]] : [])));
  return { id: 'id', all: [...named.values()], values: byPath('value'), types: byPath('type') };
}

/** The values an index sorts by or is limited by, and the types where the value alone does not say what its limit asks for. */
function ofIndex(index: IndexDescription): Column[] {
  const keys = Object.keys(index.key);
  const terms = Object.entries(index.partialFilterExpression ?? {});
  const paths = [...keys, ...terms.map(([path]) => path)].filter((path) => path !== '_id');
  const typed = terms.flatMap(([path, condition]) => (asksForType(condition) ? [path] : []));
  const sparse = index.sparse === true ? keys : [];
  return [
    ...paths.map((path): Column => ({ kind: 'value', path })),
    ...[...typed, ...sparse].map((path): Column => ({ kind: 'type', path })),
  ];
}

function asksForType(condition: unknown): boolean {
  if (typeof condition !== 'object' || condition === null) return typeof condition === 'boolean';
  return Object.entries(condition).some(
    ([operator, operand]) => operator === '$exists' || typeof operand === 'boolean',
  );
}

/** The quoted name. SQLite does not tell `a` from `A` in names: a capital letter gets a mark that no path has. */
export function columnName({ kind, path }: Column): string {
  const plain = segmentsOf(path)
    .join('.')
    .replaceAll(/[A-Z]/g, (letter) => `^${letter}`);
  return `"${kind === 'value' ? 'v' : 't'}:${plain}"`;
}

/** The column of a name as SQLite reports it, without quotes; undefined for any other column. */
export function columnNamed(name: string): Column | undefined {
  const path = name.slice(2).replaceAll('^', '');
  if (name.startsWith('v:')) return { kind: 'value', path };
  return name.startsWith('t:') ? { kind: 'type', path } : undefined;
}

/** SQL for the content of the column; `document` is SQL for the document. */
export const contentSql = (column: Column, document: string): string =>
  partSql(column, document, segmentsOf(column.path));

/** The same; `json` is SQL for a part of the document, `segments` lead from there to the path. */
export const partSql = (column: Column, json: string, segments: readonly string[]): string =>
  `${column.kind === 'value' ? 'json_extract' : 'json_type'}(${json},${jsonPath(segments)})`;

/** Whether a change of what stands at `changed` can change the column. */
export function depends(column: Column, changed: string): boolean {
  const { path } = column;
  return path === changed || path.startsWith(`${changed}.`) || changed.startsWith(`${path}.`);
}

/** SQL for the value at a path: text, number, NULL for null and missing; 1 and 0 for booleans, JSON for the rest. */
export const valueSql = (path: string, columns: Columns): string =>
  path === '_id' ? columns.id : (columns.values.get(path) ?? contentSql({ kind: 'value', path }, docSql));

/** SQL for the JSON type of the value at a path; NULL when it is missing. */
export const typeSql = (path: string, columns: Columns): string =>
  columns.types.get(path) ?? contentSql({ kind: 'type', path }, docSql);

/** SQL for a boolean at a path. Without bound values: a partial index that says the same answers it, and no document is read for it. */
export const booleanSql = (value: string, type: string, wanted: boolean): string =>
  `${value} = ${Number(wanted)} AND ${type} = '${wanted}'`;

/** What stands in the columns of a document, in the order of the columns. */
export type Contents = readonly (string | number | bigint | null)[];

/** What `contentSql` gives for the value at the path of the column, which is a scalar or missing. */
export function contentOf({ kind }: Column, value: unknown): Contents[number] {
  if (kind === 'type') return typeOf(value);
  switch (typeof value) {
    case 'string':
      return toUSVString(value);
    case 'number':
      return numberInJson(value);
    case 'boolean':
      return BigInt(value);
    default:
      return typeof value === 'object' && value !== null ? JSON.stringify(value) : null;
  }
}

const isWhole = (value: number): boolean => Number.isInteger(value) && Math.abs(value) < 1e21;

function typeOf(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return isWhole(value) ? 'integer' : 'real';
    case 'boolean':
      return String(value);
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? 'array' : 'object';
    default:
      return null;
  }
}
