import { toUSVString, types } from 'node:util';
import { UnsupportedQueryError } from '../errors';

/**
 * Documents as JSON text. A Date is `{"$date":"2026-01-31T10:00:00.000Z"}`; a key of the caller's that looks like that
 * one (`$date`, `$$date`, …) gets one more `$`, so that nothing from outside can pass for a Date.
 */

export type JsonObject = { [key: string]: unknown };

const dateKey = /^\$+date$/;
const dollar = 0x24;
/** MongoDB's own limit on nesting. */
const maxDepth = 100;

type Undefined = 'null' | 'refused';

/** JSON text of a document. Undefined becomes null, as the driver has it. Refuses what JSON and Date cannot hold. */
export function encode(document: unknown): string {
  return write(document, 'null');
}

/** JSON text of a filter, an update or an option: as `encode`, but undefined is refused. */
export function encodeQuery(query: unknown): string {
  return write(query, 'refused');
}

function write(value: unknown, undefinedIs: Undefined): string {
  const text = JSON.stringify(inspect(value, undefinedIs, 0) ? rewrite(value) : value);
  return text.includes('\\ud') ? JSON.stringify(wellFormed(JSON.parse(text))) : text;
}

/** Whether the value must be rewritten before JSON.stringify keeps it whole. */
function inspect(value: unknown, undefinedIs: Undefined, depth: number): boolean {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return false;
    case 'number':
      if (!Number.isFinite(value)) throw new UnsupportedQueryError(`A number must be finite, not ${value}.`);
      return false;
    case 'undefined':
      if (undefinedIs === 'refused') throw new UnsupportedQueryError('Undefined in a filter or an update.');
      return true;
    case 'object':
      return value !== null && inspectObject(value, undefinedIs, depth + 1);
    default:
      throw new UnsupportedQueryError(`A document cannot hold a ${typeof value}.`);
  }
}

function inspectObject(value: object, undefinedIs: Undefined, depth: number): boolean {
  if (depth > maxDepth) throw new UnsupportedQueryError(`A document is nested deeper than ${maxDepth} levels.`);
  let special = false;
  if (Array.isArray(value)) {
    for (const element of value) if (inspect(element, undefinedIs, depth)) special = true;
    return special;
  }
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    if (types.isDate(value)) return true;
    if (!isPlain(value))
      throw new UnsupportedQueryError(`A document cannot hold an instance of ${value.constructor?.name ?? 'a class'}.`);
  }
  for (const key in value) {
    if (key.charCodeAt(0) === dollar && dateKey.test(key)) special = true;
    const inner = (value as JsonObject)[key];
    if (typeof inner !== 'string' && inspect(inner, undefinedIs, depth)) special = true;
  }
  return special;
}

/** Without a prototype, or with the one that all objects of some realm have. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function rewrite(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null) return value;
  if (types.isDate(value)) return { $date: dateText(value) };
  if (Array.isArray(value)) return value.map(rewrite);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [dateKey.test(key) ? `$${key}` : key, rewrite(inner)]),
  );
}

function dateText(date: Date): string {
  const time = date.getTime();
  if (!(time >= -62_167_219_200_000 && time <= 253_402_300_799_999))
    throw new UnsupportedQueryError('A date must be valid and between the years 0 and 9999.');
  return date.toISOString();
}

/** Half a surrogate pair is no character: it becomes U+FFFD, as in BSON. */
function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return toUSVString(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toUSVString(key), wellFormed(inner)]));
}

/** The document of a text made by `encode`. */
export function decode<T = unknown>(text: string): T {
  const value: unknown = JSON.parse(text);
  return (text.includes('$date') ? revive(value) : value) as T;
}

function revive(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(revive);
  const date = (value as JsonObject).$date;
  if (typeof date === 'string') return new Date(date);
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [dateKey.test(key) ? key.slice(1) : key, revive(inner)]),
  );
}
