import { UnsupportedQueryError } from '../errors';

const pathPattern = /^[A-Za-z0-9_-]{1,100}(\.[A-Za-z0-9_-]{1,100}){0,15}$/;
const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,99}$/;

/** Field names of a dotted path. Only plain names pass: a path becomes part of the SQL. */
export function segmentsOf(path: string): string[] {
  if (!pathPattern.test(path) || path === '__proto__')
    throw new UnsupportedQueryError(`Not a path that can be used in a query: ${JSON.stringify(path)}`);
  return path.split('.');
}

/** The name of a collection or index, which becomes part of the SQL. */
export function safeName(name: string): string {
  if (!namePattern.test(name) || name.toLowerCase().startsWith('sqlite_'))
    throw new UnsupportedQueryError(`Not a name for a collection or index: ${JSON.stringify(name)}`);
  return name;
}

function jsonPath(path: string, below = ''): string {
  const labels = segmentsOf(path).map((segment) => `."${segment}"`);
  return `'$${labels.join('')}${below}'`;
}

/** SQL for the value at a path: text, number, NULL for null and missing; 1 and 0 for booleans, JSON for the rest. */
export function valueSql(path: string): string {
  return path === '_id' ? 'id' : `json_extract(doc,${jsonPath(path)})`;
}

/** SQL for the JSON type of the value at a path; NULL when it is missing. */
export function typeSql(path: string): string {
  return `json_type(doc,${jsonPath(path)})`;
}

/** SQL for the text of the Date at a path; NULL when there is none. */
export function dateSql(path: string): string {
  return `json_extract(doc,${jsonPath(path, '."$date"')})`;
}

/** The path and every path above it, from the top. */
export function prefixesOf(path: string): string[] {
  const segments = segmentsOf(path);
  return segments.map((_, index) => segments.slice(0, index + 1).join('.'));
}

/** SQL text literal. For texts of the program's own only; what comes from outside is bound. */
export function literal(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
