import { toUSVString } from 'node:util';

/** Whether JSON text may hold half a surrogate pair: only an escape can, because UTF-8 has none. */
export const mayHoldHalfPair = (json: string): boolean => json.includes('\\u') && /\\ud[89a-f]/i.test(json);

/** A copy with U+FFFD for each half of a surrogate pair, which is no character: stores would put it there, and what is signed is what is stored. */
export function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return toUSVString(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(wellFormed);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [toUSVString(key), wellFormed(inner)]));
}
