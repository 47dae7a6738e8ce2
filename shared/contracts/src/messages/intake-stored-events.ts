import { z } from 'zod';
import { auditEntrySchema, nearPageInput, paginationSchema } from '../audit-entry';
import { askedBy, exchange, filteredJob, periodInput, time, withoutInput } from '../exchange';
import { universalEventSchema } from '../universal-event';
import { genericTypeSchema } from '../vocabulary';
import { recoveredSchema } from './event-source';
import { webhookFactsSchema } from './intake';

/** `waiting`: evaluation waits for something, usually its order. */
export const eventStateSchema = z.enum(['accepted', 'waiting', 'held', 'verifying', 'done', 'dead', 'refused']);

export const storedEventSchema = z.object({
  id: z.string(),
  state: eventStateSchema,
  gateway: z.string(),
  connection: z.string().nullable(),
  process_id: z.string(),
  event_type: z.string(),
  generic_type: genericTypeSchema.nullable(),
  order_id: z.int().nullable(),
  /** The order that the event itself names, whether the shop has it or not. */
  named_order: z.string().nullable().optional(),
  transaction_id: z.string().nullable(),
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  authenticated: z.boolean(),
  is_test: z.boolean(),
  /** The event that it evaluates again. */
  replay_of: z.string().optional(),
  received_at: time,
  finished_at: time.nullable(),
  outcome: z.string().nullable(),
  /** Why it is dead or refused. */
  reason: z.string().nullable(),
  attempts: z.int(),
  next_attempt_at: time.nullable(),
  /** What it waits for, and until when at most; in the states `waiting`, `held` and `verifying`. */
  waiting_for: z.string().optional(),
  waiting_until: time.optional(),
});
export type StoredEvent = z.infer<typeof storedEventSchema>;

/** Filters of stored events; all must pass, times are inclusive. */
export const eventFilterSchema = z.object({
  gateway: z.string().max(100).optional(),
  connection: z.string().max(100).optional(),
  event_type: z.string().max(255).optional(),
  state: eventStateSchema.optional(),
  order_id: z.int().optional(),
  process_id: z.string().max(100).optional(),
  ...periodInput,
});
export type EventFilter = z.infer<typeof eventFilterSchema>;

/** A job that replays the events that pass a filter. */
export const replayJobSchema = z.object({
  ...filteredJob,
  filter: eventFilterSchema,
  replayed: z.int(),
  /** The versions of the rules that each event was evaluated with; without it the current ones. */
  rules: z.literal('original').optional(),
  /** Events that were never evaluated, and so have no original rules. */
  skipped: z.int().optional(),
});
export type ReplayJob = z.infer<typeof replayJobSchema>;

const importTotals = { lines: z.int(), accepted: z.int(), duplicates: z.int(), refused: z.int() };

const replayed = z.object({ event_id: z.string(), replay_id: z.string(), process_id: z.string() });

const draftOrderSchema = z.object({
  id: z.string().max(100),
  total: z.string().max(40),
  currency: z.string().max(10),
  transaction: z.string().max(300),
});

