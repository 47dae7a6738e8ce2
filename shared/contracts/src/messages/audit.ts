import { z } from 'zod';
import {
  auditEntrySchema,
  groupedAuditEntrySchema,
  nearPageInput,
  newAuditRecordSchema,
  paginationSchema,
} from '../audit-entry';
import { exchange, withoutInput } from '../exchange';
import { auditEventTypeSchema, auditSourceSchema, auditStatusSchema } from '../vocabulary';

/** Values of one filter: an entry with any of these passes. */
const oneOf = <T extends z.ZodType>(value: T) => z.array(value).min(1).max(20).optional();

/** Filters of the log (section 4.2 of the specification, decisions.md section 7). All must pass; times are inclusive. */
const auditFiltersSchema = z.object({
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

const counts = z.array(z.object({ value: z.string(), count: z.int() }));

/** What happened in an hour or a day. Latencies are upper ends of buckets, in milliseconds, of outcomes. */
const statsBucketSchema = z.object({
  at: z.iso.datetime(),
  total: z.int(),
  statuses: counts,
  event_types: counts,
  sources: counts,
  gateways: counts,
  rules: z.array(z.object({ rule_id: z.int(), matched: z.int(), not_matched: z.int() })),
  latency_ms: z.object({
    count: z.int(),
    p50: z.number().nullable(),
    p95: z.number().nullable(),
    p99: z.number().nullable(),
  }),
});

export const auditRequests = {
  /** One record a hand-over. Answers when all of them are flushed; counts entries, those that were known already as duplicates. */
  'audit.record.v2': exchange({ records: z.array(newAuditRecordSchema) }, { recorded: z.int(), duplicates: z.int() }),
  /** Newest first. The consolidated view shows one row a process and ends at 500 rows (`is_truncated`). */
  'audit.entry.list.v1': exchange(
    { view: z.enum(['consolidated', 'flat']), ...nearPageInput, filters: auditFiltersSchema },
    {
      logs: z.array(z.union([groupedAuditEntrySchema, auditEntrySchema])),
      pagination: paginationSchema,
      is_truncated: z.boolean(),
    },
  ),
  /** The entries of one process, oldest first; 404 `svc_process_not_found` when there is none. */
  'audit.process.get.v1': exchange(
    { process_id: z.string(), page: z.int().min(1), per_page: z.int().min(1).max(500) },
    { logs: z.array(auditEntrySchema), pagination: paginationSchema },
  ),
  /** What the log has to filter by now (section 4.2 of the specification). */
  'audit.filter-options.get.v1': withoutInput({
    statuses: z.array(auditStatusSchema),
    event_types: z.array(auditEventTypeSchema),
    sources: z.array(auditSourceSchema),
    /** At most 100, the order with the most recent entry first. */
    order_ids: z.array(z.int()),
  }),
  /** Deletes entries and records that; ids that are not in the log are skipped; 404 `svc_no_valid_logs` when none is. */
  'audit.entry.delete.v1': exchange(
    { log_ids: z.array(z.int()).min(1).max(100), user: z.string(), process_id: z.string() },
    { deleted_count: z.int() },
  ),
  /**
   * Entries that pass the filters, without totals: for exports and the live tail. `newest` walks down from `from_id` (excluded), `oldest` up from
   * it. `next_id` is where the next page begins; null at the end.
   */
  'audit.entry.scan.v1': exchange(
    {
      filters: auditFiltersSchema,
      order: z.enum(['newest', 'oldest']),
      from_id: z.int().nullable(),
      limit: z.int().min(1).max(1000),
    },
    {
      logs: z.array(auditEntrySchema),
      next_id: z.int().nullable(),
      /** No entry with an id below this one will be recorded any more. */
      settled_below: z.int(),
    },
  ),
  /** The entries as self-contained HTML, each with its process where `view_mode` is `process`; ids that are not in the log are left out. */
  'audit.entry.render.v1': exchange(
    { log_ids: z.array(z.int()).min(1).max(50), include_debug: z.boolean(), view_mode: z.enum(['entry', 'process']) },
    {
      rendered: z.array(
        z.object({
          log_id: z.int(),
          process_id: z.string(),
          html: z.string(),
          total_events: z.int(),
          visible_events: z.int(),
        }),
      ),
    },
  ),
  /** Proves a part of the log whole, from `from_id` on; `next_id` is where the proof goes on, null at the end or at the first bad entry. */
  'audit.log.verify.v1': exchange(
    /** `continues`: the requests before found all before `from_id` intact, so that one that reaches the end proves the whole log. */
    { from_id: z.int().nullable(), to_id: z.int().nullable(), continues: z.boolean().optional() },
    {
      valid: z.boolean(),
      /** Entries, deleted ones too. */
      checked: z.int(),
      /** Of these: deleted; with a person erased; not sealed yet. */
      deleted: z.int().optional(),
      erased: z.int().optional(),
      unsealed: z.int().optional(),
      first_bad_id: z.int().nullable(),
      reason: z.string().nullable(),
      head: z.string().nullable(),
      next_id: z.int().nullable(),
    },
  ),
  /** Takes what leads to a person out of the log and records that, without naming the person. */
  'audit.person.erase.v1': exchange(
    { email: z.string().nullable(), customer_id: z.int().nullable(), user: z.string(), process_id: z.string() },
    {
      erased: z.int(),
      /** Received webhooks of which nothing but the event is left; `unconfirmed` keep their bytes until the wallet has confirmed them. */
      payloads: z.object({ erased: z.int(), unconfirmed: z.int() }).optional(),
      /** Outbound calls and e-mails of which only the fact is left; `unfinished` keep their content until they end. */
      deliveries: z.object({ erased: z.int(), unfinished: z.int() }).optional(),
      /** Results of commands to orders of a shop elsewhere, of which only the key is left. */
      commands: z.object({ erased: z.int() }).optional(),
    },
  ),
  /** Removes entries that are older than the installation keeps them, or says how many that would be. */
  'audit.retention.run.v1': exchange(
    {
      dry_run: z.boolean(),
      /** Who asked for it, and the process of that. */
      user: z.string().optional(),
      process_id: z.string().optional(),
    },
    { removed: z.int(), below_id: z.int(), before: z.iso.datetime() },
  ),
  /** Counts by minute, by hour or by day of UTC, the earliest first; those without entries are left out. */
  'audit.stats.get.v1': exchange(
    { from: z.iso.datetime(), to: z.iso.datetime(), by: z.enum(['minute', 'hour', 'day']) },
    { buckets: z.array(statsBucketSchema) },
  ),
  /** Signed heads of the chain, the latest first. */
  'audit.head.list.v1': exchange(
    { limit: z.int().min(1).max(100) },
    {
      verifier_key: z.string(),
      heads: z.array(
        z.object({ seal: z.int(), below_id: z.int(), entries: z.int(), at: z.iso.datetime(), checkpoint: z.string() }),
      ),
    },
  ),
  /**
   * The first line of an export with proof, and the ids that it has: whole seals that hold what was recorded between two times. 409
   * `svc_log_not_sealed` where there are none. With `process_id` of a receipt: the seals over that process, and those after them up to `date_to`.
   */
  'audit.export.open.v1': exchange(
    { date_from: z.iso.datetime().nullable(), date_to: z.iso.datetime().nullable(), process_id: z.string().optional() },
    {
      line: z.string(),
      from_id: z.int(),
      below_id: z.int(),
      last_seal: z.int(),
      /** Entries, deleted ones too. */
      entries: z.int(),
    },
  ),
  /** Lines of an export from an id on; `next_id` is where it goes on, null at the end. */
  'audit.export.read.v1': exchange(
    /** With `process_id`, entries of other processes as their digests. */
    { from_id: z.int(), below_id: z.int(), process_id: z.string().optional() },
    { lines: z.string(), entries: z.int(), next_id: z.int().nullable() },
  ),
  /** The last line of an export: signs how many lines came before and their SHA-256 in base64. */
  'audit.export.sign.v1': exchange(
    { last_seal: z.int(), lines: z.int(), sha256: z.base64().length(44) },
    { line: z.string() },
  ),
} as const;
