import { UnsupportedQueryError } from '../errors';
import { mayHoldHalfPair, wellFormed } from '../well-formed';

/** Documents as JSON text. */

export type JsonObject = { [key: string]: unknown };

/** MongoDB's own limit on nesting. */
const maxDepth = 100;

/** JSON text of a document; fields that are undefined are left out, as the MongoDB driver is set to do. */
export function encode(document: unknown): string {
  const text = JSON.stringify(document);
  return mayHoldHalfPair(text) ? JSON.stringify(wellFormed(JSON.parse(text))) : text;
}

/** JSON text of a filter, an update or a sort: refuses what JSON cannot hold, and undefined. */
export function encodeQuery(query: unknown): string {
  if (hasUndefined(query, 0)) throw new UnsupportedQueryError('Undefined in a filter or an update.');
  return encode(query);
}

export const decode = <T = unknown>(text: string): T => JSON.parse(text) as T;

/** Refuses a document with what JSON cannot hold. */
export function checkDocument(document: unknown): void {
  hasUndefined(document, 0);
}

function hasUndefined(value: unknown, depth: number): boolean {
  if (value === undefined) return true;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return false;
  if (Number.isFinite(value)) return false;
  if (typeof value === 'number') throw new UnsupportedQueryError(`A number must be finite, not ${value}.`);
  if (typeof value !== 'object') throw new UnsupportedQueryError(`A document cannot hold a ${typeof value}.`);
  if (depth >= maxDepth) throw new UnsupportedQueryError(`A document is nested deeper than ${maxDepth} levels.`);
  let found = false;
  if (Array.isArray(value)) {
    for (const element of value) if (hasUndefined(element, depth + 1)) found = true;
    return found;
  }
  if (!isPlain(value))
    throw new UnsupportedQueryError(`A document cannot hold an instance of ${value.constructor?.name ?? 'a class'}.`);
  for (const key in value) if (hasUndefined((value as JsonObject)[key], depth + 1)) found = true;
  return found;
}

/** Without a prototype, or with the one that all objects of some realm have. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}
