import { type Checked, check, didYouMean, invalidParameters, type Violation } from '@order-automation/contracts';
import type { z } from 'zod';
import type { Route } from './route';

export type Received = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

/** Path, query and body as their schemas give them. Throws 400 with the violations of all three. */
export function validated(row: Pick<Route, 'params' | 'query' | 'body' | 'tag'>, received: Received): Received {
  const violations: Violation[] = [];
  const read = (schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined;
    const checked: Checked<unknown> = check(schema, value);
    if (checked.ok) {
      violations.push(...reversedRanges(checked.value));
      return checked.value;
    }
    violations.push(...checked.violations);
    return undefined;
  };
  const params = read(row.params, received.params);
  violations.push(...unknownParameters(row, received.query));
  const query = read(row.query, parametersWithValue(received.query));
  const body = read(row.body, received.body ?? {});
  if (violations.length > 0) throw invalidParameters(violations);
  return { params, query, body };
}

const ranges = [
  ['from', 'to'],
  ['date_from', 'date_to'],
  ['from_id', 'to_id'],
] as const;
const isTime = (value: unknown): value is string => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value);
/** NaN where it is neither a time nor an id. */
const placeOf = (value: unknown, name: string): number =>
  isTime(value) ? Date.parse(value) : Number(name.endsWith('_id') ? value : undefined);

/** Ranges that end before they begin: they would find nothing. Those of a `filter` too. */
export function reversedRanges(value: unknown, path = ''): Violation[] {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>;
  const own = ranges.flatMap(([first, last]): Violation[] => {
    if (!(placeOf(fields[first], first) > placeOf(fields[last], last))) return [];
    return [
      { path: path + first, message: `must not be after \`${last}\`` },
      { path: path + last, message: `must not be before \`${first}\`` },
    ];
  });
  return path === '' ? [...own, ...reversedRanges(fields.filter, 'filter.')] : own;
}

/** Names beyond these are reported without a search for the one that was meant. */
const maxSuggestions = 20;

/** A misspelt filter would otherwise answer everything. Addresses of pages are passed around with additions of others, which do no harm there. */
function unknownParameters({ query, tag }: Pick<Route, 'query' | 'tag'>, received: unknown): Violation[] {
  if (tag === 'Documentation' || tag === 'Console') return [];
  const { shape = {} } = (query ?? {}) as { shape?: object };
  const known = Object.keys(shape);
  const unknown = Object.keys(received ?? {}).filter((name) => !known.includes(name));
  return unknown.map((path, index) => ({
    path,
    message: `is not a known parameter${index < maxSuggestions ? didYouMean(path, known) : ''}`,
  }));
}

/** A parameter of the query without a value counts as absent. */
const parametersWithValue = (query: unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));
