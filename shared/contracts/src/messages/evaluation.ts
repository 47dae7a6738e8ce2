import { z } from 'zod';

/** The event has taken its effect and audit has its entries: whoever handed it over need not keep it any longer. */
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
    'too_deep',
    'dead',
  ]),
  order_id: z.int().nullable(),
  rules: z.array(z.object({ rule_id: z.int(), matched: z.boolean(), at: z.iso.datetime() })),
});
export type EventDone = z.infer<typeof eventDoneSchema>;

export const evaluationEvents = { 'evaluation.event-done.v1': eventDoneSchema } as const;
