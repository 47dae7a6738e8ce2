import { z } from 'zod';
import { exchange } from '../exchange';

/** What must never be of an order and the money that was paid for it. */
const moneyLawSchema = z.enum([
  'paid_not_moved',
  'paid_and_cancelled',
  'completed_short',
  'completed_unproven',
  'refunded_too_much',
  'paid_twice',
  'disputed_and_shipping',
]);
export type MoneyLaw = z.infer<typeof moneyLawSchema>;

/** An order that breaks one of them now: what is so, what to do about it, and since when it is known. */
const moneyFindingSchema = z.object({
  order_id: z.int(),
  law: moneyLawSchema,
  text: z.string(),
  cure: z.string(),
  since: z.iso.datetime(),
});
export type MoneyFinding = z.infer<typeof moneyFindingSchema>;

export const moneyRequests = {
  /** The newest first, of at most 100 orders; `total` counts orders. `round`: of the last look at all orders, when it began and when it was over. */
  'evaluation.money.list.v1': exchange(
    {},
    {
      total: z.int(),
      findings: z.array(moneyFindingSchema),
      round: z.object({ began_at: z.iso.datetime().nullable(), ended_at: z.iso.datetime().nullable() }),
    },
  ),
  /** Checks every order that a gateway has reported anything about; `started` is false while such a round runs. */
  'evaluation.money.check.v1': exchange({}, { started: z.boolean() }),
} as const;
