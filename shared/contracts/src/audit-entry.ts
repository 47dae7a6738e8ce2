import { z } from 'zod';
import { auditEventTypeSchema, auditSourceSchema, auditStatusSchema } from './vocabulary';

const maxSummary = 2000;

/** An entry as a service hands it to audit. `uid` derives from its cause: the same entry handed over twice is stored once. */
export const newAuditEntrySchema = z.object({
  uid: z.string().min(1).max(200),
  timestamp: z.iso.datetime(),
  status: auditStatusSchema,
  event_type: auditEventTypeSchema,
  source: auditSourceSchema,
  summary: z.string().max(maxSummary),
  order_id: z.int().nullable(),
  process_id: z.string(),
  rule_id: z.int().nullable(),
  duration_ms: z.number().nullable(),
  is_test: z.boolean(),
  is_debug: z.boolean(),
  /** Conditions with wanted and actual value, actions with result, order before and after. Nothing secret, no raw payload. */
  details: z.record(z.string(), z.unknown()),
  /** The billing address of the order. The log keeps a keyed hash of it alone, by which a search for the address finds the entry. */
  email: z.string().optional(),
});
export type NewAuditEntry = z.infer<typeof newAuditEntrySchema>;

/**
 * What is handed over together: all that is known of one cause in one process. `uid` names the cause, not the service that hands over: everything
 * about one event has the id of the event, whoever tells it, so that what two services hand over is recognised and each entry is stored once.
 */
export const newAuditRecordSchema = z.object({
  uid: z.string().min(1).max(200),
  process_id: z.string(),
  entries: z.array(newAuditEntrySchema.omit({ process_id: true })).min(1),
});
export type NewAuditRecord = z.infer<typeof newAuditRecordSchema>;

/** Section 2.5 of the specification with the further fields of decisions.md section 7. */
export const auditEntrySchema = z.object({
  id: z.int(),
  ...newAuditEntrySchema.omit({ uid: true, email: true }).shape,
  /** The entry that this one follows from. */
  parent_id: z.int().nullable(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** A row of the consolidated view: the most telling entry of a process, and what is known of the process. */
export const groupedAuditEntrySchema = auditEntrySchema.extend({
  is_process_group: z.literal(true),
  process_count: z.int(),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime(),
});
export type GroupedAuditEntry = z.infer<typeof groupedAuditEntrySchema>;

/** Section 2.5 of the specification. `start_item` and `end_item` count from 1 and are 0 on an empty page. */
export const paginationSchema = z.object({
  total: z.int(),
  total_pages: z.int(),
  current_page: z.int(),
  per_page: z.int(),
  start_item: z.int(),
  end_item: z.int(),
  has_previous: z.boolean(),
  has_next: z.boolean(),
});
type Pagination = z.infer<typeof paginationSchema>;

/** Which page is asked for. */
export const pageInput = { page: z.int().min(1), per_page: z.int().min(1).max(200) };

/** The same where pages far from the beginning are dear. */
export const nearPageInput = { ...pageInput, page: z.int().min(1).max(1000) };

/** The pagination object of one page, truthful also past the end. Pages count from 1. */
export function paginate(total: number, page: number, perPage: number): Pagination {
  const totalPages = Math.ceil(total / perPage);
  const start = (page - 1) * perPage;
  const inRange = start < total;
  return {
    total,
    total_pages: totalPages,
    current_page: page,
    per_page: perPage,
    start_item: inRange ? start + 1 : 0,
    end_item: inRange ? Math.min(start + perPage, total) : 0,
    has_previous: page > 1 && total > 0,
    has_next: page < totalPages,
  };
}

type AuditEntryFields = Pick<NewAuditEntry, 'uid' | 'timestamp' | 'event_type' | 'source' | 'summary' | 'process_id'> &
  Partial<NewAuditEntry>;

/** An entry of the log. What is not given: a success that is about no order and no rule, without a duration, no test and no debugging. */
export function auditEntry(fields: AuditEntryFields): NewAuditEntry {
  return {
    status: 'success',
    order_id: null,
    rule_id: null,
    duration_ms: null,
    is_test: false,
    is_debug: false,
    details: {},
    ...fields,
    summary: fields.summary.slice(0, maxSummary),
  };
}
