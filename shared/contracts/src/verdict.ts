import { z } from 'zod';
import { genericTypeSchema } from './vocabulary';

/** Something that happened to an order, once (decisions.md section 4), and that triggers listen to. Events of the same payment share its `key`. */
export const occurrenceSchema = z.object({
  key: z.string(),
  type: z.union([genericTypeSchema, z.literal('order_status_changed'), z.literal('schedule')]).nullable(),
  order_id: z.int(),
  transaction_id: z.string().nullable(),
  /** Status transition of the order, for occurrences of the shop. */
  from_status: z.string().nullable(),
  to_status: z.string().nullable(),
  event_type: z.string().nullable(),
  /** The sender's own name of it, where that is another one. */
  sent_as: z.string().optional(),
  gateway: z.string().nullable(),
  /** The connection of the generic gateway that sent it. */
  connection: z.string().optional(),
  authenticated: z.boolean(),
  at: z.iso.datetime(),
  /** Of an event of a gateway: what tells it from every other one, where rules act on each webhook. */
  event_key: z.string().optional(),
  /** Of a schedule: the rule whose time has come. */
  rule_id: z.int().optional(),
});
export type Occurrence = z.infer<typeof occurrenceSchema>;

export const conditionResultSchema = z.object({
  id: z.string(),
  label: z.string(),
  result: z.enum(['pass', 'fail', 'error', 'skipped']),
  expected: z.string(),
  actual: z.string(),
  reason: z.string(),
});
export type ConditionResult = z.infer<typeof conditionResultSchema>;

export const triggerResultSchema = z.object({ id: z.string(), would_fire: z.boolean(), reason: z.string() });
export type TriggerResult = z.infer<typeof triggerResultSchema>;
