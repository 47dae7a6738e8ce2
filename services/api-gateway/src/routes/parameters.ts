import { z } from 'zod';

/** Parameters of a query or a path are text, given once. `?page=1&page=2` is a list, and refused. */

export function wholeNumberText(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^-?\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

const truth = { true: true, '1': true, false: false, '0': false } as const;

export const booleanText = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => truth[text]);

export const shortText = z.string().max(200, 'must have at most 200 characters');

const largestId = Number.MAX_SAFE_INTEGER;

/** Ids of rules and orders count from 1. */
export const idText = z
  .string()
  .regex(/^\d{1,16}$/, 'must be a whole number')
  .transform(Number)
  .refine((value) => value >= 1 && value <= largestId, 'must be a whole number greater than 0');

export const idParameter = z.object({ id: idText });

export const page = wholeNumberText(1, 1000).default(1);
export const perPage = wholeNumberText(1, 200).default(20);

/** Reads a query. A parameter that is given without a value counts as not given. */
export function parseQuery<T extends z.ZodType>(schema: T, query: unknown): z.infer<T> {
  const given = Object.entries(query as Record<string, unknown>).filter(([, value]) => value !== '');
  return schema.parse(Object.fromEntries(given));
}

/** Without the keys whose value is undefined: in the contracts, optional means absent. */
export function present<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** A JSON object; its further keys are checked by whoever owns the resource. */
export const jsonObject = z.record(z.string(), z.unknown());
