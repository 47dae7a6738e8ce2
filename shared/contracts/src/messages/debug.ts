import { z } from 'zod';
import { fieldChangeSchema } from '../order';
import { editionSchema } from '../rule';
import { conditionResultSchema, triggerResultSchema } from '../verdict';

/** Section 2.7 of the specification, with the further fields of decisions.md section 8. */
export const testResultSchema = z.object({
  matched: z.boolean(),
  trigger: triggerResultSchema,
  conditions: z.array(conditionResultSchema),
  would_run: z.array(
    z.object({ id: z.string(), label: z.string(), changes: z.array(fieldChangeSchema), message: z.string() }),
  ),
  suggestions: z.array(z.string()),
  order_details: z.object({
    id: z.int(),
    status: z.string(),
    total: z.string(),
    currency: z.string(),
    payment_method: z.string(),
    customer_id: z.int(),
    date_created: z.string(),
  }),
});
export type TestResult = z.infer<typeof testResultSchema>;

export const orderSummarySchema = z.object({
  id: z.int(),
  status: z.string(),
  total: z.string(),
  total_formatted: z.string(),
  currency: z.string(),
  customer: z.string(),
  date: z.string(),
  date_full: z.string(),
});
export type OrderSummary = z.infer<typeof orderSummarySchema>;

export const debugRequests = {
  /** Tests rule data that need not be saved on one order; changes nothing (section 4.4 of the specification). */
  'debug.rule.test.v1': {
    input: z.object({ order_id: z.int(), rule_data: z.unknown(), edition: editionSchema }),
    output: z.object({ data: testResultSchema }),
  },
  'debug.order.search.v1': {
    input: z.object({ search: z.string().optional(), limit: z.int().min(1).max(50) }),
    output: z.object({ data: z.array(orderSummarySchema) }),
  },
} as const;
