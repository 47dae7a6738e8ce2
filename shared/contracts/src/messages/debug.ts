import { z } from 'zod';
import { auditEntrySchema, pageInput, paginationSchema } from '../audit-entry';
import { exchange } from '../exchange';
import { fieldChangeSchema } from '../order';
import { editionSchema, ruleDataSchema } from '../rule';
import { universalEventSchema } from '../universal-event';
import { conditionResultSchema, occurrenceSchema, triggerResultSchema } from '../verdict';
import whyOutcomes from '../why-outcomes.json';
import { backtestRequests } from './backtests';
import { simulatedProcessSchema } from './evaluation';

const orderDetails = z.object({
  id: z.int(),
  status: z.string(),
  total: z.string(),
  currency: z.string(),
  payment_method: z.string(),
  customer_id: z.int(),
  date_created: z.string(),
});

/** On what something was explained: what happened, or what would have to happen. */
const explainedEvent = occurrenceSchema.pick({ type: true, event_type: true, gateway: true, to_status: true });

/** Section 2.7 of the specification, with the further fields of decisions.md section 8. */
export const testResultSchema = z.object({
  /** The trigger fires and all conditions pass. */
  matched: z.boolean(),
  /** The same as a sentence. */
  reason: z.string().optional(),
  event: explainedEvent.nullable().optional(),
  trigger: triggerResultSchema,
  conditions: z.array(conditionResultSchema),
  would_run: z.array(
    z.object({ id: z.string(), label: z.string(), changes: z.array(fieldChangeSchema), message: z.string() }),
  ),
  suggestions: z.array(z.string()),
  /** After all of these the rule would match; null when no such changes are known. */
  changes: z.array(fieldChangeSchema).nullable().optional(),
  order_details: orderDetails,
});
export type TestResult = z.infer<typeof testResultSchema>;

export const orderSummarySchema = z.object({
  id: z.int(),
  status: z.string(),
  total: z.string(),
  total_formatted: z.string(),
  currency: z.string(),
  customer: z.string(),
  date: z.string(),
  date_full: z.string(),
});
export type OrderSummary = z.infer<typeof orderSummarySchema>;

/**
 * What one rule makes of an order. `runs`: its trigger fires and all conditions pass. `not_listening`: its trigger does not fire. `stopped`: a rule before
 * it ends the processing. `disabled`: it is not evaluated at all; the rest says what it would do.
 */
export const explainedVerdictSchema = z.enum(['runs', 'no_match', 'not_listening', 'stopped', 'disabled', 'error']);
export type ExplainedVerdict = z.infer<typeof explainedVerdictSchema>;

const explainedRuleSchema = z.object({
  rule_id: z.int(),
  rule_name: z.string(),
  rule_version: z.int(),
  position: z.int(),
  enabled: z.boolean(),
  verdict: explainedVerdictSchema,
  reason: z.string(),
  trigger: triggerResultSchema,
  listens_to: z.array(z.string()),
  conditions: z.array(conditionResultSchema),
  first_failing: conditionResultSchema.nullable(),
  suggestions: z.array(z.string()),
  changes: z.array(fieldChangeSchema).nullable(),
  /** The rule that ended the processing before it. */
  stopped_by: z.int().nullable(),
  /** The verdict is the one that was recorded when it happened. */
  recorded: z.boolean(),
});
export type ExplainedRule = z.infer<typeof explainedRuleSchema>;

export const explanationSchema = z.object({
  order_id: z.int(),
  process_id: z.string().nullable(),
  /** When it happened; null for the order as it is. */
  at: z.iso.datetime().nullable(),
  event: explainedEvent.nullable(),
  counts: z.object({
    runs: z.int(),
    no_match: z.int(),
    not_listening: z.int(),
    stopped: z.int(),
    disabled: z.int(),
    error: z.int(),
  } satisfies Record<ExplainedVerdict, unknown>),
  rules: z.array(explainedRuleSchema),
  pagination: paginationSchema,
});

export type WhyOutcome = keyof typeof whyOutcomes;
const whyOutcomeSchema = z.enum(Object.keys(whyOutcomes) as WhyOutcome[]);

export const whySchema = z.object({
  order_id: z.int(),
  /** Null when the shop has no such order, or could not show it. */
  order_status: z.string().nullable(),
  outcome: whyOutcomeSchema,
  sentence: z.string(),
  /** What to do next; null when there is nothing to do. */
  advice: z.string().nullable(),
  process_id: z.string().nullable(),
  /** The entries that it rests on, oldest first. */
  entries: z.array(auditEntrySchema),
});
export type Why = z.infer<typeof whySchema>;

/** What would happen if an event came now: the process as it would be logged. */
export const simulationSchema = z.object({
  order_id: z.int(),
  /** The events as the adapter of the gateway reads them. */
  events: z.array(
    universalEventSchema.pick({
      eventType: true,
      genericType: true,
      sourceGateway: true,
      transactionID: true,
      amount: true,
      currency: true,
      authenticated: true,
    }),
  ),
  ...simulatedProcessSchema.shape,
});
export type Simulation = z.infer<typeof simulationSchema>;

/** An event as people name it: a generic type, or an id of a gateway in any spelling. */
const namedEvent = { event_type: z.string().max(255).optional(), gateway: z.string().max(100).optional() };

export const debugRequests = {
  /** Tests a rule (`rule_data`, or a saved `rule_id`) on one order; changes nothing (specification 4.4). `process_id`: with the event of that process. */
  'debug.rule.test.v1': exchange(
    {
      order_id: z.int(),
      rule_data: z.unknown().optional(),
      rule_id: z.int().optional(),
      ...namedEvent,
      process_id: z.string().max(100).optional(),
      edition: editionSchema,
    },
    { data: testResultSchema },
  ),
  /** Every enabled rule on one order as it is, or on what happened in a process. */
  'debug.order.explain.v1': exchange(
    {
      order_id: z.int().optional(),
      process_id: z.string().max(100).optional(),
      ...namedEvent,
      include_disabled: z.boolean(),
      verdict: explainedVerdictSchema.optional(),
      ...pageInput,
      edition: editionSchema,
    },
    { data: explanationSchema },
  ),
  /** One sentence on how an order came to stand as it does, and the entries that it rests on. 404 `svc_order_not_found` when nobody knows it. */
  'debug.order.why.v1': exchange({ order_id: z.int(), edition: editionSchema }, { data: whySchema }),
  /** What an event of a gateway about the order would lead to. Nothing is stored, sent or changed. */
  'debug.order.simulate.v1': exchange(
    { order_id: z.int(), event_type: z.string().max(255), gateway: z.string().max(200), edition: editionSchema },
    { data: simulationSchema },
  ),
  ...backtestRequests,
  /** Whether these very components and settings were tested on an order, or back-tested to the end, in the last 30 days. */
  'debug.rule.tested.v1': exchange({ rule: ruleDataSchema }, { tested: z.boolean() }),
  'debug.order.search.v1': exchange(
    { search: z.string().optional(), limit: z.int().min(1).max(50) },
    { data: z.array(orderSummarySchema) },
  ),
} as const;
