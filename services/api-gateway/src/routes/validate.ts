import { type Checked, check, invalidParameters, isRequired, type Violation } from '@order-automation/contracts';
import type { z } from 'zod';
import type { Route } from './route';

export type Received = { readonly params: unknown; readonly query: unknown; readonly body: unknown };

/** Path, query and body as their schemas give them. Throws 400 with the violations of all three. */
export function validated(row: Pick<Route, 'params' | 'query' | 'body'>, received: Received): Received {
  const violations: Violation[] = [];
  const read = (schema: z.ZodType | undefined, value: unknown): unknown => {
    if (!schema) return undefined;
    const checked: Checked<unknown> = check(schema, value);
    if (checked.ok) return checked.value;
    violations.push(...checked.violations);
    return undefined;
  };
  const params = read(row.params, received.params);
  const query = read(row.query, withoutEmpty(received.query));
  const body = read(row.body, received.body ?? {});
  if (violations.length > 0) throw refused(violations);
  return { params, query, body };
}

/** A parameter of the query without a value counts as absent. */
function withoutEmpty(query: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(query ?? {}).filter(([, value]) => value !== ''));
}

/** 400; its code says when all that is wrong is that something is missing (decisions.md section 3). */
export function refused(violations: readonly Violation[]) {
  if (violations.some(({ message }) => message !== isRequired)) return invalidParameters(violations);
  return missing(violations.map(({ path }) => path));
}

/** 400 `rest_missing_callback_param`: these fields are not there. */
export function missing(paths: readonly string[]) {
  const violations = paths.map((path) => ({ path, message: isRequired }));
  return invalidParameters(violations, 'rest_missing_callback_param', 'Some required parameters are missing.');
}
