import { createHash } from 'node:crypto';
import { requiredMessage } from '@order-automation/contracts';
import { z } from 'zod';

/** Parameters of a query or a path are text, and each stands there once: `?page=1&page=2` is a list, and refused. */

export function wholeNumberText(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string(message)
    .regex(/^-?\d{1,16}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message)
    .meta({ type: 'integer', minimum: min, maximum: max });
}

const truth = { true: true, '1': true, false: false, '0': false } as const;

export const booleanText = z
  .enum(['true', 'false', '1', '0'], 'must be true or false')
  .transform((text) => truth[text])
  .meta({ type: 'boolean' });

/** Whether a time, in milliseconds since the epoch, is of a year with four digits in UTC, as times on the bus are. */
const isYear = (time: number): boolean =>
  time >= Date.parse('0000-01-01T00:00:00Z') && time <= Date.parse('9999-12-31T23:59:59.999Z');

/** A time with its zone, or a day (UTC), of which the given end counts. */
const moment = (end: string) =>
  z
    .string()
    .transform((text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}${end}` : text))
    .pipe(
      z.iso.datetime({
        offset: true,
        abort: true,
        error: 'must be a day such as 2026-02-01 or a time such as 2026-02-01T10:00:00Z',
      }),
    )
    .refine((text) => isYear(Date.parse(text)), 'must be a day or a time that exists')
    .transform((text) => new Date(text).toISOString());

/** The beginning and the end of a range: days or times, both of which count. */
export const since = moment('T00:00:00.000Z');
export const until = moment('T23:59:59.999Z');
export const period = { from: since.optional(), to: until.optional() };

export const shortText = z.string().max(200);

/** Several values of one filter, separated by commas. */
export const several = <T extends z.ZodType<unknown, string>>(value: T, most = 20) =>
  z
    .string()
    .max(2_000)
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(value as z.ZodType<z.output<T>, string>).max(most, `must have at most ${most} values`));

/** Ids of rules and orders count from 1. */
export const idText = wholeNumberText(1, Number.MAX_SAFE_INTEGER);

export const idParameter = z.object({ id: idText });

export const paging = { page: wholeNumberText(1, 1000).default(1), per_page: wholeNumberText(1, 200).default(20) };

/** Without the keys whose value is undefined: in the contracts, optional means absent. */
export function present<T extends Record<string, unknown>>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

/** A JSON object; the service that owns the resource checks its fields. */
export const jsonObject = z.record(z.string(), z.unknown());

/** A rule, which the service behind checks, and which must be there. */
export const uncheckedRule = z
  .unknown()
  .refine((value) => value !== undefined, requiredMessage)
  .meta({ $ref: '#/components/schemas/RuleData' });

export const callerId = z.string().regex(/^[A-Za-z0-9._:-]{1,100}$/, 'must be at most 100 letters, digits and . _ : -');

/** An `Idempotency-Key` may be any text: what is no id is hashed to one. */
export const idOfKey = (key: string): string =>
  callerId.safeParse(key).success ? key : createHash('sha256').update(key).digest('hex');
