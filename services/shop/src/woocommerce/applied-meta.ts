import type { Order } from '@order-automation/contracts';
import { z } from 'zod';

/**
 * A command that changed the order, as the order itself remembers it: written by the same request as the change, so that a process that dies
 * before it can note the result finds it there. `from` and `to` are statuses, or what a meta field or tag became.
 */
const appliedSchema = z.object({
  key: z.string(),
  process_id: z.string(),
  at: z.iso.datetime(),
  from: z.string().max(200).nullable(),
  to: z.string().max(200),
  what: z.enum(['status', 'field']),
  step: z.string(),
  /** Absent on marks of an earlier version. */
  order_id: z.int().optional(),
  /** The installation that did it: two may work on one shop. Absent on marks of an earlier version. */
  by: z.string().optional(),
});
export type AppliedMark = z.infer<typeof appliedSchema>;

export const appliedKey = '_order_automation_applied';
/** Commands that an order remembers; the journal has them all. */
export const maxMarks = 20;

/** JSON text, because WordPress changes what is written as a list. What is unreadable counts as nothing, and what plugins copy from another order. */
export function marksOf({ id, meta_data }: Pick<Order, 'id' | 'meta_data'>): AppliedMark[] {
  const value = meta_data.find(({ key }) => key === appliedKey)?.value;
  try {
    const marks = z.array(appliedSchema).parse(JSON.parse(String(value ?? '[]')));
    return marks.filter(({ order_id = id }) => order_id === id);
  } catch {
    return [];
  }
}

/** The meta field with these marks too. Past twenty the oldest leave, except those that the journal does not know (`isNoted`): no key is lost. */
export function withMarks(
  order: Order,
  added: readonly AppliedMark[],
  isNoted: (mark: AppliedMark) => boolean,
): { key: string; value: string } {
  const marks = marksOf(order);
  let excess = marks.length + added.length - maxMarks;
  const kept = marks.filter((mark) => {
    if (excess <= 0 || !isNoted(mark)) return true;
    excess -= 1;
    return false;
  });
  return { key: appliedKey, value: textOf([...kept, ...added]) };
}

/** In characters that every database of a shop takes. */
export const textOf = (marks: readonly AppliedMark[]): string =>
  JSON.stringify(marks).replace(/[\ud800-\udfff]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`);
