import { z } from 'zod';
import { moneySchema } from './order';

const reason = z.string().max(1000);

/** Decimal text above zero; how many decimals it may have is a matter of the currency. */
const amountSchema = moneySchema.refine((text) => /[1-9]/.test(text) && !text.startsWith('-'), 'must be more than 0');
const partSchema = moneySchema.refine((text) => !text.startsWith('-'), 'must not be negative');

/** A line of the order that is refunded, in part or as a whole. */
const refundedLineSchema = z.object({
  /** Of the line of the order. */
  id: z.int().positive(),
  quantity: z.int().min(0).default(0),
  /** Without taxes. */
  refund_total: partSchema,
  refund_tax: z
    .array(z.object({ id: z.int(), refund_total: partSchema }))
    .max(100)
    .default([]),
});

/** A refund as it is asked for, in the fields of WooCommerce REST v3. Without `amount` it is the sum of its lines with their taxes. */
export const newRefundSchema = z.object({
  amount: amountSchema.optional(),
  reason: reason.default(''),
  line_items: z.array(refundedLineSchema).max(1000).default([]),
});
export type NewRefund = z.infer<typeof newRefundSchema>;

/** A refund of an order in the fields of WooCommerce REST v3: `amount` above zero, quantities and totals of its lines negative. */
export const refundSchema = z.looseObject({
  id: z.int().positive(),
  /** ISO 8601 UTC; null of a refund that was imported with its order. */
  date_created: z.iso.datetime().nullable(),
  amount: moneySchema,
  reason: z.string(),
  /** The WordPress user; 0 where the shop has none, the log names the person. */
  refunded_by: z.int(),
  line_items: z.array(z.looseObject({ id: z.int(), quantity: z.number(), total: moneySchema })),
});
export type Refund = z.infer<typeof refundSchema>;
