import { z } from 'zod';
import { type Order, orderNoteSchema, orderSchema } from './order';

/** Dates of an order; WooCommerce has each twice: by the clocks of the shop, and as `…_gmt`, both without a zone. */
export const orderDateFields = ['date_created', 'date_modified', 'date_paid', 'date_completed'] as const;
export type OrderDateField = (typeof orderDateFields)[number];

const plain = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$/;
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
export type ShownOrder = z.infer<typeof shownOrderSchema>;

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

/**
 * ISO 8601 UTC for the date of an order as somebody sends it: with a zone, else as `…_gmt`, else by the clocks of the time zone. What is no such
 * text is returned as it is, for the schema to refuse; undefined when the date is not there.
 */
export function storedDate(fields: Readonly<Record<string, unknown>>, name: OrderDateField, timeZone: string): unknown {
  const local = fields[name];
  const gmt = fields[`${name}_gmt`];
  if (typeof gmt === 'string' && plain.test(gmt) && !(typeof local === 'string' && !plain.test(local)))
    return `${gmt}Z`;
  if (local === undefined) return gmt;
  return typeof local === 'string' && plain.test(local) ? instantOf(local, timeZone) : local;
}

/** `2026-07-01T14:00:00` */
export const utcText = (ms: number): string => new Date(ms).toISOString().slice(0, 19);

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    const digits = '2-digit' as const;
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: digits,
      day: digits,
      hour: digits,
      minute: digits,
      second: digits,
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** What clocks of the time zone show at a moment: `2026-07-01T16:00:00`. */
export function localTimeText(ms: number, timeZone: string): string {
  if (timeZone === 'UTC') return utcText(ms);
  const parts = Object.fromEntries(
    formatterOf(timeZone)
      .formatToParts(ms)
      .map(({ type, value }) => [type, value]),
  );
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}:${parts.second}`;
}

/**
 * The moment at which clocks of the time zone show this. An hour that comes twice is the first one; one that daylight saving skips is as much
 * later as the clocks were put forward. Text that names no time is returned as it is.
 */
function instantOf(local: string, timeZone: string): string {
  const wall = Date.parse(`${local}Z`);
  if (Number.isNaN(wall)) return local;
  const offsetAt = (ms: number): number => Date.parse(`${localTimeText(ms, timeZone)}Z`) - Math.floor(ms / 1000) * 1000;
  const day = 86_400_000;
  const candidates = [offsetAt(wall - day), offsetAt(wall + day)].map((offset) => wall - offset);
  const exact = candidates.filter((at) => at + offsetAt(at) === wall);
  return new Date(exact.length > 0 ? Math.min(...exact) : Math.max(...candidates)).toISOString();
}
