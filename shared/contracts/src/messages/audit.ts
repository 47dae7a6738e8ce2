import { z } from 'zod';
import { auditEntrySchema, groupedAuditEntrySchema, newAuditEntrySchema, paginationSchema } from '../audit-entry';
import { auditEventTypeSchema, auditSourceSchema, auditStatusSchema } from '../vocabulary';

/** Values of one filter: an entry with any of these passes. */
const oneOf = <T extends z.ZodType>(value: T) => z.array(value).min(1).max(20).optional();

/** Filters of the log (section 4.2 of the specification, decisions.md section 7). All must pass; times are inclusive. */
export const auditFiltersSchema = z.object({
  include_debug: z.boolean(),
  include_test: z.boolean(),
  source: oneOf(auditSourceSchema),
  status: oneOf(auditStatusSchema),
  event_type: oneOf(auditEventTypeSchema),
  order_id: oneOf(z.int()),
  rule_id: oneOf(z.int()),
  process_id: oneOf(z.string()),
  /** Words that must all be in the entry. */
  search: z.string().optional(),
  date_from: z.iso.datetime().optional(),
  date_to: z.iso.datetime().optional(),
});
export type AuditFilters = z.infer<typeof auditFiltersSchema>;

export const auditRequests = {
  /** Answers when all of them are flushed; entries whose uid is known already are counted as duplicates. */
  'audit.record.v1': {
    input: z.object({ entries: z.array(newAuditEntrySchema) }),
    output: z.object({ recorded: z.int(), duplicates: z.int() }),
  },
  /** Newest first. The consolidated view shows one row a process and ends at 500 rows (`is_truncated`). */
  'audit.entry.list.v1': {
    input: z.object({
      view: z.enum(['consolidated', 'flat']),
      page: z.int().min(1).max(1000),
      per_page: z.int().min(1).max(200),
      filters: auditFiltersSchema,
    }),
    output: z.object({
      logs: z.array(z.union([groupedAuditEntrySchema, auditEntrySchema])),
      pagination: paginationSchema,
      is_truncated: z.boolean(),
    }),
  },
  /** Every entry of one process, oldest first; 404 `svc_process_not_found` when there is none. */
  'audit.process.get.v1': {
    input: z.object({ process_id: z.string() }),
    output: z.object({ logs: z.array(auditEntrySchema) }),
  },
} as const;
