import { type Column, type Content, namesOf } from './columns';
import { segmentsOf } from './path';
import type { Contents } from './protocol';

/**
 * What the columns of a table hold for some documents, found here, where the documents are no text yet: SQLite would have to parse each.
 * Undefined where only SQLite knows, as of a value that is an object.
 */
export function contentsFor(columns: readonly Column[]): (documents: readonly object[]) => Contents | undefined {
  const names = namesOf(columns);
  const paths = columns.map(({ kind, path }) => ({ kind, segments: segmentsOf(path) }));
  return (documents) => {
    const values: Content[] = [];
    for (const document of documents) {
      for (const { kind, segments } of paths) {
        const value = lookUp(document, segments);
        const content = kind === 'value' ? storedValue(value) : storedType(value);
        if (content === undefined) return undefined;
        values.push(content);
      }
    }
    return { columns: names, values };
  };
}

const missing = Symbol('missing');

function lookUp(document: object, segments: readonly string[]): unknown {
  let value: unknown = document;
  for (const segment of segments) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment)) return missing;
    value = (value as Record<string, unknown>)[segment];
  }
  return value;
}

/** As json_extract has it. */
function storedValue(value: unknown): Content | undefined {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() && !value.includes('\0') ? value : undefined;
    case 'number':
      return storedNumber(value);
    case 'boolean':
      return value ? 1n : 0n;
    case 'undefined':
    case 'symbol':
      return null;
    default:
      return value === null ? null : undefined;
  }
}

function storedNumber(value: number): Content | undefined {
  if (Number.isSafeInteger(value)) return BigInt(value);
  return Number.isInteger(value) ? undefined : value;
}

/** As json_type has it. */
function storedType(value: unknown): Content | undefined {
  switch (typeof value) {
    case 'symbol':
      return null;
    case 'string':
      return 'text';
    case 'number':
      return Number.isSafeInteger(value) ? 'integer' : Number.isInteger(value) ? undefined : 'real';
    case 'boolean':
      return String(value);
    case 'undefined':
      return 'null';
    default:
      return value === null ? 'null' : undefined;
  }
}
