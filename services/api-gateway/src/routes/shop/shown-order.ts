import {
  localTimeText,
  type Order,
  orderDateFields,
  orderNoteSchema,
  orderSchema,
  type Refund,
  refundSchema,
  utcText,
} from '@order-automation/contracts';
import { z } from 'zod';

const date = z.string();

/** An order as it is shown: dates as WooCommerce writes them. Inside, they are ISO 8601 UTC (`orderSchema`). */
export const shownOrderSchema = orderSchema.extend({
  date_created: date,
  date_modified: date,
  date_paid: date.nullable(),
  date_completed: date.nullable(),
  date_created_gmt: date,
  date_modified_gmt: date,
  date_paid_gmt: date.nullable(),
  date_completed_gmt: date.nullable(),
});
export const shownOrderWithNotesSchema = shownOrderSchema.extend({ notes: z.array(orderNoteSchema) });
type ShownOrder = z.infer<typeof shownOrderSchema>;

/** The order with each date by the clocks of the time zone and as `…_gmt`; other fields stay. */
export function shownOrder<O extends Order>(order: O, timeZone: string): O & ShownOrder {
  const dates = orderDateFields.flatMap((field) => {
    const at = order[field];
    const ms = at === null ? null : Date.parse(at);
    return [
      [field, ms === null ? null : localTimeText(ms, timeZone)],
      [`${field}_gmt`, ms === null ? null : utcText(ms)],
    ];
  });
  return { ...order, ...Object.fromEntries(dates) };
}

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
