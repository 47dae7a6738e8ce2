import { z } from 'zod';
import { genericTypeSchema } from './vocabulary';

/** By what the order of an event may be found, in this order of trust (decisions.md section 6, "Order lookup"). */
export const orderReferenceSchema = z.object({
  /** Ids of the gateway that the shop may have stored on the order (payment intent, charge, checkout session). */
  gateway_ids: z.array(z.string()),
  /** The order id or number that the payload itself names. */
  order_id: z.string().nullable(),
  transaction_id: z.string().nullable(),
});
export type OrderReference = z.infer<typeof orderReferenceSchema>;

/**
 * Section 2.6 of the specification and decisions.md section 6. The payload as received (`rawData`) stays in the inbox:
 * messages carry references, not payloads.
 */
export const universalEventSchema = z.object({
  id: z.string(),
  eventType: z.string().min(1).max(255),
  genericType: genericTypeSchema.nullable(),
  sourceGateway: z.string(),
  channel: z.string(),
  primaryObjectType: z.string(),
  primaryObjectID: z.string().nullable(),
  secondaryObjectType: z.string().nullable(),
  secondaryObjectID: z.string().nullable(),
  transactionID: z.string().nullable(),
  /** Decimal text in the currency's own number of decimals. */
  amount: z.string().nullable(),
  /** ISO 4217 code in capitals. */
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
});
export type UniversalEvent = z.infer<typeof universalEventSchema>;
