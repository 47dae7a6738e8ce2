import { z } from 'zod';
import { bytesSchema } from '../bytes';
import { exchange, withoutInput } from '../exchange';
import { versionNameSchema } from '../rule';
import { universalEventSchema } from '../universal-event';
import { endWarningSchema } from './intake-settings';

/** One webhook as it arrived. `headers` keeps every value of a repeated header (names in lower case). */
const receivedWebhookSchema = z.object({
  process_id: z.string(),
  gateway: z.string(),
  connection: z.string().nullable(),
  headers: z.record(z.string(), z.array(z.string())),
  body: bytesSchema,
  received_at: z.iso.datetime(),
  /** Of the sender, where it is known. */
  address: z.string().nullable().optional(),
  /** Why the HTTP edge already knows that it must be refused (too large, Content-Encoding); audited, never processed. */
  refused: z.string().nullable(),
});
export type ReceivedWebhook = z.infer<typeof receivedWebhookSchema>;

/** What is left of a limit after this webhook; `reset_seconds` until all of `quota` is there again. */
const webhookLimitSchema = z.object({ quota: z.int(), remaining: z.int(), reset_seconds: z.int() });
export type WebhookLimit = z.infer<typeof webhookLimitSchema>;

/** Section 4.3 of the specification, rules 2 and 3; `execution_time` is added by the edge. */
const receptionSchema = z.object({
  success: z.boolean(),
  message: z.string(),
  process_id: z.string(),
  events_processed: z.int(),
  duplicate: z.boolean(),
  /** A failure that is not the sender's: it may be handed over again. */
  unstored: z.boolean().optional(),
  /** The limit of the sender's address, where this webhook counted against it: proven ones do not. */
  limit: webhookLimitSchema.optional(),
});
export type Reception = z.infer<typeof receptionSchema>;

/** What the log tells of an accepted webhook besides its event. */
export const webhookFactsSchema = z.object({
  connection: z.string().nullable(),
  body_bytes: z.int(),
  /** SHA-256 of the received bytes, in hex; absent of events that earlier versions received. */
  body_sha256: z.string().optional(),
  /** Texts, numbers and booleans that only this gateway tells, as the adapter found them: nothing is masked yet. */
  metadata: z.record(z.string(), z.unknown()),
});
export type WebhookFacts = z.infer<typeof webhookFactsSchema>;

/** Accepted event on its way to evaluation. */
export const eventReceivedSchema = z.object({
  process_id: z.string(),
  event: universalEventSchema,
  webhook: webhookFactsSchema,
  /** Of a replay with the rules of the first time: their versions. Without it, rules as they are now. */
  rules: z.array(versionNameSchema).optional(),
  /** Of a replay: when it was asked for. Its process begins then. */
  replayed_at: z.iso.datetime().optional(),
});
export type EventReceived = z.infer<typeof eventReceivedSchema>;

export const adapterStatusSchema = z.object({
  gateway: z.string(),
  display_name: z.string(),
  status: z.enum(['active', 'inactive', 'paused']),
  reason: z.string().nullable(),
  /** Nothing proves its webhooks and nothing has to: anybody can move orders through it. */
  permissive: z.boolean(),
  last_event_at: z.iso.datetime().nullable(),
  last_refusal_at: z.iso.datetime().nullable(),
});

export const intakeEvents = {
  'intake.event-received.v1': eventReceivedSchema,
  /** An administrator changed secrets or connections: every instance reads them again. */
  'intake.settings-changed.v1': z.object({}),
} as const;

export const intakeRequests = {
  /** What arrived together is stored together: one flush for all of it. Answers keep the order of the webhooks. */
  'intake.receive.v1': exchange(
    { webhooks: z.array(receivedWebhookSchema).min(1) },
    { receptions: z.array(receptionSchema) },
  ),
  /** Whether a webhook can be stored now, and the state of each adapter. */
  'intake.status.v1': withoutInput({
    ready: z.boolean(),
    reason: z.string().nullable(),
    adapters: z.array(adapterStatusSchema),
    warnings: z.array(endWarningSchema).optional(),
  }),
} as const;
