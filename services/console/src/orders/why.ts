import telling from './telling.json';

/** An entry of the log about an order, newest first in lists. */
export type Entry = { readonly event_type: string; readonly summary: string; readonly is_test?: boolean };

/**
 * The entry that says best why the order has its status: what went wrong since a rule last moved it (the kinds that say most first), else that move, else
 * what was done, else the condition that failed, else the newest; a test only where there is nothing else. Undefined where the log has nothing to say.
 */
export function tellingEntry<One extends Entry>(newestFirst: readonly One[]): One | undefined {
  const real = newestFirst.filter(({ is_test }) => is_test !== true);
  const all = real.length > 0 ? real : newestFirst;
  const moved = all.findIndex(
    ({ event_type: type, summary }) => type === 'action_executed' && /: Status changed /.test(summary),
  );
  const among = moved < 0 ? all : all.slice(0, moved + 1);
  const first = (type: string) => among.find(({ event_type }) => event_type === type);
  const unmatched = among.find(
    ({ event_type, summary }) =>
      event_type === 'rule_evaluation' && /^(Order \d+: )?Rule .*did not match/.test(summary),
  );
  const known = telling.map(first).find((entry) => entry !== undefined) ?? all[moved] ?? first('action_executed');
  return known ?? unmatched ?? first('process_completed') ?? among[0];
}
