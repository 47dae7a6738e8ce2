import { z } from 'zod';
import { genericTypeSchema } from './vocabulary';

/** How a sender's references are read (decisions.md section 12): as the order's id, as its number, or as whichever exists. */
export const orderReferenceKindSchema = z.enum(['id', 'number', 'auto']);

/** By what the order of an event may be found (decisions.md sections 6 and 12, "Which order an event names"). */
export const orderReferenceSchema = z.object({
  /** Ids of the gateway that the shop may have stored on the order (payment intent, charge, checkout session, subscription). */
  gateway_ids: z.array(z.string()),
  /** The first reference to an order that the payload itself names. */
  order_id: z.string().nullable(),
  transaction_id: z.string().nullable(),
  /** Of `gateway_ids`, the payments: what an order's own `transaction_id` may hold. Absent: `transaction_id` alone. */
  transactions: z.array(z.string()).optional(),
  /** Every reference of the payload, the most trusted first, with the field it stands in. Absent: `order_id` alone. */
  references: z.array(z.object({ value: z.string(), from: z.string() })).optional(),
  /** The sender's settings for its references. Absent: `auto`, without a prefix of its own. */
  reading: z.object({ order_reference: orderReferenceKindSchema, order_prefix: z.string().nullable() }).optional(),
  /** What else the payload says of the order; what contradicts the order makes the event foreign. */
  claims: z.object({ site_url: z.string().optional(), order_key: z.string().optional() }).optional(),
});
export type OrderReference = z.infer<typeof orderReferenceSchema>;

/** Section 2.6 of the specification and decisions.md section 6. The payload as received (`rawData`) stays in the inbox: messages refer to it. */
export const universalEventSchema = z.object({
  id: z.string(),
  eventType: z.string().min(1).max(255),
  genericType: genericTypeSchema.nullable(),
  /** The sender's own name of the event, where its connection gives it a generic type. Absent where `eventType` is that name. */
  sentAs: z.string().max(255).optional(),
  /** The preset of the sender's connection knows its types and gives this one no meaning. */
  isLeftOut: z.boolean().optional(),
  sourceGateway: z.string(),
  channel: z.string(),
  primaryObjectType: z.string(),
  primaryObjectID: z.string().nullable(),
  secondaryObjectType: z.string().nullable(),
  secondaryObjectID: z.string().nullable(),
  transactionID: z.string().nullable(),
  /** Decimal text in the currency's own number of decimals. */
  amount: z.string().nullable(),
  /** The amount as it came, in the smallest unit of a currency whose decimals nobody knows (`IRT`): the order says how many it has. */
  minorUnits: z.string().optional(),
  /** A currency code in capitals: ISO 4217, or one that the shop uses (`IRT`). */
  currency: z.string().nullable(),
  /** Why an amount or currency that the payload has cannot be read exactly; null when both are readable or absent. */
  amountProblem: z.string().nullable(),
  status: z.string().nullable(),
  reason: z.string().nullable(),
  occurredAt: z.iso.datetime().nullable(),
  receivedAt: z.iso.datetime(),
  idempotencyKey: z.string(),
  authenticated: z.boolean(),
  isTest: z.boolean(),
  orderReference: orderReferenceSchema,
  /** The subscription that a payment belongs to. */
  subscriptionID: z.string().nullable().optional(),
  /**
   * What the gateway says of a payment of a subscription: its `first`, a `renewal`, or `other` (an upgrade, a manual invoice). Absent where the gateway
   * does not say: the order's history does.
   */
  billing: z.enum(['first', 'renewal', 'other']).optional(),
  /** The invoice that a payment pays, where the gateway says no more of it than its id. */
  invoiceID: z.string().optional(),
  /** Of a capture: whether the gateway says that none follows. */
  isFinalCapture: z.boolean().optional(),
  /** Of a capture: what was authorised besides and let go with it, an amount as `amount`. Of a refund: how much of it was no more than that. */
  released: z.string().optional(),
  /** Of a refund: whether its amount is the sum of all refunds of the payment so far. Card's `charge.refunded` is one without it. */
  isRefundTotal: z.boolean().optional(),
  /** Of a sum of refunds so far, what it was before: an amount as `amount`. */
  refundedBefore: z.string().optional(),
});
export type UniversalEvent = z.infer<typeof universalEventSchema>;
