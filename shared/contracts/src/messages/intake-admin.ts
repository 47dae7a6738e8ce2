import { z } from 'zod';
import { auditEntrySchema, paginationSchema } from '../audit-entry';
import { universalEventSchema } from '../universal-event';
import { genericTypeSchema } from '../vocabulary';

const time = z.iso.datetime();

/** Why a webhook was refused last, and when. For administrators alone: senders never learn it. */
export const lastRefusalSchema = z.object({ at: time, code: z.string(), text: z.string() });

export const countsSchema = z.object({ accepted: z.int(), duplicates: z.int(), refused: z.int() });

export const authMethodSchema = z.enum(['none', 'hmac', 'bearer', 'standard_webhooks']);

const pointer = z
  .string()
  .max(500)
  .regex(/^(\/([^~/]|~[01])*)+$/, 'must be a JSON pointer such as /order/id');

/** JSON pointers to what the generic field names do not find. */
export const fieldPathsSchema = z.object({
  type: pointer.optional(),
  order: pointer.optional(),
  transaction: pointer.optional(),
  amount: pointer.optional(),
  currency: pointer.optional(),
  status: pointer.optional(),
  reason: pointer.optional(),
  time: pointer.optional(),
  event: pointer.optional(),
});

/** What an administrator says of a connection; what is left out stays as it is, or has the default. */
export const connectionFieldsSchema = z.object({
  enabled: z.boolean().optional(),
  paused: z.boolean().optional(),
  auth_method: authMethodSchema.optional(),
  /** The sender's own secret, or its public key (`whpk_…`); without one we make a secret. */
  secret: z.string().max(1000).optional(),
  /** The public key of a sender that signs with `v1a`. */
  public_key: z.string().max(1000).optional(),
  hmac_header: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/, 'must be the name of a header')
    .optional(),
  encoding: z.enum(['hex', 'base64']).optional(),
  /** What stands before the digest, for example `sha256=`. */
  prefix: z
    .string()
    .regex(/^[\x21-\x7e]{0,32}$/, 'must have at most 32 characters and no white space')
    .optional(),
  paths: fieldPathsSchema.optional(),
});

export const connectionSchema = z.object({
  id: z.string(),
  name: z.string(),
  gateway: z.string(),
  enabled: z.boolean(),
  paused: z.boolean(),
  auth_method: authMethodSchema,
  hmac_header: z.string(),
  encoding: z.enum(['hex', 'base64']),
  prefix: z.string(),
  paths: fieldPathsSchema,
  secret_last4: z.string().nullable(),
  /** Those that still count, newest first. */
  secrets: z.array(z.object({ last4: z.string(), created_at: time, expires_at: time.nullable() })),
  created_at: time,
  updated_at: time,
  last_event_at: time.nullable(),
  last_refusal: lastRefusalSchema.nullable(),
  counts: countsSchema,
});
export type ConnectionRecord = z.infer<typeof connectionSchema>;

export const connectionNameSchema = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,63}$/,
    'must be 1 to 64 lower-case letters, digits, _ and -, and begin with a letter or digit',
  );

/** A connection with its secret, which is shown once: when it was made or replaced. */
const shownOnce = z.object({ connection: connectionSchema, secret: z.string().nullable() });

export const gatewaySchema = z.object({
  name: z.string(),
  display_name: z.string(),
  description: z.string(),
  status: z.enum(['active', 'inactive', 'paused']),
  /** Why it is inactive, or what needs attention. */
  status_reason: z.string().nullable(),
  event_types: z.array(z.object({ id: z.string(), label: z.string(), generic_type: genericTypeSchema.nullable() })),
  supports_testing: z.boolean(),
  capabilities: z.array(z.string()),
  version: z.string(),
  paused: z.boolean(),
  permissive: z.boolean(),
  last_event_at: time.nullable(),
  last_refusal: lastRefusalSchema.nullable(),
  counts: countsSchema,
});

export const certificateSchema = z.object({
  id: z.string(),
  subject: z.string(),
  issuer: z.string(),
  valid_from: time,
  valid_to: time,
  /** `directory`: from GATEWAY_WALLET_CERTIFICATES, and only removed there. */
  source: z.enum(['loaded', 'directory']),
  /** Why it proves nothing now; null when it is good. */
  problem: z.string().nullable(),
});

export const eventStateSchema = z.enum(['verifying', 'held', 'accepted', 'done', 'dead', 'refused']);

export const storedEventSchema = z.object({
  id: z.string(),
  state: eventStateSchema,
  gateway: z.string(),
  connection: z.string().nullable(),
  process_id: z.string(),
  event_type: z.string(),
  generic_type: genericTypeSchema.nullable(),
  order_id: z.int().nullable(),
  transaction_id: z.string().nullable(),
  amount: z.string().nullable(),
  currency: z.string().nullable(),
  authenticated: z.boolean(),
  is_test: z.boolean(),
  received_at: time,
  finished_at: time.nullable(),
  outcome: z.string().nullable(),
  /** Why it is dead or refused. */
  reason: z.string().nullable(),
  attempts: z.int(),
  next_attempt_at: time.nullable(),
});
export type StoredEvent = z.infer<typeof storedEventSchema>;

