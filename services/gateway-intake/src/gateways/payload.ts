import { isUtf8 } from 'node:buffer';
import { deeperThan, maxJsonDepth } from '@order-automation/service';
import { mayHoldHalfPair, wellFormed } from '@order-automation/store';
import { formatRefusal, type Refusal } from './refusal';

/** A JSON object as it came. Read it with the functions below: keys such as `__proto__` are data. */
export type Payload = { readonly [key: string]: unknown };

/** decisions.md section 6, "Limits". */
export const limits = { bodyBytes: 1024 * 1024, depth: maxJsonDepth } as const;

export type Parsed =
  | { readonly payload: Payload; readonly refusal?: undefined }
  | { readonly refusal: Refusal; readonly payload?: undefined };

const notJson = formatRefusal('malformed_json', 'The body is not valid JSON.');
const notObject = formatRefusal('not_an_object', 'The body must be a JSON object.');
const tooDeep = formatRefusal('too_deep', `The JSON is nested deeper than ${limits.depth} levels.`);

/** Parses a body that must be one JSON object of at most 64 levels. Numbers that a double cannot hold are kept as text. A byte order mark is skipped. */
export function parsePayload(body: Buffer): Parsed {
  const { value, refusal } = parseJson(body);
  if (refusal) return { refusal };
  return isObject(value) ? { payload: value } : { refusal: notObject };
}

/** Parses a body that may be any JSON of at most 64 levels, as `parsePayload` does. */
export function parseJson(body: Buffer): { readonly value?: unknown; readonly refusal?: Refusal } {
  if (!isUtf8(body)) return { refusal: formatRefusal('invalid_utf8', 'The body is not valid UTF-8.') };
  const text = body.toString('utf8');
  const json = body[0] === 0xef ? text.slice(1) : text;
  if (deeperThan(body, limits.depth)) return { refusal: tooDeep };
  try {
    const parsed: unknown = JSON.parse(json);
    const value: unknown = mayHoldLongNumber.test(json) ? JSON.parse(quoteLongNumbers(json)) : parsed;
    return { value: mayHoldHalfPair(json) ? wellFormed(value) : value };
  } catch {
    return { refusal: notJson };
  }
}

/** Decimal digits that a double always keeps. */
const exactDigits = 15;
const mayHoldLongNumber = /[\d.]{16}/;
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Valid JSON with its long numbers as strings, but for fractions that are the long form of a short one: PHP writes 29.95 as 29.949999999999999 where
 * `serialize_precision` is 17 (https://github.com/pronamic/wp-pronamic-pay/issues/281).
 */
function quoteLongNumbers(json: string): string {
  const isLong = (number: string): boolean => number.replace(/[eE].*|\D/g, '').length > exactDigits;
  const isQuoted = (token: string): boolean =>
    !token.startsWith('"') && isLong(token) && !(token.includes('.') && !isLong(String(Number(token))));
  return json.replace(stringOrNumber, (token) => (isQuoted(token) ? `"${token}"` : token));
}

/** A JSON object, not an array and not null. */
export const isObject = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The payload's own value under a key; undefined for anything inherited. */
export const own = (source: unknown, key: string): unknown =>
  isObject(source) && Object.hasOwn(source, key) ? source[key] : undefined;

export function objectAt(source: unknown, key: string): Payload | undefined {
  const value = own(source, key);
  return isObject(value) ? value : undefined;
}

/** The first elements of the list under a key, or none. */
export function listAt(source: unknown, key: string): readonly unknown[] {
  const list = own(source, key);
  return Array.isArray(list) ? list.slice(0, 100) : [];
}

/** Longest text we keep of a field of the payload, in characters. */
export const longestText = 255;

/** Text or number as trimmed text; undefined when it is empty, longer than 255 characters, or anything else. */
export function scalar(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined;
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  return text === '' || text.length > longestText ? undefined : text;
}

export const scalarAt = (source: unknown, key: string): string | undefined => scalar(own(source, key));

/** The scalar under the first of these keys that has one. */
export const scalarIn = (source: unknown, ...keys: readonly string[]): string | undefined =>
  keys.map((key) => scalarAt(source, key)).find((value) => value !== undefined);

export function withoutEmpty<V>(fields: Readonly<Record<string, V | null | undefined>>): Record<string, V> {
  const kept = Object.entries(fields).filter((entry): entry is [string, V] => (entry[1] ?? null) !== null);
  return Object.fromEntries(kept);
}

/** RFC 3339, whose section 5.6 allows a blank for the `T` and small letters, with a zone as databases (`+01`) and Ruby (`UTC`) write it, too. */
const isoInstant =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?) ?(?:Z|UTC|GMT|([+-]\d{2}):?(\d{2})?)$/i;

/** An instant with a zone, or seconds or milliseconds since the epoch, as text too; anything else is no instant. */
export function instant(value: unknown): string | undefined {
  const [, day, at, hours, minutes = '00'] = (typeof value === 'string' && isoInstant.exec(value)) || [];
  const iso = Date.parse(`${day}T${at}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`);
  const epoch = typeof value === 'string' && /^\d{10}(?:\d{3})?$/.test(value) ? Number(value) : value;
  const time = typeof epoch === 'number' ? (epoch < 1e11 ? epoch * 1000 : epoch) : iso;
  return Number.isFinite(time) && time >= 0 && time < 253_402_300_800_000 ? new Date(time).toISOString() : undefined;
}
