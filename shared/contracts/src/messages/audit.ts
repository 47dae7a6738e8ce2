import { z } from 'zod';
import { auditEntrySchema, groupedAuditEntrySchema, newAuditEntrySchema, paginationSchema } from '../audit-entry';
import { auditEventTypeSchema, auditSourceSchema, auditStatusSchema } from '../vocabulary';

export const auditFiltersSchema = z.object({
  include_debug: z.boolean(),
  include_test: z.boolean(),
  source: auditSourceSchema.optional(),
  status: auditStatusSchema.optional(),
  event_type: auditEventTypeSchema.optional(),
  order_id: z.int().optional(),
  rule_id: z.int().optional(),
  process_id: z.string().optional(),
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