/** What administrators ask of intake about received events. */
export const intakeEventsRequests = {
  /**
   * The events that a webhook of this type about the order would lead to, through the adapter and the normalisation of the gateway; nothing is stored,
   * and nothing has to be configured. 404 `svc_gateway_not_found`; 400 for a type that the gateway does not have; 400 `svc_test_not_possible`.
   */
  'intake.event.draft.v1': exchange(
    {
      gateway: z.string().max(200),
      event_type: z.string().max(255),
      order: draftOrderSchema,
      process_id: z.string().max(100),
    },
    { events: z.array(universalEventSchema), webhook: webhookFactsSchema },
  ),
  /**
   * What a webhook with this body would be read as, by the settings of the gateway or the connection; nothing is proven, counted or stored. `refused`:
   * why it is no event. 404 `svc_gateway_not_found`; 403 `svc_licence_required` for a connection without `connections`.
   */
  'intake.body.read.v1': exchange(
    {
      ...{ gateway: z.string().max(100), connections: z.boolean(), body: z.string().max(262_144) },
      /** What the header says that the sender's types stand in. */
      type: z.string().max(200).optional(),
    },
    { events: z.array(universalEventSchema), refused: z.string().nullable() },
  ),
  /** Newest first. */
  'intake.event.list.v1': exchange(
    { filter: eventFilterSchema, ...nearPageInput },
    { events: z.array(storedEventSchema), pagination: paginationSchema },
  ),
  /** Which of these names of events no adapter has and no webhook has brought, in any of their spellings; which senders are neither a gateway nor a connection. */
  'intake.event-type.check.v1': exchange(
    { event_types: z.array(z.string().max(255)).max(200), senders: z.array(z.string().max(255)).max(200).optional() },
    { unknown: z.array(z.string()), unknown_senders: z.array(z.string()).optional() },
  ),
  /** One event, what came with it (redacted), and what the log says of its process. 404 `svc_event_not_found`. */
  'intake.event.get.v1': exchange(
    { id: z.string() },
    {
      event: storedEventSchema,
      universal_event: universalEventSchema,
      headers: z.record(z.string(), z.string()),
      payload: z.unknown(),
      payload_bytes: z.int(),
      steps: z.array(auditEntrySchema),
    },
  ),
  /** Evaluates the event again under an id of its own; no effect happens twice. `original`: with the versions of the rules of the first evaluation. */
  'intake.event.replay.v1': exchange(
    { id: z.string(), rules: z.enum(['current', 'original']).optional(), ...askedBy },
    replayed,
  ),
  /**
   * The same for finished events that pass a filter, oldest first; `preview` only counts. Up to 500 are replayed before the answer; `job` is what
   * replays all of them, also after a restart. `original` as above; events that were never evaluated are skipped then.
   */
  'intake.events.replay.v1': exchange(
    { filter: eventFilterSchema, preview: z.boolean(), rules: z.enum(['current', 'original']).optional(), ...askedBy },
    {
      matching: z.int(),
      replayed: z.int(),
      remaining: z.int(),
      events: z.array(replayed),
      job: replayJobSchema.optional(),
    },
  ),
  /** Jobs that replay many events, the latest first, up to 100. */
  'intake.replay-job.list.v1': withoutInput({ jobs: z.array(replayJobSchema) }),
  /** 404 `svc_replay_not_found`, as the next one. */
  'intake.replay-job.get.v1': exchange({ id: z.string() }, { job: replayJobSchema }),
  /** Replayed events stay replayed; the rest are skipped. */
  'intake.replay-job.cancel.v1': exchange({ id: z.string(), ...askedBy }, { job: replayJobSchema }),
  /**
   * How many events are where, and when the oldest came that evaluation has not finished (one that neither waits for its order nor is held).
   * `held` names those that hold events, `gateway_card` or `generic/erp`, by name.
   */
  'intake.figures.get.v1': withoutInput({
    unfinished: z.int(),
    oldest_at: time.nullable(),
    waiting: z.int(),
    verifying: z.int(),
    dead: z.int(),
    held: z.array(z.object({ sender: z.string(), total: z.int() })),
    /** What was recovered in the last day; none of an intake of an earlier version. */
    recovered: z.array(recoveredSchema).optional(),
  }),
  /** Newest first, and how many there are of each reason. */
  'intake.dead-letter.list.v1': exchange(z.object(nearPageInput), {
    dead_letters: z.array(storedEventSchema),
    reasons: z.array(z.object({ reason: z.string(), count: z.int() })),
    pagination: paginationSchema,
  }),
  /** A synthetic webhook through the whole receiving path, flagged as a test; answers when it is evaluated, or not in time. */
  'intake.test.send.v1': exchange(
    {
      gateway: z.string(),
      connection: z.string().nullable(),
      /** Without it, a completed payment, or the first type of a gateway that has none. */
      event_type: z.string().optional(),
      order_id: z.int().nullable(),
      ...askedBy,
      /** Milliseconds to wait for the outcome. */
      patience: z.int().min(100).max(60_000),
    },
    {
      test_id: z.string(),
      event_type: z.string(),
      order_id: z.int().nullable(),
      success: z.boolean(),
      process_id: z.string(),
      events_processed: z.int(),
      /** What became of it: `accepted` and evaluated, `refused`, `not_stored`, `unfinished`. */
      result: z.enum(['evaluated', 'refused', 'not_stored', 'unfinished']),
      outcome: z.string().nullable(),
      reason: z.string().nullable(),
      entries: z.array(auditEntrySchema),
      intake_ms: z.number(),
      evaluation_ms: z.number().nullable(),
      recommendations: z.array(z.string()),
    },
  ),
  /** Events that the gateway exported, as if received, in their order; idempotent. */
  'intake.import.v1': exchange(
    {
      gateway: z.string(),
      connection: z.string().nullable(),
      lines: z.array(z.string()).min(1).max(200),
      /** Of the first lines of an import: who began it, for the log. */
      begins: z.object({ process_id: z.string(), by: z.string() }).optional(),
    },
    { accepted: z.int(), duplicates: z.int(), refused: z.array(z.object({ line: z.int(), reason: z.string() })) },
  ),
  /**
   * Removes the received bytes of every webhook that holds the address or the customer id, and masks the address in what else is kept of it. The
   * idempotency keys stay. Webhooks that the wallet has still to confirm keep their bytes: they are asked about with them. A call with `from`
   * walks a part, as `shop.person.erase.v1` does.
   */
  'intake.person.erase.v1': exchange(
    { email: z.string().nullable(), customer_id: z.int().nullable(), from: z.string().optional() },
    { erased: z.int(), unconfirmed: z.int(), next: z.string().nullable().optional() },
  ),
  /** An import has come to its end, or was broken off: the log says how much of it was taken. */
  'intake.import.end.v1': exchange(
    {
      gateway: z.string(),
      connection: z.string().nullable(),
      process_id: z.string(),
      by: z.string(),
      complete: z.boolean(),
      ...importTotals,
    },
    { recorded: z.literal(true) },
  ),
} as const;
