import { isUtf8 } from 'node:buffer';
import { mayHoldHalfPair, wellFormed } from '@order-automation/store';
import { type Refusal, unreadable } from './refusal';

/** A JSON object as it came. Read it with the functions below: keys such as `__proto__` are data. */
export type Payload = { readonly [key: string]: unknown };

/** decisions.md section 6, "Limits". */
export const limits = { bodyBytes: 1024 * 1024, depth: 64 } as const;

export type Parsed =
  | { readonly payload: Payload; readonly refusal?: undefined }
  | { readonly refusal: Refusal; readonly payload?: undefined };

const notJson = unreadable('malformed_json', 'The body is not valid JSON.');
const notObject = unreadable('not_an_object', 'The body must be a JSON object.');
const tooDeep = unreadable('too_deep', `The JSON is nested deeper than ${limits.depth} levels.`);

/**
 * Parses a body that must be one JSON object of at most 64 levels. Numbers that a double cannot hold are kept as their text.
 * A byte order mark is skipped.
 */
export function parsePayload(body: Buffer): Parsed {
  const { value, refusal } = parseJson(body);
  if (refusal) return { refusal };
  return isObject(value) ? { payload: value } : { refusal: notObject };
}

/** Parses a body that may be any JSON of at most 64 levels, as `parsePayload` does. */
export function parseJson(body: Buffer): { readonly value?: unknown; readonly refusal?: Refusal } {
  if (!isUtf8(body)) return { refusal: unreadable('invalid_utf8', 'The body is not valid UTF-8.') };
  const text = body.toString('utf8');
  const json = body[0] === 0xef ? text.slice(1) : text;
  const { deep, longNumbers } = isPlain(json) ? plain : scan(json);
  if (deep) return { refusal: tooDeep };
  try {
    const parsed: unknown = JSON.parse(json);
    const value: unknown = longNumbers ? JSON.parse(quoteLongNumbers(json)) : parsed;
    return { value: mayHoldHalfPair(json) ? wellFormed(value) : value };
  } catch {
    return { refusal: notJson };
  }
}

const quote = 0x22;
const backslash = 0x5c;
/** Decimal digits that a double always keeps. */
const exactDigits = 15;

const plain = { deep: false, longNumbers: false };

/** Whether a look tells that it neither nests too deep nor holds long numbers, which is so for nearly all. */
function isPlain(text: string): boolean {
  return brackets(text, '{') + brackets(text, '[') <= limits.depth && !hasLongRun(text);
}

/** How many there are, also within strings; counts no further than what is too many. */
function brackets(text: string, bracket: '{' | '['): number {
  let count = 0;
  for (let at = text.indexOf(bracket); at !== -1 && count <= limits.depth; at = text.indexOf(bracket, at + 1))
    count += 1;
  return count;
}

/** Whether more than 15 digits and dots stand in a row: such a run covers a place of the text whose number 16 divides. */
function hasLongRun(text: string): boolean {
  for (let at = exactDigits; at < text.length; at += exactDigits + 1) {
    if (!isDigitOrDot(text.charCodeAt(at))) continue;
    let from = at;
    while (isDigitOrDot(text.charCodeAt(from - 1))) from -= 1;
    let to = at;
    while (isDigitOrDot(text.charCodeAt(to + 1))) to += 1;
    if (to - from >= exactDigits) return true;
  }
  return false;
}

function isDigitOrDot(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e;
}

/** Whether the text nests too deep, and whether it may hold numbers of 16 and more digits. One pass, no recursion. */
function scan(text: string): { deep: boolean; longNumbers: boolean } {
  let depth = 0;
  let digits = 0;
  let longNumbers = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) {
      digits += 1;
      if (digits > exactDigits) longNumbers = true;
      continue;
    }
    if (code !== 0x2e) digits = 0;
    if (code === quote) at = endOfString(text, at);
    else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > limits.depth) return { deep: true, longNumbers };
    } else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return { deep: false, longNumbers };
}

/** Position of the closing quote of the string that opens at `start`, or the end of the text. */
function endOfString(text: string, start: number): number {
  let at = text.indexOf('"', start + 1);
  while (at !== -1) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
    at = text.indexOf('"', at + 1);
  }
  return text.length;
}

const numberToken = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/** Valid JSON with its long numbers as strings. */
function quoteLongNumbers(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === 0x2d || (code >= 0x30 && code <= 0x39)) {
      numberToken.lastIndex = at;
      const token = numberToken.exec(text)?.[0] ?? text.charAt(at);
      if (token.replace(/[eE].*|\D/g, '').length > exactDigits) {
        parts.push(text.slice(from, at), '"', token, '"');
        from = at + token.length;
      }
      at += token.length - 1;
    }
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** A JSON object, not an array and not null. */
export function isObject(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The payload's own value under a key; undefined for anything inherited. */
export function own(source: unknown, key: string): unknown {
  return isObject(source) && Object.hasOwn(source, key) ? source[key] : undefined;
}

/** The object under a key, or undefined. */
export function objectAt(source: unknown, key: string): Payload | undefined {
  const value = own(source, key);
  return isObject(value) ? value : undefined;
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

/** The scalar under a key, or undefined. */
export function scalarAt(source: unknown, key: string): string | undefined {
  return scalar(own(source, key));
}

/** A copy with the fields that have a value. */
export function withoutEmpty<V>(fields: Readonly<Record<string, V | null | undefined>>): Record<string, V> {
  const kept: Record<string, V> = {};
  for (const name of Object.keys(fields)) {
    const value = fields[name];
    if (value !== undefined && value !== null) kept[name] = value;
  }
  return kept;
}
