import type { z } from 'zod';
import words from './check-words.json';
import { didYouMean } from './nearest';
import type { Violation } from './service-error';

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly violations: readonly Violation[] };

/** The message of a violation by absence; callers tell it apart by this text. */
export const requiredMessage = 'is required';

/**
 * Parses what came from outside. Every violation is listed, in words for people: what is missing is called so, whatever message its schema has, and an
 * unknown field names the known one that it may have been meant to be.
 */
export function check<T extends z.ZodType>(schema: T, value: unknown): Checked<z.output<T>> {
  const fields = new WeakMap<object, readonly string[]>();
  const parsed = schema.safeParse(value, {
    reportInput: true,
    error: (issue) => {
      if (issue.code === 'unrecognized_keys') fields.set(issue.keys as object, fieldsOf(issue.inst));
      return plainWords(issue);
    },
  });
  if (parsed.success) return { ok: true, value: parsed.data };
  return { ok: false, violations: parsed.error.issues.flatMap((issue) => violationsIn(issue, fields)) };
}

function fieldsOf(schema: unknown): readonly string[] {
  const { shape } = (schema ?? {}) as { shape?: object };
  return Object.keys(shape ?? {});
}

/** Names beyond these are reported without a search for the one that was meant. */
const maxSuggestions = 50;

function violationsIn(issue: z.core.$ZodIssue, fields: WeakMap<object, readonly string[]>): Violation[] {
  const path = (...more: string[]) => [...issue.path.map(String), ...more].join('.');
  if (isAbsent(issue)) return [{ path: path(), message: requiredMessage }];
  if (issue.code !== 'unrecognized_keys') return [{ path: path(), message: issue.message }];
  const known = fields.get(issue.keys) ?? [];
  return issue.keys.map((key, index) => ({
    path: path(key),
    message: `is not a known field${index < maxSuggestions ? didYouMean(key, known) : ''}`,
  }));
}

const isAbsent = ({ input, code }: { readonly input?: unknown; readonly code?: string }): boolean =>
  input === undefined && code !== 'custom' && code !== 'unrecognized_keys';

const typeNames: Readonly<Record<string, string>> = words.types;
const formatNames: Readonly<Record<string, string>> = words.formats;

/** What is wrong, in our own words: "must be …". A message that the schema itself states wins over these. */
export function plainWords(issue: z.core.$ZodRawIssue): string {
  if (isAbsent(issue)) return requiredMessage;
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${typeNames[String(issue.expected)] ?? 'of another type'}`;
    case 'invalid_value':
      return `must be ${oneOf(issue.values as readonly unknown[])}`;
    case 'invalid_format':
      return `must be ${formatNames[String(issue.format)] ?? 'in the documented form'}`;
    case 'too_small':
      return `must ${bound(String(issue.origin), 'at least', Number(issue.minimum), issue.inclusive !== false)}`;
    case 'too_big':
      return `must ${bound(String(issue.origin), 'at most', Number(issue.maximum), issue.inclusive !== false)}`;
    case 'unrecognized_keys':
      return 'is not a known field';
    case 'invalid_union':
      return 'must be in one of the documented forms';
    default:
      return 'is not valid';
  }
}

const maxValues = 40;

function oneOf(values: readonly unknown[]): string {
  const [only] = values;
  if (values.length === 1) return String(only);
  const listed = values.slice(0, maxValues).map(String).join(', ');
  return `one of ${listed}${values.length > maxValues ? ', …' : ''}`;
}

const counted: Readonly<Record<string, string>> = words.counted;

function bound(origin: string, word: 'at least' | 'at most', limit: number, inclusive: boolean): string {
  const unit = counted[origin];
  if (unit !== undefined) return limit === 1 && word === 'at least' ? 'not be empty' : `have ${word} ${limit} ${unit}`;
  if (inclusive) return `be ${word} ${limit}`;
  return word === 'at least' ? `be greater than ${limit}` : `be less than ${limit}`;
}