/** Filters of stored events; all must pass, times are inclusive. */
export const eventFilterSchema = z.object({
  gateway: z.string().max(100).optional(),
  connection: z.string().max(100).optional(),
  event_type: z.string().max(200).optional(),
  state: eventStateSchema.optional(),
  order_id: z.int().optional(),
  process_id: z.string().max(100).optional(),
  from: time.optional(),
  to: time.optional(),
});
export type EventFilter = z.infer<typeof eventFilterSchema>;

const pageInput = { page: z.int().min(1).max(1000), per_page: z.int().min(1).max(200) };
const replayed = z.object({ event_id: z.string(), replay_id: z.string(), process_id: z.string() });

/** What administrators ask of intake. */
export const intakeAdminRequests = {
  'intake.connection.list.v1': { input: z.object({}), output: z.object({ connections: z.array(connectionSchema) }) },
  /** 400 when the name is taken, or is that of a gateway or a route. */
  'intake.connection.create.v1': {
    input: z.object({ name: connectionNameSchema, fields: connectionFieldsSchema }),
    output: shownOnce,
  },
  /** 404 `svc_connection_not_found`, as the next ones. */
  'intake.connection.get.v1': {
    input: z.object({ name: z.string() }),
    output: z.object({ connection: connectionSchema }),
  },
  'intake.connection.change.v1': {
    input: z.object({ name: z.string(), fields: connectionFieldsSchema }),
    output: shownOnce,
  },
  'intake.connection.delete.v1': {
    input: z.object({ name: z.string() }),
    output: z.object({ deleted: z.literal(true) }),
  },
  /** A new secret; those before it count for `overlap_hours` more. */
  'intake.connection.rotate.v1': {
    input: z.object({ name: z.string(), overlap_hours: z.number().min(0).max(8760), secret: z.string().optional() }),
    output: shownOnce,
  },
  'intake.gateway.list.v1': { input: z.object({}), output: z.object({ gateways: z.array(gatewaySchema) }) },
  /** Paused: received and stored, not evaluated until it is resumed. 404 `svc_gateway_not_found`. */
  'intake.gateway.pause.v1': {
    input: z.object({ gateway: z.string(), paused: z.boolean() }),
    output: z.object({ gateway: z.string(), paused: z.boolean(), released: z.int() }),
  },
  'intake.certificate.list.v1': { input: z.object({}), output: z.object({ certificates: z.array(certificateSchema) }) },
  'intake.certificate.add.v1': {
    input: z.object({ id: z.string(), pem: z.string() }),
    output: z.object({ certificate: certificateSchema }),
  },
  /** 404 `svc_certificate_not_found`. */
  'intake.certificate.delete.v1': {
    input: z.object({ id: z.string() }),
    output: z.object({ deleted: z.literal(true) }),
  },
  /** Newest first. */
  'intake.event.list.v1': {
    input: z.object({ filter: eventFilterSchema, ...pageInput }),
    output: z.object({ events: z.array(storedEventSchema), pagination: paginationSchema }),
  },
  /** One event, what came with it (redacted), and what the log says of its process. 404 `svc_event_not_found`. */
  'intake.event.get.v1': {
    input: z.object({ id: z.string() }),
    output: z.object({
      event: storedEventSchema,
      universal_event: universalEventSchema,
      headers: z.record(z.string(), z.string()),
      payload: z.unknown(),
      payload_bytes: z.int(),
      steps: z.array(auditEntrySchema),
    }),
  },
  /** Evaluates the event again under an id of its own: what has taken effect does not take it twice. */
  'intake.event.replay.v1': { input: z.object({ id: z.string() }), output: replayed },
  /** The same for finished events that pass a filter, oldest first, up to 500 in one go; `preview` only counts. */
  'intake.events.replay.v1': {
    input: z.object({ filter: eventFilterSchema, preview: z.boolean() }),
    output: z.object({ matching: z.int(), replayed: z.int(), remaining: z.int(), events: z.array(replayed) }),
  },
  /** Newest first, and how many there are of each reason. */
  'intake.dead-letter.list.v1': {
    input: z.object(pageInput),
    output: z.object({
      dead_letters: z.array(storedEventSchema),
      reasons: z.array(z.object({ reason: z.string(), count: z.int() })),
      pagination: paginationSchema,
    }),
  },
  /** A synthetic webhook through the whole receiving path, flagged as a test; answers when it is evaluated, or not in time. */
  'intake.test.send.v1': {
    input: z.object({
      gateway: z.string(),
      connection: z.string().nullable(),
      event_type: z.string(),
      order_id: z.int().nullable(),
      /** Milliseconds to wait for the outcome. */
      patience: z.int().min(100).max(60_000),
    }),
    output: z.object({
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
    }),
  },
  /** Events that the gateway exported, as if received, in their order; idempotent. */
  'intake.import.v1': {
    input: z.object({
      gateway: z.string(),
      connection: z.string().nullable(),
      lines: z.array(z.string()).min(1).max(200),
    }),
    output: z.object({
      accepted: z.int(),
      duplicates: z.int(),
      refused: z.array(z.object({ line: z.int(), reason: z.string() })),
    }),
  },
} as const;
