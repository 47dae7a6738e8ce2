import { z } from 'zod';
import { exchange } from '../exchange';
import { editionSchema } from '../rule';

/** Not yet saved, or in place of the saved rule `id`, whose position it has then. */
const ruleDraftSchema = z.object({
  id: z.int().positive().nullable(),
  name: z.string().max(200),
  stop_processing: z.boolean(),
  /** The rule data as somebody wrote them. */
  rule: z.unknown(),
});

/** A rule by name; the id of a draft that is not saved is null. */
const namedRuleSchema = z.object({ id: z.int().nullable(), name: z.string() });
const pairOf = <T extends z.ZodType>(item: T) => z.array(item).length(2);

/** What rules make of the webhooks of a payment depends on the order in which these arrive. */
const arrivalFindingSchema = z.object({
  /** The rules without which it would not; the first is the one whose action decides. */
  rules: z.array(namedRuleSchema).min(1),
  /** The same webhooks in two orders, in words, as they may arrive. */
  sequences: pairOf(z.array(z.string()).min(2)),
  /** What differs after each of them: "completed", "tag late". */
  ends: pairOf(z.string()),
  /** The same as a sentence. */
  text: z.string(),
});
export type ArrivalFinding = z.infer<typeof arrivalFindingSchema>;

export const arrivalOrderRequests = {
  /**
   * Whether the enabled rules (with the draft as if it were enabled) make the same of the webhooks of a payment in whatever order these arrive, and however often,
   * by the code that evaluates them, on orders that are made up. Refuses a draft as a save does.
   */
  'evaluation.arrival-order.check.v1': exchange(
    { draft: ruleDraftSchema.nullable(), edition: editionSchema },
    {
      /** Rules that were looked at. */
      checked: z.int(),
      findings: z.array(arrivalFindingSchema),
      /** Rules whose conditions no order fulfils that could be made up: nothing is known of them. */
      unreached: z.array(namedRuleSchema),
      /** There may be more than was found. */
      is_truncated: z.boolean(),
    },
  ),
} as const;
