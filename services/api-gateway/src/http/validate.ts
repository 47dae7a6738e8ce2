import { type Checked, check, invalidParameters, nearest, type Violation } from '@order-automation/contracts';
import type { z } from 'zod';
import type { Route } from './route';

export type Received = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

/** Path, query and body as their schemas give them. Throws 400 with the violations of all three. */
export function validated(row: Pick<Route, 'params' | 'query' | 'body' | 'tag'>, received: Received): Received {
  const violations: Violation[] = [];
  const read = (schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined;
    const checked: Checked<unknown> = check(schema, value);
    if (checked.ok) return checked.value;
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

/** Names beyond these are reported without a search for the one that was meant. */
const maxSuggestions = 20;

/** A misspelt filter would otherwise answer everything. Addresses of pages are passed around with additions of others, which do no harm there. */
function unknownParameters({ query, tag }: Pick<Route, 'query' | 'tag'>, received: unknown): Violation[] {
  if (tag === 'Documentation' || tag === 'Console') return [];
  const { shape = {} } = (query ?? {}) as { shape?: object };
  const known = Object.keys(shape);
  const unknown = Object.keys(received ?? {}).filter((name) => !known.includes(name));
  return unknown.map((path, index) => {
    const meant = index < maxSuggestions ? nearest(path.slice(0, 100), known) : undefined;
    const message = 'is not a known parameter';
    return { path, message: meant === undefined ? message : `${message}; did you mean ${meant}?` };
  });
}

/** A parameter of the query without a value counts as absent. */
function parametersWithValue(query: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));
}
