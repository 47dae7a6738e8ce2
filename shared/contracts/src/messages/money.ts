import { z } from 'zod';
import { withoutInput } from '../exchange';
import laws from '../money-laws.json';

/** What must never be of an order and the money that was paid for it. */
export type MoneyLaw = keyof typeof laws;
const moneyLawSchema = z.enum(Object.keys(laws) as MoneyLaw[]);

/** An order that breaks one of them now: what is so, what to do about it, and since when it is known. */
const moneyFindingSchema = z.object({
  order_id: z.int(),
  law: moneyLawSchema,
  text: z.string(),
  cure: z.string(),
  /** Ids of the payments, or of the one in dispute, that show it: the log finds its entries by them. */
  transactions: z.array(z.string()).optional(),
  since: z.iso.datetime(),
});
export type MoneyFinding = z.infer<typeof moneyFindingSchema>;

export const moneyRequests = {
  /** The newest first, of at most 100 orders; `total` counts orders. `round`: of the last look at all orders, when it began and when it was over. */
  'evaluation.money.list.v1': withoutInput({
    total: z.int(),
    findings: z.array(moneyFindingSchema),
    round: z.object({ began_at: z.iso.datetime().nullable(), ended_at: z.iso.datetime().nullable() }),
  }),
  /** Checks every order that a gateway has reported anything about; `started` is false while such a round runs. */
  'evaluation.money.check.v1': withoutInput({ started: z.boolean() }),
} as const;
