import {
  check,
  derivedId,
  maxOrderBytes,
  type Order,
  type OrderNote,
  orderNoteSchema,
  orderSchema,
} from '@order-automation/contracts';
import { z } from 'zod';
import { inOrderShapes } from '../orders/order-shapes';
import { fittingOrder } from '../orders/order-size';
import { plainStatus } from '../orders/order-status';
import { UnreadableOrder } from './failures';
import { decoded, escaped } from './html';

type Fields = Readonly<Record<string, unknown>>;

/** Labels of ours on an order (decisions.md section 4). */
export const tagsKey = '_order_tags';

const dates = ['date_created', 'date_modified', 'date_paid', 'date_completed'] as const;

/**
 * The order as our services see it, from the order object of WooCommerce's REST v3: dates in UTC (WooCommerce writes those of `_gmt` without a
 * zone, the others in the time of the shop), tags from the meta field. Throws a ServiceError when it is no order.
 */
export function orderFrom(json: unknown): Order {
  const fields = inOrderShapes(asFields(json));
  const meta = Array.isArray(fields.meta_data) ? fields.meta_data : [];
  const tags = tagsOf(meta.map(asFields).find(({ key }) => key === tagsKey)?.value);
  const utc = Object.fromEntries(dates.map((date) => [date, utcOf(fields[`${date}_gmt`]) ?? utcOf(fields[date])]));
  // Orders that were moved into tables of their own without the date of their creation have none.
  const date_created = utc.date_created ?? utc.date_paid ?? utc.date_modified;
  const { _links, ...own } = fields;
  // The plugin that knew it is switched off. ISO 4217 has a code for no currency, with which no payment agrees.
  const currency = own.currency || 'XXX';
  const checked = check(orderSchema, {
    ...own,
    currency,
    ...utc,
    date_created,
    date_modified: utc.date_modified ?? date_created,
    number: String(fields.number ?? fields.id),
    ...(tags.length > 0 ? { tags } : {}),
  });
  // Tables of orders give the rows of a field in another order after each change: the first is the oldest, as among posts.
  if (checked.ok) checked.value.meta_data.sort(({ id: one = 0 }, { id: other = 0 }) => one - other);
  const fitted = checked.ok ? fittingOrder(checked.value) : null;
  if (fitted) return fitted;
  const [first] = checked.ok
    ? [{ path: 'order', message: `is larger than ${maxOrderBytes} bytes` }]
    : checked.violations;
  throw new UnreadableOrder(`WooCommerce shows an order that cannot be read: ${first?.path} ${first?.message}.`);
}

/**
 * Another one after every change that a rule could see. Notes are no part of an order in WooCommerce, and a second may see several changes:
 * `steps` counts those that were carried out from here.
 */
export function revisionOf(
  { status, date_modified, total, transaction_id, meta_data, meta_digest, refunds }: Order,
  steps: number,
): string {
  const parts = [status, date_modified, total, transaction_id, meta_data, refunds, steps];
  return derivedId(JSON.stringify(meta_digest ? [...parts, meta_digest] : parts));
}

const stateSchema = z.object({
  id: z.int().positive(),
  status: z.string().min(1),
  number: z.coerce.string().default(''),
  order_key: z.unknown(),
  transaction_id: z.string().default(''),
  refunds: z.array(z.object({ id: z.int(), total: z.string().default('0') })).default([]),
  meta_data: z.array(z.object({ key: z.string(), value: z.unknown() })).default([]),
});

/** What is compared of an order in a list; null when it cannot be read. */
export function stateFrom(
  json: unknown,
): (z.infer<typeof stateSchema> & Record<'date_created' | 'date_modified', string>) | null {
  const fields = inOrderShapes(asFields(json));
  const parsed = stateSchema.safeParse(fields);
  const date_modified = utcOf(fields.date_modified_gmt);
  const date_created = utcOf(fields.date_created_gmt) ?? date_modified;
  return parsed.success && date_created && date_modified ? { ...parsed.data, date_created, date_modified } : null;
}

export const isId = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text);

export const asFields = (json: unknown): Fields =>
  typeof json === 'object' && json !== null && !Array.isArray(json) ? (json as Fields) : {};

/** `2026-01-15T10:00:00`, in UTC where it has no zone; null when there is no date. */
export function utcOf(text: unknown): string | null {
  const [, day, time, zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?$/.exec(String(text)) ?? [];
  const at = Date.parse(`${day}T${time}${zone}`);
  return Number.isNaN(at) ? null : `${new Date(at).toISOString().slice(0, 19)}Z`;
}

/** A list, or what other programs write into such a field: words separated by commas. PHP makes an object of a list with gaps. */
export function tagsOf(value: unknown): string[] {
  const listed = typeof value === 'string' ? value.split(',') : Object.values(value ?? {});
  const words = listed.map((tag) => String(tag).trim().slice(0, 100)).filter((tag) => tag !== '');
  return [...new Set(words)].slice(0, 100);
}

/** The mark in the text of a note by which a command recognises it: an HTML comment, which WooCommerce shows to nobody. */
const mark = /\s*<!-- order-automation:([A-Za-z0-9_-]+) -->\s*$/;

export const marked = (note: string, key: string): string => `${escaped(note)}\n<!-- order-automation:${key} -->`;

export const markOf = (note: string): string | undefined => mark.exec(note)?.[1];

/** A note of WooCommerce, without our mark. Those of a customer and of the shop's own doing have no author. */
export function noteFrom(json: unknown): OrderNote {
  const { id, date_created_gmt, date_created, note, customer_note, author } = asFields(json);
  const text = String(note ?? '');
  return orderNoteSchema.parse({
    id: Number(id),
    date_created: utcOf(date_created_gmt ?? date_created) ?? new Date(0).toISOString(),
    note: decoded(text.replace(mark, '')),
    customer_note: customer_note === true,
    author: markOf(text) ? 'automation' : String(author ?? 'WooCommerce'),
  });
}

/** WooCommerce has 20 characters for a status, `wc-` among them, and cuts what is longer. */
const longestStatus = 17;

/** A status as orders of WooCommerce show it, of which a shop may have its own; undefined when it cannot be one. */
export function statusOf(text: string): string | undefined {
  const status = plainStatus(text).slice(0, longestStatus);
  return /^[a-z0-9][a-z0-9_-]*$/.test(status) ? status : undefined;
}
