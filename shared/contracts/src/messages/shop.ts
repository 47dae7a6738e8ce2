import { z } from 'zod';
import { newAuditEntrySchema, pageInput, paginationSchema } from '../audit-entry';
import { orderCommandSchema } from '../effect';
import { exchange, periodInput, withoutInput } from '../exchange';
import {
  customerFactsSchema,
  fieldChangeSchema,
  moneySchema,
  orderContextSchema,
  orderNoteSchema,
  orderSchema,
} from '../order';
import { newRefundSchema, refundSchema } from '../refund';
import { orderReferenceSchema } from '../universal-event';

/** Why a change is made: carried along so that chains can be followed and cut. `depth` 0 is a person or a gateway. */
export const causeSchema = z.object({
  process_id: z.string(),
  depth: z.int().min(0),
  author: z.string(),
  /** The rules that led here, in order: none of them runs again in this chain. */
  rules: z.array(z.int()).optional(),
});
export type Cause = z.infer<typeof causeSchema>;

/** What a shop without e-mail of its own wants sent about a status: `shop` is the shop's own address. `address` is empty where there is none. */
const orderMailSchema = z.object({
  to: z.enum(['customer', 'shop']),
  address: z.string(),
  subject: z.string(),
  body: z.string(),
});
export type OrderMail = z.infer<typeof orderMailSchema>;

/** `already_applied` repeats the result of the first time; `unchanged`: the order was like that already; `failed`: retrying cannot help. */
const commandResultSchema = z.object({
  key: z.string(),
  status: z.enum(['applied', 'already_applied', 'unchanged', 'failed']),
  /** The process for which it was carried out: that of the first time. */
  process_id: z.string(),
  message: z.string(),
  changes: z.array(fieldChangeSchema),
  /** To be sent once for the key; absent when the shop sends its own, or none. */
  mail: orderMailSchema.optional(),
});
export type CommandResult = z.infer<typeof commandResultSchema>;

/** `identified`: the order can be found by ids that it did not have before; its status is as it was. */
const orderChangeSchema = z.object({
  change_id: z.string(),
  order_id: z.int(),
  kind: z.enum(['created', 'status_changed', 'identified']),
  from: z.string().nullable(),
  to: z.string(),
  at: z.iso.datetime(),
  cause: causeSchema,
  /** Ids by which the order can be found from now on: `number:1010`, `gateway:pi_1`. */
  keys: z.array(z.string()),
});
export type OrderChange = z.infer<typeof orderChangeSchema>;

/** Money of an order was given back, in part or as a whole: an occurrence of its own. The status may change with it, by a change of its own. */
const orderRefundedSchema = z.object({
  change_id: z.string(),
  kind: z.literal('refunded'),
  order_id: z.int(),
  refund_id: z.int(),
  /** Above zero. */
  amount: moneySchema,
  currency: z.string(),
  at: z.iso.datetime(),
  cause: causeSchema,
});
export type OrderRefunded = z.infer<typeof orderRefundedSchema>;

/** All order commands of one rule for one order: carried out together, once by the key, on the revision that they were decided on. */
const orderStepSchema = z.object({
  /** hash(occurrence, rule): carried out once, however often it comes. */
  key: z.string().min(1),
  order_id: z.int(),
  /** Null when it does not matter. */
  revision: z.string().nullable(),
  commands: z.array(z.object({ key: z.string().min(1), command: orderCommandSchema })).min(1),
  /** `event_id`: the event that the rule is evaluated for. */
  cause: causeSchema.extend({ event_id: z.string().optional() }),
});
export type OrderStep = z.infer<typeof orderStepSchema>;

/**
 * `applied`, `repeated`: carried out, now or before; the answer is that of the first time, with the order as it is now. The caller owes the rules its
 * `changes` and the log its `entries`. `stale`: the order has left the revision; nothing was done, decide again. `unavailable`: this step alone
 * cannot be carried out now; `about` says whether the shop fails on its order or altogether.
 */
const stepResultSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['applied', 'repeated']),
    /** The process for which it was carried out: that of the first time. */
    process_id: z.string(),
    results: z.array(commandResultSchema),
    context: orderContextSchema,
    changes: z.array(z.union([orderRefundedSchema, orderChangeSchema])),
    entries: z.array(newAuditEntrySchema),
  }),
  z.object({ kind: z.literal('stale'), context: orderContextSchema }),
  z.object({ kind: z.literal('missing') }),
  z.object({
    kind: z.literal('unavailable'),
    reason: z.string(),
    retry_after_ms: z.int().nullable(),
    about: z.enum(['order', 'shop']),
  }),
]);
export type StepResult = z.infer<typeof stepResultSchema>;

/** Section 2.4 of the specification. `users` are roles. */
export const searchSources = [
  'products',
  'categories',
  'product_tags',
  'posts',
  'users',
  'order_statuses',
  'payment_methods',
  'shipping_methods',
] as const;
export const searchSourceSchema = z.enum(searchSources);
export type SearchSource = z.infer<typeof searchSourceSchema>;

