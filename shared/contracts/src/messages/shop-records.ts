import { z } from 'zod';
import { pageInput, paginationSchema } from '../audit-entry';
import { exchange } from '../exchange';
import { causeSchema } from './shop';

/** What a shop keeps besides orders, as the lines of an import name it. */
export const recordTypes = [
  'product',
  'category',
  'tag',
  'post',
  'customer',
  'role',
  'order_status',
  'payment_method',
  'shipping_method',
] as const;
const recordTypeSchema = z.enum(recordTypes);
export type RecordType = z.infer<typeof recordTypeSchema>;

/** In the field names of WooCommerce's REST v3; the shop checks them. */
const fields = z.record(z.string(), z.unknown());
/** A number as text, or the key of a role, status or method. */
const id = z.string().min(1).max(100);

const importRefusalSchema = z.object({ line: z.int(), reason: z.string() });
export type ImportRefusal = z.infer<typeof importRefusalSchema>;

/** How far an import is. `refusals` has the first hundred lines that were refused, `refused` counts them all. */
export const importProgressSchema = z.object({
  id: z.string(),
  state: z.enum(['running', 'done']),
  /** Lines that were seen through, empty ones included. */
  lines: z.int(),
  /** SHA-256 of those lines, each with its line feed, in hexadecimal. */
  digest: z.string(),
  imported: z.int(),
  refused: z.int(),
  imported_by_type: z.array(z.object({ type: z.string(), count: z.int() })),
  refusals: z.array(importRefusalSchema),
  started_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type ImportProgress = z.infer<typeof importProgressSchema>;

/** Sources of search-content whose ids a shop is asked for in bulk. */
export const namedSources = ['products', 'categories', 'product_tags'] as const;
export type NamedSource = (typeof namedSources)[number];

export const maxNamedRecords = 1_000;
const namedIds = z.array(id).max(maxNamedRecords);
const namedRecords = z.object({ products: namedIds, categories: namedIds, product_tags: namedIds });

export const shopRecordRequests = {
  /** Which of these ids the shop does not have. A variation counts as a product. */
  'shop.record.known.v1': exchange(namedRecords, { missing: namedRecords }),
  /**
   * Removes what the shop service keeps about the person beside orders and customers, which are the shop's own records: the results of commands to
   * orders of a shop elsewhere. A call with `from`, first empty, walks a part and answers where the next one begins; without, all of it.
   */
  'shop.person.erase.v1': exchange(
    { email: z.string().nullable(), customer_id: z.int().nullable(), from: z.string().optional() },
    { erased: z.int(), next: z.string().nullable().optional() },
  ),
  /** By id, or what a search finds. */
  'shop.record.list.v1': exchange(
    { type: recordTypeSchema, search: z.string().max(200).optional(), ...pageInput },
    { records: z.array(fields), pagination: paginationSchema },
  ),
  'shop.record.get.v1': exchange({ type: recordTypeSchema, id }, { record: fields }),
  /** Creates the record when there is none of that id, else changes the fields given. */
  'shop.record.put.v1': exchange(
    { type: recordTypeSchema, id, fields, cause: causeSchema },
    { record: fields, created: z.boolean() },
  ),
  'shop.record.delete.v1': exchange({ type: recordTypeSchema, id, cause: causeSchema }, { deleted: z.literal(true) }),
  /**
   * Some lines of an NDJSON import, as they came: those after `after`, which must be the lines that were seen through (else 409). `digest` is
   * that of all lines up to the last of these. Records are upserted by id: lines that come twice do no harm.
   */
  'shop.import.v2': exchange(
    {
      id,
      after: z.int().min(0),
      lines: z.array(z.string()).max(500),
      /** Lines among these that could not be read, and are empty there. */
      broken: z.array(importRefusalSchema),
      digest: z.string(),
      last: z.boolean(),
      /** Whether new and changed orders are recorded and can fire rules. */
      events: z.boolean(),
      cause: causeSchema,
    },
    { progress: importProgressSchema, refusals: z.array(importRefusalSchema) },
  ),
  /** Null: nothing was imported under that id. */
  'shop.import.get.v1': exchange({ id }, { progress: importProgressSchema.nullable() }),
} as const;
