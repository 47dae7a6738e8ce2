import { isRequired } from '@order-automation/contracts';
import { z } from 'zod';

/** Parameters of a query or a path are text, and each stands there once: `?page=1&page=2` is a list, and refused. */

export function wholeNumberText(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string(message)
    .regex(/^-?\d{1,15}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

const truth = { true: true, '1': true, false: false, '0': false } as const;

export const booleanText = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => truth[text])
  .meta({ type: 'boolean' });

export const shortText = z.string().max(200);

const largestId = Number.MAX_SAFE_INTEGER;

/** Ids of rules and orders count from 1. */
export const idText = z
  .string()
  .regex(/^\d{1,16}$/, 'must be a whole number')
  .transform(Number)
  .refine((value) => value >= 1 && value <= largestId, 'must be a whole number greater than 0')
  .meta({ type: 'integer', minimum: 1, maximum: largestId });

export const idParameter = z.object({ id: idText });

export const page = wholeNumberText(1, 1000).default(1);
export const perPage = wholeNumberText(1, 200).default(20);

/** Without the keys whose value is undefined: in the contracts, optional means absent. */
export function present<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** A JSON object; the service that owns the resource checks its fields. */
export const jsonObject = z.record(z.string(), z.unknown());

/** A value that the service behind checks, and that must be there; `schema` is the name it has in the documentation. */
export function checkedBehind(schema: string) {
  return z
    .unknown()
    .refine((value) => value !== undefined, isRequired)
    .meta({ $ref: `#/components/schemas/${schema}` });
}
