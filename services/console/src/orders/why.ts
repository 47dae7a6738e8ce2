/** An entry of the log about an order, newest first in lists. */
export type Entry = { readonly event_type: string; readonly summary: string; readonly timestamp: string };

/** What says most about an order: the first kind that the log has an entry of. */
const telling = [
  'dead_lettered',
  'action_failed',
  'late_payment',
  'order_ambiguous',
  'refund_failed',
  'payment_partial',
  'payment_repeated',
  'other_payment',
  'event_waiting',
  'event_stale',
] as const;

/**
 * One sentence on why the order stands where it does, from the newest process about it: what went wrong, else what was done, else the condition
 * that failed. Undefined where the log has nothing to say.
 */
export function sentenceOf(newestFirst: readonly Entry[]): string | undefined {
  const first = (type: string) => newestFirst.find(({ event_type }) => event_type === type)?.summary;
  for (const type of telling) {
    const summary = first(type);
    if (summary !== undefined) return summary;
  }
  const done = first('action_executed');
  if (done !== undefined) return done;
  return (
    newestFirst.find(({ event_type, summary }) => event_type === 'rule_evaluation' && /did not match/.test(summary))
      ?.summary ?? first('process_completed')
  );
}
