import { UnsupportedQueryError } from '../errors';

const pathPattern = /^[A-Za-z0-9_-]{1,100}(\.[A-Za-z0-9_-]{1,100}){0,15}$/;
const namePattern = /^[A-Za-z][A-Za-z0-9_]{0,99}$/;

/** Field names of a dotted path. Only plain names pass: a path becomes part of the SQL. */
export function segmentsOf(path: string): string[] {
  if (!pathPattern.test(path) || path === '__proto__')
    throw new UnsupportedQueryError(`Not a path that can be used in a query: ${JSON.stringify(path)}`);
  return path.split('.');
}

export function safeName(name: string): string {
  if (!namePattern.test(name) || name.toLowerCase().startsWith('sqlite_'))
    throw new UnsupportedQueryError(`Not a name for a collection or index: ${JSON.stringify(name)}`);
  return name;
}

/** SQL of the JSON path to a nested field; no segments lead to the whole. */
export const jsonPath = (segments: readonly string[]): string =>
  `'$${segments.map((segment) => `."${segment}"`).join('')}'`;

/** The path and every path above it, from the top. */
export function prefixesOf(path: string): string[] {
  const segments = segmentsOf(path);
  return segments.map((_, index) => segments.slice(0, index + 1).join('.'));
}

/** SQL text literal. For texts of the program's own only; what comes from outside is bound. */
export const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;
