import { z } from 'zod';

/** The event has taken its effect and audit has its entries, with that of its reception unless it says otherwise. */
export const eventDoneSchema = z.object({
  event_id: z.string(),
  origin: z.enum(['intake', 'shop']),
  outcome: z.enum([
    'success',
    'partial',
    'error',
    'no_match',
    'no_order',
    'no_rules',
    'amount_mismatch',
    'payment_repeated',
    'other_payment',
    'stale',
    'too_deep',
    'dead',
  ]),
  order_id: z.int().nullable(),
  /** When it was done. */
  at: z.iso.datetime(),
  /** The rules that were evaluated, and which of them matched. */
  rules: z.array(z.int()),
  matched: z.array(z.int()),
  /** Of rules that did not match: the first condition that did not pass, by its component id. */
  failed: z.array(z.object({ rule_id: z.int(), condition: z.string() })).optional(),
  /** False after a takeover, which does not know how the event came: whoever handed it over tells the log before forgetting it. */
  reception_told: z.boolean(),
});
export type EventDone = z.infer<typeof eventDoneSchema>;

/** Events in one report. */
export const mostEventsDone = 500;

/** What was done together is reported together. */
export const eventsDoneSchema = z.object({ events: z.array(eventDoneSchema).min(1).max(mostEventsDone) });

export const evaluationEvents = { 'evaluation.events-done.v1': eventsDoneSchema } as const;
