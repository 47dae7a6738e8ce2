import { z } from 'zod';
import { auditEntrySchema } from '../audit-entry';
import { exchange, withoutInput } from '../exchange';
import { fieldChangeSchema } from '../order';
import { ruleRecordSchema, versionNameSchema } from '../rule';
import { universalEventSchema } from '../universal-event';
import { type EventOutcome, outcomeStatuses } from '../vocabulary';
import { eventReceivedSchema, webhookFactsSchema } from './intake';

/** The event has taken its effect and audit has its entries, with that of its reception unless it says otherwise. */
const eventDoneSchema = z.object({
  event_id: z.string(),
  origin: z.enum(['intake', 'shop', 'schedule']),
  outcome: z.enum(Object.keys(outcomeStatuses) as EventOutcome[]),
  order_id: z.int().nullable(),
  /** Why it was given up, without anything secret; with the outcome `dead` alone. */
  reason: z.string().optional(),
  /** When it was done. */
  at: z.iso.datetime(),
  /** The rules that were evaluated, and which of them matched. */
  rules: z.array(z.int()),
  matched: z.array(z.int()),
  /** Of rules that did not match: the first condition that did not pass, by its component id. */
  failed: z.array(z.object({ rule_id: z.int(), condition: z.string() })).optional(),
});
export type EventDone = z.infer<typeof eventDoneSchema>;

/** Events in one report. */
const maxEventsDone = 500;

/** What was done together is reported together. */
const eventsDoneSchema = z.object({ events: z.array(eventDoneSchema).min(1).max(maxEventsDone) });

/** An event that evaluation cannot end yet: for what it waits, as a text for administrators, and until when at most. */
const eventWaitingSchema = z.object({
  event_id: z.string(),
  origin: eventDoneSchema.shape.origin,
  waiting_for: z.string().max(500),
  until: z.iso.datetime(),
});
export type EventWaiting = z.infer<typeof eventWaitingSchema>;

/** Sent when a wait begins or changes. */
const eventsWaitingSchema = z.object({ events: z.array(eventWaitingSchema).min(1).max(maxEventsDone) });

export const evaluationEvents = {
  'evaluation.events-done.v1': eventsDoneSchema,
  'evaluation.events-waiting.v1': eventsWaitingSchema,
  /** An accepted event that is no longer fresh, from evaluation to itself: it waits there, and fresh ones do not wait for it. */
  'evaluation.event-postponed.v1': eventReceivedSchema,
} as const;

/** Names of secrets, as `secret_ref` of the action `send_webhook` takes them. */
export const secretNameSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/, 'must be a name such as erp-hook');

