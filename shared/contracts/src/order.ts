import { z } from 'zod';

/** Bytes of an order as JSON: the whole is limited, and no text or list by itself. */
export const maxOrderBytes = 256 * 1024;

const text = z.string();

const addressSchema = z.looseObject({
  first_name: text.default(''),
  last_name: text.default(''),
  company: text.default(''),
  address_1: text.default(''),
  address_2: text.default(''),
  city: text.default(''),
  state: text.default(''),
  postcode: text.default(''),
  country: text.default(''),
});

/** Exact decimal text, as the host platform keeps money. */
export const moneySchema = z
  .string()
  .regex(/^-?\d{1,20}(\.\d{1,18})?$/, 'must be a decimal number as text, for example "49.00"');

const lineItemSchema = z.looseObject({
  id: z.int().default(0),
  name: text.default(''),
  product_id: z.int(),
  /** 0 or absent where the product has none. */
  variation_id: z.int().optional(),
  /** Plugins sell by weight and length: 0.5. */
  quantity: z.number(),
  total: moneySchema.default('0.00'),
  sku: z.string().nullable().default(''),
});

const metaSchema = z.looseObject({ id: z.int().optional(), key: z.string().max(500), value: z.unknown() });

/** Dates of an order; WooCommerce has each twice: by the clocks of the shop, and as `…_gmt`, both without a zone. */
export const orderDateFields = ['date_created', 'date_modified', 'date_paid', 'date_completed'] as const;

/** An order in the field names of the WooCommerce REST v3 order object (decisions.md section 5). Fields we do not use are kept. Dates are ISO 8601 UTC. */
export const orderSchema = z.looseObject({
  id: z.int().positive(),
  number: z.string().max(100),
  status: z.string().min(1).max(50),
  /** ISO 4217, or a code of the shop's own: `USDT`, `PTS`, `IRT`. */
  currency: z.string().min(2).max(12),
  total: moneySchema,
  date_created: z.iso.datetime(),
  date_modified: z.iso.datetime(),
  date_paid: z.iso.datetime().nullable().default(null),
  date_completed: z.iso.datetime().nullable().default(null),
  customer_id: z.int().default(0),
  payment_method: text.default(''),
  payment_method_title: text.default(''),
  transaction_id: text.default(''),
  customer_note: text.default(''),
  billing: addressSchema.extend({ email: text.default(''), phone: text.default('') }),
  shipping: addressSchema,
  line_items: z.array(lineItemSchema),
  shipping_lines: z
    .array(
      z.looseObject({
        method_id: text.default(''),
        method_title: text.default(''),
        total: moneySchema.default('0.00'),
      }),
    )
    .default([]),
  meta_data: z.array(metaSchema).default([]),
  /** Of the meta fields that were left out, because the order was too large with them. */
  meta_digest: z.string().optional(),
  coupon_lines: z.array(z.looseObject({ code: text.default('') })).optional(),
  refunds: z
    .array(z.looseObject({ id: z.int().optional(), reason: text.nullish(), total: moneySchema.default('0.00') }))
    .optional(),
  /** Labels of our own (decisions.md section 4); WooCommerce keeps them in the meta field `_order_tags`. */
  tags: z.array(z.string().max(100)).max(100).optional(),
  /** When the order entered its present status; absent where the shop does not know. */
  status_since: z.iso.datetime().optional(),
});
export type Order = z.infer<typeof orderSchema>;

export const orderNoteSchema = z.object({
  id: z.int(),
  date_created: z.iso.datetime(),
  note: z.string(),
  customer_note: z.boolean(),
  author: z.string(),
});
export type OrderNote = z.infer<typeof orderNoteSchema>;

/** What conditions need to know of the products in an order. */
export const productFactsSchema = z.object({
  id: z.int(),
  name: z.string(),
  type: z.string(),
  category_ids: z.array(z.int()),
  tag_ids: z.array(z.int()),
  /** Categories above those of `category_ids`, at every level. */
  parent_category_ids: z.array(z.int()).optional(),
  virtual: z.boolean().optional(),
  downloadable: z.boolean().optional(),
  /** Why the shop could not say what it is, as a sentence: nothing else but the id is known. */
  unreadable: z.string().optional(),
});
export type ProductFacts = z.infer<typeof productFactsSchema>;

/**
 * An order with the facts about its products: all that most conditions look at. `revision` is opaque and another one after every change of the
 * order: a step that was decided on it is refused once the order has left it. Both connectors say it.
 */
export const orderContextSchema = z.object({
  order: orderSchema,
  products: z.array(productFactsSchema),
  revision: z.string().optional(),
});
export type OrderContext = z.infer<typeof orderContextSchema>;

/**
 * What conditions may need to know of the customer of an order. `role` is `guest` without an account. `order_count` counts the customer's
 * other orders that are processing or completed (decisions.md section 4).
 */
export const customerFactsSchema = z.object({ role: z.string().max(100), order_count: z.int().min(0) });
export type CustomerFacts = z.infer<typeof customerFactsSchema>;

export const fieldChangeSchema = z.object({ field: z.string(), from: z.unknown(), to: z.unknown() });
export type FieldChange = z.infer<typeof fieldChangeSchema>;
