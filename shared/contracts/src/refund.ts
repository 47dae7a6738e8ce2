import { z } from 'zod';
import { moneySchema } from './order';
import { localTimeText, utcText } from './order-dates';

const reason = z.string().max(1000);

/** Decimal text above zero; how many decimals it may have is a matter of the currency. */
const amountSchema = moneySchema.refine((text) => /[1-9]/.test(text) && !text.startsWith('-'), 'must be more than 0');
const partSchema = moneySchema.refine((text) => !text.startsWith('-'), 'must not be negative');

/** A line of the order that is refunded, in part or as a whole. */
export const refundedLineSchema = z.object({
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

/** A refund as it is shown: its date as WooCommerce writes it. */
export const shownRefundSchema = refundSchema.extend({
  date_created: z.string().nullable(),
  date_created_gmt: z.string().nullable(),
});

/** The refund with its date by the clocks of the time zone and as `…_gmt`. */
export function shownRefund(refund: Refund, timeZone: string): z.infer<typeof shownRefundSchema> {
  const ms = refund.date_created === null ? null : Date.parse(refund.date_created);
  return {
    ...refund,
    date_created: ms === null ? null : localTimeText(ms, timeZone),
    date_created_gmt: ms === null ? null : utcText(ms),
  };
}