const outboundSecretSchema = z.object({
  name: secretNameSchema,
  last4: z.string(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

/** An entry as the log would have it: without an id, which only the log gives. */
const simulatedEntrySchema = auditEntrySchema.omit({ id: true, parent_id: true });

/** What would leave our own records. `target` is an address without what may hold a token; null where the order itself is changed. */
const simulatedEffectSchema = z.object({
  kind: z.enum(['order', 'email', 'webhook']),
  rule_id: z.int(),
  rule_name: z.string(),
  action_id: z.string(),
  label: z.string(),
  target: z.string().nullable(),
  /** `applied`: it would be carried out; else why it would not, as in the log. */
  status: z.enum(['applied', 'already_applied', 'unchanged', 'failed', 'skipped', 'queued']),
  message: z.string(),
});

/** A process as it would be logged, oldest entry first: that of the event, then those that its changes of the order set off. */
export const simulatedProcessSchema = z.object({
  outcome: eventDoneSchema.shape.outcome,
  /** The same as a sentence. */
  reason: z.string(),
  rules: z.array(
    z.object({
      rule_id: z.int(),
      rule_name: z.string(),
      rule_version: z.int(),
      matched: z.boolean(),
      /** In shadow: nothing would be done. */
      shadow: z.boolean().optional(),
    }),
  ),
  entries: z.array(simulatedEntrySchema),
  /** Of the order, by all rules together. */
  changes: z.array(fieldChangeSchema),
  effects: z.array(simulatedEffectSchema),
});

/** `unknown`: what the rule asks for was not recorded. */
const eventVerdictSchema = z.enum(['match', 'no_match', 'unknown']);
export type EventVerdict = z.infer<typeof eventVerdictSchema>;

const judgedRuleSchema = z.object({
  verdict: eventVerdictSchema,
  /** What it would have run; empty unless it matches. */
  actions: z.array(z.object({ id: z.string(), label: z.string() })),
});
export type JudgedRule = z.infer<typeof judgedRuleSchema>;

/** A past event with what a rule would have made of it. */
export const judgedEventSchema = z.object({
  event_id: z.string(),
  process_id: z.string(),
  order_id: z.int().nullable(),
  /** When it was evaluated. */
  at: z.iso.datetime(),
  event_type: z.string(),
  gateway: z.string().nullable(),
  /** Of the order then; null where it was not recorded. */
  value: z.object({ total: z.string(), currency: z.string() }).nullable(),
  candidate: judgedRuleSchema,
  /** Null when there is no saved rule to compare with. */
  saved: judgedRuleSchema.nullable(),
});
export type JudgedEvent = z.infer<typeof judgedEventSchema>;

/** Where a page ended: milliseconds since the epoch, and the events of that very moment that were seen. */
const judgeCursorSchema = z.object({ before: z.int(), seen: z.array(z.string()).max(5_000) });
export type JudgeCursor = z.infer<typeof judgeCursorSchema>;

export const evaluationRequests = {
  /** What would keep calls and e-mails from being sent, as far as that is known without sending any. */
  'evaluation.sending.check.v1': exchange(
    { secret_refs: z.array(z.string()).max(200), urls: z.array(z.string()).max(200) },
    {
      /** Whether there is a mail server. */
      mail: z.boolean(),
      missing_secrets: z.array(z.string()),
      refused_urls: z.array(z.object({ url: z.string(), reason: z.string() })),
    },
  ),
  /**
   * The versions of the rules that an event was evaluated with, for a replay with these. 404 `svc_event_not_found`; 409 `svc_event_not_evaluated` for one
   * that no rule was evaluated for.
   */
  'evaluation.event.rules.v1': exchange({ event_id: z.string() }, { rules: z.array(versionNameSchema).min(1) }),
  /**
   * Sends a message of the installation to its people now, without a record: an e-mail, a webhook signed with `secret_ref`, or a call that only says that
   * all is well. `key` is the same when a message is sent again. `reason` says why it was not sent, without anything secret.
   */
  'evaluation.message.send.v1': exchange(
    {
      key: z.string().min(1).max(500),
      kind: z.enum(['email', 'webhook', 'heartbeat']),
      to: z.string().max(2000),
      secret_ref: secretNameSchema.nullable(),
      subject: z.string().max(500),
      body: z.string().max(20_000),
      data: z.record(z.string(), z.unknown()).optional(),
    },
    z.discriminatedUnion('sent', [
      z.object({ sent: z.literal(true), reason: z.null() }),
      z.object({ sent: z.literal(false), reason: z.string() }),
    ]),
  ),
  /**
   * What events about orders would lead to, by the code that evaluates them and on the orders, rules and history as they are; nothing is carried out,
   * stored or published. 503 `svc_unavailable` while the shop cannot say.
   */
  'evaluation.event.simulate.v1': exchange(
    { process_id: z.string(), events: z.array(universalEventSchema).min(1).max(100), webhook: webhookFactsSchema },
    { simulated: simulatedProcessSchema },
  ),
  /** A page of evaluated events, newest first, with what the candidate and the saved rule make of each by the facts of then. First page: `total`. */
  'evaluation.events.judge.v1': exchange(
    {
      candidate: ruleRecordSchema,
      saved: ruleRecordSchema.nullable(),
      from: z.iso.datetime().nullable(),
      to: z.iso.datetime().nullable(),
      cursor: judgeCursorSchema.nullable(),
      limit: z.int().min(1).max(200),
    },
    { total: z.int().nullable(), events: z.array(judgedEventSchema), next: judgeCursorSchema.nullable() },
  ),
  /** What was recorded of events so that rules can be tried on them is deleted with the entries of the log about them. */
  'evaluation.facts.forget.v1': exchange({ event_ids: z.array(z.string()).max(1_000) }, { forgotten: z.int() }),
  'evaluation.secret.list.v1': withoutInput({ secrets: z.array(outboundSecretSchema) }),
  /** Creates or replaces. Without a `value` one is made, which the answer has once. */
  'evaluation.secret.put.v1': exchange(
    { name: secretNameSchema, value: z.string().max(500).nullable() },
    { secret: outboundSecretSchema, created: z.boolean(), value: z.string().nullable() },
  ),
  /** 404 `svc_secret_not_found`. */
  'evaluation.secret.delete.v1': exchange({ name: secretNameSchema }, { deleted: z.boolean() }),
} as const;
