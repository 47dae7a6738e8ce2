import {
  type AuditFilters,
  auditEventTypeSchema,
  auditSourceSchema,
  auditStatusSchema,
} from '@order-automation/contracts';
import { z } from 'zod';
import { booleanText, present, wholeNumberText } from './parameters';

export const processId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be a process id');
const anyInteger = wholeNumberText(-999_999_999_999_999, 999_999_999_999_999);
/** Several values of one filter, separated by commas. */
const several = <T extends z.ZodType<unknown, string>>(value: T) =>
  z
    .string()
    .max(2_000)
    .transform((text) => [...new Set(text.split(','))])
    .pipe(z.array(value as z.ZodType<z.output<T>, string>).max(20, 'must have at most 20 values'));

/** A time with its zone, or a day (UTC), of which the given end counts. */
export const moment = (end: string) =>
  z
    .string()
    .transform((text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}${end}` : text))
    .pipe(
      z.iso.datetime({
        offset: true,
        error: 'must be a day such as 2026-02-01 or a time such as 2026-02-01T10:00:00Z',
      }),
    )
    .refine((text) => !Number.isNaN(Date.parse(text)), 'must be a day or a time that exists')
    .transform((text) => new Date(text).toISOString());

/** The filters of the log (section 4.2 of the specification, decisions.md section 7). */
export const auditFilterParameters = {
  include_debug: booleanText.default(false),
  include_test: booleanText.default(false),
  source: several(auditSourceSchema).optional(),
  status: several(auditStatusSchema).optional(),
  event_type: several(auditEventTypeSchema).optional(),
  order_id: several(anyInteger).optional(),
  rule_id: several(anyInteger).optional(),
  process_id: several(processId).optional(),
  /** Words that must all be in an entry, or a whole e-mail address. */
  search: z.string().trim().min(1).max(200).optional(),
  date_from: moment('T00:00:00.000Z').optional(),
  date_to: moment('T23:59:59.999Z').optional(),
};

type Given = z.infer<z.ZodObject<typeof auditFilterParameters>>;

/** The filters as audit takes them, and those that the caller has set, as they are echoed. */
export function auditFilters({ include_debug, include_test, ...chosen }: Given): {
  filters: AuditFilters;
  echoed: Record<string, unknown>;
} {
  const set = present(chosen);
  const echoed = Object.entries(set).map(([name, value]) => [
    name,
    Array.isArray(value) && value.length === 1 ? value[0] : value,
  ]);
  return { filters: { include_debug, include_test, ...set }, echoed: Object.fromEntries(echoed) };
}
