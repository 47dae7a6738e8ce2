import { z } from 'zod';

const text = z.string().max(10_000);

/** A change to an order, planned by an action component and carried out by the shop. */
export const orderCommandSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('set_status'), status: z.string(), send_emails: z.boolean(), update_stock: z.boolean() }),
  z.object({ kind: z.literal('add_note'), note: z.string(), customer_note: z.boolean() }),
  z.object({ kind: z.literal('set_meta'), key: z.string().max(500), value: text }),
  z.object({ kind: z.literal('add_tag'), tag: z.string().max(100) }),
]);
export type OrderCommand = z.infer<typeof orderCommandSchema>;

/**
 * Anything outside our own records that an action wants changed, decided by the engine and carried out once by evaluation. `secret_ref`
 * names the secret that signs an outbound call; null: unsigned. `event` is what the call says happened.
 */
export const effectSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('order'), command: orderCommandSchema }),
  z.object({ kind: z.literal('email'), to: z.string().max(1000), subject: z.string().max(1000), body: text }),
  z.object({
    kind: z.literal('webhook'),
    url: z.string().max(4000),
    secret_ref: z.string().max(100).nullable(),
    event: z.string().max(100),
  }),
]);
export type Effect = z.infer<typeof effectSchema>;