/** `value` is what a setting of a condition stores; what `meta` holds depends on the source. */
export const searchResultSchema = z.object({
  value: z.string(),
  label: z.string(),
  meta: z.record(z.string(), z.unknown()),
});
export type SearchResult = z.infer<typeof searchResultSchema>;

const orderWithNotes = orderSchema.extend({ notes: z.array(orderNoteSchema) });

/** Whose orders are counted: those of the customer id, or without one of the billing e-mail; never the order itself. */
const customerOfOrderSchema = z.object({ order_id: z.int(), customer_id: z.int(), email: z.string() });
export type CustomerOfOrder = z.infer<typeof customerOfOrderSchema>;

/**
 * Why an event that names an order moves none (decisions.md section 12): `ambiguous`, its reference is the id of one order and the number of another;
 * `foreign`, what else it says contradicts the order (`because`, a sentence).
 */
const orderRejectionSchema = z.object({
  kind: z.enum(['ambiguous', 'foreign']),
  orders: z.array(z.object({ id: z.int(), number: z.string() })),
  /** The reference as the event has it. */
  reference: z.string(),
  because: z.string(),
});
export type OrderRejection = z.infer<typeof orderRejectionSchema>;

export const shopEvents = {
  'shop.order-changed.v1': orderChangeSchema,
  'shop.order-refunded.v1': orderRefundedSchema,
} as const;

export const shopRequests = {
  /** `demonstration`: it was filled with orders that nobody has placed. `problems`: what it cannot do now, for an operator; empty while it works. */
  'shop.status.v1': withoutInput({
    connector: z.enum(['builtin', 'woocommerce']),
    demonstration: z.boolean(),
    problems: z.array(z.string()),
  }),
  /**
   * `matches` has one item a reference: the order found and by what, or null. `orders` has each order found once, those of `rejections` included.
   * `rejections`: references (by index) that name an order which must not be moved, with `matches` null for them. `part`: what the partial payment pays by
   * which the order was found.
   */
  'shop.order.resolve.v1': exchange(
    { references: z.array(orderReferenceSchema) },
    {
      matches: z.array(
        z
          .object({
            order_id: z.int(),
            by: z.enum(['gateway_id', 'order_id', 'transaction_id']),
            part: z.string().optional(),
          })
          .nullable(),
      ),
      orders: z.array(orderContextSchema),
      rejections: z.array(orderRejectionSchema.extend({ index: z.int() })).optional(),
    },
  ),
  /** Orders that do not exist are left out. */
  'shop.order.get.v1': exchange({ ids: z.array(z.int()) }, { orders: z.array(orderContextSchema) }),
  /** Facts keep the order of what was asked. */
  'shop.customer.facts.v1': exchange(
    { customers: z.array(customerOfOrderSchema).max(500) },
    { facts: z.array(customerFactsSchema) },
  ),
  /** Results keep the order of the steps; a step that fails does not keep the others from it. */
  'shop.order.apply.v2': exchange({ steps: z.array(orderStepSchema) }, { results: z.array(stepResultSchema) }),
  /** What the last of these steps of one order would do after those before it, as `shop.order.apply` answers, never `unavailable`; nothing is written. */
  'shop.order.preview.v1': exchange({ steps: z.array(orderStepSchema).min(1).max(200) }, { result: stepResultSchema }),
  /** What settings of conditions can be filled with: an exact id first, then what begins with the text, then what has its words. */
  'shop.search.v1': exchange(
    { source: searchSourceSchema, search: z.string().max(200), limit: z.int().min(1).max(100) },
    { results: z.array(searchResultSchema) },
  ),
  'shop.order.list.v1': exchange(
    /** `from`, `to`: when it was created. `ids`: these alone, whatever else is asked. */
    {
      ids: z.array(z.int().positive()).min(1).max(100).optional(),
      status: z.string().optional(),
      search: z.string().optional(),
      ...periodInput,
      ...pageInput,
    },
    { orders: z.array(orderSchema), pagination: paginationSchema },
  ),
  'shop.order.view.v1': exchange({ id: z.int() }, { order: orderWithNotes }),
  /** Creates the order when there is none of that id, else changes the fields given. */
  'shop.order.save.v1': exchange(
    { id: z.int().positive(), fields: z.record(z.string(), z.unknown()), cause: causeSchema },
    { order: orderWithNotes, created: z.boolean() },
  ),
  /** Newest first. */
  'shop.refund.list.v1': exchange({ order_id: z.int().positive() }, { refunds: z.array(refundSchema) }),
  /** With a `key`, once: a repeat answers the refund of the first time (`created` is false), another refund under the key is refused. */
  'shop.refund.create.v1': exchange(
    {
      order_id: z.int().positive(),
      refund: newRefundSchema,
      key: z.string().min(1).max(200).nullable(),
      cause: causeSchema,
    },
    { refund: refundSchema, created: z.boolean() },
  ),
} as const;
