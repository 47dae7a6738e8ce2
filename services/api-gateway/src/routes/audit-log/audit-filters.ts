import {
  type AuditFilters,
  auditEventTypeSchema,
  auditSourceSchema,
  auditStatusSchema,
  invalidParameters,
} from '@order-automation/contracts';
import { z } from 'zod';
import { booleanText, present, several, since, until, wholeNumberText } from '../../http/parameters';
import { reversedRanges } from '../../http/validate';

export const processId = z.string().regex(/^[A-Za-z0-9_-]{1,100}$/, 'must be a process id');
const anyInteger = wholeNumberText(-999_999_999_999_999, 999_999_999_999_999);
/** False unless it is set, here or in a saved filter. */
const flagText = booleanText.optional().meta({ type: 'boolean', default: false });

/** The filters of the log (section 4.2 of the specification, decisions.md section 7). */
export const auditFilterParameters = {
  include_debug: flagText,
  include_test: flagText,
  source: several(auditSourceSchema).optional(),
  status: several(auditStatusSchema).optional(),
  event_type: several(auditEventTypeSchema).optional(),
  order_id: several(anyInteger).optional(),
  rule_id: several(anyInteger).optional(),
  process_id: several(processId).optional(),
  /** Words that must all be in an entry, or a whole e-mail address. */
  search: z.string().trim().min(1).max(200).optional(),
  date_from: since.optional(),
  date_to: until.optional(),
};

export type Filters = Partial<AuditFilters>;
export type ChosenFilters = z.infer<z.ZodObject<typeof auditFilterParameters>>;

/** The filters as audit takes them, and those in force as they are echoed; what is `chosen` takes the place of what is `saved`. */
export function auditFilters(
  chosen: ChosenFilters,
  saved: Filters = {},
): { filters: AuditFilters; echoed: Record<string, unknown> } {
  const { include_debug = false, include_test = false, ...set } = { ...saved, ...present(chosen) };
  const violations = reversedRanges(set);
  if (violations.length > 0) throw invalidParameters(violations);
  return { filters: { include_debug, include_test, ...set }, echoed: echoOf(set) };
}

/** Filters as answers show them: one value as itself. */
export function echoOf(filters: Filters): Record<string, unknown> {
  const entries = Object.entries(filters).map(([name, value]) => [
    name,
    Array.isArray(value) && value.length === 1 ? value[0] : value,
  ]);
  return Object.fromEntries(entries);
}

/** A value in a body, where it may be a number, a boolean or a list too: as answers show it. */
const valueInBody = z
  .union([
    z.string(),
    z.number(),
    z.boolean(),
    z
      .array(z.union([z.string(), z.number()]))
      .min(1)
      .max(20),
  ])
  .transform((value) => (Array.isArray(value) ? value.join(',') : String(value)));

export const auditFilterBody = z
  .strictObject(
    Object.fromEntries(
      Object.entries(auditFilterParameters).map(([name, parameter]): [string, z.ZodType] => [
        name,
        valueInBody.pipe(parameter as z.ZodType<unknown, string>).optional(),
      ]),
    ),
  )
  .transform((filter) => present(filter) as Filters);
