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

/** The order with each date by the clocks of the time zone and as `…_gmt`; other fields stay. */
export const shownOrder = <O extends Order>(order: O, timeZone: string): O & z.infer<typeof shownOrderSchema> =>
  Object.assign({ ...order }, ...orderDateFields.map((field) => shownDate(field, order[field], timeZone)));

function shownDate<Field extends string>(field: Field, at: string | null, timeZone: string) {
  const ms = Date.parse(at ?? '');
  const texts = at === null ? [null, null] : [localTimeText(ms, timeZone), utcText(ms)];
  return { [field]: texts[0], [`${field}_gmt`]: texts[1] } as Record<Field | `${Field}_gmt`, string | null>;
}

export const shownRefundSchema = refundSchema.extend({
  date_created: z.string().nullable(),
  date_created_gmt: z.string().nullable(),
});

export function shownRefund(refund: Refund, timeZone: string): z.infer<typeof shownRefundSchema> {
  return { ...refund, ...shownDate('date_created', refund.date_created, timeZone) };
}
